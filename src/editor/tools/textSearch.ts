/**
 * The tool that searches text. The search of the editor isn't part of its stable API, so files are read within limits.
 * There are no regular expressions: one from the model could block the extension host.
 */
import * as vscode from 'vscode';
import { findLines } from '../../conversation/toolCalls/toolText.ts';
import { labelOf, readText } from '../workspace/textSources.ts';
import { isStillThere } from '../workspace/workspaceBoundary.ts';
import { type FoundFile, findInside } from '../workspace/workspaceFiles.ts';
import { type Match, showAllowed } from './shownMatches.ts';
import { type BuiltInTool, createDefinition, textIn } from './toolDefinitions.ts';
import { ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

/** How many files are searched, and how large they may be in bytes. */
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
    async run(args, { access, token, signal }) {
      const text = textIn(args, 'text') ?? '';
      if (text === '' || /[\r\n]/.test(text))
        throw new ToolRefusal('The search text must be on one line and have at least one character.');
      const { files, more } = await findInside(textIn(args, 'include') || '**/*', MAX_FILES, token);
      const found = await searchIn(files, text, args['matchCase'] === true, signal);
      const notes = [
        ...(more ? [`only the first ${MAX_FILES} files were looked at`] : []),
        ...(found.late ? ['the search took too long and did not reach all files'] : []),
        ...(found.full ? [`there are more than ${MAX_MATCHES} lines`] : []),
      ];
      const shown = await showAllowed(found.matches, access, signal);
      const lines = shown.length === 0 ? '[Nothing found.]' : shown.join('\n');
      return { text: notes.length === 0 ? lines : `${lines}\n[Not complete: ${notes.join('; ')}.]` };
    },
  };
}

async function searchIn(
  files: readonly FoundFile[],
  text: string,
  matchCase: boolean,
  signal: AbortSignal,
): Promise<{ readonly matches: readonly Match[]; readonly late: boolean; readonly full: boolean }> {
  const matches: Match[] = [];
  const end = performance.now() + TIMEOUT_MS;
  for (let at = 0; at < files.length; at += CONCURRENT_READS) {
    signal.throwIfAborted();
    if (performance.now() > end) return { matches, late: true, full: false };
    const some = await Promise.all(
      files.slice(at, at + CONCURRENT_READS).map((file) => searchFile(file, text, matchCase)),
    );
    matches.push(...some.flat());
    if (matches.length > MAX_MATCHES)
      return { matches: matches.slice(0, MAX_MATCHES), late: false, full: true };
  }
  return { matches, late: false, full: false };
}

async function searchFile(file: FoundFile, text: string, matchCase: boolean): Promise<readonly Match[]> {
  const { uri } = file;
  if (file.secret) return [];
  const read = await readText(uri, MAX_FILE_BYTES);
  if (!read.ok || !(await isStillThere(file))) return [];
  const found = findLines(read.text, text, matchCase, MAX_MATCHES_PER_FILE);
  return found.map((match) => ({ uri, line: `${labelOf(uri)}:${match.line}: ${match.text}` }));
}
