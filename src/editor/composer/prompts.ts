/** Expands messages that begin with `/`: commands of the extension, and prompt files. */
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
  /** The message is sent as it is. */
  | { readonly kind: 'plain' }
  /** The message runs a command. `words` is the text after its name. */
  | ({ readonly kind: 'command'; readonly command: string } & CommandWords)
  | Filled;

export interface Prompts {
  /** The prompt files, for a list of them. */
  files(): Promise<readonly Pick<Prompt, 'name' | 'description'>[]>;
  /** Commands and prompts whose names begin with these letters, and problems to solve. */
  choices(letters: string): Promise<readonly ContextChoice[]>;
  /**
   * Expands a message. Asks for the inputs of a prompt.
   *
   * @param inputClosed called once after the last input, with whether the user has confirmed it
   * @param about `code`: the lines that the message is about, which go along anyway, by default those of the active editor.
   *   `refusal`: why no prompt can be sent now, which is returned before the user types text that would be lost.
   *   `inputOpens`: called when an input opens. `typed`: what the user typed in inputs and was not sent, to which this
   *   adds. `token`: closes the inputs. `waits`: waits for files
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
   * The same for a preview of the next request. Nothing is asked: inputs stay as they are written, and files that may not
   * be read without asking are left out. Undefined if the message is sent as it is.
   */
  preview(
    message: string,
    code?: PromptCode,
  ): Promise<PreviewedPrompt | Extract<Expanded, { kind: 'command' | 'missing' }> | undefined>;
  /** The text of a message for an estimate, without waiting: for a prompt that was read already, its text with its variables. */
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
  /** What the command is about. Its name already says what it does. */
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

/** How long prompts are cached while the user types, in milliseconds. */
const KEPT_MS = 5000;

/** The prompts that were read for a list. */
interface Kept {
  /** The time of reading, as from `performance.now()`. In milliseconds. */
  readonly at: number;
  readonly setting: ReturnType<typeof readPromptsFolder>;
  readonly prompts: Promise<readonly Prompt[]>;
  readonly problem: Promise<SettingProblem | undefined>;
  readonly isTrusted: boolean;
  readonly untrusted: Promise<readonly string[]>;
}

/** Waits for a drive that may not respond. Returns undefined if the user stops that. */
export type Waits = <T>(work: () => Promise<T>) => Promise<T | undefined>;

interface About {
  readonly waits?: Waits | undefined;
  readonly code?: PromptCode | undefined;
  readonly refusal?: string | undefined;
  /** The message is only previewed, so its problems are reported again when it is sent. */
  readonly isShown?: true;
}

export function createPrompts({ lastEditor, reads }: PromptsDeps): Prompts {
  let kept: Kept | undefined;
  let known: readonly Prompt[] = [];
  /** The problem of the user's folder that was reported last. It isn't reported twice: the message may not name a prompt. */
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
        // First, because the commands alone fill the visible part of the list.
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
      // Called after the last input only: giving the focus back between two inputs would close the second one.
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
    // A prompt that was offered and no longer exists. Otherwise its name would be sent in place of its text.
    const lost = prompt === undefined ? findNamed(known, typed.name) : undefined;
    // Reported only once. After that, the message is treated as if there were no such folder, and as if the prompt had not
    // been offered.
    if (isShown !== true) {
      if (prompt === undefined) told = problem;
      known = known.filter((one) => one !== lost);
    }
    if (isNews) return { kind: 'missing', why: describePromptsProblem(problem), problem };
    if (lost !== undefined) return { kind: 'missing', why: describeLostPrompt(typed.name) };
    // A prompt whose text isn't read. Otherwise its name would be sent in place of its text.
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
