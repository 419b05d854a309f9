/**
 * Moves hunks, comments, and other things along with their files: files that another program renames, such as Git, untitled
 * documents that are saved, and cells of notebooks that are renamed.
 */
import * as vscode from 'vscode';
import { isAtOrBelow, renamedUri } from '../../review/proposals/fileChanges.ts';
import type { Log } from '../base/log.ts';
import { isWritable } from '../workspace/fileKinds.ts';
import { findNotebook } from '../workspace/notebookTexts.ts';
import { fileAddressOf, type NumberedCells, renamedCell } from './cellNumbering.ts';
import { createLastTexts } from './lastTexts.ts';
import { followRenamedNotebooks } from './renamedNotebooks.ts';
import { registerReplacedCells } from './replacedCells.ts';
import { createReportedFiles } from './reportedFiles.ts';
import { registerSavedDocuments } from './savedDocuments.ts';
import { registerSavedNotebooks } from './savedNotebooks.ts';

/** Something that is in files and moves with them, such as hunks, comments, or findings. */
export interface Follower {
  /** The files that have something, as URIs. The text can be left out. */
  files(): readonly { readonly uri: string; readonly text?: string }[];
  /** The cells that have something, as they were stored. */
  cells?(): NumberedCells;
  move(from: vscode.Uri, to: vscode.Uri): void;
  /**
   * Called when cells and closed documents have new URIs, by the previous ones. All move at once, because a cell can get the
   * previous URI of another.
   */
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

/** A move for the followers, and whether it affects a URI. */
interface Moved {
  concerns(uri: string): boolean;
  readonly move: (follower: Follower) => void;
}

const renamedFrom = (from: vscode.Uri, to: vscode.Uri): Moved => ({
  concerns: (uri) => isAtOrBelow(uri, from.toString()),
  move: (one) => one.move(from, to),
});

/** Must be created before its followers, see `registerSavedDocuments`. */
export function createMovedFiles(log: Pick<Log, 'warn'>): MovedFiles {
  const followers = new Set<Follower>();
  /**
   * All moves so far, for followers that are added later. They may have data from before, such as drafts, which are loaded with the
   * first edit.
   */
  const earlier: Moved[] = [];
  const texts = createLastTexts(log);
  const followed = () => [...followers].flatMap((one) => one.files());
  const tell = (moved: Moved) => {
    earlier.push(moved);
    followers.forEach(moved.move);
  };
  const moveAll = (from: vscode.Uri, to: vscode.Uri) => tell(renamedFrom(from, to));
  const isFollowed = (uri: string) => followed().some((one) => one.uri === uri);
  const hasFollowed = (uri: string) => followed().some((one) => fileAddressOf(one.uri) === uri);
  /** Moves a file and, if it is a notebook, its cells. The cells of a notebook that isn't open keep their numbers. */
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

  const reported = createReportedFiles(texts, moveWithCells, log);
  const notebooks = followRenamedNotebooks(moveAll, () => new Set(followed().map(({ uri }) => uri)), log);
  /** Keeps the text of a notebook, because hunks in it may be added later, and the notebook has no document with this text. */
  const keepText = ({ uri }: vscode.NotebookDocument) => {
    if (isWritable(uri)) texts.keep(uri.toString());
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
        if (text !== undefined && isAtOrBelow(file, uri.toString())) reported.lose(file, text);
      }
    }),
    // Also without followed files, because the proposal of an answer that has just ended may look for its file.
    watcher.onDidCreate(reported.create),
    watcher.onDidChange((uri) => {
      if (findNotebook(uri) !== undefined || hasFollowed(uri.toString())) texts.keep(uri.toString());
      // The editor reports a file that was replaced by another one, or was lost and came back at once, as changed.
      reported.create(uri);
    }),
    // Existing followers listen to this event themselves.
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
    reported,
  );
  return {
    follow(follower) {
      followers.add(follower);
      for (const { concerns, move } of earlier) {
        const files = follower.files();
        // The files are read for each move, because other windows can write drafts.
        if (files.length === 0 || files.some(({ uri }) => concerns(uri))) move(follower);
      }
      // Each notebook is read once, also if several of its cells are followed.
      const unread = follower
        .files()
        .filter(({ uri, text }) => text === undefined || uri !== fileAddressOf(uri));
      new Set(unread.map(({ uri }) => fileAddressOf(uri))).forEach(texts.keep);
    },
    isFollowed,
    cells: () => [...followers].flatMap((one) => one.cells?.() ?? []),
    moveAtOnce: (moved) =>
      tell({ concerns: (uri) => moved.has(uri), move: (one) => one.moveAtOnce?.(moved) }),
    async settled(uri) {
      await notebooks.settled();
      await reported.settled(uri);
    },
    dispose: () => listeners.dispose(),
  };
}
