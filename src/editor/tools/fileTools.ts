/** Built-in tools that read files and folders of the workspace, and search them by name and by text. */
import * as vscode from 'vscode';
import type { ToolResult } from '../../conversation/toolCalls/tools.ts';
import { toNumberedText, toShortList } from '../../conversation/toolCalls/toolText.ts';
import { isGone } from '../workspace/fileKinds.ts';
import { createIgnoredFiles } from '../workspace/ignoredFiles.ts';
import { openCellsOf } from '../workspace/notebookTexts.ts';
import { labelOf, type ReadText, readText } from '../workspace/textSources.ts';
import { isStillThere, type OpenPlace } from '../workspace/workspaceBoundary.ts';
import { findInside } from '../workspace/workspaceFiles.ts';
import { createTextSearch } from './textSearch.ts';
import {
  type BuiltInTool,
  createDefinition,
  numberIn,
  PATH,
  type ToolArguments,
  type ToolContext,
  textIn,
} from './toolDefinitions.ts';
import { checkGlob, describeMoved, ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

const MAX_LINES = 2000;
const MAX_ENTRIES = 500;
const MAX_FILES = 500;

/** The tools that only read files, which are also available in Restricted Mode. */
export function createFileTools(): readonly BuiltInTool[] {
  return [READ_FILE, LIST_FILES, FIND_FILES, createTextSearch()];
}

const READ_FILE: BuiltInTool = {
  definition: createDefinition(
    'read_file',
    `Reads a text file of the workspace, as it is in the editor, with line numbers. Gives at most ${MAX_LINES} lines at once. Of an open notebook it gives the cells, each below its own path, such as [a.ipynb#1].`,
    {
      path: PATH,
      startLine: { type: 'integer', minimum: 1, description: 'First line, counted from 1.' },
      endLine: { type: 'integer', minimum: 1, description: 'Last line, included.' },
    },
    ['path'],
  ),
  title: readTitle,
  run: readFile,
};

function readTitle(args: ToolArguments): string {
  const path = textIn(args, 'path') ?? '';
  const first = numberIn(args, 'startLine');
  const from = first ?? 1;
  const to = numberIn(args, 'endLine');
  if (first === undefined && to === undefined) return t('Read {0}', path);
  if (to === undefined) return t('Read {0}, from line {1}', path, from);
  if (to === from) return t('Read {0}, line {1}', path, from);
  return t('Read {0}, lines {1}–{2}', path, from, to);
}

async function readFile(args: ToolArguments, { access, signal }: ToolContext): Promise<ToolResult> {
  const path = textIn(args, 'path') ?? '';
  const place = await access.open(path, 'read', signal);
  const cells = openCellsOf(place.uri)?.map((cell) => `[${cell.path}]\n${cell.text}`);
  const read = cells ? { ok: true as const, text: cells.join('\n') } : await readFileText(place.uri);
  if (!(await isStillThere(place))) throw new ToolRefusal(describeMoved(path));
  if (!read.ok) throw new ToolRefusal(`${path}: ${UNREAD[read.why]}`);
  const from = numberIn(args, 'startLine') ?? 1;
  const to = Math.min(numberIn(args, 'endLine') ?? Number.MAX_SAFE_INTEGER, from + MAX_LINES - 1);
  return { text: read.text === '' ? '[The file is empty.]' : toNumberedText(read.text, from, to) };
}

/** The text of a file. The editor can still show the text of a file that was deleted. */
const readFileText = async (uri: vscode.Uri): Promise<ReadText> =>
  (await isGone(uri)) ? { ok: false, why: 'unreadable' } : readText(uri);

/** The reasons why a file can't be read, for the model. */
export const UNREAD = {
  binary: 'the file is not a text file.',
  'too-large': 'the file is too large.',
  unreadable: 'the file does not exist or cannot be read.',
} as const;

const LIST_FILES: BuiltInTool = {
  definition: createDefinition(
    'list_files',
    'Lists what is directly in a folder of the workspace, without what git ignores. Folders end in /.',
    { path: { ...PATH, description: `${PATH.description} Leave it empty for the top.` } },
    ['path'],
  ),
  title: (args) => t('List {0}', textIn(args, 'path') || '/'),
  run: listFiles,
};

async function listFiles(args: ToolArguments, { access, signal }: ToolContext): Promise<ToolResult> {
  const path = textIn(args, 'path') ?? '';
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (/^[./\\]*$/.test(path) && !path.includes('..') && folders.length > 1)
    return { text: folders.map(({ name }) => `${name}/`).join('\n') };
  const place = await access.open(path, 'read', signal);
  const entries = await vscode.workspace.fs.readDirectory(place.uri).then(
    (found) => found,
    () => undefined,
  );
  if (entries === undefined) throw new ToolRefusal(`The folder ${path || '/'} does not exist.`);
  if (!(await isStillThere(place))) throw new ToolRefusal(describeMoved(path));
  const named = entries.filter(([name]) => name !== '.git');
  const ignored = await findIgnored(place, named);
  const kept = named.filter((_, at) => !ignored[at]);
  const lines = kept
    .map(([name, type]) => `${name}${(type & vscode.FileType.Directory) === 0 ? '' : '/'}${linkMark(type)}`)
    .sort();
  const left = named.length - kept.length;
  const note = left > 0 ? `\n[${left} more that git ignores.]` : '';
  return {
    text: lines.length === 0 ? `[Nothing.]${note}` : toShortList(lines, MAX_ENTRIES, 'entries') + note,
  };
}

/** For each entry of a folder, whether Git ignores it. The rules for the resolved path apply, too. */
async function findIgnored(
  { uri, realPath }: OpenPlace,
  entries: readonly [string, vscode.FileType][],
): Promise<readonly boolean[]> {
  const parents = [uri, ...(uri.scheme === 'file' ? [vscode.Uri.file(realPath)] : [])];
  const places = entries.map(([name, type]) => {
    const end = (type & vscode.FileType.Directory) === 0 ? '' : '/';
    return parents.map((parent) => {
      const child = vscode.Uri.joinPath(parent, name);
      return child.with({ path: `${child.path}${end}` });
    });
  });
  const ignored = await createIgnoredFiles().find(places.flat());
  return places.map((_, at) =>
    parents.some((_, which) => ignored[at * parents.length + which] !== undefined),
  );
}

const linkMark = (type: vscode.FileType): string =>
  (type & vscode.FileType.SymbolicLink) === 0 ? '' : ' (link)';

const FIND_FILES: BuiltInTool = {
  definition: createDefinition(
    'find_files',
    'Finds files of the workspace by a glob pattern, such as src/**/*.ts or **/package.json, without what git ignores.',
    { pattern: { type: 'string', description: 'The glob pattern, relative to the workspace.' } },
    ['pattern'],
  ),
  title: (args) => t('Find files: {0}', textIn(args, 'pattern') ?? ''),
  async run(args, { token, signal }) {
    const { files, more } = await findInside(checkGlob(textIn(args, 'pattern') ?? ''), MAX_FILES, token);
    signal.throwIfAborted();
    const lines = files.map(({ uri }) => labelOf(uri));
    if (lines.length === 0) return { text: '[No files found.]' };
    return {
      text: more ? `${lines.join('\n')}\n[There are more than these ${lines.length}.]` : lines.join('\n'),
    };
  },
};
