/** Built-in tools that query the language features of the editor: symbols, references, problems. */
import * as vscode from 'vscode';
import { findName, toShortList } from '../../conversation/toolCalls/toolText.ts';
import { findProblems, toProblemLine } from '../workspace/editorProblems.ts';
import { keepReadable, readablePlaces } from '../workspace/readableFiles.ts';
import { fileOf, labelOf, readText } from '../workspace/textSources.ts';
import { isStillThere, type OpenPlace } from '../workspace/workspaceBoundary.ts';
import { findAllowed, type Match, NOT_SEARCHED, noteOf } from './shownMatches.ts';
import {
  type BuiltInTool,
  createDefinition,
  numberIn,
  PATH,
  type ToolArguments,
  type ToolContext,
  textIn,
} from './toolDefinitions.ts';
import { describeMoved, ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

const MAX_SYMBOLS = 100;
const MAX_REFERENCES = 200;
const MAX_PROBLEMS = 200;

export function createCodeTools(): readonly BuiltInTool[] {
  return [FIND_SYMBOLS, FIND_REFERENCES, GET_DIAGNOSTICS];
}

const FIND_SYMBOLS: BuiltInTool = {
  definition: createDefinition(
    'find_symbols',
    'Finds functions, classes, and other symbols in the workspace by part of their name, in languages that the editor supports.',
    { query: { type: 'string', minLength: 1, description: 'Part of the name.' } },
    ['query'],
  ),
  title: (args) => t('Find symbols: {0}', textIn(args, 'query') ?? ''),
  // The query starts language servers, which use the configuration of the workspace.
  needsTrust: true,
  async run(args, { signal }) {
    const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      textIn(args, 'query') ?? '',
    );
    signal.throwIfAborted();
    const symbols = await keepReadable(found ?? [], ({ location }) => location.uri);
    const lines = symbols.map(({ name, kind, containerName, location }) => {
      const within = containerName ? ` in ${containerName}` : '';
      const { line } = location.range?.start ?? { line: 0 };
      return `${labelOf(location.uri)}:${line + 1}: ${vscode.SymbolKind[kind]?.toLowerCase() ?? 'symbol'} ${name}${within}`;
    });
    return { text: lines.length === 0 ? '[No symbols found.]' : toShortList(lines, MAX_SYMBOLS, 'symbols') };
  },
};

const FIND_REFERENCES: BuiltInTool = {
  definition: createDefinition(
    'find_references',
    'Finds where a symbol is used in the workspace, starting from one of its occurrences.',
    {
      path: PATH,
      line: {
        type: 'integer',
        minimum: 1,
        description: 'A line that contains the symbol, counted from 1.',
      },
      symbol: { type: 'string', minLength: 1, description: 'The name as it is written on that line.' },
    },
    ['path', 'line', 'symbol'],
  ),
  title: (args) => t('Find references to {0}', textIn(args, 'symbol') ?? ''),
  needsTrust: true,
  async run(args, context) {
    const { refused } = context.access;
    const { lines, left } = await refused.whileSearching(() => findReferences(args, context), context.signal);
    const notes = [
      ...(left > 0 ? [`[${left} more.]`] : []),
      ...noteOf(NOT_SEARCHED, refused.labels()).map((note) => `[Not complete: ${note}.]`),
    ];
    const none = '[No references found, or the editor does not support the language.]';
    return { text: [...(lines.length === 0 ? [none] : lines), ...notes].join('\n') };
  },
};

/** The lines with references, and the number of those that are left out because there are too many. */
async function findReferences(
  args: ToolArguments,
  { access, signal }: ToolContext,
): Promise<{ readonly lines: readonly string[]; readonly left: number }> {
  const path = textIn(args, 'path') ?? '';
  const symbol = textIn(args, 'symbol') ?? '';
  const line = (numberIn(args, 'line') ?? 1) - 1;
  const place = await access.open(path, 'read', signal);
  const document = await vscode.workspace.openTextDocument(place.uri).then(
    (opened) => opened,
    () => undefined,
  );
  if (document === undefined) throw new ToolRefusal(`${path} does not exist or is not a text file.`);
  if (!(await isStillThere(place))) throw new ToolRefusal(describeMoved(path));
  const at = line < document.lineCount ? findName(document.lineAt(line).text, symbol) : -1;
  if (at === -1) throw new ToolRefusal(`${symbol} was not found on line ${line + 1} of ${path}.`);
  const found = await vscode.commands.executeCommand<readonly vscode.Location[] | undefined>(
    'vscode.executeReferenceProvider',
    document.uri,
    new vscode.Position(line, at + Math.floor((symbol.length - 1) / 2)),
  );
  signal.throwIfAborted();
  const places = await readablePlaces((found ?? []).map(({ uri }) => uri));
  const texts = new Map<string, readonly string[]>();
  const { matches, left } = await findAllowed(
    async (isLeftOut) => {
      const locations = (found ?? []).flatMap(({ uri, range }) => {
        const where = places.get(uri.toString());
        return where === undefined || isLeftOut(where) ? [] : [{ where, range }];
      });
      const some: Match[] = [];
      for (const { where, range } of locations.slice(0, MAX_REFERENCES)) {
        const key = where.uri.toString();
        const known = texts.get(key) ?? (await linesOf(where));
        texts.set(key, known);
        const text = (known[range.start.line] ?? '').trim().slice(0, 300);
        some.push({ place: where, line: `${labelOf(where.uri)}:${range.start.line + 1}: ${text}` });
      }
      return { matches: some, left: locations.length - some.length };
    },
    access,
    signal,
  );
  return { lines: matches.map(({ line: text }) => text), left };
}

/** The lines of a file. Empty if its path leads to another file by now. */
async function linesOf(place: OpenPlace): Promise<readonly string[]> {
  const read = await readText(place.uri);
  return read.ok && (await isStillThere(place)) ? read.text.split('\n') : [];
}

const GET_DIAGNOSTICS: BuiltInTool = {
  definition: createDefinition(
    'get_diagnostics',
    'Gives the errors and warnings that the editor knows, the worst first, of a file or of the workspace.',
    { path: { ...PATH, description: `${PATH.description} Without it, all files.` } },
    [],
  ),
  title(args) {
    const path = textIn(args, 'path');
    return path ? t('Get problems of {0}', path) : t('Get problems');
  },
  async run(args, { access, signal }) {
    const path = textIn(args, 'path');
    const uri = path ? (await access.open(path, 'read', signal)).uri : undefined;
    const problems = await keepShown(uri, findProblems(uri));
    const lines = problems.map(([where, problem]) => toProblemLine(where, problem));
    if (lines.length === 0)
      return { text: '[No problems. The editor reports only problems of files that were opened or built.]' };
    return { text: toShortList(lines, MAX_PROBLEMS, 'problems') };
  },
};

/** Removes the problems of hidden files, except those of the requested file, to which access is already allowed. */
async function keepShown(
  asked: vscode.Uri | undefined,
  problems: ReturnType<typeof findProblems>,
): Promise<ReturnType<typeof findProblems>> {
  const isAsked = (uri: vscode.Uri) => [uri, fileOf(uri)].some((one) => one.toString() === asked?.toString());
  const shown = new Set(await keepReadable(problems, ([uri]) => uri));
  return problems.filter((one) => shown.has(one) || isAsked(one[0]));
}
