/**
 * Files that another program renames, such as Git, untitled documents that are saved, and cells of notebooks that are renamed:
 * what the user has in them moves with them.
 */
import * as vscode from 'vscode';
import { isAtOrBelow, renamedUri } from '../../review/proposals/fileChanges.ts';
import { type FileText, findMoved } from '../../review/proposals/findMoved.ts';
import { inBackground } from '../base/background.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { exists, wasDeleted } from '../workspace/fileKinds.ts';
import { findNotebook } from '../workspace/notebookTexts.ts';
import { findDocument, normalizeText, readLatest, readText } from '../workspace/textSources.ts';
import { fileAddressOf, type NumberedCells, renamedCell } from './cellNumbering.ts';
import { followRenamedNotebooks } from './renamedNotebooks.ts';
import { registerReplacedCells } from './replacedCells.ts';
import { registerSavedDocuments } from './savedDocuments.ts';
import { registerSavedNotebooks } from './savedNotebooks.ts';

/** What is in files, such as hunks, comments, or findings. */
export interface Follower {
  /** The files, as URIs. The text can be left out. */
  files(): readonly { readonly uri: string; readonly text?: string }[];
  /** The cells with them, as they were stored. */
  cells?(): NumberedCells;
  move(from: vscode.Uri, to: vscode.Uri): void;
  /** Cells and closed documents have other URIs now, by those that they had. A cell can have that of another one. */
  moveAtOnce?(now: ReadonlyMap<string, string>): void;
}

export interface MovedFiles extends vscode.Disposable {
  follow(follower: Follower): void;
  readonly moveAtOnce: NonNullable<Follower['moveAtOnce']>;
  isFollowed(uri: string): boolean;
  cells(): NumberedCells;
  /** Resolves when the followers know the new name of a file or a cell, if it was renamed until now. */
  settled(uri: string): Promise<void>;
}

/** The new file and the loss of the old one are reported at most this far apart, in milliseconds. */
const TOGETHER_MS = 1000;
/** When more files appear or change at once, such as after a checkout, they are not compared. */
const MAX_CREATED = 200;

/** What the editor has reported within a time: the text that each file that is gone had, by its URI, and files that are new or changed. */
interface Reported {
  readonly gone: Map<string, string>;
  readonly created: Set<string>;
}

/** What is told to all that follows, and whether what has a URI is moved by it. */
interface Moved {
  concerns(uri: string): boolean;
  readonly move: (follower: Follower) => void;
}

const renamedFrom = (from: vscode.Uri, to: vscode.Uri): Moved => ({
  concerns: (uri) => isAtOrBelow(uri, from.toString()),
  move: (one) => one.move(from, to),
});

/** Create it before what follows it, see `registerSavedDocuments`. */
export function createMovedFiles(log: Pick<Log, 'warn'>): MovedFiles {
  const followers = new Set<Follower>();
  /** What was moved until now: what follows later, such as drafts, which are loaded with the first edit, was kept before. */
  const earlier: Moved[] = [];
  const texts = createLastTexts(log);
  let now: Reported = { gone: new Map(), created: new Set() };
  /** What was reported before, because the two parts of a renaming can be reported on both sides of a comparison. */
  let before = now;
  let timer: NodeJS.Timeout | undefined;
  /** On a slow machine a comparison takes longer than the time to the next one, which must know what this one has found. */
  const comparisons = createKeyedQueue();
  /** All who wait for the end of the next comparison. */
  const waiting: (() => void)[] = [];

  const followed = () => [...followers].flatMap((one) => one.files());
  const tell = (moved: Moved) => {
    earlier.push(moved);
    followers.forEach(moved.move);
  };
  const moveAll = (from: vscode.Uri, to: vscode.Uri) => tell(renamedFrom(from, to));
  const isFollowed = (uri: string) => followed().some((one) => one.uri === uri);
  const hasFollowed = (uri: string) => followed().some((one) => fileAddressOf(one.uri) === uri);
  /** The cells of a notebook that isn't open keep their numbers. */
  const moveWithCells = (from: vscode.Uri, to: vscode.Uri) => {
    const open = findNotebook(from);
    const cells = open === undefined ? followed().filter(({ uri }) => uri !== fileAddressOf(uri)) : [];
    moveAll(from, to);
    if (open !== undefined) notebooks.follow(open, to);
    for (const { uri } of cells) {
      const now = renamedCell(uri, from, to);
      if (now !== undefined) moveAll(vscode.Uri.parse(uri), now);
    }
  };

  async function move(): Promise<void> {
    const [gone, created] = [new Map([...before.gone, ...now.gone]), [...before.created, ...now.created]];
    before = now;
    now = { gone: new Map(), created: new Set() };
    if (before.gone.size > 0 || before.created.size > 0) wait();
    if (gone.size === 0 || created.length === 0) return;
    const found = await Promise.all(
      created.map(async (uri): Promise<readonly FileText[]> => {
        const place = vscode.Uri.parse(uri);
        // It may be gone again, and its text still be open.
        const read = (await exists(place)) ? await readLatest(place) : undefined;
        return read?.ok ? [{ uri, text: read.text }] : [];
      }),
    );
    const lost = [...gone].map(([uri, text]) => ({ uri, text: normalizeText(text) }));
    for (const [from, to] of findMoved(lost, found.flat())) {
      const [oldUri, newUri] = [vscode.Uri.parse(from), vscode.Uri.parse(to)];
      // A program that saves a file can replace it.
      if (!(await wasDeleted(oldUri))) continue;
      before.gone.delete(from);
      before.created.delete(to);
      // It may be renamed again at once.
      texts.put(to, lost.find(({ uri }) => uri === from)?.text ?? '');
      moveWithCells(oldUri, newUri);
    }
  }

  const wait = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const compared = comparisons.run('', move).finally(() => {
        for (const goOn of waiting.splice(0)) goOn();
      });
      inBackground(log, compared, 'looking for renamed files');
    }, TOGETHER_MS);
  };
  const isGone = (uri: string) => now.gone.has(uri) || before.gone.has(uri);

  async function settled(uri: string): Promise<void> {
    await notebooks.settled();
    const place = vscode.Uri.parse(uri);
    const text = texts.of(uri);
    // The editor may not have reported yet that it is gone.
    if (isOnDisk(place) && text !== undefined && !isGone(uri) && (await wasDeleted(place))) {
      now.gone.set(uri, text);
      wait();
    }
    while (isGone(uri)) await new Promise<void>((resolve) => void waiting.push(resolve));
  }

  function create(uri: vscode.Uri): void {
    // It is back. What has the same text and is gone could be either otherwise.
    for (const { gone } of [before, now]) gone.delete(uri.toString());
    if (now.created.size >= MAX_CREATED) return;
    now.created.add(uri.toString());
    wait();
  }

  const notebooks = followRenamedNotebooks(moveAll, () => new Set(followed().map(({ uri }) => uri)), log);
  /** What is in a notebook may come later than its text, which isn't that of a document. */
  const keepText = ({ uri }: vscode.NotebookDocument) => {
    if (isOnDisk(uri)) texts.keep(uri.toString());
  };
  vscode.workspace.notebookDocuments.forEach(keepText);
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const listeners = vscode.Disposable.from(
    watcher,
    registerSavedDocuments(moveAll),
    registerSavedNotebooks(moveAll),
    registerReplacedCells(moveAll),
    notebooks,
    watcher.onDidDelete((uri) => {
      // When a folder is deleted, the editor reports only the folder.
      for (const one of followed()) {
        const file = fileAddressOf(one.uri);
        const text = texts.of(file) ?? (file === one.uri ? one.text : undefined);
        if (text !== undefined && isAtOrBelow(file, uri.toString())) now.gone.set(file, text);
      }
      if (now.gone.size > 0) wait();
    }),
    // Also if nothing is followed: an answer that has ended may look for its file.
    watcher.onDidCreate(create),
    watcher.onDidChange((uri) => {
      if (findNotebook(uri) !== undefined || hasFollowed(uri.toString())) texts.keep(uri.toString());
      // The editor reports a file that was replaced by another one, or was lost and came back at once, as changed.
      create(uri);
    }),
    // Those that follow already listen to it themselves.
    vscode.workspace.onDidRenameFiles(({ files }) => {
      const all = new Set(followed().map(({ uri }) => fileAddressOf(uri)));
      for (const { oldUri, newUri } of files) {
        earlier.push(renamedFrom(oldUri, newUri));
        for (const uri of all) {
          const now = renamedUri(uri, oldUri.toString(), newUri.toString());
          if (now !== undefined) texts.keep(now);
        }
      }
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (isFollowed(document.uri.toString())) texts.put(document.uri.toString(), document.getText());
    }),
    vscode.workspace.onDidOpenNotebookDocument(keepText),
    vscode.workspace.onDidCloseNotebookDocument(({ uri }) => {
      if (hasFollowed(uri.toString())) texts.keep(uri.toString());
      else texts.drop(uri.toString());
    }),
    { dispose: () => clearTimeout(timer) },
  );
  return {
    follow(follower) {
      followers.add(follower);
      for (const { concerns, move } of earlier) {
        const files = follower.files();
        // Drafts, of which other windows can write some, are read again for each.
        if (files.length === 0 || files.some(({ uri }) => concerns(uri))) move(follower);
      }
      // A notebook can have many cells with something.
      const unread = follower
        .files()
        .filter(({ uri, text }) => text === undefined || uri !== fileAddressOf(uri));
      new Set(unread.map(({ uri }) => fileAddressOf(uri))).forEach(texts.keep);
    },
    isFollowed,
    cells: () => [...followers].flatMap((one) => one.cells?.() ?? []),
    moveAtOnce: (moved) =>
      tell({ concerns: (uri) => moved.has(uri), move: (one) => one.moveAtOnce?.(moved) }),
    settled,
    dispose: () => listeners.dispose(),
  };
}

/** The texts of files that may not be open when they are renamed. Their texts are needed when they are gone. */
function createLastTexts(log: Pick<Log, 'warn'>) {
  const texts = new Map<string, string>();

  async function read(uri: string): Promise<void> {
    const now = await readText(vscode.Uri.parse(uri));
    // A file that is gone keeps the text that it had.
    if (now.ok) texts.set(uri, now.text);
  }

  return {
    keep: (uri: string) => inBackground(log, read(uri), 'reading a file that may be renamed'),
    put: (uri: string, text: string) => texts.set(uri, text),
    drop: (uri: string) => texts.delete(uri),
    of: (uri: string) => findDocument(vscode.Uri.parse(uri))?.getText() ?? texts.get(uri),
  };
}

/** Not the earlier side of a diff, nor a document of an extension. */
const isOnDisk = ({ scheme }: vscode.Uri): boolean =>
  vscode.workspace.fs.isWritableFileSystem(scheme) === true;
