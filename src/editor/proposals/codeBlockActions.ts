/** The actions of a code block in an answer: insert it, apply it as a proposal, or open it as a new file. */
import * as vscode from 'vscode';
import type { CodeAction } from '../../panel/views.ts';
import { type CodeBlock, readInfo } from '../../review/answers/codeBlocks.ts';
import { isDiff, toCode } from '../../review/edits/fileBlocks.ts';
import { bringsSchema } from '../../text/schemaAddresses.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { showWarning, withoutLinks } from '../base/notifications.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { applyBlock } from './appliedBlock.ts';
import { editorFor, showNoEditor } from './chosenPlace.ts';
import { confirmEdit } from './editConfirmation.ts';
import type { Proposals } from './proposalList.ts';
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
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'ofTurn'>;
  readonly renames: Pick<Renames, 'since'>;
  readonly lastEditor: LastEditor;
}

export function createCodeBlockActions({
  conversations,
  proposals,
  renames,
  lastEditor,
}: CodeBlockActionsDeps): CodeBlockActions {
  return {
    async perform(action, conversationId, block) {
      const conversation = conversations.get(conversationId);
      const exchange = conversation?.exchanges.find(({ id }) => id === block.exchangeId);
      if (conversation === undefined || exchange === undefined) return;
      const code = { ...readInfo(block.info), code: block.text };
      switch (action) {
        case 'insert':
          return insert(lastEditor, toCode(code));
        case 'new-file':
          return openNewFile(toCode(code), toLanguage(code));
        case 'apply':
          return applyBlock({ proposals, renames, lastEditor }, conversation, exchange, code);
      }
    },
  };
}

/** The language of the code. For a diff, the extension of the file. */
const toLanguage = (block: CodeBlock): string =>
  isDiff(block) ? (block.path?.split('.').at(-1) ?? '') : block.language;

async function insert(lastEditor: LastEditor, text: string): Promise<void> {
  const editor = editorFor(lastEditor);
  if (editor === undefined) return;
  const { document } = editor;
  const parts = editor.selections.map((one) => ({ before: document.getText(one), after: text }));
  if (!(await confirmEdit({ uri: document.uri, parts }))) return;
  // The editor may have been closed while the confirmation dialog was open.
  if (!vscode.window.visibleTextEditors.includes(editor)) return showNoEditor();
  // The selections are read again, because they may have changed, too.
  const { selections } = editor;
  const code = text.replace(/\n$/, '');
  const { version } = document;
  const changes = selections.some((one) => document.getText(one) !== code);
  const inserted = await editor.edit((edit) => {
    for (const one of selections) edit.replace(one, code);
  });
  // A read-only editor may report success, so the version is compared.
  if (!inserted || (changes && document.version === version))
    void showWarning(t('Couldn’t change {0} because it is read-only.', withoutLinks(document.fileName)));
  else await vscode.window.showTextDocument(document, editor.viewColumn);
}

async function openNewFile(content: string, name: string): Promise<void> {
  // If the language were JSON, other extensions would download the schema from its address at once.
  const language = bringsSchema('', content) ? 'plaintext' : await toLanguageId(name);
  const document = await vscode.workspace.openTextDocument({ content, ...(language && { language }) });
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
