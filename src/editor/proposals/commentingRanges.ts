/** Determines where the user can comment on lines: everywhere during a review, otherwise nowhere. */
import * as vscode from 'vscode';
import type { LastingController } from '../base/commentControllers.ts';

/** How long the ranges stay after a review, in milliseconds, because a revised proposal may follow soon. */
const IDLE_MS = 20_000;

/**
 * Prevents changes of the ranges while a comment box of another room can have the focus. When the ranges change, the editor reads
 * all threads again, which takes the focus away, and text that is typed would go into the file.
 */
export interface RangesHold extends vscode.Disposable {
  /** Called when the box is closed and hunks may follow. From now on, the ranges are as during a review. */
  expectHunks(): void;
}

export interface CommentingRanges extends vscode.Disposable {
  /** Updates the ranges. Returns true if they were just turned on, so that the editor reads all threads again. */
  update(): boolean;
  /** @param changed called when the hold begins, changes, or ends */
  hold(changed: () => void): RangesHold;
}

/**
 * @param isReviewing whether a review is open. Only then there are ranges, because they show a plus sign beside every line of every
 * file
 */
export function createCommentingRanges(
  controller: Pick<LastingController, 'setRanges'>,
  isReviewing: () => boolean,
): CommentingRanges {
  const holds = new Set<{ expectsHunks: boolean }>();
  let active = false;
  let idle: NodeJS.Timeout | undefined;

  function put(next: boolean): void {
    active = next;
    controller.setRanges(active ? entireDocument : () => []);
  }

  return {
    update() {
      const held = [...holds];
      const wanted = held.some(({ expectsHunks }) => expectsHunks) || isReviewing();
      clearTimeout(idle);
      if (!wanted && active && held.length === 0) idle = setTimeout(() => put(false), IDLE_MS);
      if (active || !wanted || held.some(({ expectsHunks }) => !expectsHunks)) return false;
      put(true);
      return true;
    },
    hold(changed) {
      const hold = { expectsHunks: false };
      holds.add(hold);
      changed();
      return {
        expectHunks() {
          hold.expectsHunks = true;
          changed();
        },
        dispose() {
          if (holds.delete(hold)) changed();
        },
      };
    },
    dispose: () => clearTimeout(idle),
  };
}

/** Whether a document can have comments. Read-only documents of this extension can't. */
export const canHaveRemarks = ({ scheme }: vscode.Uri): boolean => !scheme.startsWith('k3-');

const entireDocument = (document: vscode.TextDocument) =>
  canHaveRemarks(document.uri) ? [new vscode.Range(0, 0, document.lineCount - 1, 0)] : [];
