/** All that makes proposals and reviews them, put together. */
import * as vscode from 'vscode';
import type { LastEditor } from '../base/lastEditor.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversations.ts';
import { type CodeBlockActions, createCodeBlockActions } from './codeBlockActions.ts';
import { registerProposalCommands } from './proposalCommands.ts';
import { registerProposalDocuments } from './proposalDocuments.ts';
import { createProposalEdits } from './proposalEdits.ts';
import { registerProposalLenses } from './proposalLenses.ts';
import { registerProposalMaker } from './proposalMaker.ts';
import { registerProposalMarks } from './proposalMarks.ts';
import { createProposalStore, toReviewFolder } from './proposalStore.ts';
import { createProposals, type Proposals } from './proposals.ts';
import { registerProposalThreads } from './proposalThreads.ts';
import { createProposeEdits, type ProposeEdits } from './proposeEdits.ts';
import { createRemarks } from './remarks.ts';
import { registerSendReview } from './sendReview.ts';

export interface ProposingDeps {
  readonly conversations: Conversations;
  readonly context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri' | 'workspaceState'>;
  readonly lastEditor: LastEditor;
  readonly log: Log;
}

export interface Proposing extends vscode.Disposable {
  readonly proposals: Proposals;
  readonly codeBlocks: CodeBlockActions;
  readonly proposeEdits: ProposeEdits;
}

export function registerProposing({ conversations, context, lastEditor, log }: ProposingDeps): Proposing {
  const proposals = createProposals({
    store: createProposalStore(toReviewFolder(context), log),
    listed: () => new Set(conversations.list().map(({ id }) => id)),
    onDidList: (listener) =>
      conversations.onDidChange((change) => {
        if (change.type === 'listed') listener();
      }),
  });
  const remarks = createRemarks(context.workspaceState);
  const threads = registerProposalThreads({ proposals, remarks });
  const registered = vscode.Disposable.from(
    registerProposalMaker({ conversations, proposals, log }),
    registerProposalLenses({ proposals, remarks }),
    registerProposalMarks({ proposals }),
    registerProposalDocuments({ proposals }),
    registerProposalCommands({ proposals, edits: createProposalEdits(proposals), threads }),
    threads,
    registerSendReview({ conversations, proposals, remarks }),
    remarks,
    // Last, because what the others hold back goes through them to the disk.
    proposals,
  );
  return {
    proposals,
    codeBlocks: createCodeBlockActions({ conversations, proposals, lastEditor }),
    proposeEdits: createProposeEdits(proposals),
    dispose: () => registered.dispose(),
  };
}
