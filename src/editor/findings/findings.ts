/** Registers code reviews by the model: their commands, and their findings as comment threads and in Problems. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Composers } from '../composer/composers.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Connection } from '../connection/connection.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Preview } from '../conversations/previews.ts';
import type { MovedFiles } from '../proposals/movedFiles.ts';
import type { ProposalsRoom } from '../proposals/proposals.ts';
import type { ProposeEdits } from '../proposals/proposeEdits.ts';
import { createAllowedReads } from '../workspace/allowedReads.ts';
import { registerFindingActions } from './findingActions.ts';
import { createFindings, type Findings } from './findingList.ts';
import { registerFindingThreads } from './findingThreads.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import { toReviewPreviews } from './reviewPreviews.ts';
import { registerRevisionReviews } from './revisionReviews.ts';

export interface FindingsRoomDeps {
  readonly base: Pick<Base, 'log' | 'lastEditor'>;
  readonly conversations: Conversations;
  readonly composers: Pick<Composers, 'enqueue' | 'compose'>;
  readonly proposeEdits: ProposeEdits;
  readonly moved: Pick<MovedFiles, 'follow'>;
  /** The threads of hunks. */
  readonly threads: ProposalsRoom['threads'];
  readonly routes: Connection['routes'];
  readonly turns: Connection['turns'];
  readonly instructions: Instructions;
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
}

export interface FindingsRoom extends Findings {
  readonly previews: readonly Preview[];
}

export function registerFindings(deps: FindingsRoomDeps): FindingsRoom {
  const { base, conversations, composers, proposeEdits, moved, context } = deps;
  const findings = createFindings({ conversations, state: context.workspaceState, moved, log: base.log });
  const threads = registerFindingThreads({ findings });
  deps.threads.hideOthersWith(threads.hide);
  const asking = { ...deps, ...base, reads: createAllowedReads() };
  const registered = vscode.Disposable.from(
    registerReviewCommands(asking),
    registerRevisionReviews(asking),
    registerFindingActions({ conversations, composers, findings, threads, proposeEdits }),
    threads,
    findings,
  );
  return {
    ...findings,
    previews: toReviewPreviews({ ...asking, findings }),
    dispose: () => registered.dispose(),
  };
}
