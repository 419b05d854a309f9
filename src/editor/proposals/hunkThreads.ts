/** Shows comment threads on the hunks of proposals, with the added lines and the remarks on them. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { toLines } from '../../review/hunks/hunks.ts';
import { type FileProposal, isUndecidedHunk, type Proposal } from '../../review/proposals/proposal.ts';
import type { LastingController } from '../base/commentControllers.ts';
import { hunkRange, isForScreenReader, threadPlace, toHunkComment, toRemarkComment } from './hunkComments.ts';
import type { HunkTarget } from './hunkTargets.ts';
import type { Proposals } from './proposalList.ts';
import type { Remarks } from './remarks.ts';

const t = vscode.l10n.t;

/** The most hunks of a file whose threads are expanded. With more, all are collapsed, so that the file stays readable. */
const MAX_EXPANDED = 12;

export interface HunkThreads {
  /** Updates the threads: shows the undecided hunks of all open documents, except hidden ones. */
  sync(isHidden: (target: HunkTarget) => boolean): void;
  /** Disposes of all threads, which the next `sync` creates again, because their controller was. */
  forget(): void;
  /** The thread of a hunk. */
  of(target: HunkTarget): vscode.CommentThread | undefined;
  /** The hunk of a thread; undefined for anything else. */
  targetOf(thread: object): HunkTarget | undefined;
}

export interface HunkThreadsDeps {
  readonly proposals: Pick<Proposals, 'ofFile'>;
  readonly remarks: Pick<Remarks, 'list'>;
}

interface ShownHunk {
  readonly document: vscode.TextDocument;
  readonly proposal: Proposal;
  readonly file: FileProposal;
  readonly one: AnchoredHunk;
  readonly index: number;
}

interface ShownThread extends Pick<ShownHunk, 'file' | 'one'> {
  readonly thread: vscode.CommentThread;
  readonly shown: string;
}

/** Creates the threads. They are disposed of with their controller. */
export function createHunkThreads(
  controller: Pick<LastingController, 'createCommentThread'>,
  { proposals, remarks }: HunkThreadsDeps,
): HunkThreads {
  const threads = new Map<string, ShownThread>();
  const targets = new WeakMap<object, HunkTarget>();

  function show({ document, proposal, file, one, index }: ShownHunk): void {
    const count = file.hunks.length;
    const target = targetOf({ proposal, file, one });
    const key = hunkKeyOf(target);
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
    } else {
      thread.range = range;
      thread.comments = comments;
    }
    thread.label = label;
    thread.contextValue = one.state === 'stale' ? 'hunk.stale' : 'hunk';
    targets.set(thread, target);
    threads.set(key, { thread, file, one, shown });
  }

  return {
    sync(isHidden) {
      const due = new Map<string, ShownHunk>();
      for (const document of vscode.workspace.textDocuments) {
        for (const { proposal, file } of proposals.ofFile(document.uri.toString()))
          for (const [index, one] of file.hunks.entries()) {
            const target = targetOf({ proposal, file, one });
            if (file.isNew || isHidden(target) || !isUndecidedHunk(one)) continue;
            due.set(hunkKeyOf(target), { document, proposal, file, one, index });
          }
      }
      const gone = [...threads].filter(([key]) => !due.has(key));
      for (const [key] of gone) threads.delete(key);
      // A thread whose hunk is gone is reused for the same hunk of a later proposal, or for a hunk of the same lines, so that text
      // in its box isn't lost.
      const passOn = (known: ShownThread, fits: typeof isSame): boolean => {
        const next = [...due].find(([key, hunk]) => !threads.has(key) && fits(hunk, known));
        if (next !== undefined) threads.set(next[0], { ...known, shown: '' });
        return next !== undefined;
      };
      const others = gone.map(([, known]) => known).filter((known) => !passOn(known, isSame));
      for (const known of others) if (!passOn(known, meets)) known.thread.dispose();
      due.forEach(show);
    },
    forget() {
      for (const { thread } of threads.values()) thread.dispose();
      threads.clear();
    },
    of: (target) => threads.get(hunkKeyOf(target))?.thread,
    targetOf: (thread) => targets.get(thread),
  };
}

const isSame = ({ document, file, one }: ShownHunk, { thread, file: before, one: { hunk } }: ShownThread) =>
  file.uri === before.uri &&
  one.hunk.before === hunk.before &&
  one.hunk.after === hunk.after &&
  threadPlace(document, one).end.line === thread.range?.end.line;

/** Whether one of two hunks has the last line of the other. */
function meets({ document, file, one }: ShownHunk, known: ShownThread): boolean {
  const line = known.thread.range?.end.line;
  if (file.uri !== known.file.uri || line === undefined) return false;
  const { start, end } = hunkRange(document, one);
  const first = line - Math.max(0, toLines(known.one.hunk.before).length - 1);
  return (start.line <= line && line <= end.line) || (first <= end.line && end.line <= line);
}

export const hunkKeyOf = ({ proposalId, uri, hunkId }: HunkTarget): string =>
  `${proposalId} ${hunkId} ${uri}`;

const targetOf = ({ proposal, file, one }: Omit<ShownHunk, 'document' | 'index'>): HunkTarget => ({
  proposalId: proposal.id,
  uri: file.uri,
  hunkId: one.hunk.id,
});
