/** Comment threads on the hunks of proposals: the added lines, and the remarks on them. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/anchors.ts';
import type { FileProposal, Proposal } from '../../review/proposal.ts';
import { isForScreenReader, threadPlace, toHunkComment, toRemarkComment } from './hunkComments.ts';
import type { HunkTarget } from './hunkTargets.ts';
import type { Proposals } from './proposalList.ts';
import type { Remarks } from './remarks.ts';

const t = vscode.l10n.t;

/** With more hunks in a file, their threads are collapsed, so that the file stays readable. */
const MAX_EXPANDED = 12;

export interface HunkThreads {
  /** Shows the undecided hunks of all open documents, except hidden ones, as they are now. */
  sync(isHidden: (target: HunkTarget) => boolean): void;
  /** The thread of a hunk. */
  of(target: HunkTarget): vscode.CommentThread | undefined;
  /** The hunk of a thread. */
  targetOf(thread: vscode.CommentThread): HunkTarget | undefined;
}

export interface HunkThreadsDeps {
  readonly proposals: Pick<Proposals, 'ofFile'>;
  readonly remarks: Pick<Remarks, 'list'>;
}

interface ShownHunk {
  readonly proposal: Proposal;
  readonly file: FileProposal;
  readonly one: AnchoredHunk;
  readonly index: number;
}

/** The threads are disposed of with their controller. */
export function createHunkThreads(
  controller: vscode.CommentController,
  { proposals, remarks }: HunkThreadsDeps,
): HunkThreads {
  const threads = new Map<string, { readonly thread: vscode.CommentThread; shown: string }>();
  const targets = new WeakMap<vscode.CommentThread, HunkTarget>();

  function show(document: vscode.TextDocument, { proposal, file, one, index }: ShownHunk): void {
    const count = file.hunks.length;
    const target = targetOf({ proposal, file, one });
    const key = keyOf(target);
    const range = threadPlace(document, one);
    const mine = remarks
      .list()
      .filter(({ hunk }) => hunk?.hunkId === one.hunk.id && hunk.proposalId === proposal.id);
    const label = t('Hunk {0} of {1}', index + 1, count);
    const isPlain = isForScreenReader();
    const shown = JSON.stringify([range, label, one.state, mine, isPlain]);
    const known = threads.get(key);
    if (known?.shown === shown) return;
    const comments = [toHunkComment(one, isPlain), ...mine.map(toRemarkComment)];
    const thread = known?.thread ?? controller.createCommentThread(document.uri, range, comments);
    if (known === undefined) {
      thread.collapsibleState =
        count > MAX_EXPANDED
          ? vscode.CommentThreadCollapsibleState.Collapsed
          : vscode.CommentThreadCollapsibleState.Expanded;
      targets.set(thread, target);
    } else {
      thread.range = range;
      thread.comments = comments;
    }
    thread.label = label;
    thread.contextValue = one.state === 'stale' ? 'hunk.stale' : 'hunk';
    threads.set(key, { thread, shown });
  }

  return {
    sync(isHidden) {
      const due = new Map<string, () => void>();
      for (const document of vscode.workspace.textDocuments) {
        for (const { proposal, file } of proposals.ofFile(document.uri.toString()))
          for (const [index, one] of file.hunks.entries()) {
            const target = targetOf({ proposal, file, one });
            if (file.isNew || isHidden(target) || (one.state !== 'open' && one.state !== 'stale')) continue;
            due.set(keyOf(target), () => show(document, { proposal, file, one, index }));
          }
      }
      for (const [key, { thread }] of threads) {
        if (due.has(key)) continue;
        thread.dispose();
        threads.delete(key);
      }
      for (const put of due.values()) put();
    },
    of: (target) => threads.get(keyOf(target))?.thread,
    targetOf: (thread) => targets.get(thread),
  };
}

export const keyOf = ({ proposalId, uri, hunkId }: HunkTarget): string => `${proposalId} ${hunkId} ${uri}`;

const targetOf = ({ proposal, file, one }: Omit<ShownHunk, 'index'>): HunkTarget => ({
  proposalId: proposal.id,
  uri: file.uri,
  hunkId: one.hunk.id,
});
