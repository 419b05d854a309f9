/**
 * Finds out whether files were deleted. They are checked again when the editor or the file system reports that something
 * happened to them.
 */
import * as vscode from 'vscode';
import { isAtOrBelow } from '../../review/proposals/fileChanges.ts';
import { inBackground } from '../base/background.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { isGone } from './fileKinds.ts';
import { isCell } from './textSources.ts';

export interface MissingLooks extends vscode.Disposable {
  /** Checks whether a file was deleted. */
  look(uri: string): Promise<boolean>;
}

export interface MissingLooksDeps {
  /** The files to check, and whether each was missing at the last check. */
  files(): readonly { readonly uri: string; readonly missing: boolean }[];
  /** Called after each check of a file that is still in `files`. */
  looked(uri: string, missing: boolean): void;
  readonly log: Pick<Log, 'warn'>;
}

export function createMissingLooks({ files, looked, log }: MissingLooksDeps): MissingLooks {
  /** One check at a time for each file, so that an older check can't end last. */
  const looks = createKeyedQueue();
  const look = (uri: string) =>
    looks.run(uri, async () => {
      const missing = await isGone(vscode.Uri.parse(uri));
      // The file may have been renamed meanwhile.
      if (files().some((file) => file.uri === uri)) looked(uri, missing);
      return missing;
    });

  function lookAtAll(isAffected: (uri: string, missing: boolean) => boolean): void {
    const affected = files().filter(({ uri, missing }) => isAffected(uri, missing));
    for (const uri of new Set(affected.map((file) => file.uri)))
      inBackground(log, look(uri), 'looking for a file that may have been deleted');
  }

  // When a folder is deleted, the editor reports only the folder.
  const lookIn = (places: readonly vscode.Uri[]) =>
    lookAtAll((uri) => places.some((place) => isAtOrBelow(uri, place.toString())));
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const listeners = vscode.Disposable.from(
    watcher,
    watcher.onDidDelete((uri) => lookIn([uri])),
    watcher.onDidCreate((uri) => lookIn([uri])),
    // The editor reports a file that was deleted and created again at once as changed.
    watcher.onDidChange((uri) => lookAtAll((one, missing) => missing && one === uri.toString())),
    vscode.workspace.onDidDeleteFiles((deleted) => lookIn(deleted.files)),
    // Not every file system reports its changes.
    vscode.workspace.onDidCreateFiles((created) => lookIn(created.files)),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => lookAtAll((one) => one === uri.toString())),
    // A cell that is deleted from its notebook, or joined with another one, isn't reported as a file.
    vscode.workspace.onDidCloseTextDocument(({ uri }) =>
      lookAtAll((one) => isCell(uri) && one === uri.toString()),
    ),
  );
  // Files may have been deleted while the window was closed.
  lookAtAll(() => true);
  return { look, dispose: () => listeners.dispose() };
}
