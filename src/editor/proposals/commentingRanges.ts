/** Where the user can comment on lines: everywhere during a review, else nowhere. */
import * as vscode from 'vscode';

/** How long the ranges stay after a review, because a revised proposal may follow soon. In milliseconds. */
const IDLE_MS = 20_000;

/**
 * Keeps the ranges as they are while a box of another room can have the focus: when they change, the editor reads all threads
 * again, which takes the focus, and what is typed would be written into the file.
 */
export interface RangesHold extends vscode.Disposable {
  /** The box is closed, and hunks may follow: the ranges of a review are there from now on. */
  expectHunks(): void;
}

export interface CommentingRanges extends vscode.Disposable {
  /** Returns true if the ranges have just begun, and the editor reads all threads again. */
  update(): boolean;
  /** @param changed called when the hold makes a difference */
  hold(changed: () => void): RangesHold;
}

/** @param isReviewing commenting ranges show a plus sign beside every line of every file, so they are there only then */
export function createCommentingRanges(
  controller: Pick<vscode.CommentController, 'commentingRangeProvider'>,
  isReviewing: () => boolean,
): CommentingRanges {
  const holds = new Set<{ expectsHunks: boolean }>();
  let active = false;
  let idle: NodeJS.Timeout | undefined;

  function put(next: boolean): void {
    active = next;
    controller.commentingRangeProvider = { provideCommentingRanges: active ? entireDocument : () => [] };
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

/** Read-only documents of this extension can't. */
export const canHaveRemarks = ({ scheme }: vscode.Uri): boolean => !scheme.startsWith('k3-');

const entireDocument = (document: vscode.TextDocument) =>
  canHaveRemarks(document.uri) ? [new vscode.Range(0, 0, document.lineCount - 1, 0)] : [];
