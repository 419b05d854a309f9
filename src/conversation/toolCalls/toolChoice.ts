/**
 * Which tools are sent with a request: our own unless the user deselected them, others only if the user
 * selected them.
 */
import { createHash } from 'node:crypto';
import { byName, OWN_SOURCE } from './toolNames.ts';
import type { ToolDefinition } from './tools.ts';

/** The choice of the user, by the tools' names on the wire. Tools that aren't available at the moment stay selected. */
export interface ToolChoice {
  /** Our own tools that the user deselected. */
  readonly without: readonly string[];
  /** Other tools that the user selected. */
  readonly others: readonly string[];
}

export const DEFAULT_CHOICE: ToolChoice = { without: [], others: [] };

/** Parses a stored choice of any version. */
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
 * The selected tools that are available, in a stable order. If servers are added later, there can be more
 * than the service accepts (Q11); then the request is refused, and the user must deselect some.
 */
export function chooseTools<Tool extends ToolDefinition>(
  there: readonly Tool[],
  choice: ToolChoice,
): readonly Tool[] {
  return there.filter((tool) => isChosen(tool, choice)).toSorted(byName);
}

/**
 * A hash of everything that determines the tools, except the tools of others: the choice of the user, and our own tools. If the
 * hash is the same while the tools are different, a server or an extension has changed its tools.
 *
 * @param there the available tools; undefined if the user has turned tools off
 */
export function hashOfChoice(choice: ToolChoice, there: readonly ToolDefinition[] | undefined): string {
  const own = there?.filter(({ source }) => source === OWN_SOURCE);
  const text = own === undefined ? '' : JSON.stringify([choice, own.toSorted(byName)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The choice after the user selected the tools in `marked` among the available ones. */
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
