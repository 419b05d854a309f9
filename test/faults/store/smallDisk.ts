/** A real disk that is small enough to be full. Only root can mount one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
  unmount(): void;
}

export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** Mounts a disk in a folder, which is created. */
export function mountSmallDisk(folder: string, sizeKb: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'tmpfs', folder]);
  if (status !== 0) throw new Error(String(stderr));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => fill(filler),
    free: () => rmSync(filler),
    unmount: () => void spawnSync('umount', [folder]),
  };
}

function fill(path: string): void {
  for (const size of [64 * 1024, 4096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Less than that is left.
    }
  }
}
