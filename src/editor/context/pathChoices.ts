/** The files and folders that `@` suggests in the composer. */
import * as vscode from 'vscode';
import type { ContextChoice } from '../../panel/context.ts';
import { labelOf } from '../workspace/textSources.ts';
import type { RankedPath } from './pathRanking.ts';

/**
 * The files that are open in tabs, those in active tabs first. Documents of K3 are left out, because they show what is
 * already in a conversation.
 */
export function filesInTabs(): readonly vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
  return tabs
    .toSorted((a, b) => Number(b.isActive) - Number(a.isActive))
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    )
    .filter(({ scheme }) => !scheme.startsWith('k3-'));
}

interface Path extends RankedPath {
  readonly uri: vscode.Uri;
}

/** Files and their parent folders. */
export function toPaths(files: readonly vscode.Uri[]): readonly Path[] {
  const open = new Set(filesInTabs().map(String));
  const paths = new Map<string, Path>();
  const folders = new Map<string, Path>();
  for (const uri of files) {
    const label = labelOf(uri);
    if (!paths.has(uri.toString()))
      paths.set(uri.toString(), { uri, path: label, open: open.has(uri.toString()) });
    const own = vscode.workspace.getWorkspaceFolder(uri);
    if (own === undefined) continue;
    let at = label.lastIndexOf('/');
    for (let here = vscode.Uri.joinPath(uri, '..'); at > 0; here = vscode.Uri.joinPath(here, '..')) {
      const path = label.slice(0, at + 1);
      // Two workspace folders can have the same name.
      const key = `${own.index} ${path}`;
      if (folders.has(key)) break;
      folders.set(key, { uri: here, path, open: false });
      at = label.lastIndexOf('/', at - 1);
    }
  }
  return [...paths.values(), ...folders.values()];
}

export function toPathChoice({ path, uri }: Path): ContextChoice {
  const at = path.lastIndexOf('/', path.length - 2);
  return {
    label: path.slice(at + 1),
    description: at === -1 ? '' : path.slice(0, at),
    icon: path.endsWith('/') ? 'folder' : 'file',
    reference: { kind: 'file', uri: uri.toString() },
  };
}
