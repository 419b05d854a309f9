/** Keeps the user's comments on lines until a review is sent. They are stored with the workspace and survive a reload. */
import * as vscode from 'vscode';
import {
  decodeRemarks,
  filesOfRemarks,
  placedIn,
  type Remark,
  withChangedText,
  withRenamedFile,
} from '../../review/comments/keptRemarks.ts';
import { describeWrong } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { normalizeText } from '../workspace/textSources.ts';
import { createMarkedCells, markedIn } from './markedCells.ts';
import type { MovedFiles } from './movedFiles.ts';
import type { RemarkClaims } from './remarkClaims.ts';

export interface Remarks extends vscode.Disposable {
  readonly onDidChange: vscode.Event<void>;
  list(): readonly Remark[];
  put(remark: Remark): void;
  /**
   * Adds comments again that were taken away, at the current places of their lines.
   *
   * @param isAsStored whether a comment still has the URI that its cell had in an earlier window
   */
  putBack(remarks: readonly Remark[], isAsStored?: (one: Remark) => boolean): void;
  /** Removes comments that are being sent and may come back. */
  takeAway(ids: ReadonlySet<string>): void;
  remove(ids: ReadonlySet<string>): void;
  /** Removes comments that another window has finished or deleted. */
  dropDone(): void;
}

const KEY = 'k3.remarks';

export function createRemarks(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
  claims: RemarkClaims,
  moved: Pick<MovedFiles, 'follow'>,
): Remarks {
  const changed = new vscode.EventEmitter<void>();
  /**
   * The IDs of comments that are being sent. They are ignored when they are read, because another window that moves them stores them
   * again.
   */
  const away = new Set<string>();
  const isHere = ({ id }: Remark) => claims.of(id) !== 'done' && !away.has(id);
  const read = (): readonly Remark[] =>
    decodeRemarks(state.get<unknown>(KEY), (wrong) =>
      log.warn(`a stored comment can't be read and is left out: ${describeWrong(wrong)}`),
    ).filter(isHere);
  const cells = createMarkedCells();
  let all: readonly Remark[] = read().map(cells.fromEarlier);
  const save = (closing?: vscode.NotebookDocument) => {
    all = all.map((one) => cells.toStored(one, closing));
    inBackground(log, state.update(KEY, all), 'saving the comments');
  };
  const set = (next: readonly Remark[]) => {
    all = next;
    save();
    changed.fire();
  };
  const setIfOther = (next: readonly Remark[]) => {
    if (next !== all) set(next);
  };
  const rename = (from: vscode.Uri, to: vscode.Uri) =>
    setIfOther(withRenamedFile(all, from.toString(), to.toString()));
  const isRemarked = ({ uri }: vscode.TextDocument) => all.some((one) => one.uri === uri.toString());
  const place = (document: vscode.TextDocument) => {
    if (isRemarked(document))
      setIfOther(placedIn(all, document.uri.toString(), normalizeText(document.getText())));
  };
  moved.follow({
    files: () => filesOfRemarks(all),
    cells: () => markedIn(all),
    move: rename,
    moveAtOnce(now) {
      const next = all.map((one) => cells.moved(one, now));
      if (next.every((one, at) => one === all[at])) return;
      set(next);
      vscode.workspace.textDocuments.forEach(place);
    },
  });
  vscode.workspace.textDocuments.forEach(place);
  const renames = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) rename(oldUri, newUri);
  });
  const texts = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0 || !isRemarked(document)) return;
    setIfOther(
      withChangedText(all, document.uri.toString(), contentChanges.map(toLineChange), document.getText()),
    );
  });
  const opened = vscode.workspace.onDidOpenTextDocument(place);
  /** Stores the marks of cells for the next window and for others. */
  const saveCells = (closing?: vscode.NotebookDocument) => markedIn(all).length > 0 && save(closing);
  const closed = vscode.workspace.onDidCloseNotebookDocument(saveCells);
  const dropDone = () => {
    if (!all.every(isHere)) set(all.filter(isHere));
  };
  /** Reads the comments again when the window gets the focus, because another window can have added or changed some. */
  const focused = vscode.window.onDidChangeWindowState((window) => {
    if (!window.focused) return;
    dropDone();
    const next = read().map(cells.fromStored);
    if (JSON.stringify(next) === JSON.stringify(all)) return;
    all = next;
    vscode.workspace.textDocuments.forEach(place);
    changed.fire();
  });
  return {
    onDidChange: changed.event,
    list: () => all,
    put(remark) {
      // The user's new text is kept, also if another window has sent an earlier text.
      claims.release([remark.id]);
      away.delete(remark.id);
      set([...all.filter(({ id }) => id !== remark.id), remark]);
    },
    putBack(remarks, isAsStored = () => false) {
      if (remarks.length === 0) return;
      claims.release(remarks.map(({ id }) => id));
      for (const { id } of remarks) away.delete(id);
      const back = new Map(
        remarks.map((one) => [one.id, isAsStored(one) ? cells.fromStored(one) : one] as const),
      );
      set([...all.filter(({ id }) => !back.has(id)), ...back.values()]);
      // Comments on files that aren't open are placed when the files are opened.
      vscode.workspace.textDocuments.forEach(place);
    },
    takeAway(ids) {
      for (const id of ids) away.add(id);
      set(all.filter(({ id }) => !ids.has(id)));
    },
    remove(ids) {
      claims.finish([...ids]);
      set(all.filter(({ id }) => !ids.has(id)));
    },
    dropDone,
    dispose() {
      for (const one of [renames, texts, opened, closed, focused]) one.dispose();
      saveCells();
      changed.dispose();
    },
  };
}

const toLineChange = ({ range, text }: vscode.TextDocumentContentChangeEvent) => ({
  startLine: range.start.line,
  startCharacter: range.start.character,
  endLine: range.end.line,
  endCharacter: range.end.character,
  text,
});
