/** The messages between the extension host and the usage page. */
import type { ConversationUsage, DayUsage, UsageSums } from '../chat/usage.ts';

export interface UsageData {
  /** Number of days that are shown; 0 shows all. */
  readonly range: number;
  readonly total: UsageSums;
  readonly days: readonly DayUsage[];
  readonly conversations: readonly ConversationUsage[];
  readonly outcomes: readonly { readonly label: string; readonly turns: number }[];
  readonly words: Readonly<Record<UsageWord, string>>;
}

/** The keys are the English texts. */
export const USAGE_WORDS = [
  'Usage',
  'Days',
  '{0} days',
  'All time',
  'Export CSV',
  'Cost',
  'Turns',
  'Uncached input',
  'Cached input',
  'Reasoning',
  'Answer',
  'Cached share of input',
  'Not reported',
  'Tokens by day',
  'Cost by day (USD)',
  'Outcomes',
  'By day',
  'By conversation',
  'Day',
  'Conversation',
  'Median time to first token',
  'Deleted conversation',
  'Other chats',
  'Connection checks',
  'No usage in this period.',
  'Outcome',
] as const;
export type UsageWord = (typeof USAGE_WORDS)[number];

/**
 * A sum of costs as text. Without the cost of some turns it is a lower bound, and without any cost it is none.
 *
 * @param money an amount in USD as text
 * @param notReported what is shown if nothing is known
 */
export function toCostText(
  { cost, unreported }: Pick<UsageSums, 'cost' | 'unreported'>,
  money: (usd: number) => string,
  notReported: string,
): string {
  if (unreported === 0) return money(cost);
  return cost === 0 ? notReported : `≥ ${money(cost)}`;
}

/** The id under which the cost of other chats is recorded, whose conversations are not stored. */
export const OTHER_CHATS = 'other-chats';
/** The id under which the cost of Check Connection is recorded. */
export const CONNECTION_CHECKS = 'connection-checks';

export type UsageHostMessage = { readonly type: 'usage'; readonly data: UsageData };

export type UsageWebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'range'; readonly days: number }
  | { readonly type: 'csv' }
  | { readonly type: 'open'; readonly conversationId: string };
