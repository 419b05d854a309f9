/** Context whose file or folder was renamed: in this window, in another one, or by another program. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { renamedUri } from '../../review/fileChanges.ts';
import { exists } from '../workspace/fileKinds.ts';
import { findDocument, labelOf } from '../workspace/textSources.ts';

export interface RenamedContext extends vscode.Disposable {
  /** A file, a folder, or a cell has another name now. */
  move(from: vscode.Uri, to: vscode.Uri): void;
  /**
   * The item under the name that its source has now. Only a source that is gone is looked for: another one can have got its
   * name since.
   */
  withNameNow(item: ContextItem): Promise<ContextItem>;
}

/** @param onMoved called when something was renamed */
export function createRenamedContext(onMoved: () => void): RenamedContext {
  const moves: { readonly from: string; readonly to: string }[] = [];

  function move(from: vscode.Uri, to: vscode.Uri): void {
    moves.push({ from: from.toString(), to: to.toString() });
    onMoved();
  }

  const listening = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) move(oldUri, newUri);
  });
  return {
    move,
    async withNameNow(item) {
      if (item.uri === undefined) return item;
      const now = moves.reduce((uri, { from, to }) => renamedUri(uri, from, to) ?? uri, item.uri);
      return now === item.uri || (await isThere(vscode.Uri.parse(item.uri))) ? item : withUri(item, now);
    },
    dispose: () => listening.dispose(),
  };
}

const isThere = async (uri: vscode.Uri): Promise<boolean> =>
  findDocument(uri)?.isDirty === true || (await exists(uri));

/** The labels begin with the path. That of a symbol is its name. */
function withUri(item: ContextItem, uri: string): ContextItem {
  const [before, now] = [item.uri ?? uri, uri].map((one) => labelOf(vscode.Uri.parse(one)));
  const named = (label: string) =>
    before !== undefined && now !== undefined && label.startsWith(before)
      ? now + label.slice(before.length)
      : label;
  const parts = item.parts.map((part) => ({ ...part, label: named(part.label) }));
  return { ...item, uri, label: named(item.label), parts };
}
