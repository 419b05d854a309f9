/** File access of the built-in tools: resolves paths from the model, and asks the user if the access policy says so. */
import * as vscode from 'vscode';
import type { AccessPurpose, AccessReason } from '../../access/accessReasons.ts';
import { isSlowGlob } from '../../conversation/toolCalls/globs.ts';
import { parseToolPath, type RefusedPath } from '../../conversation/toolCalls/toolPaths.ts';
import { atAbsolutePath } from '../workspace/absolutePaths.ts';
import {
  type AskOptions,
  requestAccess,
  requestReads,
  type WhileAsking,
} from '../workspace/accessRequests.ts';
import { exists } from '../workspace/fileKinds.ts';
import { findCell, findCellAt, findMissingCell } from '../workspace/notebookTexts.ts';
import { findInOnlyFolder } from '../workspace/onlyFolder.ts';
import { isInsideWorkspace, type OpenPlace } from '../workspace/workspaceBoundary.ts';
import type { RefusedFiles } from './refusedFiles.ts';

/** The error of a refused or wrong call. Its message is for the model. */
export class ToolRefusal extends Error {
  /** Whether the user refused. */
  readonly byUser: boolean;

  constructor(message: string, byUser = false) {
    super(message);
    this.byUser = byUser;
  }
}

/**
 * Returns a glob pattern, or throws a `ToolRefusal` if it could be slow: patterns are matched in the extension host, where
 * a slow one would block all extensions.
 */
export function checkGlob(glob: string): string {
  if (isSlowGlob(glob)) throw new ToolRefusal('The pattern has too many wildcards. Use at most five.');
  return glob;
}

export interface ToolFileAccess {
  /**
   * Resolves a path. If the access policy requires it, asks the user each time. Throws a `ToolRefusal` if the user refuses,
   * or if paths of this kind are not supported.
   *
   * @param whileAsking wraps the time in which the user is asked
   */
  open(
    path: string,
    purpose: ToolAccessPurpose,
    signal: AbortSignal,
    whileAsking?: WhileAsking,
  ): Promise<OpenPlace>;
  /** The files whose text the model may get. Asks once about all that need an approval, such as files with keys. */
  keepReadable(uris: readonly vscode.Uri[], signal: AbortSignal): Promise<ReadonlySet<vscode.Uri>>;
  /** What the user has refused in the conversation. */
  readonly refused: RefusedFiles;
}

/** The kinds of access that tools need; they don't write. */
export type ToolAccessPurpose = Exclude<AccessPurpose, 'write'>;

/**
 * @param waiting wraps the time in which the user is asked
 * @param show shows the dialog, after the dialogs of other calls
 * @param refused gets the files with keys that the user refuses
 */
export function createToolFileAccess(
  waiting: WhileAsking,
  show: Show,
  refused: RefusedFiles,
): ToolFileAccess {
  const showRemembering = remembering(show, refused);
  return {
    refused,
    async open(path, purpose, signal, whileAsking = (asking) => asking()) {
      const uri = await findPlace(path);
      const answer = await requestAccess(
        { uri, purpose, requested: path, usesText: purpose === 'read' },
        { signal, show: showRemembering, whileAsking: (asking) => whileAsking(() => waiting(asking)) },
      );
      switch (answer.kind) {
        case 'granted':
          if (purpose === 'read') refused.allow(answer.place);
          return answer.place;
        case 'refused':
          throw new ToolRefusal(`The user did not allow ${path}: ${describeReasons(answer.reasons)}.`, true);
        case 'moved':
          throw new ToolRefusal(describeMoved(path));
      }
    },
    keepReadable: (uris, signal) =>
      requestReads(uris, { signal, show: showRemembering, whileAsking: waiting }),
  };
}

type Show = NonNullable<AskOptions['show']>;

/** Remembers the files with keys that are not allowed to be read. A call that is stopped while it asks counts as refused. */
function remembering(show: Show, refused: RefusedFiles): Show {
  return async (dialog, signal) => {
    // A call that is stopped before it asks hasn't refused anything.
    signal?.throwIfAborted();
    const withKeys = dialog.places.filter(({ reasons }) => reasons.includes('secret-content'));
    const refuse = () => dialog.purpose === 'read' && refused.refuse(withKeys);
    // At once, because other searches no longer wait for a call that is stopped.
    signal?.addEventListener('abort', refuse, { once: true });
    try {
      const isAllowed = await show(dialog, signal);
      if (!isAllowed) refuse();
      return isAllowed;
    } finally {
      signal?.removeEventListener('abort', refuse);
    }
  };
}

/** A message for the model: the resolved path has changed since access was allowed. */
export const describeMoved = (path: string): string => `${path} was moved while it was read. Try again.`;

/** Text for the model. */
const REASONS: Readonly<Record<AccessReason, string | undefined>> = {
  outside: 'it is outside the workspace',
  ignored: 'git ignores it',
  'git-folder': 'it belongs to git',
  secret: 'it may contain secrets',
  'secret-content': 'it has text that looks like a key or password',
  protected: 'it is a protected file',
  'hidden-name': 'its path has invisible characters',
  'hidden-characters': 'the change adds invisible characters',
  link: undefined,
  'through-link': undefined,
};

const describeReasons = (reasons: readonly AccessReason[]): string =>
  reasons.flatMap((reason) => REASONS[reason] ?? []).join(', and ');

async function findPlace(written: string): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const schemes = folders.map(({ uri }) => uri.scheme);
  const parsed = parseToolPath(written, { schemes, windows: process.platform === 'win32' });
  switch (parsed.kind) {
    case 'refused':
      throw new ToolRefusal(`${REFUSED[parsed.why]} Give a path relative to the workspace.`);
    case 'absolute':
      return toCellOrFile(vscode.Uri.joinPath(atAbsolutePath(parsed.path)));
    case 'address':
      return toCellOrFile(parseAddress(parsed.address));
    case 'relative':
      return findCell(parsed.path) ?? toCellOrFile(await findRelative(parsed.path, folders));
  }
}

/** The cell at a URI, or the file. A missing cell is refused, because its URI would mean a new file. */
async function toCellOrFile(uri: vscode.Uri): Promise<vscode.Uri> {
  const cell = findCellAt(uri);
  if (cell !== undefined) return cell;
  const missing = findMissingCell(uri);
  if (missing === undefined || (await filterExisting([uri])).length > 0) return uri;
  const { notebook, count } = missing;
  throw new ToolRefusal(
    count === undefined
      ? `${notebook} is not open as a notebook. Only cells of an open notebook can be read and changed.`
      : `${notebook} has ${count} ${count === 1 ? 'cell' : 'cells'}.`,
  );
}

function parseAddress(address: string): vscode.Uri {
  try {
    // `joinPath` removes `..`, as the editor does when it opens a URI.
    return vscode.Uri.joinPath(vscode.Uri.parse(address, true));
  } catch {
    throw new ToolRefusal('The address is invalid. Give a path relative to the workspace.');
  }
}

async function findRelative(path: string, folders: readonly vscode.WorkspaceFolder[]): Promise<vscode.Uri> {
  const [first] = folders;
  if (first === undefined) throw new ToolRefusal('No folder is open, so there are no files to work with.');
  const [head = '', ...rest] = path.split('/');
  const named = folders.filter(({ name }) => folders.length > 1 && name === head);
  const inNamed = named.map(({ uri }) => vscode.Uri.joinPath(uri, ...rest));
  const there = await filterExisting(inNamed);
  if (there.length > 1)
    throw new ToolRefusal(
      `${path} is in several folders of the workspace that have the same name. Give one of these addresses: ${there.join(', ')}.`,
    );
  const others = folders.map(({ uri }) => vscode.Uri.joinPath(uri, path));
  const [found] = [...there, ...(await filterExisting(others))];
  return found ?? (await findInOnlyFolder(path)) ?? inNamed[0] ?? others[0] ?? first.uri;
}

/** The files that exist inside the workspace. For a file outside the workspace, this isn't checked before the user was asked. */
async function filterExisting(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const there: vscode.Uri[] = [];
  for (const uri of uris) if ((await isInsideWorkspace(uri)).inside && (await exists(uri))) there.push(uri);
  return there;
}

/** Text for the model. */
const REFUSED: Readonly<Record<RefusedPath, string>> = {
  'too-long': 'The path is too long.',
  'control-character': 'The path contains a control character.',
  'other-scheme': 'This kind of address is not supported.',
  'network-path': 'Paths on other machines are not supported.',
  home: '`~` is not supported.',
  drive: 'Paths with a drive are not supported on this machine.',
  'ambiguous-name':
    'A name in the path ends in a dot or a space, contains a colon, or is the name of a device. Some systems open a different file for it.',
};
