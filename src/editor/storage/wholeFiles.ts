/** Files that several windows write, each time as a whole. */
import { randomInt } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** No window takes so long to write a file, in milliseconds. */
const WRITING_MS = 60 * 60 * 1000;

/** The numbers of the processes of windows in several containers can be the same. */
const WINDOW = randomInt(2 ** 47);

/** Renaming is atomic: if the window crashes, the previous version remains. Other windows can write at the same time. */
export function writeWhole(path: string, text: string): void {
  const next = `${path}.${WINDOW}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}

/** Tells a file from later ones. Each write makes a new file, which may be as old as the one before. */
export function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.ino}`;
}

/** Removes what windows that were killed meanwhile have left, where something can be removed. */
export function removeUnfinished(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/\.\d+\.new$/.test(name)) continue;
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > WRITING_MS) rmSync(path, { force: true });
    }
  } catch {
    // Another window has removed it, or there is no folder. The next window tries again.
  }
}
