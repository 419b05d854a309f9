/** The messages between the extension host and the usage page. */
import type { ConversationUsage, DayUsage, RouteUsage, UsageSums } from '../conversation/usage/usage.ts';

export interface UsageData {
  /** Number of days that are shown; 0 shows all. */
  readonly range: number;
  /** Without the demo, like the days and the outcomes. */
  readonly total: UsageSums;
  readonly days: readonly DayUsage[];
  readonly routes: readonly RouteUsage[];
  /** The conversations that cost the most. */
  readonly conversations: readonly ConversationUsage[];
  /** The sum of all other conversations, without the demo. */
  readonly others?: UsageSums & { readonly conversations: number };
  readonly outcomes: readonly { readonly label: string; readonly turns: number }[];
  readonly words: Readonly<Record<UsageWord, string>>;
}

/** The keys are the English texts. */
export const USAGE_WORDS = [
  'Usage',
  'Days',
  '{0} s',
  '{0, plural, one {# day} other {# days}}',
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
  'Usage not reported',
  'Tokens by day',
  'Cost by day (USD)',
  'Outcomes',
  'By day',
  'By conversation',
  'By route',
  'Route',
  'Demo',
  'Not billed',
  'Day',
  'Conversation',
  'Median time to first token',
  'Deleted conversation',
  'Other chats',
  'Connection checks',
  'Commit message',
  '… and {0} more',
  'No usage in this period.',
  'Outcome',
] as const;
export type UsageWord = (typeof USAGE_WORDS)[number];

/** Smaller amounts would be shown as zero, and are shown as less than this. In USD. */
export const MIN_USD = 0.0001;

/**
 * A sum of costs as text. If the cost of some turns isn't known, the sum is a lower bound; if no cost is known, there is no sum.
 *
 * @param money returns an amount in USD as text
 * @param notReported the text to show if nothing is known
 */
export function toCostText(
  { cost, unreported }: Pick<UsageSums, 'cost' | 'unreported'>,
  money: (usd: number) => string,
  notReported: string,
): string {
  if (unreported === 0) return money(cost);
  return cost === 0 ? notReported : `≥ ${money(cost < MIN_USD ? 0 : cost)}`;
}

/** The ids of the conversations of commit messages begin with this. These conversations are deleted when the message is complete. */
export const COMMIT_MESSAGE_PREFIX = 'commit-message-';
/** The id under which the cost of other chats is recorded, whose conversations are not stored. */
export const OTHER_CHATS = 'other-chats';
/** The id under which the cost of Check Connection is recorded. */
export const CONNECTION_CHECKS = 'connection-checks';

/** The name of usage that belongs to no conversation, or to one that was deleted. */
export function toUsageName(conversationId: string): UsageWord {
  if (conversationId === OTHER_CHATS) return 'Other chats';
  if (conversationId === CONNECTION_CHECKS) return 'Connection checks';
  return conversationId.startsWith(COMMIT_MESSAGE_PREFIX) ? 'Commit message' : 'Deleted conversation';
}

export type UsageHostMessage =
  | { readonly type: 'usage'; readonly data: UsageData }
  /** There is nothing to show yet, because the database is locked. */
  | { readonly type: 'locked'; readonly text: string };

export type UsageWebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'range'; readonly days: number }
  | { readonly type: 'csv' }
  | { readonly type: 'open'; readonly conversationId: string };
