/** Symbols that the chat shows in inline code: finds out which of them the editor knows in the workspace, and opens one. */
import * as vscode from 'vscode';
import { findWholeWord, isSymbol, ownName } from '../../panel/symbolText.ts';
import { createDeferred } from '../../service/deferred.ts';
import { plainItem } from '../base/quickPicks.ts';
import { kindInside } from './shownPaths.ts';
import { labelOf } from './textSources.ts';

const t = vscode.l10n.t;

/** The time limit for finding all symbols of a request of the page, and for the symbol to open. In milliseconds. */
const LIMIT_MS = 5000;
/** A request without a response counts as lost after this time, and the next one is made. In milliseconds. */
const LOST_MS = 30_000;
/** The maximum number of names whose result is cached, and of places of one name. */
const MAX_REMEMBERED = 1000;
const MAX_PLACES = 50;

export interface ShownSymbols extends vscode.Disposable {
  /**
   * The names, as `parseSymbol` returns them, that are symbols in files of the workspace. Names without a result in time
   * are left out, and looked up again the next time. Other results are cached until a file or the workspace folders change.
   */
  filterKnown(names: readonly string[]): Promise<readonly string[]>;
  /** Shows a symbol with its name selected. It is looked up again, because it can be renamed or deleted at any time. */
  open(name: string): Promise<void>;
}

export function createShownSymbols(limit = LIMIT_MS, lostAfter = LOST_MS): ShownSymbols {
  let remembered = new Map<string, boolean>();
  const forget = () => {
    remembered = new Map();
  };
  const files = vscode.workspace.createFileSystemWatcher('**/*');
  const listeners = vscode.Disposable.from(
    files,
    files.onDidCreate(forget),
    files.onDidChange(forget),
    files.onDidDelete(forget),
    // Many language servers know nothing before one of their files is opened.
    vscode.workspace.onDidOpenTextDocument(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  );
  /** The number of requests without a response. They can't be canceled, so no other request is made meanwhile. */
  let unanswered = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function isKnown(name: string, until: number): Promise<boolean> {
    const before = remembered;
    const known = before.get(name);
    if (known !== undefined) return known;
    const left = until - Date.now();
    if (left <= 0 || unanswered > 0) return false;
    unanswered++;
    const found = ask(name);
    void inTime(found, lostAfter).finally(() => unanswered--);
    const symbols = await inTime(found, left);
    if (symbols === undefined) return false;
    const is = (await placesOf(name, symbols)).length > 0;
    if (before.size >= MAX_REMEMBERED) before.clear();
    before.set(name, is);
    return is;
  }

  async function filter(names: readonly string[]): Promise<readonly string[]> {
    const until = Date.now() + limit;
    const known: string[] = [];
    for (const name of names) if (await isKnown(name, until)) known.push(name);
    return known;
  }

  return {
    filterKnown(names) {
      const work = last.then(() => filter(names));
      // The caller gets the error. Later names are still looked up.
      last = work.catch(() => undefined);
      return work;
    },
    async open(name) {
      const places = await placesOf(name, (await inTime(ask(name), limit)) ?? []);
      const place = places.length > 1 ? await pick(name, places) : places[0];
      if (place !== undefined) return show(place, name);
      if (places.length === 0)
        vscode.window.setStatusBarMessage(t('{0} wasn’t found in the workspace.', name), LIMIT_MS);
    },
    dispose: () => listeners.dispose(),
  };
}

interface SymbolLocation {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly container: string;
}

/** The symbols that the language features of the editor find by a name, including similar names. Undefined if they fail. */
async function ask(name: string): Promise<readonly vscode.SymbolInformation[] | undefined> {
  try {
    const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      ownName(name),
    );
    return found ?? [];
  } catch {
    // The editor logs the error of the extension that provides the symbols.
    return undefined;
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = createDeferred<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The places in files of the workspace with exactly this symbol. Places in libraries are returned only if there are no others. */
async function placesOf(
  name: string,
  symbols: readonly vscode.SymbolInformation[],
): Promise<readonly SymbolLocation[]> {
  const places = new Map<string, SymbolLocation>();
  for (const { name: found, containerName = '', location } of symbols) {
    if (!isSymbol(name, found, containerName)) continue;
    // Some providers would only return the range later.
    const range = location.range ?? new vscode.Range(0, 0, 0, 0);
    places.set(`${location.uri}:${range.start.line}`, { uri: location.uri, range, container: containerName });
  }
  const all = [...places.values()];
  const own = await keepInside(all.filter((place) => !isOfLibrary(place)));
  return own.length > 0 ? own : keepInside(all.filter(isOfLibrary));
}

const isOfLibrary = ({ uri }: SymbolLocation): boolean => uri.path.includes('/node_modules/');

async function keepInside(places: readonly SymbolLocation[]): Promise<readonly SymbolLocation[]> {
  const first = places.slice(0, MAX_PLACES);
  const kinds = await Promise.all(first.map(({ uri }) => kindInside(uri)));
  return first.filter((_, index) => kinds[index] === 'file');
}

async function pick(name: string, places: readonly SymbolLocation[]): Promise<SymbolLocation | undefined> {
  const items = places.map((place) => ({
    label: `${labelOf(place.uri)}:${place.range.start.line + 1}`,
    description: place.container,
    place,
  }));
  return (await vscode.window.showQuickPick(items.map(plainItem), { title: name }))?.place;
}

async function show({ uri, range }: SymbolLocation, name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const start = document.validatePosition(range.start);
  // Some providers return the range of the declaration, others only that of the name.
  const within = range.union(document.lineAt(start).range);
  const word = ownName(name);
  const at = findWholeWord(document.getText(within), word);
  const from = at === -1 ? start : document.positionAt(document.offsetAt(within.start) + at);
  const to = at === -1 ? start : from.translate(0, word.length);
  await vscode.commands.executeCommand('vscode.open', uri, { selection: new vscode.Range(from, to) });
}
