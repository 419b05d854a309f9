/**
 * The tool that searches text. The search of the editor isn't part of its stable API, so files are read within limits.
 * There are no regular expressions: one from the model could block the extension host.
 */
import * as vscode from 'vscode';
import type { ToolResult } from '../../conversation/toolCalls/tools.ts';
import { findMatchingLines } from '../../conversation/toolCalls/toolText.ts';
import { openCellsOf } from '../workspace/notebookTexts.ts';
import { labelOf, readText } from '../workspace/textSources.ts';
import { isStillThere } from '../workspace/workspaceBoundary.ts';
import { type FoundFile, findInside } from '../workspace/workspaceFiles.ts';
import { findAllowed, type Match, NOT_SEARCHED, noteOf } from './shownMatches.ts';
import {
  type BuiltInTool,
  createDefinition,
  type ToolArguments,
  type ToolContext,
  textIn,
} from './toolDefinitions.ts';
import { checkGlob, ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

/** The maximum number of files to search, and their maximum size in bytes. */
const MAX_FILES = 5000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_MATCHES = 200;
const MAX_MATCHES_PER_FILE = 20;
const TIMEOUT_MS = 15_000;
const CONCURRENT_READS = 16;

export function createTextSearch(): BuiltInTool {
  return {
    definition: createDefinition(
      'search_text',
      `Searches the text files of the workspace for words exactly as written (no regular expression), without what git ignores. Gives path:line: text, at most ${MAX_MATCHES} lines.`,
      {
        text: { type: 'string', minLength: 1, description: 'The words to look for, on one line.' },
        include: { type: 'string', description: 'A glob pattern of files to search, such as src/**/*.ts.' },
        matchCase: { type: 'boolean', description: 'Tells A from a. By default it does not.' },
      },
      ['text'],
    ),
    title(args) {
      const include = textIn(args, 'include');
      const text = textIn(args, 'text') ?? '';
      return include ? t('Search “{0}” in {1}', text, include) : t('Search “{0}”', text);
    },
    run: searchText,
  };
}

async function searchText(args: ToolArguments, { access, token, signal }: ToolContext): Promise<ToolResult> {
  const text = textIn(args, 'text') ?? '';
  if (text === '' || /[\r\n]/.test(text))
    throw new ToolRefusal('The search text must be on one line and have at least one character.');
  const include = textIn(args, 'include') || '*';
  // As in other search programs, a pattern without a folder matches files in all folders.
  const glob = checkGlob(include.includes('/') ? include : `**/${include}`);
  const { files, more, found } = await access.refused.whileSearching(async () => {
    const inside = await findInside(glob, MAX_FILES, token);
    const search = (isLeftOut: (file: FoundFile) => boolean) => {
      const searched = inside.files.filter((file) => !isLeftOut(file));
      return searchIn(searched, text, args['matchCase'] === true, signal);
    };
    return { ...inside, found: await findAllowed(search, access, signal) };
  }, signal);
  const refused = files.filter(access.refused.has).map(({ uri }) => labelOf(uri));
  const notes = [
    ...(more ? [`only the first ${MAX_FILES} files were looked at`] : []),
    ...(found.late ? ['the search took too long and did not reach all files'] : []),
    ...(found.full ? [`there are more than ${MAX_MATCHES} lines`] : []),
    ...noteOf(`only the first ${MAX_MATCHES_PER_FILE} lines are given of`, found.cut),
    ...noteOf('too large to be searched:', found.large),
    ...noteOf(NOT_SEARCHED, refused),
  ];
  const shown = found.matches.map(({ line }) => line);
  const lines = shown.length === 0 ? '[Nothing found.]' : shown.join('\n');
  return { text: notes.length === 0 ? lines : `${lines}\n[Not complete: ${notes.join('; ')}.]` };
}

interface Found {
  readonly matches: readonly Match[];
  /** The labels of files with more matching lines than are returned, and of files that are too large to be searched. */
  readonly cut: readonly string[];
  readonly large: readonly string[];
}

async function searchIn(
  files: readonly FoundFile[],
  text: string,
  matchCase: boolean,
  signal: AbortSignal,
): Promise<Found & { readonly late: boolean; readonly full: boolean }> {
  const all: Found[] = [];
  const found = () => ({
    matches: all.flatMap(({ matches }) => matches),
    cut: all.flatMap(({ cut }) => cut),
    large: all.flatMap(({ large }) => large),
  });
  const end = performance.now() + TIMEOUT_MS;
  let count = 0;
  for (let at = 0; at < files.length; at += CONCURRENT_READS) {
    signal.throwIfAborted();
    if (performance.now() > end) return { ...found(), late: true, full: false };
    const some = await Promise.all(
      files.slice(at, at + CONCURRENT_READS).map((file) => searchFile(file, text, matchCase)),
    );
    all.push(...some);
    count += some.reduce((sum, { matches }) => sum + matches.length, 0);
    if (count > MAX_MATCHES)
      return { ...found(), matches: found().matches.slice(0, MAX_MATCHES), late: false, full: true };
  }
  return { ...found(), late: false, full: false };
}

const NOTHING: Found = { matches: [], cut: [], large: [] };

async function searchFile(file: FoundFile, text: string, matchCase: boolean): Promise<Found> {
  const { uri } = file;
  if (file.secret) return NOTHING;
  const cells = openCellsOf(uri);
  const read = cells === undefined ? await readText(uri, MAX_FILE_BYTES) : undefined;
  if (!(await isStillThere(file))) return NOTHING;
  const label = labelOf(uri);
  if (read?.ok === false) return read.why === 'too-large' ? { ...NOTHING, large: [label] } : NOTHING;
  const found = (cells ?? [{ path: label, text: read?.text ?? '' }]).flatMap((part) =>
    findMatchingLines(part.text, text, matchCase, MAX_MATCHES_PER_FILE + 1).map(
      (match) => `${part.path}:${match.line}: ${match.text}`,
    ),
  );
  const shown = found.slice(0, MAX_MATCHES_PER_FILE);
  return {
    matches: shown.map((line) => ({ place: file, line })),
    cut: found.length > shown.length ? [label] : [],
    large: [],
  };
}
