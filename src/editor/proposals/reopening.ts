/** Opens a proposal for review, and puts replaced or rejected hunks under review again. */
import * as vscode from 'vscode';
import { countHunks, hasRejected, isUndecided, isUndecidedHunk } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { documentInFront } from '../base/lastEditor.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { type CurrentFile, currentFile } from './currentFile.ts';
import { type HunkNavigation, showNothingToReview } from './hunkNavigation.ts';
import { findTargetFile, type HunkTarget } from './hunkTargets.ts';
import type { MissingFiles } from './missingFiles.ts';
import { openProposalDiff } from './proposalDocuments.ts';
import type { Proposals } from './proposalList.ts';
import { confirmReplacing, inWayOfReopened } from './proposeEdits.ts';
import { showMissing, showStale, showWaiting } from './reviewNotes.ts';

const t = vscode.l10n.t;

/** The target of a command; undefined for the file in front. */
type Target = Partial<HunkTarget> | undefined;

export interface Reopening {
  /** Shows the target's hunk, or the first undecided one of its file, or the diff if it can't be shown in the file. */
  review(target: Target): Promise<void>;
  /** Puts a file under review again that a later proposal has replaced. */
  reopenReplaced(target: Target): Promise<void>;
  /**
   * Puts the rejected hunks of a file under review again: of the target, or else of the last rejected file in the active editor. The
   * rejection can be long ago, and neither the command nor the button says that other proposals are under review, so the user is
   * asked before these are replaced.
   */
  restoreRejected(target: Target): Promise<void>;
}

export interface ReopeningDeps {
  readonly proposals: Proposals;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createReopening(
  { proposals, missing, log }: ReopeningDeps,
  { reveal, showFile, showNotOpened }: Pick<HunkNavigation, 'reveal' | 'showFile' | 'showNotOpened'>,
): Reopening {
  async function review(target: Target): Promise<void> {
    const found = findTargetFile(proposals, target);
    if (found === undefined) return showNothingToReview();
    const { proposal, file } = found;
    const undecided = file.hunks.filter(isUndecidedHunk);
    const first = undecided.find(({ hunk }) => hunk.id === target?.hunkId) ?? undecided[0];
    if (first === undefined && (file.unplaced.length > 0 || file.isNew))
      return openProposalDiff(proposals, proposal);
    if (isUndecided(file) && waits(found)) {
      await openProposalDiff(proposals, { ...proposal, files: [file] });
      return showWaiting(file);
    }
    const shown =
      first === undefined
        ? await showFile(currentOf(found))
        : await reveal(proposal.id, file.uri, first.hunk.id);
    if (!shown) showNotOpened(found);
  }

  /** Whether the hunks of an undecided file aren't shown in it, because those of other proposals are. */
  function waits({ proposal, file }: UnderReview): boolean {
    const shown = proposals.ofFile(file.uri);
    return shown.length > 0 && !shown.some((one) => one.proposal.id === proposal.id);
  }

  function reopenReplaced(target: Target): Promise<void> {
    const found = findTargetFile(proposals, target);
    if (found?.file.replacedBy === undefined) return Promise.resolve(showNothingToReview());
    return reopen(found, currentOf(found));
  }

  async function restoreRejected(target: Target): Promise<void> {
    const active = documentInFront()?.uri.toString();
    const found =
      target === undefined ? proposals.rejectedIn(active ?? '') : findTargetFile(proposals, target);
    if (found === undefined || !hasRejected(found.file))
      return void showInformation(t('There are no rejected hunks in this file.'));
    const current = currentOf(found);
    if (!(await confirmReplacing(inWayOfReopened(proposals, found)))) return;
    return reopen(found, current);
  }

  const currentOf = ({ proposal, file }: UnderReview): CurrentFile =>
    currentFile(proposals, proposal.id, file.uri);

  /** Puts a file under review again. If hunks no longer fit, shows a message; they stay in the diff. */
  async function reopen({ proposal, file }: UnderReview, current: CurrentFile): Promise<void> {
    if (!file.isNew && (await showFile(current)) === undefined)
      return (await missing.isMissing(file.uri)) ? showMissing(file) : showNotOpened({ proposal, file });
    // Showing a cell opens its notebook, which gives the cell another URI.
    const uri = current()?.uri;
    if (uri !== undefined) proposals.reopen(proposal.id, uri);
    const reopened = current();
    if (reopened === undefined || reopened.replacedBy !== undefined) return showNothingToReview();
    await review({ proposalId: proposal.id, uri: reopened.uri });
    const now = current();
    const stale = now === undefined ? 0 : countHunks(now).stale;
    if (now !== undefined && stale > 0) showStale(log, proposal.id, now, stale);
  }

  return { review, reopenReplaced, restoreRejected };
}
