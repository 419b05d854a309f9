/** Handles the hunks of an edit that ends: hunks under review stay, and those of a proposal that is still being created don't appear. */
import type * as vscode from 'vscode';
import { countHunks, isUndecided, isUndecidedHunk } from '../../review/proposals/proposal.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { threadPlace } from '../proposals/hunkComments.ts';
import type { Proposals } from '../proposals/proposalList.ts';

/** How long to wait for the proposal of an answer that has just arrived, in milliseconds. */
const DISCARD_MS = 10_000;

export interface KeptHunks {
  readonly count: number;
  /** Rejects the hunks that aren't decided by then. */
  reject(): void;
}

export interface EditHunks extends vscode.Disposable {
  /** The hunks of these turns that are under review. */
  kept(turnIds: readonly string[]): KeptHunks;
  /** Whether the thread of a hunk under review is on a line. The editor focuses the first thread of a line. */
  isOn(document: vscode.TextDocument, line: number): boolean;
  /** Rejects the proposals of these turns that are still being created, as soon as they exist. */
  discardUnmade(turnIds: readonly string[]): void;
}

export interface EditHunksDeps {
  readonly proposals: Pick<Proposals, 'ofTurn' | 'ofFile' | 'reject' | 'onDidChange'>;
  readonly conversations: Pick<Conversations, 'find'>;
}

export function createEditHunks({ proposals, conversations }: EditHunksDeps): EditHunks {
  const discarded = new Map<string, NodeJS.Timeout>();

  function reject(turnIds: readonly string[]): void {
    for (const { id, files } of turnIds.flatMap(proposals.ofTurn))
      for (const { uri, hunks } of files.filter(isUndecided))
        proposals.reject(id, uri, new Set(hunks.map(({ hunk }) => hunk.id)));
  }

  /** Only a complete answer creates a proposal by itself. For others, the user does, by applying their code. */
  const isComplete = (turnId: string) => conversations.find(turnId)?.turn.outcome === 'complete';

  const listening = proposals.onDidChange(({ turnIds }) => {
    for (const turnId of turnIds) if (discarded.delete(turnId) && isComplete(turnId)) reject([turnId]);
  });

  return {
    kept(turnIds) {
      const files = turnIds.flatMap(proposals.ofTurn).flatMap((one) => one.files.filter(isUndecided));
      return {
        count: files.map(countHunks).reduce((sum, { open, stale }) => sum + open + stale, 0),
        reject: () => reject(turnIds),
      };
    },
    isOn: (document, line) =>
      proposals
        .ofFile(document.uri.toString())
        .some(({ file }) =>
          file.hunks.some((one) => isUndecidedHunk(one) && threadPlace(document, one).start.line === line),
        ),
    discardUnmade(turnIds) {
      for (const turnId of turnIds.filter((one) => proposals.ofTurn(one).length === 0))
        discarded.set(
          turnId,
          setTimeout(() => discarded.delete(turnId), DISCARD_MS),
        );
    },
    dispose() {
      listening.dispose();
      for (const timer of discarded.values()) clearTimeout(timer);
    },
  };
}
