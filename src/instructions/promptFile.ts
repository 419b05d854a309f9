/** Prompt files: texts that the user sends by name. Their variables are filled in first. */
import { isEffort, type ReasoningEffort } from '../service/effort.ts';
import { parseFrontMatter } from './frontMatter.ts';

export interface Prompt {
  readonly name: string;
  /** Empty if the file has none. */
  readonly description: string;
  /** The effort of the answer. If not set, it is that of the settings. */
  readonly effort?: ReasoningEffort;
  /** The only tools that may run in its answer. They are offered and approved as always. */
  readonly tools?: readonly string[];
  readonly text: string;
  /** Why the prompt isn't sent. If the wrong part were ignored, it would cost more, or run more tools, than its file says. */
  readonly problem?: PromptProblem;
}

export type PromptProblem =
  /** `value` isn't an effort. */
  | { readonly field: 'effort'; readonly value: string }
  /** The tools can't be read. Without them, all tools could run, or none. */
  | { readonly field: 'tools' }
  /** The front matter doesn't end, so its fields are part of the text. */
  | { readonly field: 'end' }
  /** Only the beginning of the file was read. */
  | { readonly field: 'length' };

/**
 * @param isCut whether `written` is only the beginning of the file
 * @returns undefined if the file has no text
 */
export function parsePrompt(name: string, written: string, isCut = false): Prompt | undefined {
  const { fields, unread, body, isOpen } = parseFrontMatter(written);
  const { description, tools } = fields;
  // A list of one counts as its element.
  const effort = typeof fields['effort'] === 'string' ? fields['effort'] : fields['effort']?.join(', ');
  const text = body.trim();
  if (text === '') return undefined;
  const isListed = tools !== '' && !unread.has('tools');
  const problem = isListed ? problemOf(effort, isOpen === true, isCut) : { field: 'tools' as const };
  return {
    name,
    description: typeof description === 'string' ? description : '',
    ...(isEffort(effort) && { effort }),
    ...(tools !== undefined && { tools: typeof tools === 'string' ? namesIn(tools) : tools }),
    text,
    ...(problem && { problem }),
  };
}

/** Names on one line, with or without commas between them. */
const namesIn = (tools: string) => tools.split(/[,\s]+/).filter((name) => name !== '');

function problemOf(effort: string | undefined, isOpen: boolean, isCut: boolean): PromptProblem | undefined {
  if (isCut) return { field: 'length' };
  if (isOpen) return { field: 'end' };
  // A field without a value counts as missing.
  if (effort === undefined || effort === '' || isEffort(effort)) return undefined;
  return { field: 'effort', value: effort };
}

const ENDING = '.prompt.md';

/** The name of a prompt file, without spaces. Undefined if the file isn't a prompt file. */
export function promptNameOf(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (!file.endsWith(ENDING) || file === ENDING) return undefined;
  return file.slice(0, -ENDING.length).replace(/\s/g, '-');
}

export type Variable =
  | { readonly key: string; readonly kind: 'file' | 'selection' }
  /** The user is asked for it. */
  | { readonly key: string; readonly kind: 'input'; readonly name: string; readonly hint: string };

const VARIABLE = /\$\{([^{}]{1,300})\}/g;

/** The variable in braces; undefined if it isn't one. An input can have a hint: `input:name:hint`. */
function toVariable(written: string): Variable | undefined {
  if (written === 'file' || written === 'selection') return { key: written, kind: written };
  const [kind, named = '', ...hint] = written.split(':');
  const name = named.trim();
  if (kind !== 'input' || name === '') return undefined;
  return { key: `input:${name}`, kind, name, hint: hint.join(':') };
}

/** The variables of a text in order, each once. */
export function variablesOf(text: string): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const [, written = ''] of text.matchAll(VARIABLE)) {
    const variable = toVariable(written);
    if (variable !== undefined && !found.has(variable.key)) found.set(variable.key, variable);
  }
  return [...found.values()];
}

/** The text with values in place of its variables. Variables without a value stay. */
export function fillPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (all, written: string) => values.get(toVariable(written)?.key ?? '') ?? all);
}

/** Finds an entry by the name that the user typed. The list ignores case, so this does, too, if no name is exactly the same. */
export const findNamed = <Named extends { readonly name: string }>(
  all: readonly Named[],
  typed: string,
): Named | undefined =>
  all.find(({ name }) => name === typed) ??
  all.find(({ name }) => name.toLowerCase() === typed.toLowerCase());

/**
 * The name after a slash at the beginning of a message, and the rest of the message. Undefined if the message doesn't begin like
 * this.
 */
export function typedPrompt(message: string): { readonly name: string; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([^\s/]+)(?:\s([\s\S]*))?$/.exec(message) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}
