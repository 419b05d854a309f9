/** Creates a proposal from known edits, such as the one that a finding suggests. */
import * as vscode from 'vscode';
import { placeEdits } from '../../review/editPlacement.ts';
import { toFileProposal } from '../../review/proposal.ts';
import type { ProposedEdit } from '../../review/proposalAnswer.ts';
import type { UnderReview } from '../../review/proposalSet.ts';
import { askInDialog, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { readTarget } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';

const t = vscode.l10n.t;

export interface KnownEdits {
  readonly uri: vscode.Uri;
  readonly edits: readonly ProposedEdit[];
  /** The turn that suggested them. */
  readonly turnId: string;
  readonly conversationId: string;
}

export type ProposeEdits = (known: KnownEdits) => Promise<void>;

export function createProposeEdits(proposals: Pick<Proposals, 'add' | 'ofFile'>): ProposeEdits {
  return async ({ uri, edits, turnId, conversationId }) => {
    if (!(await confirmReplacement(proposals, uri.toString()))) return;
    const { label, exists, text, lineEnd } = await readTarget(uri);
    const { after, unplaced } = placeEdits(text, edits, undefined, lineEnd);
    const file = toFileProposal({
      uri: uri.toString(),
      label,
      isNew: !exists,
      before: text,
      after,
      asked: undefined,
      unplaced,
      lineEnd,
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

/** Asks before a proposal that the user creates replaces the one under review in the same file. */
export async function confirmReplacement(
  proposals: Pick<Proposals, 'ofFile'>,
  uri: string,
): Promise<boolean> {
  return confirmReplacing(proposals.ofFile(uri));
}

/** Asks before these proposals for a file are replaced. */
export async function confirmReplacing(found: readonly UnderReview[]): Promise<boolean> {
  const [first] = found;
  if (first === undefined) return true;
  const replace = t('Replace');
  const chosen = await askInDialog(
    t('Replace the proposal for {0} that you are reviewing?', withoutLinks(first.file.label)),
    plural(
      t('{0, plural, one {# of its hunks is still open.} other {# of its hunks are still open.}}'),
      found.flatMap(({ file }) => file.hunks).filter(({ state }) => state === 'open').length,
    ),
    t('Keep Proposal'),
    replace,
  );
  return chosen === replace;
}
