/** Opens edits in the code, asks their questions, and ends them. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isUndecided } from '../../review/proposals/proposal.ts';
import { inBackground } from '../base/background.ts';
import type { CommentControllers } from '../base/commentControllers.ts';
import type { Log } from '../base/log.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { markOf, uriHere } from '../proposals/markedCells.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { ProposalsRoom } from '../proposals/proposals.ts';
import type { SelectedCode } from '../workspace/selectedCode.ts';
import { createEditAnswers, type EditAnswers, type NewStep } from './editAnswers.ts';
import { createEditAsking, type EditAsking, type EditAskingDeps } from './editAsking.ts';
import { followAnswers } from './editChanges.ts';
import { followDrafts } from './editDrafts.ts';
import { createEditHunks, type KeptHunks } from './editHunks.ts';
import { createEditList, type Edit, type EditList } from './editList.ts';
import { createEditQuestions, type EditQuestions, type EditQuestionsDeps } from './editQuestions.ts';
import { createEditThreads, type EditThreads } from './editThreads.ts';
import { createKeptDrafts, joinDrafts } from './keptDrafts.ts';
import { createShownEdits } from './shownEdits.ts';

export interface Edits extends vscode.Disposable, Pick<EditList, 'rename' | 'moveAtOnce' | 'setLines'> {
  list(): readonly Edit[];
  ofFile(uri: vscode.Uri): Edit | undefined;
  find(id: string): Edit | undefined;
  readonly threads: Pick<EditThreads, 'of' | 'focus' | 'editOf'>;
  /** Opens an edit of lines, with its thread below the line `place`. If a step is given, it is asked at once. */
  open(
    code: SelectedCode,
    place: number,
    begins?: { step?: NewStep | undefined; draft?: string; leavesOut?: boolean },
  ): Promise<Edit>;
  readonly questionOf: EditQuestions['questionOf'];
  ask(edit: Edit, step: NewStep): Promise<void>;
  readonly askAgain: EditAsking['askAgain'];
  /** Stores what is written for edits, for when the window is reloaded. */
  keepDrafts(): void;
  /** Asks the next questions without the instructions of the project, or with them again. */
  leaveOut(edit: Edit, leavesOut: boolean): void;
  stop(edit: Edit): void;
  /** Closes the thread. */
  close(edit: Edit): void;
  /** Closes the thread and stops the answer. Unsent text is kept for the next edit. Returns the hunks under review. */
  leave(edit: Edit): KeptHunks;
  /** Like `leave`, but drops the text in the box, and rejects a proposal that is still being created from an answer. */
  end(edit: Edit): KeptHunks;
  isRunning(edit: Edit): boolean;
  readonly asks: EditAnswers['asks'];
  /** Whether hunks of the answers are under review. */
  hasHunks(edit: Edit): boolean;
  conversationOf(edit: Edit): string | undefined;
  /** Hides the thread on a line until the result is disposed of. */
  hide(uri: vscode.Uri, line: number): vscode.Disposable;
  /** The URIs of documents with edits or with kept text. */
  files(): readonly string[];
  /** Fires when an edit is opened, closed, or updated. */
  readonly onDidChange: vscode.Event<void>;
}

export interface EditsDeps {
  readonly controllers: Pick<CommentControllers, 'create'>;
  readonly conversations: EditAskingDeps['conversations'] & Pick<Conversations, 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'ofTurn' | 'ofFile' | 'reject' | 'onDidChange'>;
  readonly instructions: EditQuestionsDeps['instructions'];
  readonly prompts: EditAskingDeps['prompts'];
  readonly routes: Pick<Routes, 'active' | 'onDidChange'>;
  readonly threads: Pick<ProposalsRoom['threads'], 'holdRanges'>;
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createEdits(deps: EditsDeps): Edits {
  const { conversations, proposals, routes, log } = deps;
  const changed = new vscode.EventEmitter<void>();
  const threads = createEditThreads(deps.controllers, () => list.list().forEach(shown.showAgain));
  const hunks = createEditHunks({ proposals, conversations });
  const answers = createEditAnswers({ conversations, proposals });
  const questions = createEditQuestions({ conversations, answers, instructions: deps.instructions });
  const shown = createShownEdits({
    ...{ threads, answers, questions, routes, log },
    holdRanges: deps.threads.holdRanges,
    onShow: () => changed.fire(),
  });
  const { refresh } = shown;
  const list = createEditList({
    onMoved: refresh,
    onDeleted(edit) {
      // Nothing is kept for an untitled document, because another one can get its name.
      if (edit.uri.scheme !== 'untitled') kept.leave(edit);
      closeAndStop(edit);
    },
    onRenamed: (now) => kept.move(now, list.list()),
    log,
  });
  const asking = createEditAsking({
    conversations,
    answers,
    questions,
    prompts: deps.prompts,
    onStep: shown.showNow,
  });

  const goOn = (edit: Edit) => inBackground(log, asking.goOn(edit), 'asking the next question of an edit');

  const turnsOf = ({ steps }: Edit) => steps.flatMap((step) => answers.of(step)?.turn.id ?? []);

  async function showInstructions(edit: Edit): Promise<void> {
    const { steps, leavesOut } = edit;
    const { length } = steps;
    const found = await questions.instructionsOf(edit);
    // Another question was asked, or the choice has changed, so these aren't for the next question.
    if (steps.length !== length || edit.leavesOut !== leavesOut) return;
    edit.instructions = found;
    refresh(edit);
  }

  const renew = (edit: Edit) =>
    inBackground(log, showInstructions(edit), 'reading the instructions of an edit');

  function ask(edit: Edit, step: NewStep): Promise<void> {
    shown.expectHunks(edit);
    if (edit.draft.trim() === step.words) edit.draft = '';
    return asking.ask(edit, step);
  }

  /** Whether the box should get the focus after a command, so that typed text doesn't go into the file. An empty box takes it itself. */
  function takesFocus({ ended, steps, place }: Edit, document: vscode.TextDocument): boolean {
    const isAsked = !ended && steps.at(-1)?.state.kind === 'sent';
    return isAsked && vscode.window.activeTextEditor?.document === document && !hunks.isOn(document, place);
  }

  function close(edit: Edit): void {
    edit.ended = true;
    list.remove(edit);
    shown.close(edit);
    changed.fire();
  }

  /** Closes and stops an edit. Its hunks stay under review, also if the file was deleted and may come back. */
  function closeAndStop(edit: Edit): void {
    close(edit);
    asking.stop(edit);
  }

  /** Closes and stops an edit, and returns its hunks. They stay under review, so that a key pressed by habit doesn't drop them. */
  function closeWithHunks(edit: Edit): KeptHunks {
    const turns = turnsOf(edit);
    closeAndStop(edit);
    return hunks.kept(turns);
  }

  const kept = createKeptDrafts(deps.state, log, { markOf, uriHere });
  const keepDrafts = () => kept.keep(list.list());

  const listening = vscode.Disposable.from(
    followAnswers({
      conversations,
      edits: list.list,
      answers,
      goOn,
      renew,
      refresh,
      refreshNow: shown.showNow,
      stop: asking.stop,
    }),
    changed.event(keepDrafts),
    vscode.workspace.onDidCloseNotebookDocument((closing) => kept.keep(list.list(), closing)),
    followDrafts(list.list, threads, keepDrafts),
    proposals.onDidChange(() => list.list().forEach(refresh)),
    routes.onDidChange(() => list.list().forEach(refresh)),
  );

  return {
    ...{ list: list.list, ofFile: list.ofFile, find: list.find, threads, keepDrafts },
    async open(
      { document, startLine, endLine, selected = false },
      place,
      { step, draft = '', leavesOut = false } = {},
    ) {
      const edit: Edit = {
        id: randomUUID(),
        uri: document.uri,
        lines: { startLine, endLine },
        deleted: undefined,
        place,
        selected,
        draft: step === undefined ? joinDrafts([kept.take(document.uri), draft]) : draft,
        instructions: [],
        leavesOut,
        steps: [],
        ended: false,
      };
      list.add(edit);
      shown.open(edit);
      if (step === undefined) {
        shown.show(edit);
        await showInstructions(edit);
      } else {
        await ask(edit, step);
        if (takesFocus(edit, document)) await threads.focus(edit);
      }
      return edit;
    },
    questionOf: questions.questionOf,
    ask,
    askAgain: asking.askAgain,
    leaveOut(edit, leavesOut) {
      edit.leavesOut = leavesOut;
      edit.instructions = [];
      refresh(edit);
      renew(edit);
    },
    stop: asking.stop,
    close,
    leave(edit) {
      kept.leave(edit);
      return closeWithHunks(edit);
    },
    end(edit) {
      kept.leaveEntered(edit);
      hunks.discardUnmade(turnsOf(edit));
      return closeWithHunks(edit);
    },
    isRunning: answers.isRunning,
    asks: answers.asks,
    hasHunks: (edit) =>
      edit.steps.some((step) => answers.of(step)?.proposals.some(({ files }) => files.some(isUndecided))),
    conversationOf: answers.conversationOf,
    hide(uri, line) {
      const edit = list.ofFile(uri);
      if (edit?.place !== line) return new vscode.Disposable(() => undefined);
      return shown.hide(edit);
    },
    files: () => [...list.list().map(({ uri }) => uri.toString()), ...kept.uris()],
    ...{ rename: list.rename, moveAtOnce: list.moveAtOnce, setLines: list.setLines },
    onDidChange: changed.event,
    dispose() {
      listening.dispose();
      hunks.dispose();
      // Drafts in cells are stored with the places of their cells, for the next window.
      list.list().forEach(kept.leave);
      list.list().forEach(close);
      kept.release();
      list.dispose();
      threads.dispose();
      changed.dispose();
    },
  };
}
