/** The commands on the code in an editor: ask, explain, refactor, fix, document, write tests. */
import * as vscode from 'vscode';
import { type CodeTask, changesCode } from '../../conversation/prompts/codePrompts.ts';
import { activeEditor, type LastEditor } from '../base/lastEditor.ts';
import type { Commands } from '../base/laterCommands.ts';
import type { Log } from '../base/log.ts';
import { askForInput, notify, type Say } from '../base/notifications.ts';
import { joinList } from '../base/sentences.ts';
import { askInChat } from '../conversations/chatAsking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { type Running, runFor } from '../conversations/messageCommands.ts';
import { nextConversation, type Preview } from '../conversations/questionPreviews.ts';
import { linesText } from '../wording/linesText.ts';
import { isGone, isReadOnlyKind } from '../workspace/fileKinds.ts';
import type { SelectedCode } from '../workspace/selectedCode.ts';
import {
  askToInclude,
  type CodeActionTarget,
  type CodeAsked,
  diagnosticsOf,
  findCode,
  isTarget,
  titleOfTask,
  toCodeNow,
  toQuestion,
} from './codeQuestions.ts';

const t = vscode.l10n.t;

export interface CodeCommandsDeps {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Whether the user is asked for an instruction, and whether it may be empty. */
type InstructionMode = 'required' | 'optional' | 'none';

const TASKS = ['ask', 'explain', 'refactor', 'fix', 'document', 'test'] as const;

type CommandTask = (typeof TASKS)[number];

const MODES = {
  ask: 'required',
  explain: 'none',
  refactor: 'optional',
  fix: 'none',
  document: 'none',
  test: 'none',
} as const satisfies Record<CommandTask, InstructionMode>;

interface Typing {
  /** The text that the user has typed for a task, and that was not sent. */
  readonly typed?: Map<CommandTask, string>;
}

/** Each command resolves with whether it has asked. */
export function createCodeCommands(given: CodeCommandsDeps): Commands<`k3.${CommandTask}`> {
  const deps = { ...given, typed: new Map<CommandTask, string>() };
  const runTask = (task: CommandTask) => (argument: unknown) =>
    runFor(argument, deps.log, (running) =>
      run(deps, task, isTarget(argument) ? argument : undefined, running),
    );
  return {
    'k3.ask': runTask('ask'),
    'k3.explain': runTask('explain'),
    'k3.refactor': runTask('refactor'),
    'k3.fix': runTask('fix'),
    'k3.document': runTask('document'),
    'k3.test': runTask('test'),
  };
}

/** The questions that these commands would ask about the active editor. */
export const toCodePreviews = (deps: CodeCommandsDeps): readonly Preview[] =>
  TASKS.map((task) => ({
    title: titleOfTask(task),
    command: `k3.${task}`,
    async make(words = '') {
      const asked = await findAsked(deps, task, undefined, words);
      return asked && { conversation: nextConversation(deps.conversations), question: toQuestion(asked) };
    },
  }));

async function run(
  deps: CodeCommandsDeps & Typing,
  task: CommandTask,
  target: CodeActionTarget | undefined,
  { words, say, tell }: Running,
): Promise<boolean> {
  const { conversations } = deps;
  const asked = await findAsked(deps, task, target, words, say);
  if (asked === undefined) return false;
  const code = await askToInclude(asked.code, say);
  if (code === undefined) return false;
  const question = toQuestion({ ...asked, code });
  const { asked: result } = await askInChat(conversations, question);
  if (result.ok) deps.typed?.delete(task);
  tell(result);
  return result.ok;
}

/**
 * Finds the code to ask about. Asks the user for an instruction if the task has one. Undefined if there is no such code, which the user
 * is told, or if the user canceled.
 *
 * @param words the instruction, if it is known
 */
async function findAsked(
  { lastEditor, typed }: Pick<CodeCommandsDeps, 'lastEditor'> & Typing,
  task: CommandTask,
  target: CodeActionTarget | undefined,
  words: string,
  say: Say = notify,
): Promise<CodeAsked | undefined> {
  const found = await findCode(target, activeEditor(lastEditor), say);
  if (found === undefined) return undefined;
  // The same rule as for Edit Here: not for earlier revisions of files, and documents that extensions provide.
  if (changesCode(task) && isReadOnlyKind(found.document.uri))
    return void say(t('Open the file to edit, and select the lines or put the cursor there.'));
  const mode = MODES[task];
  const isKnown = words !== '' || mode === 'none';
  const instruction = isKnown ? words : await askForInstruction(task, found, mode, typed?.get(task));
  if (instruction === undefined) return undefined;
  if (!isKnown) typed?.set(task, instruction);
  // The file was renamed or deleted while the user was typing.
  if (!isKnown && (await isGone(found.document.uri)))
    return void say(t('{0} couldn’t be read and wasn’t sent.', found.path));
  const code = isKnown ? found : toCodeNow(found);
  return { task, code, instruction, diagnostics: target?.diagnostics ?? diagnosticsOf(code, task) };
}

async function askForInstruction(
  task: CodeTask,
  code: SelectedCode,
  mode: InstructionMode,
  value = '',
): Promise<string | undefined> {
  const text = await askForInput({
    title: titleOfTask(task),
    value,
    prompt: joinList(
      [code, ...(code.more ?? [])].map((one) => linesText(one.path, one.startLine, one.endLine)),
    ),
    placeHolder:
      task === 'ask'
        ? t('What do you want to know?')
        : t('What should be improved? Leave empty to let svc-k3 decide.'),
  });
  return text !== undefined && mode === 'required' && text.trim() === '' ? undefined : text;
}
