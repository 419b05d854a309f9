/** Finds files that reasoning mentions. Only files inside the workspace are found. */
import * as vscode from 'vscode';
import { isInsideWorkspace } from './workspaceBoundary.ts';

export type Mentioned =
  | { readonly found: 'one'; readonly uri: vscode.Uri }
  | { readonly found: 'none' | 'several' };

export interface MentionedFiles {
  find(path: string): Promise<Mentioned>;
  /** Clears the cache, because files were created or deleted. */
  forget(): void;
}

/** The maximum number of results in the cache. */
const MAX_CACHED = 500;

export function createMentionedFiles(): MentionedFiles {
  const known = new Map<string, Promise<Mentioned>>();
  return {
    find(path) {
      const earlier = known.get(path);
      if (earlier !== undefined) return earlier;
      if (known.size >= MAX_CACHED) known.clear();
      // Reasoning mentions many things that are not files. A search that fails finds nothing.
      const search = findFile(path).catch((): Mentioned => ({ found: 'none' }));
      known.set(path, search);
      return search;
    },
    forget: () => known.clear(),
  };
}

async function findFile(mention: string): Promise<Mentioned> {
  const path = mention.replace(/^(\.\/)+/, '');
  if (path === '' || path.startsWith('/') || path.split('/').includes('..')) return { found: 'none' };
  const folders = vscode.workspace.workspaceFolders ?? [];
  const exact = folders.flatMap((folder) => {
    const inside = path.startsWith(`${folder.name}/`) ? path.slice(folder.name.length + 1) : path;
    return [...new Set([path, inside])].map((one) => vscode.Uri.joinPath(folder.uri, one));
  });
  const there = await filterFiles(exact);
  if (there.length > 0) return toMentioned(there);
  // The path consists of word characters, dots, dashes, and @ only, so it needs no escaping in a glob pattern.
  return toMentioned(
    await filterFiles(await vscode.workspace.findFiles(`**/${path}`, '**/node_modules/**', 3)),
  );
}

function toMentioned(uris: readonly vscode.Uri[]): Mentioned {
  const [first, second] = uris;
  if (first === undefined) return { found: 'none' };
  return second === undefined ? { found: 'one', uri: first } : { found: 'several' };
}

async function filterFiles(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const kept = await Promise.all(uris.map(async (uri) => ((await isFileInside(uri)) ? [uri] : [])));
  return kept.flat();
}

/** Whether a URI is a file inside the workspace, by its resolved path. */
export async function isFileInside(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0 && (await isInsideWorkspace(uri)).inside;
  } catch {
    // It doesn't exist or can't be read.
    return false;
  }
}
