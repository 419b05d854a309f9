/** The user's comments on lines until a review is sent. They are stored with the workspace and survive a reload. */
import * as vscode from 'vscode';
import { decodeRemarks, type Remark, withRenamedFile } from '../../review/keptRemarks.ts';
import { describeWrong } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

export interface Remarks extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  list(): readonly Remark[];
  put(remark: Remark): void;
  remove(ids: ReadonlySet<string>): void;
  /** A file or folder has another name now. */
  rename(from: vscode.Uri, to: vscode.Uri): void;
}

const KEY = 'k3.remarks';

export function createRemarks(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): Remarks {
  const changed = new vscode.EventEmitter<void>();
  let all = decodeRemarks(state.get<unknown>(KEY), (wrong) =>
    log.warn(`a stored comment can't be read and is left out: ${describeWrong(wrong)}`),
  );
  const set = (next: readonly Remark[]) => {
    all = next;
    inBackground(log, state.update(KEY, next), 'saving the comments');
    changed.fire();
  };
  function rename(from: vscode.Uri, to: vscode.Uri): void {
    const next = withRenamedFile(all, from.toString(), to.toString());
    if (next !== all) set(next);
  }
  const renames = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) rename(oldUri, newUri);
  });
  return {
    onDidChange: changed.event,
    list: () => all,
    put: (remark) => set([...all.filter(({ id }) => id !== remark.id), remark]),
    remove: (ids) => set(all.filter(({ id }) => !ids.has(id))),
    rename,
    dispose() {
      renames.dispose();
      changed.dispose();
    },
  };
}
