/** The actions of a code block in an answer: insert it, apply it as a proposal, or open it as a new file. */
import * as vscode from 'vscode';
import type { Conversation, Exchange } from '../../conversation/conversation.ts';
import { askedQuestion, shownTurn } from '../../conversation/conversation.ts';
import { originsOf, type Question } from '../../conversation/question.ts';
import type { CodeAction } from '../../panel/views.ts';
import { readInfo } from '../../review/codeBlocks.ts';
import { insertLines, replaceSpan, type Span } from '../../review/editPlacement.ts';
import { isDiff } from '../../review/fileBlocks.ts';
import { type FileProposal, isUnderReview, toFileProposal } from '../../review/proposal.ts';
import { toEditsOfDiff } from '../../review/unifiedDiff.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { linesOf } from '../workspace/selectedCode.ts';
import { confirmEdit } from './editConfirmation.ts';
import { findTarget, pathOfBlock, readTarget } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import { toFilesOfCode } from './proposedFiles.ts';
import { addAsked } from './proposeEdits.ts';
import type { Renames } from './renamedFiles.ts';

const t = vscode.l10n.t;

/** A code block as the panel sends it. */
export interface NamedBlock {
  readonly exchangeId: string;
  readonly text: string;
  /** The info string after the opening fence. */
  readonly info: string;
}

export interface CodeBlockActions {
  perform(action: CodeAction, conversationId: string, block: NamedBlock): Promise<void>;
}

export interface CodeBlockActionsDeps {
  readonly conversations: Pick<Conversations, 'get'>;
  readonly proposals: Pick<Proposals, 'add' | 'ofFile' | 'ofTurn'>;
  readonly renames: Pick<Renames, 'since'>;
  readonly lastEditor: LastEditor;
}

export function createCodeBlockActions({
  conversations,
  proposals,
  renames,
  lastEditor,
}: CodeBlockActionsDeps): CodeBlockActions {
  async function apply(conversation: Conversation, exchange: Exchange, block: NamedBlock): Promise<void> {
    const turn = shownTurn(exchange);
    if (turn === undefined) return;
    const made = proposals.ofTurn(turn.id).filter(({ files }) => files.some(({ hunks }) => hunks.length > 0));
    const known = made.find(isUnderReview) ?? made[0];
    const isOurDiff = known !== undefined && /^diff\b/.test(block.info);
    const question = await renames
      .since({ conversation, exchange, turn })
      .withFilesNow(askedQuestion(exchange, turn));
    const files = isOurDiff ? [] : await toFilesOfBlock(lastEditor, question, block);
    if (files === undefined) return;
    const proposal = isOurDiff
      ? known
      : await addAsked(proposals, {
          turnId: turn.id,
          conversationId: conversation.id,
          files,
          trouble: undefined,
          revises: undefined,
        });
    if (proposal === undefined) return;
    await vscode.commands.executeCommand('k3.reviewProposal', { proposalId: proposal.id });
  }

  return {
    async perform(action, conversationId, block) {
      const conversation = conversations.get(conversationId);
      const exchange = conversation?.exchanges.find(({ id }) => id === block.exchangeId);
      if (conversation === undefined || exchange === undefined) return;
      switch (action) {
        case 'insert':
          return insert(lastEditor, asCode(block));
        case 'new-file':
          return openNewFile(asCode(block));
        case 'apply':
          return apply(conversation, exchange, block);
      }
    },
  };
}

/** The code of a block. Of a diff, the lines it results in, without the signs. */
function asCode<T extends Pick<NamedBlock, 'text' | 'info'>>(block: T): T {
  const { language, path } = readInfo(block.info);
  if (!isDiff({ language })) return block;
  const text = toEditsOfDiff(block.text)
    .map(({ replace }) => replace)
    .join('');
  return { ...block, text, info: path === undefined ? '' : (path.split('.').at(-1) ?? '') };
}

/** The last active text editor. Shows a message when there is none. */
function editorFor(lastEditor: LastEditor): vscode.TextEditor | undefined {
  const editor = lastEditor.get();
  if (editor === undefined) void showInformation(t('Open the file this code belongs to and try again.'));
  return editor;
}

async function insert(lastEditor: LastEditor, { text }: NamedBlock): Promise<void> {
  const editor = editorFor(lastEditor);
  if (editor === undefined) return;
  const { document } = editor;
  const parts = [{ before: document.getText(editor.selection), after: text }];
  if (!(await confirmEdit({ uri: document.uri, parts }))) return;
  // Reads the selection again: it may have changed while the confirmation dialog was open.
  const code = text.replace(/\n$/, '');
  const { version } = document;
  const changes = document.getText(editor.selection) !== code;
  const inserted = await editor.edit((edit) => edit.replace(editor.selection, code));
  // A read-only editor says that it was.
  if (!inserted || (changes && document.version === version))
    void showWarning(t('Couldn’t change {0} because it is read-only.', withoutLinks(document.fileName)));
  else await vscode.window.showTextDocument(document, editor.viewColumn);
}

async function openNewFile({ text, info }: NamedBlock): Promise<void> {
  const language = await toLanguageId(readInfo(info).language);
  const document = await vscode.workspace.openTextDocument({ content: text, ...(language && { language }) });
  await vscode.window.showTextDocument(document);
}

/** Language names in info strings that differ from the language IDs of the editor. */
const ALIASES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  yml: 'yaml',
  md: 'markdown',
  cs: 'csharp',
  'c++': 'cpp',
  'c#': 'csharp',
  golang: 'go',
  kt: 'kotlin',
};

async function toLanguageId(name: string): Promise<string | undefined> {
  const known = await vscode.languages.getLanguages();
  const wanted = name.toLowerCase();
  return [ALIASES[wanted] ?? wanted].find((language) => known.includes(language));
}

/** Places a block on the lines that were sent, in the file that it names, or where the user chooses. */
async function toFilesOfBlock(
  lastEditor: LastEditor,
  question: Question,
  { text, info }: NamedBlock,
): Promise<readonly FileProposal[] | undefined> {
  const block = { ...readInfo(info), code: text };
  const made = await toFilesOfCode([block], question);
  const files = made.files.filter(({ hunks }) => hunks.length > 0);
  if (files.length > 0) return files;
  const path = await pathOfBlock(block, originsOf(question));
  const named = path === undefined ? undefined : await findTarget(path, originsOf(question));
  const uri = named?.exists ? named.uri : editorFor(lastEditor)?.document.uri;
  return uri === undefined ? undefined : pickSpan(uri, asCode({ text, info }).text);
}

interface SpanItem extends vscode.QuickPickItem {
  readonly span: Span;
}

/** Asks the user where in a file the code goes. Undefined when the user cancels. */
async function pickSpan(uri: vscode.Uri, code: string): Promise<readonly FileProposal[] | undefined> {
  const { label, text, lineEnd } = await readTarget(uri);
  const editor = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  const items: SpanItem[] = [
    ...(editor === undefined ? [] : spanItemsOf(editor)),
    { label: t('Replace the Entire File'), span: { from: 0, to: text.length } },
    { label: t('Insert at the End'), span: { from: text.length, to: text.length } },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Apply to {0}', label),
    placeHolder: t('Where should this code go? You can review the change before it is applied.'),
  });
  if (chosen === undefined) return undefined;
  const { span } = chosen;
  const after =
    span.from === span.to
      ? insertLines(text, span.from, code, lineEnd)
      : replaceSpan(text, span, code, lineEnd);
  return [
    toFileProposal({
      uri: uri.toString(),
      label,
      isNew: false,
      before: text,
      after,
      asked: span,
      unplaced: [],
      lineEnd,
    }),
  ];
}

function spanItemsOf({ document, selection }: vscode.TextEditor): readonly SpanItem[] {
  const { start, end } = linesOf(selection);
  const from = document.offsetAt(new vscode.Position(start, 0));
  const to = document.offsetAt(document.lineAt(end).rangeIncludingLineBreak.end);
  return [
    ...(selection.isEmpty
      ? []
      : [
          {
            label: t('Replace the Selection'),
            description: t('lines {0}–{1}', start + 1, end + 1),
            span: { from, to },
          },
        ]),
    {
      label: t('Insert Above the Cursor'),
      description: t('line {0}', start + 1),
      span: { from, to: from },
    },
  ];
}
