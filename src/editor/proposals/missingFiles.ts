/** Files under review that were deleted: they are marked, and found again when they are back. */
import * as vscode from 'vscode';
import { isAtOrBelow, withMissing } from '../../review/fileChanges.ts';
import { inBackground } from '../base/background.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { wasDeleted } from '../workspace/fileKinds.ts';
import type { Proposals } from './proposalList.ts';

export interface MissingFiles extends vscode.Disposable {
  /** Looks whether a file under review was deleted, and marks it in its proposals. */
  isMissing(uri: string): Promise<boolean>;
}

export interface MissingFilesDeps {
  readonly proposals: Pick<Proposals, 'underReview' | 'change'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createMissingFiles({ proposals, log }: MissingFilesDeps): MissingFiles {
  /** One look at a time for each file, so that an older one can't end last. */
  const looks = createKeyedQueue();
  const isMissing = (uri: string) => looks.run(uri, () => look(uri));

  async function look(uri: string): Promise<boolean> {
    const missing = await wasDeleted(vscode.Uri.parse(uri));
    let marked = missing;
    for (const { proposal, file } of proposals.underReview()) {
      if (file.uri !== uri) continue;
      proposals.change(proposal.id, uri, (one) => withMissing(one, missing));
      // A new file isn't there before it is accepted.
      marked &&= !file.isNew;
    }
    return marked;
  }

  function checkAll(isAffected: (uri: string, missing: boolean) => boolean): void {
    const affected = proposals.underReview().filter(({ file }) => isAffected(file.uri, file.missing));
    for (const uri of new Set(affected.map(({ file }) => file.uri)))
      inBackground(log, isMissing(uri), 'looking for a file under review');
  }

  // When a folder is deleted, the editor reports only the folder.
  const check = (places: readonly vscode.Uri[]) =>
    checkAll((uri) => places.some((place) => isAtOrBelow(uri, place.toString())));
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const listeners = vscode.Disposable.from(
    watcher,
    watcher.onDidDelete((uri) => check([uri])),
    watcher.onDidCreate((uri) => check([uri])),
    // The editor reports a file that was deleted and created again at once as changed.
    watcher.onDidChange((uri) => checkAll((one, missing) => missing && one === uri.toString())),
    vscode.workspace.onDidDeleteFiles(({ files }) => check(files)),
    // Not every file system reports its changes.
    vscode.workspace.onDidCreateFiles(({ files }) => check(files)),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => checkAll((one) => one === uri.toString())),
  );
  // Files may have been deleted while the window was closed.
  checkAll(() => true);
  return { isMissing, dispose: () => listeners.dispose() };
}
