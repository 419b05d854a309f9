/** Prompt files: texts that the user sends by their name, with variables that are filled in before. */
import { isEffort, type ReasoningEffort } from '../service/effort.ts';
import { parseFrontMatter } from './frontMatter.ts';

export interface Prompt {
  readonly name: string;
  /** Empty if the file has none. */
  readonly description: string;
  /** The effort of its answer; that of the settings if it isn't set. */
  readonly effort?: ReasoningEffort;
  /** The only tools that may run in its answer. They are offered and approved as always. */
  readonly tools?: readonly string[];
  readonly text: string;
  /** Why it isn't sent: with what is wrong left out, it would cost more, or run more tools, than its file says. */
  readonly problem?: PromptProblem;
}

export type PromptProblem =
  /** `value` is none of the choices. */
  | { readonly field: 'effort'; readonly value: string }
  /** They can't be read. Without them, all tools could run, or none. */
  | { readonly field: 'tools' }
  /** Its front matter doesn't end, so its fields are part of the text. */
  | { readonly field: 'end' }
  /** Only the beginning of the file was read. */
  | { readonly field: 'length' };

/**
 * @param isCut `written` is only the beginning of the file
 * @returns undefined if it has no text
 */
export function parsePrompt(name: string, written: string, isCut = false): Prompt | undefined {
  const { fields, unread, body, isOpen } = parseFrontMatter(written);
  const { description, tools } = fields;
  // A list of one is what it has.
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
  // Without a value, it is as if the line wasn't there.
  if (effort === undefined || effort === '' || isEffort(effort)) return undefined;
  return { field: 'effort', value: effort };
}

const ENDING = '.prompt.md';

/** The name of a prompt file, without spaces. Undefined if the file is none. */
export function promptNameOf(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (!file.endsWith(ENDING) || file === ENDING) return undefined;
  return file.slice(0, -ENDING.length).replace(/\s/g, '-');
}

export type Variable =
  | { readonly key: string; readonly kind: 'file' | 'selection' }
  /** Asked from the user. */
  | { readonly key: string; readonly kind: 'input'; readonly name: string; readonly hint: string };

const VARIABLE = /\$\{([^{}]{1,300})\}/g;

/** What stands in braces; undefined if it is no variable. An input can have a hint: `input:name:hint`. */
function toVariable(written: string): Variable | undefined {
  if (written === 'file' || written === 'selection') return { key: written, kind: written };
  const [kind, named = '', ...hint] = written.split(':');
  const name = named.trim();
  if (kind !== 'input' || name === '') return undefined;
  return { key: `input:${name}`, kind, name, hint: hint.join(':') };
}

/** The variables of a text, each once, in their order. */
export function variablesOf(text: string): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const [, written = ''] of text.matchAll(VARIABLE)) {
    const variable = toVariable(written);
    if (variable !== undefined && !found.has(variable.key)) found.set(variable.key, variable);
  }
  return [...found.values()];
}

/** The text with values in place of its variables. Those without a value stay. */
export function fillPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (all, written: string) => values.get(toVariable(written)?.key ?? '') ?? all);
}

/** Names are found in the list whatever their case is, so they are taken so, too, if none is the same. */
export const findNamed = <Named extends { readonly name: string }>(
  all: readonly Named[],
  typed: string,
): Named | undefined =>
  all.find(({ name }) => name === typed) ??
  all.find(({ name }) => name.toLowerCase() === typed.toLowerCase());

/** The name that a message begins with, after a slash, and what follows. Undefined if it begins otherwise. */
export function typedPrompt(message: string): { readonly name: string; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([^\s/]+)(?:\s([\s\S]*))?$/.exec(message) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}
