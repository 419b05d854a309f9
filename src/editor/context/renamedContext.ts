/** Follows context whose file or folder was renamed: in this window, in another one, or by another program. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { renamedUri } from '../../review/proposals/fileChanges.ts';
import { isWritable } from '../workspace/fileKinds.ts';
import { findDocument, labelOf } from '../workspace/textSources.ts';

/** An item that is attached or queued, and a key that stays the same when the item is read again under another name. */
export interface HeldContext {
  readonly key: string;
  readonly item: ContextItem;
}

export interface RenamedContext extends vscode.Disposable {
  /** Records that a file, a folder, or a cell has another name now. */
  move(from: vscode.Uri, to: vscode.Uri): void;
  /**
   * The URI of an item after all renames since it was attached or queued. A file that was renamed before that is another
   * file, even if it had the same name.
   */
  uriNow(held: HeldContext): string | undefined;
  /** The item with that URI. */
  withNameNow(held: HeldContext): ContextItem;
}

/**
 * @param all the items that are attached or queued now
 * @param onMoved called when something was renamed
 */
export function createRenamedContext(all: () => readonly HeldContext[], onMoved: () => void): RenamedContext {
  /** The URIs after the last rename, by key. */
  let names: ReadonlyMap<string, string> = new Map();

  const uriNow = ({ key, item }: HeldContext) => names.get(key) ?? item.uri;

  function rename(from: vscode.Uri, to: vscode.Uri): void {
    names = new Map(
      all().flatMap((held) => {
        const uri = uriNow(held);
        return uri === undefined ? [] : [[held.key, renamedUri(uri, from.toString(), to.toString()) ?? uri]];
      }),
    );
    onMoved();
  }

  const listening = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) rename(oldUri, newUri);
  });
  return {
    move(from, to) {
      if (!hasUnsavedText(from)) rename(from, to);
    },
    uriNow,
    withNameNow(held) {
      const uri = uriNow(held);
      return uri === undefined || uri === held.item.uri ? held.item : withUri(held.item, uri);
    },
    dispose: () => listening.dispose(),
  };
}

/**
 * Whether a document has unsaved changes. Another program renames only the file: the unsaved text stays open under the old
 * name.
 */
const hasUnsavedText = (uri: vscode.Uri): boolean => findDocument(uri)?.isDirty === true && isWritable(uri);

/** An item with another URI. Its labels begin with the path, except that of a symbol, which is its name. */
function withUri(item: ContextItem, uri: string): ContextItem {
  const [before, now] = [item.uri ?? uri, uri].map((one) => labelOf(vscode.Uri.parse(one)));
  const named = (label: string) =>
    before !== undefined && now !== undefined && label.startsWith(before)
      ? now + label.slice(before.length)
      : label;
  const parts = item.parts.map((part) => ({ ...part, label: named(part.label) }));
  return { ...item, uri, label: named(item.label), parts };
}
