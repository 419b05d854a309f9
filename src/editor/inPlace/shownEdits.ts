/** Updates the threads of edits while their answers arrive. */
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { offerCommands, showInformation } from '../base/notifications.ts';
import { createThrottle, type Throttle } from '../base/throttle.ts';
import type { Routes } from '../connection/routes.ts';
import { tellRefusal } from '../conversations/asking.ts';
import type { RangesHold } from '../proposals/commentingRanges.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { isCell } from '../workspace/textSources.ts';
import type { EditAnswers } from './editAnswers.ts';
import { toThreadLabel } from './editLabel.ts';
import type { Edit, EditStep } from './editList.ts';
import type { EditQuestions } from './editQuestions.ts';
import type { EditThreads } from './editThreads.ts';
import { toStepComments } from './editWords.ts';

const t = vscode.l10n.t;

/** The shortest time between two updates of a thread while an answer arrives, in milliseconds. */
const REFRESH_MS = 250;

export interface ShownEdits {
  /**
   * Called when an edit is opened. From now on, it can be shown, and its file keeps its commenting ranges. Cells need none, because
   * they show no box.
   */
  open(edit: Edit): void;
  /** Shows the edit for the first time, without delaying the next `refresh`. */
  show(edit: Edit): void;
  /** Closes the thread. */
  close(edit: Edit): void;
  /** Updates the thread, at most every 250 ms. Does nothing after the edit was closed. */
  refresh(edit: Edit): void;
  /** Updates the thread at once. For a cell, which shows no thread, shows a message if a step wasn't sent. */
  showNow(edit: Edit, step?: EditStep): void;
  /** Called when an answer with hunks is expected, for which the file keeps its commenting ranges. */
  expectHunks(edit: Edit): void;
  /**
   * Hides the thread until the result is disposed of. Afterwards, a box that takes the focus is collapsed, so that the box that was
   * opened in its place keeps it.
   */
  hide(edit: Edit): vscode.Disposable;
  /** Shows the edit in a new thread. Only the box of an edit that the user has just opened takes the focus. */
  showAgain(edit: Edit): void;
}

export interface ShownEditsDeps {
  readonly threads: Pick<EditThreads, 'show' | 'close'>;
  readonly answers: Pick<EditAnswers, 'isRunning' | 'of'>;
  readonly questions: Pick<EditQuestions, 'alongOf'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly log: Pick<Log, 'warn'>;
  holdRanges(): RangesHold;
  /** Called before an edit is shown, so that context keys match the thread as soon as it is shown. */
  onShow(): void;
}

export function createShownEdits(deps: ShownEditsDeps): ShownEdits {
  const { threads, answers, questions, routes } = deps;
  const throttles = new Map<string, Throttle>();
  const holds = new Map<string, RangesHold>();
  /** The hidden edits, by each active call of `hide`, because calls can overlap. */
  const hidden = new Map<symbol, Edit>();

  function show(edit: Edit, isFolded?: boolean): void {
    if ([...hidden.values()].includes(edit)) return;
    deps.onShow();
    // Its words are asked for in an input.
    if (edit.steps.length === 0 && isCell(edit.uri)) return;
    const state = answers.isRunning(edit) ? 'running' : edit.steps.length > 0 ? 'asked' : 'empty';
    // While an answer is running, its instructions are already sent.
    const canLeaveOut = state !== 'running' && edit.instructions.length > 0;
    const view = {
      label: toThreadLabel(toPath(edit), edit, questions.alongOf(edit), routes.active()?.route.name),
      state,
      instructions: edit.leavesOut ? 'leftOut' : canLeaveOut ? 'instructions' : undefined,
      comments: edit.steps.flatMap((step, index) =>
        toStepComments(step, answers.of(step)).map((one) => ({ ...one, step: index })),
      ),
    } as const;
    threads.show(edit, view, isFolded);
  }

  function tellUnsent({ id, steps }: Edit, step: EditStep): void {
    const { state } = step;
    const again = [t('Try Again'), 'k3.askEditAgain', { editId: id, step: steps.indexOf(step) }] as const;
    if (state.kind === 'refused') tellRefusal(deps.log, { ok: false, refusal: state.refusal }, again);
    else if (state.kind === 'not-sent' && state.why)
      inBackground(deps.log, offerCommands(showInformation, state.why, again), 'asking a question again');
  }

  return {
    open(edit) {
      if (!isCell(edit.uri)) holds.set(edit.id, deps.holdRanges());
      throttles.set(
        edit.id,
        createThrottle(REFRESH_MS, () => show(edit)),
      );
    },
    show: (edit) => show(edit),
    close(edit) {
      throttles.get(edit.id)?.dispose();
      throttles.delete(edit.id);
      threads.close(edit);
      holds.get(edit.id)?.dispose();
      holds.delete(edit.id);
    },
    refresh: (edit) => throttles.get(edit.id)?.call(),
    showNow(edit, step) {
      throttles.get(edit.id)?.now();
      if (step !== undefined && isCell(edit.uri)) tellUnsent(edit, step);
    },
    expectHunks: (edit) => holds.get(edit.id)?.expectHunks(),
    showAgain(edit) {
      const { steps, draft, uri } = edit;
      const isNew = steps.length === 0 && draft === '';
      const isInFront = vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
      threads.close(edit);
      show(edit, !isNew || !isInFront);
    },
    hide(edit) {
      const hiding = Symbol();
      hidden.set(hiding, edit);
      threads.close(edit);
      return new vscode.Disposable(() => {
        if (hidden.delete(hiding) && !edit.ended) show(edit, true);
      });
    },
  };
}
