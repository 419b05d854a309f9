/** Tells the process of a window from a later one that has its number, such as in a container that was started again. */
import { readFileSync } from 'node:fs';
import { isProcessAlive } from '../../history/leaseRows.ts';

/** When a process began, as Linux counts it. Empty where that isn't known. */
export function processStartOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is before it, which can have spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether a process still runs. @param start what `processStartOf` has said of it; empty if an earlier version didn't ask */
export function isSameProcess(pid: number, start: string): boolean {
  const now = start === '' ? '' : processStartOf(pid);
  return isProcessAlive(pid) && (now === '' || now === start);
}
