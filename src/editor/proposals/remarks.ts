/** What the reader remarks on lines, until it is sent: kept with the workspace, so that a reload loses none. */
import * as vscode from 'vscode';

/** A remark on the lines of a hunk, or of any file. */
export interface Remark {
  readonly id: string;
  /** Address of the file. */
  readonly uri: string;
  /** The hunk that it is about; undefined when it stands on lines of a file. */
  readonly hunk: { readonly proposalId: string; readonly hunkId: string } | undefined;
  /** Counted from 0, the last one included; where the lines stood when it was written. */
  readonly startLine: number;
  readonly endLine: number;
  /** These lines as they were. */
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
