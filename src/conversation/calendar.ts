/** Groups for a list of conversations, by when they were last used. */

export type AgeGroup = 'today' | 'yesterday' | 'week' | 'month' | 'older';

/** The midnight with which the day so many days before a time began, local time. Not all days have 24 hours. */
export function midnightBefore(time: number, days: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Both times are in epoch milliseconds. Days start at midnight, local time. */
export function ageGroupOf(changedAt: number, now: number): AgeGroup {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (changedAt >= midnight) return 'today';
  if (changedAt >= new Date(midnight - DAY_MS / 2).setHours(0, 0, 0, 0)) return 'yesterday';
  if (changedAt >= midnight - 7 * DAY_MS) return 'week';
  if (changedAt >= midnight - 30 * DAY_MS) return 'month';
  return 'older';
}
