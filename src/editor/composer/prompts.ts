/** What `/` at the beginning of a message stands for: commands of the extension, and prompt files. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { findNamed, type Prompt, typedPrompt } from '../../instructions/promptFile.ts';
import type { ContextChoice } from '../../panel/context.ts';
import type { SettingProblem } from '../../requests/refusal.ts';
import type { CommandWords } from '../base/commandWords.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { readFileContext } from '../context/contextItems.ts';
import type { HeldReference } from '../context/contextResult.ts';
import type { InputClosed } from '../conversations/asking.ts';
import { readPromptsFolder } from '../settings/settings.ts';
import {
  describeLostPrompt,
  describePromptsProblem,
  describeUntrustedPrompt,
} from '../wording/promptWords.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { toChoice, toProblemChoice, toTrustChoice } from './promptChoices.ts';
import { findFolderProblem, isWorkspacePrompt, listUntrustedPrompts, readPrompts } from './promptFiles.ts';
import { type Ask, askFor, type Filled, fill, type PromptCode, toValues, withRest } from './promptValues.ts';

const t = vscode.l10n.t;

export type Expanded =
  /** The message is what it says. */
  | { readonly kind: 'plain' }
  /** The words behind the name of the command are for it. */
  | ({ readonly kind: 'command'; readonly command: string } & CommandWords)
  | Filled;

export interface Prompts {
  /** The prompt files, for a list of them. */
  files(): Promise<readonly Pick<Prompt, 'name' | 'description'>[]>;
  /** Commands and prompts whose names have these letters. */
  choices(letters: string): Promise<readonly ContextChoice[]>;
  /**
   * What a message stands for. Asks for the inputs of a prompt.
   *
   * @param inputClosed called once after the last input, with whether the user has confirmed it
   * @param about the lines that the message is about, which go along anyway, by default those of the active editor; why no
   *   prompt can be sent now, which is said before the user is asked for what would be lost; what is called when an input
   *   opens; what the user has typed in inputs and was not sent, to which this adds; what closes them; and what waits for files
   */
  expand(
    message: string,
    inputClosed?: InputClosed,
    about?: {
      readonly code?: PromptCode;
      readonly refusal?: string | undefined;
      readonly inputOpens?: () => void;
      readonly typed?: Map<string, string>;
      readonly token?: vscode.CancellationToken;
      readonly waits?: Waits;
    },
  ): Promise<Expanded>;
  /**
   * The same for the next request as it is shown: nothing is asked, so inputs stay as they are written, and what may not
   * be read without asking is left out. Undefined if the message is what it says.
   */
  preview(
    message: string,
    code?: PromptCode,
  ): Promise<PreviewedPrompt | Extract<Expanded, { kind: 'command' | 'missing' }> | undefined>;
  /**
   * The text of a message, for an estimate, without waiting: that of a prompt that is known already, in which variables
   * stay as they are written.
   */
  text(message: string): string;
}

export interface PreviewedPrompt {
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

/** What was read for a list. */
interface Kept {
  /** In milliseconds. */
  readonly at: number;
  readonly setting: ReturnType<typeof readPromptsFolder>;
  readonly prompts: Promise<readonly Prompt[]>;
  readonly problem: Promise<SettingProblem | undefined>;
  readonly isTrusted: boolean;
  readonly untrusted: Promise<readonly string[]>;
}

/** Waits for a drive that may not answer: undefined when the user stops that. */
export type Waits = <T>(work: () => Promise<T>) => Promise<T | undefined>;

interface About {
  readonly waits?: Waits | undefined;
  readonly code?: PromptCode | undefined;
  readonly refusal?: string | undefined;
  /** It is only shown, so what is wrong counts as not said yet when it is sent. */
  readonly isShown?: true;
}

export function createPrompts({ lastEditor, reads }: PromptsDeps): Prompts {
  let kept: Kept | undefined;
  let known: readonly Prompt[] = [];
  /** Why the user's folder can't be used, as it was said last. A message that begins with a slash may name no prompt. */
  let told: SettingProblem | undefined;

  function recent(): Kept {
    const setting = readPromptsFolder();
    const { isTrusted } = vscode.workspace;
    const isRecent = kept !== undefined && performance.now() - kept.at <= KEPT_MS;
    if (isRecent && kept?.isTrusted === isTrusted && isDeepStrictEqual(kept.setting, setting)) return kept;
    kept = {
      at: performance.now(),
      setting,
      prompts: readPrompts(reads, COMMAND_NAMES).then((read) => (known = read)),
      problem: findFolderProblem(),
      isTrusted,
      untrusted: listUntrustedPrompts(),
    };
    return kept;
  }

  return {
    files: () => recent().prompts,
    async choices(letters) {
      const commands = COMMANDS.map(({ name, about }) => toChoice(name, about(), 'sparkle'));
      const recently = recent();
      const [all, problem, untrusted] = await Promise.all([
        recently.prompts,
        recently.problem,
        recently.untrusted,
      ]);
      const prompts = all.map(({ name, description }) => toChoice(name, description, 'note'));
      const sought = `/${letters.toLowerCase()}`;
      const fitting = [...commands, ...prompts].filter(({ label }) => label.toLowerCase().startsWith(sought));
      const sorted = fitting.toSorted((a, b) => Number(b.label === sought) - Number(a.label === sought));
      const isMissing = untrusted.some((name) => `/${name.toLowerCase()}`.startsWith(sought));
      return [
        // The commands alone are as long as the list.
        ...(isMissing ? [toTrustChoice()] : []),
        ...sorted,
        ...(problem === undefined ? [] : [toProblemChoice(problem)]),
      ];
    },
    async preview(message, code) {
      const ask: Ask = async ({ key }) => ({ text: `$\{${key}}` });
      const expanded = await expand(message, { code, isShown: true }, ask);
      if (expanded.kind === 'plain' || expanded.kind === 'canceled') return undefined;
      if (expanded.kind !== 'prompt') return expanded;
      const read = await Promise.all(expanded.references.map((one) => readReference(one, lastEditor, reads)));
      return { kind: 'prompt', asked: expanded.asked, context: read.flatMap((item) => item ?? []) };
    },
    async expand(message, inputClosed, about = {}) {
      // The focus that is given back between two inputs would close the second one.
      let isConfirmed: boolean | undefined;
      const expanded = await expand(message, about, async (variable, prompt) => {
        about.inputOpens?.();
        const key = `${prompt} ${variable.key}`;
        const value = await askFor(variable, prompt, about.typed?.get(key), about.token);
        if (value !== undefined) about.typed?.set(key, value.text);
        isConfirmed = value !== undefined;
        return value;
      });
      if (isConfirmed !== undefined) inputClosed?.(isConfirmed);
      return expanded;
    },
    text(message) {
      const typed = typedPrompt(message);
      const prompt = typed && findNamed(known, typed.name);
      return prompt === undefined ? message : withRest(prompt.text, typed?.rest ?? '');
    },
  };

  async function expand(message: string, about: About, ask: Ask): Promise<Expanded> {
    const { code, refusal, isShown, waits = (work) => work() } = about;
    const typed = typedPrompt(message);
    if (typed === undefined) return { kind: 'plain' };
    const prompts = await waits(() => readPrompts(reads, COMMAND_NAMES));
    if (prompts === undefined) return { kind: 'canceled' };
    const isExact = ({ name }: { readonly name: string }) => name === typed.name;
    const named = prompts.some(isExact) ? undefined : findNamed(COMMANDS, typed.name);
    if (named !== undefined) return { kind: 'command', command: named.command, words: typed.rest };
    const prompt = findNamed(prompts, typed.name);
    const problem = prompt === undefined ? await findFolderProblem() : undefined;
    const isNews = problem !== undefined && !isDeepStrictEqual(problem, told);
    // It was offered. Its name would be sent in place of its text.
    const lost = prompt === undefined ? findNamed(known, typed.name) : undefined;
    // Said once. After that, it is as if there were no such folder, and as if the prompt had not been offered.
    if (isShown !== true) {
      if (prompt === undefined) told = problem;
      known = known.filter((one) => one !== lost);
    }
    if (isNews) return { kind: 'missing', why: describePromptsProblem(problem), problem };
    if (lost !== undefined) return { kind: 'missing', why: describeLostPrompt(typed.name) };
    // Its text isn't read, and its name would be sent in place of it.
    if (prompt === undefined && (await isWorkspacePrompt(typed.name))) {
      const { isTrusted } = vscode.workspace;
      return { kind: 'missing', why: isTrusted ? describeLostPrompt(typed.name) : describeUntrustedPrompt() };
    }
    if (prompt !== undefined && refusal !== undefined) return { kind: 'missing', why: refusal };
    return prompt === undefined
      ? { kind: 'plain' }
      : fill(prompt, typed.rest, toValues(code, lastEditor), ask);
  }
}

async function readReference(
  reference: HeldReference,
  lastEditor: Pick<LastEditor, 'get'>,
  reads: Pick<AllowedReads, 'allows'>,
): Promise<ContextItem | undefined> {
  const editor = lastEditor.get();
  const uri = editor?.document.uri;
  if (editor === undefined || uri === undefined) return undefined;
  if (!(await reads.allows(uri, 'text'))) return undefined;
  const read = 'read' in reference ? reference.read : await readFileContext(uri);
  return read.ok ? read.item : undefined;
}
