/** Decides whether a file or folder may be read or changed, or whether the user must be asked. */
import { lstat, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import {
  type AccessPurpose,
  type AccessReason,
  findAccessReasons,
  type PathFacts,
} from '../../access/accessReasons.ts';
import { hasSecrets } from '../../access/secretContent.ts';
import type { HiddenCharacter } from '../../text/hiddenCharacters.ts';
import type { AskedPlace } from './accessDialog.ts';
import { fileKindOf } from './fileKinds.ts';
import { fileOfRevision } from './gitUris.ts';
import { createIgnoredFiles } from './ignoredFiles.ts';
import { openCellsOf } from './notebookTexts.ts';
import { fileOf, labelOf, readText } from './textSources.ts';
import { isInsideWorkspace, isLink, type OpenPlace } from './workspaceBoundary.ts';

export type FileAccess =
  | { readonly kind: 'allowed'; readonly place: OpenPlace }
  /** The user must be asked, for these reasons. */
  | {
      readonly kind: 'ask';
      readonly place: OpenPlace;
      readonly reasons: readonly AccessReason[];
      /** The path that is ignored: that of the file, or of a folder that contains it, with `/` at its end. */
      readonly ignoredBy?: string;
    };

export interface AccessFacts {
  /** The URI is known to be a file, so ignore rules for folders don't apply to it. */
  readonly isFile?: boolean;
  /** Hidden characters that the change adds. */
  readonly adds?: readonly HiddenCharacter[];
  /** The complete text is used, so it is searched for keys and passwords. */
  readonly usesText?: boolean;
  /** Whether the user has allowed a file outside the workspace, so that its text may be searched as well. */
  readonly isAllowed?: (realPath: string) => boolean;
}

/** Decides without asking the user. Call it at the time of use, because links and ignore rules change. */
export async function decideAccess(
  uri: vscode.Uri,
  purpose: AccessPurpose,
  facts: AccessFacts = {},
): Promise<FileAccess> {
  const [access] = await decideAccessToAll([uri], purpose, facts);
  // Not translated: this would be a bug of the extension.
  if (access === undefined) throw new Error('There is a decision for each file.');
  return access;
}

/** Decides about several files, in their order, without asking the user. Git is asked once about all of them. */
export async function decideAccessToAll(
  uris: readonly vscode.Uri[],
  purpose: AccessPurpose,
  { isFile, adds = [], usesText = false, isAllowed = () => false }: AccessFacts = {},
): Promise<readonly FileAccess[]> {
  const found: FoundFile[] = [];
  for (let at = 0; at < uris.length; at += CONCURRENCY)
    found.push(...(await Promise.all(uris.slice(at, at + CONCURRENCY).map(toFoundFile))));
  const ignored = purpose === 'write' ? [] : await findIgnored(found, isFile === true);
  const facts = { adds, usesText, isAllowed };
  return Promise.all(found.map((file, at) => judge(file, ignored[at], purpose, facts)));
}

/** The number of paths that are resolved at the same time. */
const CONCURRENCY = 64;

interface FoundFile extends OpenPlace {
  readonly inside: boolean;
  /** The file on the disk: the notebook of a cell, and the file of a revision. */
  readonly file: vscode.Uri;
  /** The URI from which the text is read: the file, or a revision of it. */
  readonly source: vscode.Uri;
  /** The requested path and the resolved path. */
  readonly ways: readonly vscode.Uri[];
}

async function toFoundFile(uri: vscode.Uri): Promise<FoundFile> {
  // A cell belongs to its notebook. Both sides of a diff are the same file.
  const source = fileOf(uri);
  const file = withoutDots(fileOfRevision(source));
  const { inside, realPath } = await isInsideWorkspace(file);
  const ways = file.scheme === 'file' ? [file, vscode.Uri.file(realPath)] : [file];
  return { uri, file, source, inside, realPath, ways };
}

/** The URI that the editor opens for a path with `..`, see `isInsideWorkspace`. */
const withoutDots = (uri: vscode.Uri): vscode.Uri =>
  uri.scheme === 'file' && /[\\/]\.\./.test(uri.path) ? vscode.Uri.joinPath(uri) : uri;

/** For each file, the path that is ignored; undefined if the file isn't ignored. */
async function findIgnored(
  files: readonly FoundFile[],
  areFiles: boolean,
): Promise<readonly (string | undefined)[]> {
  const asked = files.map(({ ways }) => (areFiles ? ways : ways.flatMap((way) => [way, asFolder(way)])));
  const answers = await createIgnoredFiles().find(asked.flat());
  let at = 0;
  return asked.map(({ length }) => {
    const own = answers.slice(at, at + length);
    at += length;
    return own.find((by) => by !== undefined);
  });
}

/** The URI as a folder, to which ignore rules for folders apply. */
const asFolder = (uri: vscode.Uri): vscode.Uri =>
  uri.path.endsWith('/') ? uri : uri.with({ path: `${uri.path}/` });

async function judge(
  { uri, file, source, inside, realPath, ways }: FoundFile,
  ignoredBy: string | undefined,
  purpose: AccessPurpose,
  { adds, usesText, isAllowed }: Required<Omit<AccessFacts, 'isFile'>>,
): Promise<FileAccess> {
  const place = { uri, realPath };
  // A file outside the workspace isn't read before the user allows it.
  const holdsSecrets = usesText && (inside || isAllowed(realPath)) && (await holdsSecretsNow(source));
  const facts = {
    inside,
    link: undefined,
    ignored: ignoredBy !== undefined,
    isFolder: false,
    paths: [...ways, source].map(({ path }) => path),
    pathsInWorkspace: [pathInFolder(file), realPathInFolder(realPath)],
    holdsSecrets,
    addsHidden: adds.length > 0,
  };
  // Folders and links are only checked when the user must be asked anyway.
  const found = findAccessReasons(facts, purpose);
  if (found.length === 0) return { kind: 'allowed', place };
  const isFolder = found.includes('secret') && (await fileKindOf(source)) === 'folder';
  const link = await findLink(file, realPath);
  const reasons = findAccessReasons({ ...facts, isFolder, link }, purpose);
  if (reasons.length === 0) return { kind: 'allowed', place };
  return { kind: 'ask', place, reasons, ...(ignoredBy !== undefined && { ignoredBy }) };
}

/**
 * The files outside the workspace whose text has keys or passwords, among those that the user was asked about and has
 * allowed. Their text wasn't searched before, so the user must be asked about them again.
 */
export async function findSecretsOutside(allowed: readonly FileAccess[]): Promise<readonly AskedPlace[]> {
  const found = await Promise.all(
    allowed.map(async (access): Promise<readonly AskedPlace[]> => {
      if (access.kind !== 'ask' || !access.reasons.includes('outside')) return [];
      const { uri, realPath } = access.place;
      if (!(await holdsSecretsNow(fileOf(uri)))) return [];
      return [{ realPath, requested: labelOf(uri), reasons: ['secret-content'] }];
    }),
  );
  return found.flat();
}

async function holdsSecretsNow(uri: vscode.Uri): Promise<boolean> {
  const read = await readText(uri);
  // Its file can be older.
  const cells = (openCellsOf(uri) ?? []).map(({ text }) => text);
  const texts = [...(read.ok ? [read.text] : []), ...cells];
  for (const text of texts) if (await hasSecrets(text, uri.path)) return true;
  return false;
}

/** The path that begins with the name of the workspace folder. Names of folders above the workspace don't count. */
function pathInFolder(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder === undefined ? uri.path : uri.path.slice(above(folder, 'path').length);
}

/** The same for a resolved path; the complete path when it is outside the workspace. */
function realPathInFolder(realPath: string): string {
  const folder = (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => isBelow(realPath, uri.fsPath));
  return folder === undefined ? realPath : realPath.slice(above(folder, 'fsPath').length);
}

/**
 * The beginning of paths whose names don't count: the folders that contain the workspace folder. If a workspace file on the
 * disk names the folders of the workspace, only those that contain this file as well: it can come with a repository, and
 * name a folder such as `.git/hooks` in it.
 */
function above({ uri }: vscode.WorkspaceFolder, kind: 'path' | 'fsPath'): string {
  const file = vscode.workspace.workspaceFile;
  let path = parentOf(uri[kind]);
  if (file?.scheme === 'file') while (!file[kind].startsWith(path)) path = parentOf(path);
  return path;
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

function parentOf(path: string): string {
  const end = path.length - 2;
  return end < 0 ? '' : path.slice(0, Math.max(path.lastIndexOf('/', end), path.lastIndexOf('\\', end)) + 1);
}

/**
 * Whether the path is a link, or contains one below the workspace folder. The folder itself may be opened through a
 * link.
 */
async function findLink(uri: vscode.Uri, realPath: string): Promise<PathFacts['link']> {
  if (uri.scheme !== 'file')
    return realPath === uri.toString(true) ? undefined : (await isLink(uri)) ? 'link' : 'through-link';
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const path =
    root === undefined
      ? resolve(uri.fsPath)
      : // Without the folder the paths differ, and the link is reported.
        join(await realpath(root).catch(() => root), relative(root, uri.fsPath));
  // A file system can return a path in another case.
  if (path.toLowerCase() === realPath.toLowerCase()) return undefined;
  // A new file doesn't exist yet.
  const found = await lstat(uri.fsPath).catch(() => undefined);
  return found?.isSymbolicLink() === true ? 'link' : 'through-link';
}
