/** Registers code reviews by the model: their commands, and their findings as comment threads and in Problems. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { Composers } from '../composer/composers.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Connection } from '../connection/connection.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { WithPreviews } from '../conversations/questionPreviews.ts';
import type { MovedFiles } from '../proposals/movedFiles.ts';
import { createPendingAnswers } from '../proposals/pendingAnswers.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { ProposalsRoom } from '../proposals/proposals.ts';
import type { ProposeEdits } from '../proposals/proposeEdits.ts';
import type { Renames } from '../proposals/renamedFiles.ts';
import type { SharedState } from '../storage/sharedState.ts';
import type { Storage } from '../storage/storage.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { withoutDone } from './doneFindings.ts';
import { registerFindingFixes } from './findingFixes.ts';
import { createFindings, type Findings } from './findingList.ts';
import { registerFindingThreads } from './findingThreads.ts';

export interface FindingsRoomDeps {
  readonly base: Pick<Base, 'log' | 'lastEditor' | 'controllers'>;
  readonly conversations: Conversations;
  readonly composers: Pick<Composers, 'enqueue' | 'compose'>;
  readonly proposals: Pick<Proposals, 'ofTurn' | 'onDidChange'>;
  readonly proposeEdits: ProposeEdits;
  readonly moved: Pick<MovedFiles, 'follow'>;
  readonly renames: Pick<Renames, 'since'>;
  /** The threads of hunks. */
  readonly threads: ProposalsRoom['threads'];
  readonly routes: Connection['routes'];
  readonly turns: Connection['turns'];
  readonly instructions: Instructions;
  readonly storage: Pick<Storage, 'purged'>;
  readonly shared: SharedState;
  readonly reads: AllowedReads;
}

export interface FindingsRoom extends Findings, WithPreviews {}

const COMMANDS = [
  'k3.reviewSelection',
  'k3.reviewFile',
  'k3.reviewChanges',
  'k3.reviewBranch',
  'k3.reviewCommit',
  'k3.timeline.reviewCommit',
  'k3.dismissFinding',
  'k3.discussFinding',
  'k3.proposeFinding',
] as const;

export function registerFindings(deps: FindingsRoomDeps): FindingsRoom {
  const { base, shared, proposals } = deps;
  const pending = createPendingAnswers('k3.pendingFindings', shared, base.log);
  const findings = withoutDone(createFindings({ ...deps, ...base, state: shared, pending }), proposals);
  const threads = registerFindingThreads({ controllers: base.controllers, findings });
  deps.threads.hideOthersWith(threads.hide);
  const parts = atFirstUse(async () => {
    const { createFindingsParts } = await import('./findingsParts.ts');
    return createFindingsParts({ ...deps, ...base, findings, threads });
  }, base.log);
  const registered = vscode.Disposable.from(
    registerLater(COMMANDS, parts),
    registerFindingFixes(findings),
    parts,
    threads,
    findings,
  );
  return {
    ...findings,
    previews: async () => (await parts.run(({ previews }) => previews)) ?? [],
    dispose: () => registered.dispose(),
  };
}
