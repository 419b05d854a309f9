/** The commands on the code in an editor: ask, explain, refactor, fix, document, write tests. */
import * as vscode from 'vscode';
import { toAsked } from '../../chat/asked.ts';
import { type CodeLines, type CodeTask, chooseSurroundings, toCodePrompt } from '../../chat/codePrompts.ts';
import type { Question } from '../../chat/turn.ts';
import { showInformation } from '../base/notifications.ts';
import { askWithKeyPrompt, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { isFree } from '../conversations/freeConversation.ts';
import { linesOf, linesOfDocument, type SelectedCode, toSelectedCode } from '../workspace/selectedCode.ts';
import { requestLines } from '../workspace/sentLines.ts';

const t = vscode.l10n.t;

export interface CodeCommandsDeps {
  readonly conversations: Pick<Conversations, 'current' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
}

/** The argument of a command from a code action: a range, and its diagnostics as text. */
export interface CodeActionTarget {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly diagnostics: readonly string[];
}

/** Whether the user is asked for an instruction, and whether it may be empty. */
type InstructionMode = 'required' | 'optional' | 'none';

export function registerCodeCommands(deps: CodeCommandsDeps): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const runTask = (task: CodeTask, mode: InstructionMode) => (target: unknown) =>
    run(deps, task, mode, isTarget(target) ? target : undefined);
  return vscode.Disposable.from(
    registerCommand('k3.ask', runTask('ask', 'required')),
    registerCommand('k3.explain', runTask('explain', 'none')),
    registerCommand('k3.refactor', runTask('refactor', 'optional')),
    registerCommand('k3.fix', runTask('fix', 'none')),
    registerCommand('k3.document', runTask('document', 'none')),
    registerCommand('k3.test', runTask('test', 'none')),
  );
}

/** The context menu passes the URI of the file instead, which is the active one anyway. */
function isTarget(target: unknown): target is CodeActionTarget {
  return typeof target === 'object' && target !== null && 'diagnostics' in target;
}

async function run(
  { conversations }: CodeCommandsDeps,
  task: CodeTask,
  mode: InstructionMode,
  target: CodeActionTarget | undefined,
): Promise<void> {
  const code = await findCode(target);
  if (code === undefined) return;
  const instruction = mode === 'none' ? '' : await askForInstruction(task, code, mode);
  if (instruction === undefined) return;
  if (!(await mayInclude(code))) return;
  const question = toQuestion(task, code, instruction, target?.diagnostics ?? diagnosticsOf(code, task));
  // Don't wait for a running answer; ask in a new conversation. Another window may have deleted the open one.
  if (!isFree(conversations, conversations.current().id)) conversations.create();
  const conversationId = conversations.current().id;
  await vscode.commands.executeCommand('k3.focusChat');
  await showRefusal(
    await askWithKeyPrompt((options) => conversations.ask(conversationId, question, options)),
  );
}

/** Asks about keys and passwords in the lines that the user didn't select. */
async function mayInclude(code: SelectedCode): Promise<boolean> {
  const { uri } = code.document;
  const lines = [...(code.selected ? [] : [code]), ...linesAround(code)];
  return requestLines([{ uri, text: lines.map(({ text }) => text).join('\n') }]);
}

async function findCode(target: CodeActionTarget | undefined): Promise<SelectedCode | undefined> {
  if (target !== undefined) {
    const document = await vscode.workspace.openTextDocument(target.uri);
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    // The symbol around a problem gives the model the context that it needs.
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
    void showInformation(
      t(
        'Open a file and select the code to ask about. If nothing is selected, the code around the cursor is used.',
      ),
    );
    return undefined;
  }
  const code = await toSelectedCode(editor);
  if (code === undefined) void showInformation(t('This file is empty.'));
  return code;
}

async function askForInstruction(
  task: CodeTask,
  { path, startLine, endLine }: SelectedCode,
  mode: InstructionMode,
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: titleOf(task),
    prompt: t('{0}, lines {1}–{2}', path, startLine + 1, endLine + 1),
    placeHolder:
      task === 'ask'
        ? t('What do you want to know?')
        : t('What should be improved? Leave empty to let svc-k3 decide.'),
    ignoreFocusOut: true,
  });
  return text !== undefined && mode === 'required' && text.trim() === '' ? undefined : text;
}

/** The question about code. Its `purpose` requests an answer that can be checked, for tasks that change files. */
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
    asked: toAsked(titleOf(task), instruction),
    images: [],
    origin: { uri: document.uri.toString(), startLine, endLine, text },
    ...(purpose && { purpose }),
  };
}

function titleOf(task: CodeTask): string {
  switch (task) {
    case 'ask':
      return t('Ask About Selection');
    case 'explain':
      return t('Explain');
    case 'refactor':
      return t('Refactor');
    case 'fix':
      return t('Fix');
    case 'document':
      return t('Document');
    case 'test':
      return t('Write Tests');
  }
}

/** The lines before and after the code that are sent with it. */
export function linesAround({ document, startLine, endLine }: SelectedCode): readonly CodeLines[] {
  const lines = document.getText().split(/\r?\n/);
  return chooseSurroundings(lines, startLine, endLine).map(({ start, end }) =>
    linesOfDocument(document, start, end),
  );
}

/** The diagnostics of the lines to fix; none for other tasks. */
function diagnosticsOf({ document, startLine, endLine }: SelectedCode, task: CodeTask): readonly string[] {
  if (task !== 'fix') return [];
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(
      ({ range, source }) => range.start.line <= endLine && range.end.line >= startLine && source !== 'K3',
    )
    .map(toDiagnosticLine);
}

/** A diagnostic in one line, for the model. */
export function toDiagnosticLine({ range, message, source, code }: vscode.Diagnostic): string {
  const name = typeof code === 'object' ? code.value : code;
  const from = [source, name].filter((part) => part !== undefined && part !== '').join(' ');
  const text = message.replace(/\s+/g, ' ');
  // For the model.
  return `line ${range.start.line + 1}: ${text}${from === '' ? '' : ` (${from})`}`;
}
