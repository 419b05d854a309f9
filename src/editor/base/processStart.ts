/** Distinguishes the process of a window from a later process with the same ID, for example after a container was restarted. */
import { readFileSync } from 'node:fs';
import { isProcessAlive } from '../../history/leaseRows.ts';

/** The start time of a process as in `/proc` on Linux: in clock ticks since the system started. Empty if it isn't known. */
export function processStartOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name, the second field, can contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * Whether a process still runs.
 *
 * @param start the earlier result of `processStartOf`; empty if it isn't known, or an earlier version didn't record it
 */
export function isSameProcess(pid: number, start: string): boolean {
  const now = start === '' ? '' : processStartOf(pid);
  return isProcessAlive(pid) && (now === '' || now === start);
}
