/** The commands of edits in the code: open an edit, send its question, stop it, end it, and show it in the chat. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import { isReply, isThread } from '../base/commentArguments.ts';
import { activeFile, type LastEditor } from '../base/lastEditor.ts';
import type { Commands } from '../base/laterCommands.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { createOnceForReply } from '../base/sameReply.ts';
import { joinSentences } from '../base/sentences.ts';
import { type CodeActionTarget, findCode, isTarget } from '../code/codeQuestions.ts';
import { editorOf, linesOfDocument, type SelectedCode } from '../workspace/selectedCode.ts';
import { isCell } from '../workspace/textSources.ts';
import { createCellEdits } from './cellEdits.ts';
import type { NewStep } from './editAnswers.ts';
import type { EditCommand } from './editCommandNames.ts';
import type { KeptHunks } from './editHunks.ts';
import { type Edit, placeAt } from './editList.ts';
import type { Edits } from './edits.ts';
import {
  conflictTargetOf,
  findCodeHere,
  findConflict,
  isConflictTarget,
  linesIn,
  meets,
  showRunning,
  tellReadOnly,
} from './editTargets.ts';
import { type AskingComment, isAsking, type StepComment } from './editThreads.ts';

const t = vscode.l10n.t;

/**
 * How long to wait for the symbol at the cursor, in milliseconds. If the language server is still starting, the box is opened at the
 * line of the cursor, because what the user types next would otherwise go into the file.
 */
const SYMBOLS_MS = 200;

export interface EditCommandsDeps {
  readonly edits: Edits;
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly log: Pick<Log, 'warn'>;
  /** Opens a conversation in the chat. */
  openConversation(id: string): void;
}

export function createEditCommands(deps: EditCommandsDeps): Commands<EditCommand> {
  const { edits, lastEditor, log, openConversation } = deps;
  const once = createOnceForReply();
  const cells = createCellEdits({ edits, openOrShow, openInChat });

  /**
   * Opens an edit, or continues the edit that is open in the file, if it is about the same lines or is running.
   *
   * @returns the edit if it is new
   */
  async function openOrShow(code: SelectedCode, step?: NewStep): Promise<Edit | undefined> {
    const known = edits.ofFile(code.document.uri);
    if (known !== undefined && known.steps.length === 0) return openInstead(known, code, step);
    if (known !== undefined && (edits.isRunning(known) || meets(known, code))) {
      if (!meets(known, code)) showRunning(known);
      else if (step !== undefined && !edits.asks(known, step)) await edits.ask(known, step);
      return void (await edits.threads.focus(known));
    }
    if (known !== undefined && known.draft.trim() !== '' && !isCell(known.uri))
      return void (await stayIn(known));
    if (known !== undefined) tell(edits.leave(known));
    return openNew(code, { step });
  }

  function tell(kept: KeptHunks): void {
    if (kept.count > 0) inBackground(log, tellKept(kept), 'rejecting the hunks of an ended edit');
  }

  /** Stays in the open edit, because the text in its box would be lost. */
  function stayIn(known: Edit): Promise<void> {
    void showInformation(t('Send or end the edit that is open in this file first.'));
    return edits.threads.focus(known);
  }

  /** Replaces an edit in which nothing was asked yet. The text in its box is kept for the new lines. */
  async function openInstead(known: Edit, code: SelectedCode, step?: NewStep): Promise<Edit | undefined> {
    const { draft } = known;
    if (step !== undefined && draft.trim() !== '') return void (await stayIn(known));
    if (step === undefined && meets(known, code) && !isCell(known.uri))
      return void (await edits.threads.focus(known));
    edits.close(known);
    return openNew(code, { step, draft, leavesOut: known.leavesOut });
  }

  function openNew(code: SelectedCode, begins: Parameters<Edits['open']>[2]): Promise<Edit> {
    const place = placeOf(code);
    unselect(code);
    return edits.open(code, place, begins);
  }

  async function editHere(target: unknown, task: unknown): Promise<void> {
    if (isTarget(target)) return editTarget(target, task === 'fix');
    const editor = lastEditor.get();
    const found = findCodeHere(editor);
    if (editor === undefined || found === undefined) return;
    if (isCell(editor.document.uri)) return cells.begin(await found);
    const { version } = editor.document;
    const code = await Promise.race([found, pause(SYMBOLS_MS)]);
    if (code !== undefined) return void (await openOrShow(code));
    const { line } = editor.selection.active;
    const edit = await openOrShow(linesOfDocument(editor.document, line, line));
    const whole = await found;
    const isUnchanged = edit?.steps.length === 0 && !edit.ended && editor.document.version === version;
    if (isUnchanged) edits.setLines(edit, whole);
  }

  async function begin(code: SelectedCode, step?: NewStep): Promise<void> {
    if (isCell(code.document.uri)) return cells.begin(code, step);
    await openOrShow(code, step);
  }

  async function editTarget(target: CodeActionTarget, fixes: boolean): Promise<void> {
    const code = tellReadOnly(target.uri) ? undefined : await findCode(target, undefined);
    if (code === undefined) return;
    const step = { task: 'fix' as const, words: '', diagnostics: target.diagnostics, lines: linesIn(code) };
    await begin(code, fixes ? step : undefined);
  }

  async function resolveConflict(target: unknown): Promise<void> {
    const code = await findConflict(isConflictTarget(target) ? target : conflictTargetOf(lastEditor.get()));
    if (code === undefined) return;
    await begin(code, { task: 'resolve', words: '', diagnostics: [], lines: linesIn(code) });
  }

  /** Sends a question. The argument is a reply in a thread, or the comment with the box of a new edit. */
  async function send(from: unknown): Promise<void> {
    if (!isReply(from) && !isAsking(from)) return;
    const edit = isReply(from) ? editOf(from.thread) : edits.find(from.editId);
    if (edit === undefined) return;
    const words = textOf(from).trim();
    if (words === '') return askAgain(edit);
    await once(edit.id, words, async () => {
      // The answer isn't awaited, because the editor empties the box when the command has ended.
      inBackground(log, edits.ask(edit, { task: 'edit', words, diagnostics: [] }), 'asking in the code');
      // The box is collapsed, and the editor doesn't focus anything else.
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    });
  }

  /** Opens the box of a new edit again: the editor closes it also if it is sent empty. */
  async function askAgain(edit: Edit): Promise<void> {
    if (edit.steps.length > 0) return;
    edits.close(edit);
    const document = await vscode.workspace.openTextDocument(edit.uri);
    const code = linesOfDocument(document, edit.lines.startLine, edit.lines.endLine);
    const { leavesOut } = edit;
    await edits.open(edit.selected ? { ...code, selected: true } : code, edit.place, { leavesOut });
  }

  /** The edit of a thread, a comment, or an ID; without an argument, that of the active editor. */
  function editOf(argument: unknown): Edit | undefined {
    if (typeof argument === 'string') return edits.find(argument);
    if (isThread(argument)) return edits.find(edits.threads.editOf(argument) ?? '');
    if (isOfStep(argument)) return edits.find(argument.editId);
    const uri = activeFile() ?? lastEditor.get()?.document.uri;
    return uri && edits.ofFile(uri);
  }

  function openInChat(edit: Edit): Thenable<unknown> {
    const id = edits.conversationOf(edit);
    if (id !== undefined) openConversation(id);
    return vscode.commands.executeCommand('k3.focusChat');
  }

  const on = (act: (edit: Edit) => unknown) => async (argument: unknown) => {
    const edit = editOf(argument);
    if (edit !== undefined) await act(edit);
  };
  return {
    'k3.editHere': editHere,
    'k3.resolveConflict': resolveConflict,
    'k3.sendEdit': send,
    'k3.askEditAgain': async (comment) => {
      const edit = isOfStep(comment) ? edits.find(comment.editId) : undefined;
      if (edit === undefined || !isOfStep(comment)) return;
      await edits.askAgain(edit, comment.step);
      if (isCell(edit.uri)) await cells.showAnswer(edit);
    },
    'k3.stopEdit': on(edits.stop),
    'k3.leaveOutEditInstructions': on((edit) => edits.leaveOut(edit, true)),
    'k3.includeEditInstructions': on((edit) => edits.leaveOut(edit, false)),
    'k3.closeEdit': on((edit) => {
      tell(edits.end(edit));
      return vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    }),
    'k3.openEditInChat': on(openInChat),
  };
}

async function tellKept({ count, reject }: KeptHunks): Promise<void> {
  const left = t('{0, plural, one {# of its hunks is still open.} other {# of its hunks are still open.}}');
  const rejects = t('Reject all');
  const message = joinSentences([t('The edit was ended.'), plural(left, count)]);
  if ((await showInformation(message, rejects)) === rejects) reject();
}

/** The line for the thread: beside the code, or if this isn't visible, the line of the cursor. */
function placeOf(code: SelectedCode): number {
  const { startLine, endLine } = code;
  const editor = editorOf(code);
  const place = placeAt(code);
  const isVisible = editor?.visibleRanges.some(({ start, end }) => start.line <= place && place <= end.line);
  if (editor === undefined || isVisible === true) return place;
  return Math.min(Math.max(editor.selection.active.line, startLine), endLine);
}

/** Removes the selection. Otherwise Escape would only do this at first, and not end the edit. */
function unselect(code: SelectedCode): void {
  const editor = editorOf(code);
  if (editor !== undefined && !editor.selection.isEmpty && !isCell(editor.document.uri))
    editor.selection = new vscode.Selection(code.startLine, 0, code.startLine, 0);
}

const isOfStep = (value: unknown): value is StepComment =>
  typeof value === 'object' && value !== null && 'editId' in value && 'step' in value;

function textOf(from: vscode.CommentReply | AskingComment): string {
  if ('text' in from) return from.text;
  return typeof from.body === 'string' ? from.body : from.body.value;
}
