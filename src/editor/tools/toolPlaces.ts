/** Where a tool of ours may read: what a model calls a path, found, and asked about when the reader may not mean it. */

import * as vscode from 'vscode';
import { parseToolPath, type RefusedPath } from '../../chat/toolPaths.ts';
import { showHidden } from '../../review/hiddenCharacters.ts';
import { isInsideWorkspace, type OpenPlace } from '../workspace/boundary.ts';
import { readHiddenFiles } from '../workspace/hiddenFiles.ts';

const t = vscode.l10n.t;

/** Why a tool gets nothing, in words for the model. */
export class ToolRefusal extends Error {
  /** The reader said no. */
  readonly byReader: boolean;

  constructor(message: string, byReader = false) {
    super(message);
    this.byReader = byReader;
  }
}

/** What the model wants with a place: it decides what the reader is asked. */
export type Wish = 'read' | 'change';

export interface ToolPlaces {
  /**
   * The place that a path means. Outside the workspace, and for files that hold secrets or that git ignores, the reader
   * is asked, each time. Throws a `ToolRefusal` when the answer is no, or when no path like that is ever followed.
   */
  open(path: string, wish: Wish, signal: AbortSignal): Promise<OpenPlace>;
}

/** @param waiting runs while the reader is asked */
export function createToolPlaces(waiting: <T>(asking: () => Promise<T>) => Promise<T>): ToolPlaces {
  return {
    async open(path, wish, signal) {
      const uri = await findPlace(path);
      const { inside, realPath } = await isInsideWorkspace(uri);
      const hidden = inside && (await readHiddenFiles()).hides(uri, realPath);
      if (inside && !hidden) return { uri, realPath };
      const agreed = await waiting(() =>
        untilAborted(inside ? askAboutHidden(path, realPath) : askAboutOutside(path, realPath, wish), signal),
      );
      signal.throwIfAborted();
      if (!agreed) {
        throw new ToolRefusal(
          inside
            ? `The user did not allow ${path}: git ignores it, or it may hold secrets.`
            : `The user did not allow ${path}: it is outside the workspace.`,
          true,
        );
      }
      return { uri, realPath };
    },
  };
}

/** The question stays where it is when the turn is stopped; its answer then means nothing. */
function untilAborted(asking: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
    if (signal.aborted) resolve(false);
    asking.then(resolve, reject);
  });
}

async function findPlace(written: string): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const schemes = folders.map(({ uri }) => uri.scheme);
  const parsed = parseToolPath(written, { schemes, windows: process.platform === 'win32' });
  switch (parsed.kind) {
    case 'refused':
      throw new ToolRefusal(`${REFUSED[parsed.why]} Give a path relative to the workspace.`);
    case 'absolute':
      return vscode.Uri.file(parsed.path);
    case 'address':
      return parseAddress(parsed.address);
    case 'relative':
      return findRelative(parsed.path, folders);
  }
}

function parseAddress(address: string): vscode.Uri {
  try {
    return vscode.Uri.parse(address, true);
  } catch {
    throw new ToolRefusal('That is no address. Give a path relative to the workspace.');
  }
}

async function findRelative(path: string, folders: readonly vscode.WorkspaceFolder[]): Promise<vscode.Uri> {
  const [first] = folders;
  if (first === undefined) throw new ToolRefusal('No folder is open, so there are no files to work with.');
  const [head = '', ...rest] = path.split('/');
  const named = folders.find(({ name }) => folders.length > 1 && name === head);
  const candidates = [
    ...(named === undefined ? [] : [vscode.Uri.joinPath(named.uri, ...rest)]),
    ...folders.map(({ uri }) => vscode.Uri.joinPath(uri, path)),
  ];
  for (const uri of candidates) {
    // A place that is not ours is not even looked for: it is asked about first.
    if ((await isInsideWorkspace(uri)).inside && (await exists(uri))) return uri;
  }
  return candidates[0] ?? first.uri;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** The words are for the model. */
const REFUSED: Readonly<Record<RefusedPath, string>> = {
  'control-character': 'The path holds a control character.',
  'other-scheme': 'Addresses of other kinds than the workspace are not followed.',
  'network-path': 'Paths of other machines are not followed.',
  home: '`~` is not followed.',
  drive: 'Paths with a drive are not followed here.',
  'ambiguous-name':
    'The path has a name that ends in a dot or a space, holds a colon, or means a device: systems take those for other files.',
};

async function askAboutOutside(path: string, realPath: string, wish: Wish): Promise<boolean> {
  const allow = t('Allow Once');
  const title =
    wish === 'read'
      ? t('svc-k3 wants to read outside the workspace. Allow it?')
      : t('svc-k3 wants to propose a change outside the workspace. Allow it?');
  const detail = `${t('Really: {0}', showHidden(realPath))}\n${t('Called: {0}', showHidden(path))}\n\n${t('Its text goes to the service.')}`;
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, allow)) === allow;
}

async function askAboutHidden(path: string, realPath: string): Promise<boolean> {
  const allow = t('Allow Once');
  const title = t('svc-k3 wants a file that git ignores or that may hold secrets. Allow it?');
  const detail = `${t('Really: {0}', showHidden(realPath))}\n${t('Called: {0}', showHidden(path))}\n\n${t('Its text goes to the service.')}`;
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, allow)) === allow;
}
