/** Sums of usage by day, by route, and by conversation, and their export as CSV. */

/**
 * Sums over some turns, in tokens and USD. Turns without reported usage are counted, but aren't part of any other sum. A figure
 * that no turn reported is undefined, unless nothing was billed.
 */
export interface UsageSums {
  readonly turns: number;
  readonly unreported: number;
  readonly promptTokens: number | undefined;
  readonly cachedTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
  /** Output tokens without reasoning. */
  readonly answerTokens: number | undefined;
  readonly cost: number;
}

export interface DayUsage extends UsageSums {
  /** The local day, for example `2026-11-21`. */
  readonly day: string;
  /** Median of the milliseconds from the question to the first token. Undefined if no token arrived. */
  readonly firstTokenMs: number | undefined;
}

export interface RouteUsage extends UsageSums {
  /** The name of the route; undefined for the demo, which isn't a route. */
  readonly route: string | undefined;
}

/** The turns of the demo, which aren't billed, are separate from the other turns of their conversation. */
export interface ConversationUsage extends UsageSums {
  readonly conversationId: string;
  readonly demo: boolean;
  /** Undefined if the conversation was deleted. */
  readonly title: string | undefined;
}

const TOKENS = ['promptTokens', 'cachedTokens', 'reasoningTokens', 'answerTokens'] as const;

export function toUsageSums(parts: readonly UsageSums[]): UsageSums {
  const sum = (key: keyof UsageSums) => parts.reduce((total, part) => total + (part[key] ?? 0), 0);
  const tokens = (key: (typeof TOKENS)[number]) =>
    sum(key) || (parts.some((part) => part[key] === undefined) ? undefined : 0);
  return {
    turns: sum('turns'),
    unreported: sum('unreported'),
    promptTokens: tokens('promptTokens'),
    cachedTokens: tokens('cachedTokens'),
    reasoningTokens: tokens('reasoningTokens'),
    answerTokens: tokens('answerTokens'),
    cost: sum('cost'),
  };
}

const COLUMNS = [
  'day',
  'turns',
  'unreported',
  'promptTokens',
  'cachedTokens',
  'reasoningTokens',
  'answerTokens',
  'cost',
  'firstTokenMs',
] as const satisfies readonly (keyof DayUsage)[];

/** The days as comma-separated values (RFC 4180), with a header row. Unknown values are empty. */
export function toUsageCsv(days: readonly DayUsage[]): string {
  const rows = days.map((day) => COLUMNS.map((column) => toField(day, column)).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

/** A token costs a few millionths of a USD. */
const PLAIN = { maximumFractionDigits: 10, useGrouping: false } as const;

function toField(day: DayUsage, column: (typeof COLUMNS)[number]): string {
  const { unreported, cost } = day;
  if (column === 'cost') return unreported > 0 && cost === 0 ? '' : cost.toLocaleString('en-US', PLAIN);
  return String(day[column] ?? '');
}
