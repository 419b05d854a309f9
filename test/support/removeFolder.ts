/** Removes what a test has made. The editor, Git, and watchers may still write into it meanwhile, so it is tried again. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

const OPTIONS = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

/** @param path a folder or a file, which may be gone already */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, OPTIONS);
}

/** Blocks the process meanwhile. */
export function removeFolderSync(path: string): void {
  rmSync(path, OPTIONS);
}
