/** Registers everything about proposals: creating them from answers, reviewing their hunks, and sending reviews. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { WithPreviews } from '../conversations/questionPreviews.ts';
import type { SharedState } from '../storage/sharedState.ts';
import type { Storage } from '../storage/storage.ts';
import type { WindowPlace } from '../storage/windowPlace.ts';
import { registerCellLabels } from './cellLabels.ts';
import { type CodeBlockActions, createCodeBlockActions } from './codeBlockActions.ts';
import { registerHunkHovers } from './hunkHovers.ts';
import { createMissingFiles } from './missingFiles.ts';
import { createMovedFiles, type MovedFiles } from './movedFiles.ts';
import { createPendingAnswers } from './pendingAnswers.ts';
import { registerProposalCommands } from './proposalCommands.ts';
import { registerProposalCreation } from './proposalCreation.ts';
import { registerProposalDecorations } from './proposalDecorations.ts';
import { registerProposalDocuments } from './proposalDocuments.ts';
import { createProposalEdits } from './proposalEdits.ts';
import { registerProposalLenses } from './proposalLenses.ts';
import { createProposals, type Proposals } from './proposalList.ts';
import { createProposalStore, toReviewPlace } from './proposalStore.ts';
import { type ProposalThreads, registerProposalThreads } from './proposalThreads.ts';
import { createProposeEdits, type ProposeEdits } from './proposeEdits.ts';
import { createRemarkClaims } from './remarkClaims.ts';
import { createRemarks } from './remarks.ts';
import { followRenames, type Renames } from './renamedFiles.ts';
import { registerSendReview, toReviewPreview } from './sendReview.ts';

export interface ProposalsRoomDeps {
  readonly base: Pick<Base, 'log' | 'lastEditor' | 'controllers'>;
  readonly conversations: Conversations;
  readonly storage: Pick<Storage, 'purged'>;
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly place: WindowPlace;
  readonly shared: SharedState;
}

export interface ProposalsRoom extends vscode.Disposable, WithPreviews {
  readonly proposals: Proposals;
  readonly codeBlocks: CodeBlockActions;
  readonly proposeEdits: ProposeEdits;
  readonly moved: Pick<MovedFiles, 'follow'>;
  readonly renames: Pick<Renames, 'since'>;
  readonly threads: Pick<ProposalThreads, 'hideOthersWith' | 'holdRanges'>;
}

export function registerProposals(deps: ProposalsRoomDeps): ProposalsRoom {
  const { base, conversations, storage, context, place, shared: state } = deps;
  const { log, lastEditor } = base;
  const moved = createMovedFiles(log);
  const renames = followRenames({ moved, conversations });
  const claims = createRemarkClaims(join(context.globalStorageUri.fsPath, 'comments'), log);
  const remarks = createRemarks(state, log, claims, moved);
  const proposals = createProposals({
    onMoved: moved.moveAtOnce,
    cells: { state, isFollowed: moved.isFollowed, marked: moved.cells, log },
    store: createProposalStore(toReviewPlace(place), log, storage.purged),
    listed: () => new Set(conversations.list().map(({ id }) => id)),
    onDidList: (listener) =>
      conversations.onDidChange((change) => {
        if (change.type === 'listed') listener();
      }),
  });
  const missing = createMissingFiles({ proposals, log });
  moved.follow({
    files: proposals.followed,
    move: proposals.rename,
  });
  const threads = registerProposalThreads({ controllers: base.controllers, proposals, remarks, moved });
  const reverting = atFirstUse(async () => {
    const { createRevertCommand } = await import('./revertCommand.ts');
    return {
      commands: { 'k3.revertMessage': createRevertCommand({ conversations, proposals, missing, log }) },
    };
  }, log);
  const documents = registerProposalDocuments({ proposals, moved });
  const registered = vscode.Disposable.from(
    registerProposalCreation({
      conversations,
      proposals,
      pending: createPendingAnswers('k3.pendingProposals', state, log),
      renames,
      log,
    }),
    registerCellLabels(proposals),
    registerProposalLenses({ proposals, remarks }),
    registerProposalDecorations({ proposals }),
    registerHunkHovers({ proposals }),
    documents,
    registerProposalCommands({
      proposals,
      documents,
      edits: createProposalEdits({ proposals, missing, log }),
      threads,
      missing,
      lastEditor,
      log,
    }),
    registerLater(['k3.revertMessage'], reverting),
    reverting,
    threads,
    registerSendReview({ conversations, proposals, remarks, claims, missing, moved, state, log }),
    moved,
    renames,
    remarks,
    missing,
    // Disposed of last, because the parts above still save through it when they are disposed of.
    proposals,
  );
  return {
    proposals,
    codeBlocks: createCodeBlockActions({ conversations, proposals, renames, lastEditor }),
    proposeEdits: createProposeEdits(proposals),
    moved,
    renames,
    threads,
    previews: async () => [toReviewPreview({ conversations, proposals, remarks, missing, log })],
    dispose: () => registered.dispose(),
  };
}
