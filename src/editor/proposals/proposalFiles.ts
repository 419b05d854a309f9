/** Finds and reads the files that a proposal names. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { type Origin, originsOf, type Question } from '../../conversation/question.ts';
import { isLocalAddress, isPathTooLong } from '../../conversation/toolCalls/toolPaths.ts';
import type { CodeBlock } from '../../review/answers/codeBlocks.ts';
import type { LineEnd } from '../../review/edits/editPlacement.ts';
import { isAtOrBelow, withTextNow } from '../../review/proposals/fileChanges.ts';
import type { FileProposal } from '../../review/proposals/proposal.ts';
import { showWarning, withoutLinks } from '../base/notifications.ts';
import { atAbsolutePath } from '../workspace/absolutePaths.ts';
import { type AskOptions, requestAccess } from '../workspace/accessRequests.ts';
import { fileKindOf, isGone } from '../workspace/fileKinds.ts';
import { findCell, findCellAt, openCellsOf } from '../workspace/notebookTexts.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { findDocument, isBinaryDocument, isCell } from '../workspace/textSources.ts';
import { isInsideWorkspace, isStillThere } from '../workspace/workspaceBoundary.ts';

const t = vscode.l10n.t;

/** The current state of a file. A file that doesn't exist has no text, and the proposal creates it. */
export interface TargetFile {
  readonly uri: vscode.Uri;
  readonly label: string;
  readonly exists: boolean;
  readonly text: string;
  /** The line end of the document, which a text of one line doesn't show. */
  readonly lineEnd?: LineEnd;
  /** The reason why the text is unknown although the file may exist. */
  readonly unread?: UnreadReason;
  /** No file can be at this path, because it is a folder or below a file. */
  readonly isBlocked?: true;
}

/**
 * `refused`: the user didn't allow reading the file. `moved`: the path leads to a different file since the user was asked.
 * `unreadable`: the file can't be read as text.
 */
export type UnreadReason = 'refused' | 'moved' | 'unreadable';

/**
 * The file that a path from the model refers to: the file of the question, a file of the workspace, or, without a workspace, a file
 * beside that of the question. The resolved path is checked when the file is written, not here.
 *
 * @param question if several folders of the same name have the file, the file in the context of the question is meant
 */
export async function findTarget(
  path: string,
  question: Pick<Question, 'origin' | 'more'> & { readonly context?: readonly Pick<ContextItem, 'uri'>[] },
  { uriNow, show }: FindOptions = {},
): Promise<TargetFile> {
  const { context = [] } = question;
  const origins = originsOf(question);
  let first: TargetFile | undefined;
  const isKnown = (place: vscode.Uri) =>
    context.some(({ uri }) => uri !== undefined && isAtOrBelow(place.toString(), uri));
  const all = placesOfPath(path, origins);
  const places = [...all.filter(isKnown), ...all.filter((place) => !isKnown(place))];
  for (const uri of uriNow ? [...places, ...(await renamedOf(places, uriNow))] : places) {
    const target =
      uri.toString() === origins[0]?.uri ? await readAsked(uri) : await readAllowed(path, uri, show);
    if (target.exists || target.unread !== undefined) return target;
    first ??= target;
  }
  if (first !== undefined)
    return (await isBlocked(first.uri)) ? { ...toUnread(first.uri, 'unreadable'), isBlocked: true } : first;
  const uri = vscode.Uri.from({ scheme: 'untitled', path: clean(path) });
  const target = { uri, label: path, exists: false, text: '' };
  return isAddress(path) || isPathTooLong(path) ? { ...target, unread: 'unreadable' } : target;
}

export interface FindOptions {
  readonly show?: AskOptions['show'] | undefined;
  /** Returns the current URI of a file. Without it, files that were renamed since aren't found. */
  readonly uriNow?: UriNow | undefined;
}

/** Returns the current URI of a file; the same one if it wasn't renamed. */
export type UriNow = (uri: string) => Promise<string>;

/** The new URIs of those files that were renamed. */
export async function renamedOf(
  places: readonly vscode.Uri[],
  uriNow: UriNow,
): Promise<readonly vscode.Uri[]> {
  const now = await Promise.all(places.map((uri) => uriNow(uri.toString())));
  return now.filter((uri, at) => uri !== places[at]?.toString()).map((uri) => vscode.Uri.parse(uri));
}

/** The URIs that a path from the model can refer to, the likeliest first. */
export const placesOfPath = (path: string, origins: readonly Origin[]): readonly vscode.Uri[] =>
  toCandidates(path, origins).map((place) => findCellAt(place) ?? place);

/**
 * The path of a code block. A longer path, with spaces and without quotation marks, counts if such a file exists. The user isn't
 * asked for this, so the file must be in the question or in the workspace.
 */
export async function pathOfBlock(
  { path, longerPaths = [] }: Pick<CodeBlock, 'path' | 'longerPaths'>,
  origins: readonly Origin[],
): Promise<string | undefined> {
  for (const longer of longerPaths)
    for (const uri of toCandidates(longer, origins)) {
      if (origins.some((one) => one.uri === uri.toString())) return longer;
      if ((await isInsideWorkspace(uri)).inside && (await fileKindOf(uri)) === 'file') return longer;
    }
  return path;
}

/** Whether no file can be created at a path. */
async function isBlocked(uri: vscode.Uri): Promise<boolean> {
  if ((await fileKindOf(uri)) === 'folder') return true;
  for (let at = uri, above = parentOf(at); above.path !== at.path; at = above, above = parentOf(at)) {
    const kind = await fileKindOf(above);
    if (kind !== undefined) return kind === 'file';
  }
  return false;
}

const parentOf = (uri: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(uri, '..');

/** Reads a file named by the model if the access policy or the user allows it. */
async function readAllowed(path: string, uri: vscode.Uri, show: AskOptions['show']): Promise<TargetFile> {
  // A new file in the workspace has nothing to read, so there is nothing to allow.
  const { inside } = await isInsideWorkspace(uri);
  if (inside && !isCell(uri) && (await fileKindOf(uri)) !== 'file') return readAsked(uri);
  const answer = await requestAccess({ uri, purpose: 'propose', requested: path }, show && { show });
  if (answer.kind !== 'granted') return toUnread(uri, answer.kind);
  const target = await readAsked(uri);
  return (await isStillThere(answer.place)) ? target : toUnread(uri, 'moved');
}

const toUnread = (uri: vscode.Uri, why: UnreadReason): TargetFile => ({
  uri,
  label: toPath({ uri }),
  exists: false,
  text: '',
  unread: why,
});

/** Reads a file that may be read: one that the question is about, or that the user has allowed. */
export const readAsked = (uri: vscode.Uri): Promise<TargetFile> =>
  // The file may have become binary meanwhile.
  readTarget(uri).catch(() => toUnread(uri, 'unreadable'));

const clean = (path: string): string => path.replace(/^[\\/]+/, '');

function toCandidates(path: string, origins: readonly Origin[]): readonly vscode.Uri[] {
  const clean = path.trim().replaceAll('\\', '/').replace(/^\.\//, '');
  const named =
    origins.find((one) => one.path === path.trim() || one.path === clean) ??
    origins.find((one) => namesOf(one).includes(clean));
  if (named !== undefined) return [vscode.Uri.parse(named.uri)];
  // The path can be that of a cell that the question isn't about.
  const cell = findCell(clean);
  if (cell !== undefined) return [cell];
  const [asked] = origins.map(({ uri }) => vscode.Uri.parse(uri));
  // UNC paths are ignored, because even reading their metadata sends a request to the network.
  if (clean.startsWith('//') || isPathTooLong(clean)) return [];
  if (/^([a-z]:)?\//i.test(clean)) return [atAbsolutePath(clean)];
  // The tools use URIs for files in folders of the same name.
  if (isAddress(clean)) return parseAddress(clean);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const home = asked && vscode.workspace.getWorkspaceFolder(asked);
  const roots = [...(home ? [home] : []), ...folders.filter((folder) => folder !== home)];
  // Several folders can have the same name.
  const inNamed = roots.filter(({ name }) => folders.length > 1 && clean.startsWith(`${name}/`));
  return [
    ...inNamed.map(({ uri, name }) => vscode.Uri.joinPath(uri, clean.slice(name.length + 1))),
    ...roots.map(({ uri }) => vscode.Uri.joinPath(uri, clean)),
    ...(roots.length === 0 && asked !== undefined ? [vscode.Uri.joinPath(asked, '..', clean)] : []),
  ];
}

const isAddress = (path: string): boolean => /^\s*file:/i.test(path);

/** The URI; none if the editor refuses it, or if it names another machine. */
function parseAddress(address: string): readonly vscode.Uri[] {
  try {
    return isLocalAddress(address) ? [vscode.Uri.parse(address, true)] : [];
  } catch {
    // The caller reports that it can't be read.
    return [];
  }
}

/** The names of a file: as it was sent to the model, and as it is on disk. For a cell, also the name of its notebook. */
function namesOf(origin: Origin): readonly string[] {
  const uri = vscode.Uri.parse(origin.uri);
  const { path = toPath({ uri }) } = origin;
  const notebook = isCell(uri) ? [path.replace(/#\d+$/, '')] : [];
  return [path, ...notebook, vscode.workspace.asRelativePath(uri), uri.path, uri.fsPath];
}

/** Reads a file with its unsaved changes. Rejects if the file isn't text, or if it is open as a notebook, whose cells are texts. */
export async function readTarget(uri: vscode.Uri): Promise<TargetFile> {
  const label = toPath({ uri });
  const there = (await fileKindOf(uri)) === 'file' || (await isOnlyOpen(uri));
  if (!there) return { uri, label, exists: false, text: '' };
  // Not translated, because callers show their own message.
  if (openCellsOf(uri) !== undefined) throw new Error(`${label} is open as a notebook`);
  const document = await vscode.workspace.openTextDocument(uri);
  // Not translated, either.
  if (isBinaryDocument(document)) throw new Error(`${label} is not text`);
  return { uri: document.uri, label, exists: true, text: document.getText(), lineEnd: lineEndIn(document) };
}

/** The same. If it rejects, shows a message and returns undefined. */
export async function readOrTell(uri: vscode.Uri): Promise<TargetFile | undefined> {
  return readTarget(uri).catch(
    () => void showWarning(t('Couldn’t open {0}.', withoutLinks(vscode.workspace.asRelativePath(uri)))),
  );
}

/** The line end of a document, also if it has only one line. */
export const lineEndIn = ({ eol }: vscode.TextDocument): LineEnd =>
  eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';

/**
 * Whether a text exists only in the editor: a document without a file, or with unsaved changes. The editor keeps the document of a
 * deleted file, which doesn't count.
 */
async function isOnlyOpen(uri: vscode.Uri): Promise<boolean> {
  return findDocument(uri) !== undefined && !(await isGone(uri));
}

/**
 * A file that was read some time ago, with its current text if it is open. Must be called right before placing edits, with nothing
 * awaited in between.
 */
export function toNewest(target: TargetFile): TargetFile {
  const document = target.unread === undefined ? findDocument(target.uri) : undefined;
  // Without unsaved changes, this may be the document of a deleted file.
  if (document === undefined || (!target.exists && !document.isDirty)) return target;
  return { ...target, exists: true, text: document.getText(), lineEnd: lineEndIn(document) };
}

/**
 * A proposed file with its current text in the editor. A file that isn't open is compared when it is opened, and a new file when it
 * is accepted, because an open document without unsaved changes can be that of a deleted file.
 */
export function withOpenText(file: FileProposal): FileProposal {
  const document = findDocument(vscode.Uri.parse(file.uri));
  if (document === undefined || (file.isNew && !document.isDirty)) return file;
  return withTextNow(file, document.getText(), lineEndIn(document));
}
