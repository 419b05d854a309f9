/** Removes a folder of a test. The editor, Git, and watchers may still write into the folder, so removing it is retried. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

const OPTIONS = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

/** @param path a folder or a file, which may be gone already */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, OPTIONS);
}

/** Like `removeFolder`, but blocks the process until the end. */
export function removeFolderSync(path: string): void {
  rmSync(path, OPTIONS);
}
