/** Shows messages about hunks that weren't accepted. None of them waits for the user. */
import * as vscode from 'vscode';
import { countHunks, type FileProposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { offerCommands, showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';

const t = vscode.l10n.t;

type Named = Pick<FileProposal, 'label'>;

/** The file is read-only, can't be read as text, or was changed at the same moment. The hunks stay open. */
export function showNotWritten({ label }: Named): void {
  void showWarning(
    t(
      'Couldn’t change {0} because it is read-only or was just modified. The proposal is kept.',
      withoutLinks(label),
    ),
  );
}

/** The text of a notebook file isn't changed while the notebook is open. The hunks stay open. */
export function showOpenAsNotebook({ label }: Named): void {
  void showWarning(
    t(
      'Couldn’t change {0} because it is open as a notebook. The proposal is kept: close the notebook, then try again.',
      withoutLinks(label),
    ),
  );
}

/** The new file can't be created at its path. Its hunk stays open. */
export function showNotCreated({ label }: Named): void {
  void showWarning(
    t(
      'Couldn’t create {0} because its folder is read-only, or a file or folder is in the way. The proposal is kept.',
      withoutLinks(label),
    ),
  );
}

/** A review isn't sent because a file is no longer text. */
export function showBinary({ label }: Named): void {
  void showWarning(
    t(
      '{0} is not a text file, so the review wasn’t sent. Restore the file, or reject its hunks and delete its comments.',
      withoutLinks(label),
    ),
  );
}

/** The file was deleted, or renamed by another program. */
export function showMissing({ label }: Named): void {
  void showWarning(
    t(
      '{0} no longer exists, so its hunks can’t be applied. The proposal is kept: restore the file, or select “Reject all”.',
      withoutLinks(label),
    ),
  );
}

/** Someone else created the file with another text than the proposed one. */
export function showCreatedMeanwhile({ label }: Named): void {
  void showWarning(
    t(
      '{0} exists now, with different text. Nothing was changed. Review the differences, then accept them.',
      withoutLinks(label),
    ),
  );
}

/** The hunks of an earlier proposal are open again, because accepting them was undone. */
export function showWaiting({ label }: Named): void {
  void showInformation(
    t(
      'A later proposal for {0} is under review. Until it is decided, this one is only in the diff.',
      withoutLinks(label),
    ),
  );
}

/** Another proposal can replace this one just before the user selects Accept. */
export function showAlreadyReplaced(): void {
  void showInformation(
    t('A later proposal replaced this one, so nothing was changed. Review the later proposal.'),
  );
}

/** A later proposal changes the same lines, which couldn't be known when it was asked for. Offers to review this one again. */
export function showReplaced(log: Pick<Log, 'warn'>, { proposal, file }: UnderReview): void {
  const { open, stale } = countHunks(file);
  const why = plural(
    t(
      '{0, plural, one {A new proposal changes the same lines of {1} as an earlier one, and replaced it. # hunk of the earlier one was not reviewed.} other {A new proposal changes the same lines of {1} as an earlier one, and replaced it. # hunks of the earlier one were not reviewed.}}',
    ),
    open + stale,
    withoutLinks(file.label),
  );
  const target = { proposalId: proposal.id, uri: file.uri };
  const offering = offerCommands(showInformation, why, [t('Review Again'), 'k3.reopenProposal', target]);
  inBackground(log, offering, 'reviewing a replaced proposal again');
}

/** Some hunks were not accepted because the file has other lines there. Offers the diff to copy from. */
export function showStale(
  log: Pick<Log, 'warn'>,
  proposalId: string,
  { label, uri }: Pick<FileProposal, 'label' | 'uri'>,
  count: number,
): void {
  const why = plural(
    t(
      '{0, plural, one {# hunk of {1} can’t be applied because its lines have changed. Undo the change, or copy what you need from the diff.} other {# hunks of {1} can’t be applied because their lines have changed. Undo the changes, or copy what you need from the diff.}}',
    ),
    count,
    withoutLinks(label),
  );
  const target = { proposalId, uri };
  const offering = offerCommands(showWarning, why, [t('Open Diff'), 'k3.openProposalDiff', target]);
  inBackground(log, offering, 'opening the diff of a proposal');
}
