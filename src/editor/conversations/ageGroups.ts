/** The groups of the Conversations view, by the time when a conversation was last used. */

export type AgeGroup = 'today' | 'yesterday' | 'week' | 'month' | 'older';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The group of a conversation. Both times are in epoch milliseconds. Days start at midnight, local time. */
export function ageGroupOf(changedAt: number, now: number): AgeGroup {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (changedAt >= midnight) return 'today';
  if (changedAt >= new Date(midnight - DAY_MS / 2).setHours(0, 0, 0, 0)) return 'yesterday';
  if (changedAt >= midnight - 7 * DAY_MS) return 'week';
  if (changedAt >= midnight - 30 * DAY_MS) return 'month';
  return 'older';
}
