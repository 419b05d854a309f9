/** The commands on the code in an editor: ask, explain, refactor, fix, document, write tests. */
import * as vscode from 'vscode';
import type { CodeTask } from '../../chat/codePrompts.ts';
import { askWithKeyPrompt, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { isFree } from '../conversations/freeConversation.ts';
import type { SelectedCode } from '../workspace/selectedCode.ts';
import {
  type CodeActionTarget,
  diagnosticsOf,
  findCode,
  isTarget,
  mayInclude,
  titleOf,
  toQuestion,
} from './codeQuestions.ts';

const t = vscode.l10n.t;

export interface CodeCommandsDeps {
  readonly conversations: Pick<Conversations, 'current' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
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
  const diagnostics = target?.diagnostics ?? diagnosticsOf(code, task);
  const question = toQuestion({ task, code, instruction, diagnostics });
  // Don't wait for a running answer; ask in a new conversation. Another window may have deleted the open one.
  if (!isFree(conversations, conversations.current().id)) conversations.create();
  const conversationId = conversations.current().id;
  await vscode.commands.executeCommand('k3.focusChat');
  await showRefusal(
    await askWithKeyPrompt((options) => conversations.ask(conversationId, question, options)),
  );
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
