/** Files that several windows write, always as a whole. */
import { randomInt } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A time within which every window has finished writing a file, in milliseconds. */
const WRITING_MS = 60 * 60 * 1000;

/** Identifies this window. Process IDs don't: windows in different containers can have the same one. */
const WINDOW = randomInt(2 ** 47);

/** Renaming is atomic: if the window crashes, the previous version remains. Other windows can write at the same time. */
export function writeWhole(path: string, text: string): void {
  const next = `${path}.${WINDOW}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}

/** A stamp that differs for each version of a file. Each write creates a new file, whose modification time can be the same as before. */
export function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.ino}`;
}

/** Removes temporary files of windows that were killed while they wrote them. Ignores errors. */
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
