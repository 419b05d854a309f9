/** What `/` at the beginning of a message stands for: commands of the extension, and prompt files. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import {
  fillPrompt,
  findNamed,
  type Prompt,
  typedPrompt,
  type Variable,
  variablesOf,
} from '../../instructions/promptFile.ts';
import type { ContextChoice, ContextReference } from '../../panel/context.ts';
import type { SettingProblem } from '../../requests/refusal.ts';
import type { CommandWords } from '../base/commandWords.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import type { InputClosed } from '../conversations/asking.ts';
import { describeLostPrompt, describePromptProblem, describePromptsProblem } from '../wording/promptWords.ts';
import { describeSettingProblem } from '../wording/refusalWords.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { labelOf } from '../workspace/textSources.ts';
import { readFileContext, toSelectionContext } from './contextItems.ts';
import { findFolderProblem, readPrompts } from './promptFiles.ts';

const t = vscode.l10n.t;

export type Expanded =
  /** The message is what it says. */
  | { readonly kind: 'plain' }
  /** The words behind the name of the command are for it. */
  | ({ readonly kind: 'command'; readonly command: string } & CommandWords)
  /** The prompt can't be sent, and why. */
  | { readonly kind: 'missing'; readonly why: string }
  /** The user has closed an input of the prompt. */
  | { readonly kind: 'canceled' }
  | {
      readonly kind: 'prompt';
      readonly asked: Pick<Question, 'text' | 'asked' | 'effort' | 'tools'>;
      /** What its variables mean, to be added to the message. */
      readonly references: readonly ContextReference[];
    };

export interface Prompts {
  /** Commands and prompts whose names have these letters. */
  choices(letters: string): Promise<readonly ContextChoice[]>;
  /**
   * What a message stands for. Asks for the inputs of a prompt.
   *
   * @param inputClosed called once after the last input, with whether the user has confirmed it
   */
  expand(message: string, inputClosed?: InputClosed): Promise<Expanded>;
  /**
   * The same for the next request as it is shown: nothing is asked, so inputs stay as they are written, and what may not
   * be read without asking is left out. Undefined if the message is what it says.
   */
  preview(
    message: string,
  ): Promise<Previewed | Extract<Expanded, { kind: 'command' | 'missing' }> | undefined>;
  /**
   * The text of a message, for an estimate, without waiting: that of a prompt that is known already, in which variables
   * stay as they are written.
   */
  text(message: string): string;
}

export interface Previewed {
  readonly kind: 'prompt';
  readonly asked: Extract<Expanded, { kind: 'prompt' }>['asked'];
  readonly context: readonly ContextItem[];
}

export interface PromptsDeps {
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly reads: Pick<AllowedReads, 'allows' | 'whichAllowed'>;
}

interface PromptCommand {
  readonly name: string;
  readonly command: string;
  /** What it is about. Its name says what it does. */
  readonly about: () => string;
}

const code = () => t('Selected code');
const COMMANDS: readonly PromptCommand[] = [
  { name: 'explain', command: 'k3.explain', about: code },
  { name: 'refactor', command: 'k3.refactor', about: code },
  { name: 'fix', command: 'k3.fix', about: code },
  { name: 'document', command: 'k3.document', about: code },
  { name: 'tests', command: 'k3.test', about: code },
  { name: 'review-selection', command: 'k3.reviewSelection', about: code },
  { name: 'review-file', command: 'k3.reviewFile', about: () => t('Active file') },
  {
    name: 'review-changes',
    command: 'k3.reviewChanges',
    about: () => t('Uncommitted changes'),
  },
];

const COMMAND_NAMES = COMMANDS.map(({ name }) => name);

/** How long the prompts are kept while the user types, in milliseconds. */
const KEPT_MS = 5000;

export function createPrompts({ lastEditor, reads }: PromptsDeps): Prompts {
  let kept: { readonly at: number; readonly prompts: Promise<readonly Prompt[]> } | undefined;
  let known: readonly Prompt[] = [];

  function recent(): Promise<readonly Prompt[]> {
    if (kept === undefined || performance.now() - kept.at > KEPT_MS)
      kept = {
        at: performance.now(),
        prompts: readPrompts(reads, COMMAND_NAMES).then((read) => (known = read)),
      };
    return kept.prompts;
  }

  return {
    async choices(letters) {
      const commands = COMMANDS.map(({ name, about }) => toChoice(name, about(), 'sparkle'));
      const prompts = (await recent()).map(({ name, description }) => toChoice(name, description, 'note'));
      const sought = `/${letters.toLowerCase()}`;
      const all = [...commands, ...prompts].filter(({ label }) => label.toLowerCase().startsWith(sought));
      const sorted = all.toSorted((a, b) => Number(b.label === sought) - Number(a.label === sought));
      const problem = await findFolderProblem();
      return problem === undefined ? sorted : [...sorted, toProblemChoice(problem)];
    },
    async preview(message) {
      const expanded = await expand(message, async ({ key }) => ({ text: `$\{${key}}` }));
      if (expanded.kind === 'plain' || expanded.kind === 'canceled') return undefined;
      if (expanded.kind !== 'prompt') return expanded;
      const read = await Promise.all(expanded.references.map((one) => readReference(one, lastEditor, reads)));
      return { kind: 'prompt', asked: expanded.asked, context: read.flatMap((item) => item ?? []) };
    },
    async expand(message, inputClosed) {
      // The focus that is given back between two inputs would close the second one.
      let isConfirmed: boolean | undefined;
      const expanded = await expand(message, async (variable, prompt) => {
        const value = await askFor(variable, prompt);
        isConfirmed = value !== undefined;
        return value;
      });
      if (isConfirmed !== undefined) inputClosed?.(isConfirmed);
      return expanded;
    },
    text(message) {
      const typed = typedPrompt(message);
      const prompt = typed && findNamed(known, typed.name);
      return prompt === undefined ? message : joined(prompt.text, typed?.rest ?? '');
    },
  };

  async function expand(message: string, ask: Ask): Promise<Expanded> {
    const typed = typedPrompt(message);
    if (typed === undefined) return { kind: 'plain' };
    const prompts = await readPrompts(reads, COMMAND_NAMES);
    const isExact = ({ name }: { readonly name: string }) => name === typed.name;
    const named = prompts.some(isExact) ? undefined : findNamed(COMMANDS, typed.name);
    if (named !== undefined) return { kind: 'command', command: named.command, words: typed.rest };
    const prompt = findNamed(prompts, typed.name);
    const problem = prompt === undefined ? await findFolderProblem() : undefined;
    if (problem !== undefined) return { kind: 'missing', why: describePromptsProblem(problem) };
    // It was offered. Its name would be sent in place of its text.
    const isLost = prompt === undefined && findNamed(known, typed.name) !== undefined;
    // Said once. After that, it is as if it had not been offered.
    if (isLost) known = known.filter(({ name }) => prompts.some((one) => one.name === name));
    if (isLost) return { kind: 'missing', why: describeLostPrompt(typed.name) };
    return prompt === undefined ? { kind: 'plain' } : fill(prompt, typed.rest, lastEditor.get(), ask);
  }
}

async function readReference(
  reference: ContextReference,
  lastEditor: Pick<LastEditor, 'get'>,
  reads: Pick<AllowedReads, 'allows'>,
): Promise<ContextItem | undefined> {
  const editor = lastEditor.get();
  const uri = editor?.document.uri;
  if (editor === undefined || uri === undefined) return undefined;
  if (!(await reads.allows(uri, 'text'))) return undefined;
  const read = reference.kind === 'file' ? await readFileContext(uri) : toSelectionContext(editor);
  return read.ok ? read.item : undefined;
}

const toChoice = (name: string, description: string, icon: string): ContextChoice => ({
  label: `/${name}`,
  description,
  icon,
  reference: undefined,
});

const toProblemChoice = (problem: SettingProblem): ContextChoice => ({
  label: problem.setting,
  description: describeSettingProblem(problem),
  icon: 'warning',
  reference: undefined,
  isProblem: true,
});

/** Asks for the value of an input; undefined if the user has closed it. */
type Ask = (variable: Extract<Variable, { kind: 'input' }>, prompt: string) => Promise<Value | undefined>;

interface Value {
  readonly text: string;
  readonly reference?: ContextReference;
}

async function fill(
  { name, text, effort, tools, problem }: Prompt,
  rest: string,
  editor: vscode.TextEditor | undefined,
  ask: Ask,
): Promise<Expanded> {
  if (problem !== undefined) return { kind: 'missing', why: describePromptProblem(name, problem) };
  const values = new Map<string, string>();
  const references: ContextReference[] = [];
  // What the editor doesn't have is said before the user types what would be lost.
  const ofEditorFirst = variablesOf(text).toSorted(
    (a, b) => Number(a.kind === 'input') - Number(b.kind === 'input'),
  );
  for (const variable of ofEditorFirst) {
    const value = variable.kind === 'input' ? await ask(variable, name) : ofEditor(variable.kind, editor);
    if (value === undefined) return { kind: 'canceled' };
    if ('why' in value) return { kind: 'missing', why: value.why };
    values.set(variable.key, value.text);
    if (value.reference !== undefined) references.push(value.reference);
  }
  return {
    kind: 'prompt',
    asked: {
      text: joined(fillPrompt(text, values), rest),
      asked: toAsked(`/${name}`, rest),
      ...(effort && { effort }),
      ...(tools && { tools }),
    },
    references,
  };
}

const joined = (text: string, rest: string) => (rest === '' ? text : `${text}\n\n${rest}`);

async function askFor(
  { name, hint }: Extract<Variable, { kind: 'input' }>,
  prompt: string,
): Promise<Value | undefined> {
  const text = await vscode.window.showInputBox({
    title: `/${prompt}`,
    prompt: hint === '' ? name : hint,
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : { text };
}

/** The file or the selection is added to the message, where the user sees it; the text has its path. */
function ofEditor(
  kind: 'file' | 'selection',
  editor: vscode.TextEditor | undefined,
): Value | { readonly why: string } {
  if (editor === undefined) return { why: t('No editor is open.') };
  const { uri } = editor.document;
  if (kind === 'file') return { text: labelOf(uri), reference: { kind: 'file', uri: uri.toString() } };
  const selected = toSelectionContext(editor);
  return selected.ok
    ? { text: selected.item.label, reference: { kind: 'selection' } }
    : { why: selected.why };
}
