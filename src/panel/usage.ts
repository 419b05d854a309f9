/** What the usage page and the extension host say to each other. */
import type { ConversationUsage, DayUsage, UsageSums } from '../chat/usage.ts';

export interface UsageData {
  /** How many days are shown; 0 is all there is. */
  readonly range: number;
  readonly total: UsageSums;
  readonly days: readonly DayUsage[];
  readonly conversations: readonly ConversationUsage[];
  readonly outcomes: readonly { readonly label: string; readonly turns: number }[];
  readonly words: Readonly<Record<UsageWord, string>>;
}

/** Keys are the English words. */
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

/** What requests of other chats are counted under that are not kept as conversations. */
export const OTHER_CHATS = 'other-chats';
/** What the questions of Check Connection are counted under. */
export const CONNECTION_CHECKS = 'connection-checks';

export type UsageHostMessage = { readonly type: 'usage'; readonly data: UsageData };

export type UsageWebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'range'; readonly days: number }
  | { readonly type: 'csv' }
  | { readonly type: 'open'; readonly conversationId: string };
