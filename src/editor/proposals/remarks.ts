/** The remarks of the user that are not yet sent. They are saved in the workspace state, and survive a reload. */
import * as vscode from 'vscode';

/** A remark on the lines of a hunk or of a file. */
export interface Remark {
  readonly id: string;
  /** The URI of the file. */
  readonly uri: string;
  /** The hunk that it is about; undefined for a remark on lines of a file. */
  readonly hunk: { readonly proposalId: string; readonly hunkId: string } | undefined;
  /** Zero-based and inclusive, at the time when the remark was written. */
  readonly startLine: number;
  readonly endLine: number;
  /** The text of these lines at that time. */
  readonly quote: string;
  readonly text: string;
}

export interface Remarks extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  list(): readonly Remark[];
  put(remark: Remark): void;
  remove(ids: ReadonlySet<string>): void;
}

const KEY = 'k3.remarks';

export function createRemarks(state: Pick<vscode.Memento, 'get' | 'update'>): Remarks {
  const changed = new vscode.EventEmitter<void>();
  let all: readonly Remark[] = state.get<readonly Remark[]>(KEY, []);
  const set = (next: readonly Remark[]) => {
    all = next;
    void state.update(KEY, next);
    changed.fire();
  };
  const renames = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) {
      const from = oldUri.toString();
      if (all.some(({ uri }) => uri === from))
        set(all.map((one) => (one.uri === from ? { ...one, uri: newUri.toString() } : one)));
    }
  });
  return {
    onDidChange: changed.event,
    list: () => all,
    put: (remark) => set([...all.filter(({ id }) => id !== remark.id), remark]),
    remove: (ids) => set(all.filter(({ id }) => !ids.has(id))),
    dispose() {
      renames.dispose();
      changed.dispose();
    },
  };
}
