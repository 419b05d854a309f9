/** Shows threads for comments whose hunk isn't shown, because it is decided or replaced, its file isn't open, or there is none. */
import * as vscode from 'vscode';
import type { Remark } from '../../review/comments/keptRemarks.ts';
import type { LastingController } from '../base/commentControllers.ts';
import { toRemarkComment } from './hunkComments.ts';
import type { HunkTarget } from './hunkTargets.ts';
import type { Remarks } from './remarks.ts';

export interface RemarkThreads {
  /** Shows a thread for each comment whose hunk `isShown` doesn't know, and removes the others. */
  sync(isShown: (target: HunkTarget) => boolean): void;
  /** Disposes of all threads, which the next `sync` creates again, because their controller was. */
  forget(): void;
}

/** Creates the threads. They are disposed of with their controller. */
export function createRemarkThreads(
  controller: Pick<LastingController, 'createCommentThread'>,
  remarks: Pick<Remarks, 'list'>,
): RemarkThreads {
  const threads = new Map<string, { readonly thread: vscode.CommentThread; shown: string }>();

  function show(remark: Remark): void {
    const key = keyOf(remark);
    const range = new vscode.Range(remark.startLine, 0, remark.endLine, 0);
    const shown = JSON.stringify([range, remark.text]);
    const known = threads.get(key);
    if (known?.shown === shown) return;
    const thread = known?.thread ?? controller.createCommentThread(vscode.Uri.parse(remark.uri), range, []);
    thread.range = range;
    thread.comments = [toRemarkComment(remark)];
    thread.canReply = false;
    threads.set(key, { thread, shown });
  }

  return {
    sync(isShown) {
      const loose = remarks
        .list()
        .filter(({ hunk, uri }) => hunk === undefined || !isShown({ ...hunk, uri }));
      const due = new Set(loose.map(keyOf));
      for (const [key, { thread }] of threads) {
        if (due.has(key)) continue;
        thread.dispose();
        threads.delete(key);
      }
      loose.forEach(show);
    },
    forget() {
      for (const { thread } of threads.values()) thread.dispose();
      threads.clear();
    },
  };
}

/** The key contains the URI: a thread can't move to another file, so a renamed file gets a new thread. */
const keyOf = ({ id, uri }: Remark): string => `${id} ${uri}`;
