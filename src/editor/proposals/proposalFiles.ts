/** The files that a proposal names: where they are, and what stands in them. */
import * as vscode from 'vscode';
import type { Origin } from '../../chat/turn.ts';
import { showHidden } from '../../review/hiddenCharacters.ts';
import { isInsideWorkspace } from '../workspace/boundary.ts';
import { readHiddenFiles } from '../workspace/hiddenFiles.ts';
import { toPath } from '../workspace/selectedCode.ts';

const t = vscode.l10n.t;

/** A file as it is now. One that is not there has no text, and is made by the proposal. */
export interface TargetFile {
  readonly uri: vscode.Uri;
  readonly label: string;
  readonly exists: boolean;
  readonly text: string;
  /** Why its text is not known although it may be there. */
  readonly unread?: 'outside' | 'unreadable';
}

/**
 * The file that a path of the model means: the one that was asked about, one of the workspace, or one beside it. Where
 * it really is, is checked when something is written there, not here.
 */
export async function findTarget(path: string, origin: Origin | undefined): Promise<TargetFile> {
  const candidates = toCandidates(path, origin);
  for (const uri of candidates) {
    const target = uri.toString() === origin?.uri ? await readTarget(uri) : await readWithLeave(uri);
    if (target.exists || target.unread !== undefined) return target;
  }
  const [first] = candidates;
  return first === undefined
    ? {
        uri: vscode.Uri.from({ scheme: 'untitled', path: clean(path) }),
        label: path,
        exists: false,
        text: '',
      }
    : readTarget(first);
}

/** A file that the model names is read only where the reader's own work is, or with a word of the reader. */
async function readWithLeave(uri: vscode.Uri): Promise<TargetFile> {
  const unread = (why: 'outside' | 'unreadable'): TargetFile => ({
    uri,
    label: vscode.workspace.asRelativePath(uri),
    exists: false,
    text: '',
    unread: why,
  });
  const { inside, realPath } = await isInsideWorkspace(uri);
  if (!inside && !(await allowsReading(realPath, t('Read a file outside the workspace?'))))
    return unread('outside');
  if (inside && (await exists(uri)) && (await readHiddenFiles()).hides(uri, realPath)) {
    const title = t('Read a file that is ignored by Git or may contain secrets?');
    if (!(await allowsReading(realPath, title))) return unread('unreadable');
  }
  return readTarget(uri).catch(() => unread('unreadable'));
}

async function allowsReading(realPath: string, title: string): Promise<boolean> {
  const read = t('Read File');
  const chosen = await vscode.window.showWarningMessage(
    title,
    {
      modal: true,
      detail: t('The answer proposes changes to this file: {0}', showHidden(realPath)),
    },
    read,
  );
  return chosen === read;
}

const clean = (path: string): string => path.replace(/^[\\/]+/, '');

function toCandidates(path: string, origin: Origin | undefined): readonly vscode.Uri[] {
  const clean = path.trim().replaceAll('\\', '/').replace(/^\.\//, '');
  const asked = origin === undefined ? undefined : vscode.Uri.parse(origin.uri);
  if (asked !== undefined && namesSame(clean, asked)) return [asked];
  // An address of another machine reaches for the network when it is only looked at.
  if (clean.startsWith('//')) return [];
  if (/^([a-z]:)?\//i.test(clean)) return [vscode.Uri.file(clean)];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = folders.find(({ name }) => clean.startsWith(`${name}/`));
  const home = asked && vscode.workspace.getWorkspaceFolder(asked);
  const roots = [...(home ? [home] : []), ...folders.filter((folder) => folder !== home)];
  return [
    ...(named === undefined || folders.length < 2
      ? []
      : [vscode.Uri.joinPath(named.uri, clean.slice(named.name.length + 1))]),
    ...roots.map(({ uri }) => vscode.Uri.joinPath(uri, clean)),
    ...(roots.length === 0 && asked !== undefined ? [vscode.Uri.joinPath(asked, '..', clean)] : []),
  ];
}

/** The path as it was sent, or as it stands on the disk. */
function namesSame(path: string, uri: vscode.Uri): boolean {
  return [vscode.workspace.asRelativePath(uri), toPath({ uri }), uri.path, uri.fsPath].includes(path);
}

/** A file as the editor has it, unsaved changes included. */
export async function readTarget(uri: vscode.Uri): Promise<TargetFile> {
  const label = vscode.workspace.asRelativePath(uri);
  const there = isOpen(uri) || (await exists(uri));
  if (!there) return { uri, label, exists: false, text: '' };
  const document = await vscode.workspace.openTextDocument(uri);
  return { uri: document.uri, label, exists: true, text: document.getText() };
}

const isOpen = (uri: vscode.Uri): boolean =>
  vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) === 0,
    () => false,
  );
}
