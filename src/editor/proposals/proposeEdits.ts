/** Creates a proposal from known edits, such as the one that a finding suggests. */
import * as vscode from 'vscode';
import { placeEdits } from '../../review/edits/editPlacement.ts';
import type { ProposedEdit } from '../../review/edits/proposalAnswer.ts';
import { spanOf } from '../../review/findings/sentText.ts';
import { ANYWHERE, canStandBeside } from '../../review/proposals/besideProposals.ts';
import { type Proposal, toFileProposal, withReopened } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { hasSame } from '../../review/proposals/sameChanges.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { askInDialog, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { readOrTell, withOpenText } from './proposalFiles.ts';
import type { NewProposal, Proposals } from './proposalList.ts';

const t = vscode.l10n.t;

export interface KnownEdits {
  readonly uri: vscode.Uri;
  readonly edits: readonly ProposedEdit[];
  /** The lines that the edits are about. They determine the place of edits whose text is in the file several times. */
  readonly lines: LineRange | undefined;
  /** The turn that suggested them. */
  readonly turnId: string;
  readonly conversationId: string;
}

export type ProposeEdits = (known: KnownEdits) => Promise<void>;

export function createProposeEdits(proposals: Pick<Proposals, 'add' | 'ofFile' | 'ofTurn'>): ProposeEdits {
  return async ({ uri, edits, lines, turnId, conversationId }) => {
    const read = await readOrTell(uri);
    if (read === undefined) return;
    const { label, exists, text, lineEnd } = read;
    const { after, unplaced } = placeEdits(text, edits, lines && spanOf(text, lines), lineEnd);
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
    const same = proposals.ofTurn(turnId).find(({ files }) => files.some((one) => hasSame(one, file)));
    const fresh = { turnId, conversationId, files: [file], trouble: undefined, revises: undefined };
    const proposal = same ?? (await addAsked(proposals, fresh));
    if (proposal === undefined) return;
    await vscode.commands.executeCommand('k3.reviewProposal', { proposalId: proposal.id });
  };
}

/**
 * Adds a proposal that the user creates. It stands beside proposals under review whose hunks it doesn't meet, and replaces the
 * others after the user has agreed.
 *
 * @returns undefined if the user wants to keep the others
 */
export async function addAsked(
  proposals: Pick<Proposals, 'add' | 'ofFile'>,
  fresh: NewProposal,
): Promise<Proposal | undefined> {
  const agreed = new Set<string>();
  const keyOf = ({ proposal, file }: UnderReview) => `${proposal.id} ${file.uri}`;
  /** The proposals that would be replaced, in the first file with any. A file in which no edit has a place replaces none. */
  const inWay = () =>
    fresh.files
      .filter(({ hunks }) => hunks.length > 0)
      .map(withOpenText)
      .map((file) =>
        proposals
          .ofFile(file.uri)
          .filter((one) => !agreed.has(keyOf(one)) && !canStandBeside(one.file, file)),
      )
      .find((found) => found.length > 0);
  // Nothing is awaited if there is no question, because the same edits can be proposed in another panel at the same time. Checked
  // again after a question, because an answer can end meanwhile.
  for (let found = inWay(); found !== undefined; found = inWay()) {
    if (!(await confirmReplacing(found))) return undefined;
    for (const one of found) agreed.add(keyOf(one));
  }
  return proposals.add(fresh, ANYWHERE);
}

/** The proposals under review that a file would replace if it was taken up again. */
export function inWayOfReopened(
  proposals: Pick<Proposals, 'ofFile'>,
  { proposal, file }: UnderReview,
): readonly UnderReview[] {
  const now = withOpenText(withReopened(file));
  return proposals
    .ofFile(file.uri)
    .filter((one) => one.proposal.id !== proposal.id && !canStandBeside(one.file, now));
}

/** Asks the user before proposals for a file are replaced. Returns whether the user agreed. */
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
