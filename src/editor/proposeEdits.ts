/** Makes a proposal of edits that are known already, like the one that a finding suggests. */
import * as vscode from 'vscode';
import { placeEdits } from '../review/placing.ts';
import { toFileProposal } from '../review/proposal.ts';
import type { ProposedEdit } from '../review/proposalForm.ts';
import { readTarget } from './proposalFiles.ts';
import type { Proposals } from './proposals.ts';

export interface KnownEdits {
  readonly uri: vscode.Uri;
  readonly edits: readonly ProposedEdit[];
  /** The answer that suggested them. */
  readonly turnId: string;
  readonly conversationId: string;
}

export type ProposeEdits = (known: KnownEdits) => Promise<void>;

export function createProposeEdits(proposals: Pick<Proposals, 'add'>): ProposeEdits {
  return async ({ uri, edits, turnId, conversationId }) => {
    const { label, exists, text } = await readTarget(uri);
    const { after, unplaced } = placeEdits(text, edits);
    const file = toFileProposal({
      uri: uri.toString(),
      label,
      isNew: !exists,
      before: text,
      after,
      asked: undefined,
      unplaced,
    });
    const proposal = proposals.add({
      turnId,
      conversationId,
      files: [file],
      trouble: undefined,
      revises: undefined,
    });
    await vscode.commands.executeCommand('k3.reviewProposal', { proposalId: proposal.id });
  };
}
