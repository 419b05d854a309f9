/** The commands on the code in an editor: ask, explain, refactor, fix, document, write tests. */
import * as vscode from 'vscode';
import { type CodeLines, type CodeTask, chooseSurroundings, toCodePrompt } from '../../chat/codePrompts.ts';
import type { Question } from '../../chat/turn.ts';
import { askWithOffers, tellRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { linesOf, linesOfDocument, type SelectedCode, toSelectedCode } from '../workspace/selectedCode.ts';

const t = vscode.l10n.t;

export interface CodeCommandsDeps {
  readonly conversations: Pick<Conversations, 'current' | 'create' | 'isRunning' | 'ask'>;
}

/** What a code action calls a command with: the lines, and what the editor says about them. */
export interface CodeActionTarget {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly diagnostics: readonly string[];
}

/** Whether the reader is asked for words: they are needed, may be given, or are not asked for. */
type Words = 'needed' | 'optional' | 'none';

export function registerCodeCommands(deps: CodeCommandsDeps): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const does = (task: CodeTask, words: Words) => (target: unknown) =>
    run(deps, task, words, isTarget(target) ? target : undefined);
  return vscode.Disposable.from(
    registerCommand('k3.ask', does('ask', 'needed')),
    registerCommand('k3.explain', does('explain', 'none')),
    registerCommand('k3.refactor', does('refactor', 'optional')),
    registerCommand('k3.fix', does('fix', 'none')),
    registerCommand('k3.document', does('document', 'none')),
    registerCommand('k3.test', does('test', 'none')),
  );
}

/** From the context menu comes the address of the file, which is the active one anyway. */
function isTarget(target: unknown): target is CodeActionTarget {
  return typeof target === 'object' && target !== null && 'diagnostics' in target;
}

async function run(
  { conversations }: CodeCommandsDeps,
  task: CodeTask,
  words: Words,
  target: CodeActionTarget | undefined,
): Promise<void> {
  const code = await findCode(target);
  if (code === undefined) return;
  const instruction = words === 'none' ? '' : await askForWords(task, code, words);
  if (instruction === undefined) return;
  const question = toQuestion(task, code, instruction, target?.diagnostics ?? diagnosticsOf(code, task));
  // A question about code does not wait for an answer about something else.
  if (conversations.isRunning(conversations.current().id)) conversations.create();
  const conversationId = conversations.current().id;
  await vscode.commands.executeCommand('k3.focusChat');
  await tellRefusal(await askWithOffers((options) => conversations.ask(conversationId, question, options)));
}

async function findCode(target: CodeActionTarget | undefined): Promise<SelectedCode | undefined> {
  if (target !== undefined) {
    const document = await vscode.workspace.openTextDocument(target.uri);
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    // The whole function around a problem, so that it can be understood.
    if (editor !== undefined && target.range.isSingleLine) {
      const found = await toSelectedCode(editor);
      if (found && found.startLine <= target.range.start.line && found.endLine >= target.range.end.line)
        return found;
    }
    const { start, end } = linesOf(target.range);
    return linesOfDocument(document, start, end);
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(
      t(
        'Open a file and select the code to ask about. If nothing is selected, the code around the cursor is used.',
      ),
    );
    return undefined;
  }
  const code = await toSelectedCode(editor);
  if (code === undefined) void vscode.window.showInformationMessage(t('This file is empty.'));
  return code;
}

async function askForWords(
  task: CodeTask,
  { path, startLine, endLine }: SelectedCode,
  words: Words,
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: task === 'ask' ? t('Ask About Selection') : t('Refactor'),
    prompt: t('{0}, lines {1}–{2}', path, startLine + 1, endLine + 1),
    placeHolder:
      task === 'ask'
        ? t('What do you want to know?')
        : t('What should be improved? Leave empty to let svc-k3 decide.'),
    ignoreFocusOut: true,
  });
  return text !== undefined && words === 'needed' && text.trim() === '' ? undefined : text;
}

/** The question about some code; where an answer changes files, it is asked for in a form that can be checked. */
function toQuestion(
  task: CodeTask,
  code: SelectedCode,
  instruction: string,
  diagnostics: readonly string[],
): Question {
  const { document, startLine, endLine, text } = code;
  const purpose = task === 'test' ? 'tests' : task === 'ask' || task === 'explain' ? undefined : 'proposal';
  return {
    text: toCodePrompt({ task, code, instruction, diagnostics, around: linesAround(code) }),
    images: [],
    origin: { uri: document.uri.toString(), startLine, endLine, text },
    ...(purpose && { purpose }),
  };
}

function linesAround({ document, startLine, endLine }: SelectedCode): readonly CodeLines[] {
  const lines = document.getText().split(/\r?\n/);
  return chooseSurroundings(lines, startLine, endLine).map(({ start, end }) =>
    linesOfDocument(document, start, end),
  );
}

/** What the editor says about the lines that are to be fixed. */
function diagnosticsOf({ document, startLine, endLine }: SelectedCode, task: CodeTask): readonly string[] {
  if (task !== 'fix') return [];
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(
      ({ range, source }) => range.start.line <= endLine && range.end.line >= startLine && source !== 'K3',
    )
    .map(toDiagnosticLine);
}

/** A problem of the editor in one line, for the model. */
export function toDiagnosticLine({ range, message, source, code }: vscode.Diagnostic): string {
  const name = typeof code === 'object' ? code.value : code;
  const from = [source, name].filter((part) => part !== undefined && part !== '').join(' ');
  const words = message.replace(/\s+/g, ' ');
  return `line ${range.start.line + 1}: ${words}${from === '' ? '' : ` (${from})`}`;
}
