/** Which tools go with a request, as the reader chose: our own unless they were taken out, others once they were put in. */
import { byName, OWN_SOURCE } from './toolNames.ts';
import type { ToolDefinition } from './tools.ts';

/** Names on the wire. What is not there at the moment stays chosen for when it comes back. */
export interface ToolChoice {
  /** Our own tools that the reader took out. */
  readonly without: readonly string[];
  /** Tools of others that the reader put in. */
  readonly others: readonly string[];
}

export const DEFAULT_CHOICE: ToolChoice = { without: [], others: [] };

/** A choice as it was stored, by whatever version. */
export function parseToolChoice(value: unknown): ToolChoice {
  if (typeof value !== 'object' || value === null) return DEFAULT_CHOICE;
  return {
    without: 'without' in value ? textsOf(value.without) : [],
    others: 'others' in value ? textsOf(value.others) : [],
  };
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const isChosen = ({ name, source }: ToolDefinition, { without, others }: ToolChoice): boolean =>
  source === OWN_SOURCE ? !without.includes(name) : others.includes(name);

/**
 * The chosen ones of those that are there, in a stable order. With servers that come and go they can be more than the
 * service takes (Q11): then the request is refused, and the reader picks.
 */
export function chooseTools<Tool extends ToolDefinition>(
  there: readonly Tool[],
  choice: ToolChoice,
): readonly Tool[] {
  return there.filter((tool) => isChosen(tool, choice)).toSorted(byName);
}

/** The choice after the reader has marked these among those that are there. */
export function withChosen(
  choice: ToolChoice,
  there: readonly ToolDefinition[],
  marked: ReadonlySet<string>,
): ToolChoice {
  const shown = new Set(there.map(({ name }) => name));
  const own = there.filter(({ source }) => source === OWN_SOURCE);
  const absent = {
    without: choice.without.filter((name) => !shown.has(name)),
    others: choice.others.filter((name) => !shown.has(name)),
  };
  const left = own.filter(({ name }) => !marked.has(name)).map(({ name }) => name);
  const added = there.filter(({ name, source }) => source !== OWN_SOURCE && marked.has(name));
  return {
    without: [...absent.without, ...left].sort(),
    others: [...absent.others, ...added.map(({ name }) => name)].sort(),
  };
}
