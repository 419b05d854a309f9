/** Where and when the faults of the disk happen. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_COUNT, HALF } from './turn.ts';

/** Runs the body in a folder of its own, which is removed. */
export async function inFolder<Result>(body: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'k3-faults-store-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The time of something in a turn: the event before which it happens. */
export const MOMENTS: Readonly<Record<string, number>> = {
  'before the text': 0,
  'in the text': HALF,
  'before the end': EVENT_COUNT - 1,
};
