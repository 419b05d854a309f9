/** Decides whether a file or folder may be read or changed, and asks the user where the policy says so. */
import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { type AccessPurpose, type AccessReason, findAccessReasons } from '../../access/accessReasons.ts';
import type { HiddenCharacter } from '../../access/hiddenCharacters.ts';
import { type AccessDialog, askAccess } from './accessDialog.ts';
import { isInsideWorkspace, isStillThere, type OpenPlace } from './boundary.ts';
import { type IgnoredFiles, readIgnoredFiles } from './ignoredFiles.ts';
import { labelOf, notebookOf } from './textSources.ts';

export type FileAccess =
  | { readonly kind: 'allowed'; readonly place: OpenPlace }
  /** To be asked about, for these reasons. */
  | { readonly kind: 'ask'; readonly place: OpenPlace; readonly reasons: readonly AccessReason[] };

export interface AccessFacts {
  /** The ignore rules, when they were read already. */
  readonly ignored?: IgnoredFiles;
  /** It is known to be a file, so that rules for folders say nothing about it. */
  readonly isFile?: boolean;
  /** Hidden characters that the change adds. */
  readonly adds?: readonly HiddenCharacter[];
}

/** Asks nobody. To be called at the time of use: links and ignore rules change. */
export async function decideAccess(
  uri: vscode.Uri,
  purpose: AccessPurpose,
  { ignored, isFile, adds = [] }: AccessFacts = {},
): Promise<FileAccess> {
  // A cell is where its notebook is.
  const file = notebookOf(uri)?.uri ?? uri;
  const { inside, realPath } = await isInsideWorkspace(file);
  const place = { uri, realPath };
  const rules =
    purpose === 'write' ? undefined : (ignored ?? (inside ? await readIgnoredFiles() : undefined));
  const resolved = file.scheme === 'file' ? [vscode.Uri.file(realPath).path] : [];
  const facts = {
    inside,
    throughLink: false,
    ignored: rules?.ignores(file, realPath, isFile === true) === true,
    paths: [file.path, ...resolved],
    pathsInWorkspace: [pathInFolder(file), realPathInFolder(realPath)],
    addsHidden: adds.length > 0,
  };
  // Whether there is a link only matters for what is asked about.
  if (findAccessReasons(facts, purpose).length === 0) return { kind: 'allowed', place };
  const throughLink = await goesThroughLink(file, realPath);
  return { kind: 'ask', place, reasons: findAccessReasons({ ...facts, throughLink }, purpose) };
}

/** The path from the folder of the workspace on, with the folder's own name: what is above it is not meant. */
function pathInFolder(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder === undefined ? uri.path : uri.path.slice(parentOf(folder.uri.path).length);
}

/** The same for the resolved path; all of it when it is in no folder. */
function realPathInFolder(realPath: string): string {
  const folder = (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => isBelow(realPath, uri.fsPath));
  return folder === undefined ? realPath : realPath.slice(parentOf(folder.uri.fsPath).length);
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const parentOf = (path: string): string => path.replace(/[^\\/]*[\\/]?$/, '');

/** A folder of the workspace may be opened through a link: what counts are links below it. */
async function goesThroughLink(uri: vscode.Uri, realPath: string): Promise<boolean> {
  if (uri.scheme !== 'file') return false;
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const path =
    root === undefined
      ? resolve(uri.fsPath)
      : join(await realpath(root).catch(() => root), relative(root, uri.fsPath));
  // A disk may tell the same letters in another case.
  return path.toLowerCase() !== realPath.toLowerCase();
}

export interface AccessRequest extends AccessFacts {
  readonly uri: vscode.Uri;
  readonly purpose: AccessPurpose;
  /** The path as it was asked for; the label of the file when it is left out. */
  readonly requested?: string;
}

export type AccessAnswer =
  | { readonly kind: 'granted'; readonly place: OpenPlace }
  /** The user said no. */
  | { readonly kind: 'refused'; readonly place: OpenPlace; readonly reasons: readonly AccessReason[] }
  /** While the user was asked, the path came to lead somewhere else. */
  | { readonly kind: 'moved'; readonly place: OpenPlace };

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Runs while the dialog is open. */
  readonly whileAsking?: <T>(asking: () => Promise<T>) => Promise<T>;
}

/** Decides, and asks where it has to. Rejects when the signal aborts while the user is asked. */
export async function requestAccess(
  { uri, purpose, requested, ...facts }: AccessRequest,
  { signal, whileAsking = (asking) => asking() }: AskOptions = {},
): Promise<AccessAnswer> {
  const access = await decideAccess(uri, purpose, facts);
  const { place } = access;
  if (access.kind === 'allowed') return { kind: 'granted', place };
  const { reasons } = access;
  const dialog: AccessDialog = {
    purpose,
    places: [{ realPath: place.realPath, requested: requested ?? labelOf(uri), reasons }],
    adds: facts.adds ?? [],
    lasts: 'once',
  };
  const allowed = await whileAsking(() => askAccess(dialog, signal));
  signal?.throwIfAborted();
  if (!allowed) return { kind: 'refused', place, reasons };
  return (await isStillThere(place)) ? { kind: 'granted', place } : { kind: 'moved', place };
}
