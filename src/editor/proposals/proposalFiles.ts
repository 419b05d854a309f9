/** The files that a proposal names: where they are, and what stands in them. */
import * as vscode from 'vscode';
import type { Origin } from '../../chat/turn.ts';
import { isInsideWorkspace, isStillThere } from '../workspace/boundary.ts';
import { requestAccess } from '../workspace/fileAccess.ts';
import { kindOf } from '../workspace/fileKinds.ts';
import { toPath } from '../workspace/selectedCode.ts';

/** A file as it is now. One that is not there has no text, and is made by the proposal. */
export interface TargetFile {
  readonly uri: vscode.Uri;
  readonly label: string;
  readonly exists: boolean;
  readonly text: string;
  /** Why its text is not known although it may be there. */
  readonly unread?: UnreadReason;
}

/** The user did not allow it to be read, or it is no text that can be read. */
export type UnreadReason = 'refused' | 'unreadable';

/**
 * The file that a path of the model means: the one that was asked about, one of the workspace, or one beside it. Where
 * it really is, is checked when something is written there, not here.
 */
export async function findTarget(path: string, origin: Origin | undefined): Promise<TargetFile> {
  let first: TargetFile | undefined;
  for (const uri of toCandidates(path, origin)) {
    const target = uri.toString() === origin?.uri ? await readTarget(uri) : await readAllowed(path, uri);
    if (target.exists || target.unread !== undefined) return target;
    first ??= target;
  }
  if (first !== undefined) return first;
  const uri = vscode.Uri.from({ scheme: 'untitled', path: clean(path) });
  return { uri, label: path, exists: false, text: '' };
}

/** A file that the model names is read where the policy for access allows it, or the user does. */
async function readAllowed(path: string, uri: vscode.Uri): Promise<TargetFile> {
  const unread = (why: UnreadReason): TargetFile => ({
    uri,
    label: vscode.workspace.asRelativePath(uri),
    exists: false,
    text: '',
    unread: why,
  });
  // Of a file that is yet to be made in the workspace there is nothing to read.
  const { inside } = await isInsideWorkspace(uri);
  if (inside && (await kindOf(uri)) !== 'file') return readTarget(uri).catch(() => unread('unreadable'));
  const answer = await requestAccess({ uri, purpose: 'propose', requested: path });
  if (answer.kind !== 'granted') return unread(answer.kind === 'refused' ? 'refused' : 'unreadable');
  const target = await readTarget(uri).catch(() => unread('unreadable'));
  return (await isStillThere(answer.place)) ? target : unread('unreadable');
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
  const there = isOpen(uri) || (await kindOf(uri)) === 'file';
  if (!there) return { uri, label, exists: false, text: '' };
  const document = await vscode.workspace.openTextDocument(uri);
  return { uri: document.uri, label, exists: true, text: document.getText() };
}

const isOpen = (uri: vscode.Uri): boolean =>
  vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
