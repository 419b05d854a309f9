/** The text of a prompt file with values in place of its variables. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { fillPrompt, type Prompt, type Variable, variablesOf } from '../../instructions/promptFile.ts';
import type { SettingProblem } from '../../requests/refusal.ts';
import { type LineRange, toRangeLabel } from '../../text/lineRange.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { askForInput } from '../base/notifications.ts';
import { toHeldSelection } from '../context/contextItems.ts';
import type { HeldReference } from '../context/contextResult.ts';
import { describeMissingValue, describePromptProblem } from '../wording/promptWords.ts';
import { labelOf } from '../workspace/textSources.ts';

const t = vscode.l10n.t;

/** The code that the editor's variables stand for. Line numbers count from 0, and the last line is included. */
export interface PromptCode extends LineRange {
  readonly path: string;
}

export type Filled =
  /** The prompt can't be sent, for the reason `why`. `problem` is the setting that is wrong, if that is the reason. */
  | { readonly kind: 'missing'; readonly why: string; readonly problem?: SettingProblem }
  /** The user has closed an input of the prompt. */
  | { readonly kind: 'canceled' }
  | {
      readonly kind: 'prompt';
      readonly asked: Pick<Question, 'text' | 'asked' | 'effort' | 'tools'>;
      /** The files and selections that its variables stand for, to be attached to the message. */
      readonly references: readonly HeldReference[];
    };

/** Asks for the value of an input; undefined if the user has closed it. */
export type Ask = (
  variable: Extract<Variable, { kind: 'input' }>,
  prompt: string,
) => Promise<Value | undefined>;

interface Value {
  readonly text: string;
  readonly reference?: HeldReference;
}

/**
 * Replaces the variables of a prompt by their values.
 *
 * @param rest the text after the name of the prompt
 * @param ofEditor returns the value of a variable of the editor, or the reason why it has none
 */
export async function fill(
  { name, text, effort, tools, problem }: Prompt,
  rest: string,
  ofEditor: (kind: 'file' | 'selection') => Value | { readonly why: string },
  ask: Ask,
): Promise<Filled> {
  if (problem !== undefined) return { kind: 'missing', why: describePromptProblem(name, problem) };
  const values = new Map<string, string>();
  const references: HeldReference[] = [];
  // Variables of the editor come first, so that a missing value is reported before the user types text that would be lost.
  const ofEditorFirst = variablesOf(text).toSorted(
    (a, b) => Number(a.kind === 'input') - Number(b.kind === 'input'),
  );
  for (const variable of ofEditorFirst) {
    const value = variable.kind === 'input' ? await ask(variable, name) : ofEditor(variable.kind);
    if (value === undefined) return { kind: 'canceled' };
    if ('why' in value) return { kind: 'missing', why: describeMissingValue(name, variable.key, value.why) };
    values.set(variable.key, value.text);
    if (value.reference !== undefined) references.push(value.reference);
  }
  return {
    kind: 'prompt',
    asked: {
      text: withRest(fillPrompt(text, values), rest),
      asked: toAsked(`/${name}`, rest),
      ...(effort && { effort }),
      ...(tools && { tools }),
    },
    references,
  };
}

/** The text of a prompt, followed by the words after its name. */
export const withRest = (text: string, rest: string) => (rest === '' ? text : `${text}\n\n${rest}`);

/**
 * Asks for the value of an input; undefined if the user has closed it.
 *
 * @param typed the initial text of the input
 * @param token closes the input when it is canceled
 */
export async function askFor(
  { name, hint }: Extract<Variable, { kind: 'input' }>,
  prompt: string,
  typed = '',
  token?: vscode.CancellationToken,
): Promise<Value | undefined> {
  const options = { title: `/${prompt}`, prompt: hint === '' ? name : hint, value: typed };
  const text = await askForInput(options, token);
  return text === undefined ? undefined : { text };
}

/** Returns a function that looks up the value of an editor variable, only for prompts that have one. */
export const toValues =
  (code: PromptCode | undefined, lastEditor: Pick<LastEditor, 'get'>) => (kind: 'file' | 'selection') => {
    if (code === undefined) return ofEditor(kind, lastEditor.get());
    return { text: kind === 'file' ? code.path : toRangeLabel(code.path, [code]) };
  };

/**
 * The value of an editor variable. The file or the selection is attached to the message, where the user sees it; the text
 * only contains its path.
 */
function ofEditor(
  kind: 'file' | 'selection',
  editor: vscode.TextEditor | undefined,
): Value | { readonly why: string } {
  if (editor === undefined) return { why: t('No editor is open.') };
  const { uri } = editor.document;
  if (kind === 'file') return { text: labelOf(uri), reference: { kind: 'file', uri: uri.toString() } };
  const selected = toHeldSelection(editor);
  return selected.read.ok
    ? { text: selected.read.item.label, reference: selected }
    : { why: selected.read.why };
}
