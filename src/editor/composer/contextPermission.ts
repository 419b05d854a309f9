/** Asks before anything is read that the reader may not mean: outside the workspace, or ignored by git. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { ContextReference } from '../../panel/views.ts';
import { showHidden } from '../../review/hiddenCharacters.ts';
import type { OpenPlace } from '../workspace/boundary.ts';
import { isInsideWorkspace } from '../workspace/boundary.ts';
import { readHiddenFiles } from '../workspace/hiddenFiles.ts';
import { labelOf, notebookOf } from '../workspace/textSources.ts';

const t = vscode.l10n.t;

export interface ContextPermission {
  /** Whether something may be read without asking: it is in the workspace, or was agreed to in this window. */
  allows(uri: vscode.Uri): Promise<boolean>;
  /** The same, asking when it may not. */
  ask(uri: vscode.Uri): Promise<boolean>;
  /** Those of the references that may be read, after asking once about all that lead outside. */
  askForAll(
    references: readonly ContextReference[],
    selectionIn: vscode.Uri | undefined,
  ): Promise<readonly ContextReference[]>;
}

/** Real paths that a dialog shows; of more it says how many. */
const MOST_SHOWN = 12;

export function createContextPermission(): ContextPermission {
  /** Real paths that were agreed to, with what is in them. */
  const agreed = new Set<string>();

  async function judge(uri: vscode.Uri): Promise<{ readonly allowed: boolean; readonly realPath: string }> {
    const { inside, realPath } = await isInsideWorkspace(notebookOf(uri)?.uri ?? uri);
    const known = [...agreed].some((path) => realPath === path || realPath.startsWith(`${path}${sep}`));
    return { allowed: inside || known, realPath };
  }

  async function askForOutside(uris: readonly vscode.Uri[]): Promise<ReadonlySet<vscode.Uri>> {
    const judged = await Promise.all(uris.map(async (uri) => ({ uri, ...(await judge(uri)) })));
    const outside = judged.filter(({ allowed }) => !allowed);
    const paths = [...new Set(outside.map(({ realPath }) => realPath))];
    if (paths.length === 0 || (await askAbout(paths))) {
      for (const path of paths) agreed.add(path);
      return new Set();
    }
    return new Set(outside.map(({ uri }) => uri));
  }

  return {
    allows: async (uri) => (await judge(uri)).allowed,
    ask: async (uri) => (await askForOutside([uri])).size === 0,
    async askForAll(references, selectionIn) {
      const placed = references.map((reference) => ({ reference, uri: placeOf(reference, selectionIn) }));
      const refused = await askForOutside(placed.flatMap(({ uri }) => (uri === undefined ? [] : [uri])));
      const allowed = placed.filter(({ uri }) => uri === undefined || !refused.has(uri));
      const ignored = await findIgnored(
        allowed.flatMap(({ reference, uri }) => (isOfFile(reference) && uri ? [uri] : [])),
      );
      if (ignored.length === 0 || (await askAboutIgnored(ignored)))
        return allowed.map(({ reference }) => reference);
      return allowed
        .filter(({ uri }) => uri === undefined || !ignored.some((one) => one.uri === uri))
        .map(({ reference }) => reference);
    },
  };
}

/** What is selected the reader sees; of a file or a symbol there is only a name to choose by. */
const isOfFile = ({ kind }: ContextReference): boolean => kind === 'file' || kind === 'symbol';

function placeOf(reference: ContextReference, selectionIn: vscode.Uri | undefined): vscode.Uri | undefined {
  if (reference.kind === 'selection') return selectionIn;
  return 'uri' in reference && reference.uri !== undefined ? vscode.Uri.parse(reference.uri) : undefined;
}

async function askAbout(paths: readonly string[]): Promise<boolean> {
  const add = t('Add');
  const title =
    paths.length === 1
      ? t('Add this from outside the workspace?')
      : t('Add these {0} from outside the workspace?', paths.length);
  const detail = `${shown(paths)}\n\n${t('Its text goes to the service with your message.')}`;
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, add)) === add;
}

async function askAboutIgnored(files: readonly OpenPlace[]): Promise<boolean> {
  const add = t('Add Anyway');
  const title =
    files.length === 1
      ? t('Git ignores this file, or it may hold secrets. Add it anyway?')
      : t('Git ignores these {0} files, or they may hold secrets. Add them anyway?', files.length);
  const detail = `${shown(files.map(({ uri, realPath }) => toNames(uri, realPath)))}\n\n${t('Ignored files often hold keys and passwords. The text goes to the service with your message.')}`;
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, add)) === add;
}

function shown(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  return [...names.slice(0, MOST_SHOWN), ...(more > 0 ? [t('… and {0} more', more)] : [])].join('\n');
}

/** The name of a file, and of the one that it leads to. */
function toNames(uri: vscode.Uri, realPath: string): string {
  const [name, real] = [uri, vscode.Uri.file(realPath)].map((one) => showHidden(labelOf(one)));
  return uri.scheme !== 'file' || vscode.Uri.file(realPath).path === uri.path
    ? `${name}`
    : `${name} → ${real}`;
}

/** Files that git ignores, or that a link among them leads to. A folder says of its own files what was left out. */
async function findIgnored(uris: readonly vscode.Uri[]): Promise<readonly OpenPlace[]> {
  if (uris.length === 0) return [];
  const hidden = await readHiddenFiles();
  const ignored = await Promise.all(
    uris.map(async (uri): Promise<readonly OpenPlace[]> => {
      // What lies elsewhere was asked about as that.
      const file = notebookOf(uri)?.uri ?? uri;
      const { inside, realPath } = await isInsideWorkspace(file);
      const asks = inside && hidden.hides(file, realPath) && !(await isFolder(uri));
      return asks ? [{ uri, realPath }] : [];
    }),
  );
  return ignored.flat();
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
}
