/** Holds the open edits, at most one in a document, and keeps them at their lines while the text changes. */
import * as vscode from 'vscode';
import type { CodeTask } from '../../conversation/prompts/codePrompts.ts';
import type { Question } from '../../conversation/question.ts';
import type { Refusal } from '../../requests/refusal.ts';
import { shiftLines } from '../../review/findings/findingPlacement.ts';
import { changesBetween, followLines } from '../../review/findings/followedLines.ts';
import { isAtOrBelow, renamedUri } from '../../review/proposals/fileChanges.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { wasDeleted } from '../workspace/fileKinds.ts';
import { findDocument, fromLast, isCell } from '../workspace/textSources.ts';

/** The state of a question: it waits for the previous answer, is being sent, is in a conversation, or wasn't sent. */
export type StepState =
  | { readonly kind: 'waiting' }
  /** `input`: an input of its prompt file is open, so it waits for the user. */
  | { readonly kind: 'sending'; readonly input?: true }
  /** Without `why`, the user has stopped or canceled it. */
  | { readonly kind: 'not-sent'; readonly why?: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'sent'; readonly conversationId: string; readonly exchangeId: string };

/** A question and its answer. */
export interface EditStep {
  readonly task: CodeTask;
  /** The text that the user entered. Empty for a command that asks without text. */
  readonly words: string;
  readonly diagnostics: readonly string[];
  /** The content of the prompt file that the words name, if any, as it was when they were sent. */
  prompt?: Pick<Question, 'text' | 'effort' | 'tools'>;
  /** The lines that this question and later ones are about, if they differ from those of the edit. */
  lines?: LineRange;
  /** The text of these lines while they are deleted. */
  deleted?: readonly string[] | undefined;
  state: StepState;
}

export interface Edit {
  readonly id: string;
  uri: vscode.Uri;
  /** The lines that the next question is about. Counted from 0, the last one included. */
  lines: LineRange;
  /** The text of these lines while they are deleted. */
  deleted: readonly string[] | undefined;
  /** The line below which the thread is. */
  place: number;
  /** Whether the user selected exactly these lines, nothing was added to them, and no question was sent yet. */
  selected: boolean;
  /** The text in the box, or for the box when it is opened. */
  draft: string;
  /** The labels of the instruction files for the next question, or for the running one, as far as they are known. */
  instructions: readonly string[];
  /** Whether the next questions are asked without the instructions of the project. */
  leavesOut: boolean;
  readonly steps: EditStep[];
  /** Whether the edit has ended and its thread is closed. */
  ended: boolean;
}

export interface EditList extends vscode.Disposable {
  list(): readonly Edit[];
  /** The edit in a document. */
  ofFile(uri: vscode.Uri): Edit | undefined;
  find(id: string): Edit | undefined;
  add(edit: Edit): void;
  remove(edit: Edit): void;
  rename(from: vscode.Uri, to: vscode.Uri): void;
  /** Called when cells and closed documents have new URIs, by the previous ones. All move at once. */
  moveAtOnce(now: ReadonlyMap<string, string>): void;
  /** Sets the lines that the next question is about. */
  setLines(edit: Edit, lines: LineRange): void;
}

export interface EditListDeps {
  /** Called when the lines of an edit moved, or its file was renamed. */
  onMoved(edit: Edit): void;
  /** Called when the file or the cell of an edit was deleted or replaced by another one, or its untitled document was closed. */
  onDeleted(edit: Edit): void;
  /**
   * Called when documents have new URIs.
   *
   * @param now returns the new URI of a document, by its previous one
   */
  onRenamed(now: (uri: string) => string | undefined): void;
  readonly log: Pick<Log, 'warn'>;
}

export function createEditList({ onMoved, onDeleted, onRenamed, log }: EditListDeps): EditList {
  const edits = new Map<string, Edit>();
  /** The texts of the documents before the next change, by the IDs of the edits. */
  const texts = new Map<string, string>();
  const list = () => [...edits.values()];
  const ofFile = (uri: vscode.Uri) => list().find((one) => one.uri.toString() === uri.toString());

  function textChanged({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const edit = contentChanges.length === 0 ? undefined : ofFile(document.uri);
    if (edit !== undefined) follow(edit, document, fromLast(contentChanges));
  }

  /** Moves the lines of an edit when its document is opened, because another program may have changed the file meanwhile. */
  function opened(document: vscode.TextDocument): void {
    const edit = ofFile(document.uri);
    const changes = edit && changesBetween(texts.get(edit.id) ?? '', document.getText());
    if (edit !== undefined && changes?.length) follow(edit, document, changes);
  }

  /**
   * Moves the lines of an edit after changes of its document.
   *
   * @param changes the last one first
   */
  function follow(
    edit: Edit,
    document: vscode.TextDocument,
    changes: Parameters<typeof followLines>[1],
  ): void {
    const last = document.lineCount - 1;
    const [before = '', text] = [texts.get(edit.id), document.getText()];
    const followed = (now: Pick<Edit, 'lines' | 'deleted'>) => followLines(now, changes, before, text);
    const { lines, deleted, isJoined, isBack } = followed(edit);
    texts.set(edit.id, text);
    edit.selected &&= !isJoined;
    edit.lines = within(lines, last);
    edit.deleted = deleted;
    for (const step of edit.steps) {
      if (step.lines === undefined) continue;
      const now = followed({ lines: step.lines, deleted: step.deleted });
      step.lines = within(now.lines, last);
      step.deleted = now.deleted;
    }
    const place = changes.reduce<LineRange>(shiftLines, { startLine: edit.place, endLine: edit.place });
    edit.place = isBack ? placeAt(edit.lines) : within(place, last).endLine;
    onMoved(edit);
  }

  function rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const edit of list()) {
      const now = renamedUri(edit.uri.toString(), from.toString(), to.toString());
      if (now === undefined) continue;
      // The rename overwrote a file whose edit ends, because a document has at most one edit.
      const replaced = ofFile(vscode.Uri.parse(now));
      if (replaced !== undefined && replaced !== edit) onDeleted(replaced);
      edit.uri = vscode.Uri.parse(now);
      onMoved(edit);
    }
    onRenamed((uri) => renamedUri(uri, from.toString(), to.toString()));
  }

  function moveAtOnce(now: ReadonlyMap<string, string>): void {
    for (const edit of list()) {
      const moved = now.get(edit.uri.toString());
      // Only cells move: the edit of a closed untitled document ends.
      if (moved === undefined || !isCell(edit.uri)) continue;
      edit.uri = vscode.Uri.parse(moved);
      onMoved(edit);
    }
    onRenamed((uri) => now.get(uri));
  }

  /**
   * Ends the edit of a closed document. Called later: a saved untitled document has another URI by then, and a document whose
   * language changes is opened again at once.
   */
  async function closed(uri: vscode.Uri): Promise<void> {
    const edit = (await wasDeleted(uri)) ? ofFile(uri) : undefined;
    if (edit !== undefined) onDeleted(edit);
  }

  const listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(textChanged),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
      if (isUntitled || isCell(uri))
        setTimeout(() => inBackground(log, closed(uri), 'looking whether a document was deleted'));
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) rename(oldUri, newUri);
    }),
    vscode.workspace.onDidDeleteFiles(({ files }) => {
      for (const edit of list())
        if (files.some((file) => isAtOrBelow(edit.uri.toString(), file.toString()))) onDeleted(edit);
    }),
  );
  return {
    list,
    ofFile,
    find: (id) => edits.get(id),
    add(edit) {
      edits.set(edit.id, edit);
      texts.set(edit.id, findDocument(edit.uri)?.getText() ?? '');
    },
    remove({ id }) {
      edits.delete(id);
      texts.delete(id);
    },
    rename,
    moveAtOnce,
    setLines(edit, { startLine, endLine }) {
      edit.lines = { startLine, endLine };
      edit.deleted = undefined;
      onMoved(edit);
    },
    dispose: () => listening.dispose(),
  };
}

/**
 * The line for the thread of an edit: the line above its lines, so that its hunks stay together below the thread. At the start of a
 * file, the last of its lines.
 */
export const placeAt = ({ startLine, endLine }: LineRange): number =>
  startLine > 0 ? startLine - 1 : endLine;

const within = ({ startLine, endLine }: LineRange, last: number): LineRange => ({
  startLine: Math.min(startLine, last),
  endLine: Math.min(endLine, last),
});
