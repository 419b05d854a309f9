/** The commands of a review: accept, reject, go to the next or previous hunk, comment, and open a diff. */
import * as vscode from 'vscode';
import { isUndecided } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { inBackground } from '../base/background.ts';
import { isThread } from '../base/commentArguments.ts';
import { documentInFront, type LastEditor } from '../base/lastEditor.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { isCell } from '../workspace/textSources.ts';
import { currentFile } from './currentFile.ts';
import { createEditSeries } from './editConfirmation.ts';
import { createHunkNavigation, showNothingToReview } from './hunkNavigation.ts';
import {
  type CommandTarget,
  type FoundHunk,
  findHunk,
  findTargetFile,
  type HunkTarget,
  inFront,
} from './hunkTargets.ts';
import type { MissingFiles } from './missingFiles.ts';
import { openProposalDiff, openRevisionDiff, type ProposalDocuments } from './proposalDocuments.ts';
import type { ProposalEdits } from './proposalEdits.ts';
import type { Proposals } from './proposalList.ts';
import type { ProposalThreads } from './proposalThreads.ts';
import { createReopening } from './reopening.ts';

const t = vscode.l10n.t;

export interface ProposalCommandsDeps {
  readonly proposals: Proposals;
  readonly documents: Pick<ProposalDocuments, 'fileIn'>;
  readonly edits: ProposalEdits;
  readonly threads: Pick<ProposalThreads, 'targetOf' | 'expand' | 'openCommentBox'>;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly log: Pick<Log, 'warn'>;
}

export function registerProposalCommands(deps: ProposalCommandsDeps): vscode.Disposable {
  const { proposals, documents, edits, threads, log } = deps;
  const navigation = createHunkNavigation(deps);
  const { goToHunk, next, shown, reveal, showNotOpened } = navigation;
  const { review, reopenReplaced, restoreRejected } = createReopening(deps, navigation);

  /**
   * Converts the argument of a command, see `CommandTarget`. A thread that the editor has just removed becomes a target that matches
   * nothing. It must not stand for the file in front.
   */
  function toTarget(from: CommandTarget): Partial<HunkTarget> | undefined {
    // From the title of an editor, the argument is the URI of its file, which is in front.
    if (from === undefined || from === null || from instanceof vscode.Uri) return undefined;
    const target = isThread(from) ? threads.targetOf(from) : from;
    return target?.proposalId === undefined ? { proposalId: '' } : target;
  }

  const hunkInFront = () => shown() ?? findHunk(proposals, undefined);

  /**
   * Finds the hunk for a command. Without a target and without a hunk at the cursor, it only moves to the next hunk, so that no hunk
   * elsewhere is accepted or rejected.
   */
  async function findHunkOrMove(from: CommandTarget): Promise<FoundHunk | undefined> {
    const target = toTarget(from);
    const found = target === undefined ? hunkInFront() : findHunk(proposals, target);
    if (found !== undefined) return found;
    if (target !== undefined) return void showNothingToReview();
    await moveInstead(t('There is no hunk at the cursor. Moved to the next hunk.'));
    return undefined;
  }

  async function moveInstead(why: string): Promise<void> {
    await goToHunk(1);
    if (proposals.underReview().length > 0) vscode.window.setStatusBarMessage(why, 5000);
  }

  /** Says where the next hunk is. If the user has a file in front, the command was about this file, so the editor stays there. */
  async function showWhereNext(): Promise<void> {
    const found = next();
    if (found === undefined || documentInFront() === undefined)
      return moveInstead(t('Nothing was accepted or rejected. Moved to the next hunk.'));
    const where = t('There are no open hunks in this file. The next one is in {0}.', found.file.label);
    const goesThere = t('Next Hunk');
    const going = showInformation(where, goesThere).then((chosen) =>
      chosen === goesThere ? goToHunk(1) : undefined,
    );
    inBackground(log, going, 'going to the next hunk');
  }

  async function acceptHunk(from: CommandTarget): Promise<void> {
    const found = await findHunkOrMove(from);
    if (found === undefined) return;
    const { proposal, file, one } = found;
    await edits.accept(proposal.id, file.uri, new Set([one.hunk.id]));
    await hideHover(file);
  }

  async function rejectHunk(from: CommandTarget): Promise<void> {
    const found = await findHunkOrMove(from);
    if (found === undefined) return;
    proposals.reject(found.proposal.id, found.file.uri, new Set([found.one.hunk.id]));
    await hideHover(found.file);
  }

  /** The file of the target, or if it names none, all undecided files of its proposal. Without a target, the files in front. */
  function filesOf(target: Partial<HunkTarget> | undefined): readonly UnderReview[] {
    if (target === undefined) return inFront(proposals, documents).filter(({ file }) => isUndecided(file));
    const found = findTargetFile(proposals, target);
    if (found === undefined || target.uri !== undefined) return found === undefined ? [] : [found];
    // Files that wait until a later proposal is decided are only shown in their diff, so they are left out.
    const shown = new Set([found, ...proposals.underReview()].map(({ file }) => file));
    return found.proposal.files
      .filter((file) => isUndecided(file) && shown.has(file))
      .map((file) => ({ ...found, file }));
  }

  /** Accepts or rejects all hunks of files. Without a target, only files in front are decided. */
  async function decideAll(
    from: CommandTarget,
    decide: (...about: Parameters<ProposalEdits['accept']>) => unknown,
  ): Promise<void> {
    const target = toTarget(from);
    const files = filesOf(target);
    if (files.length === 0) return target === undefined ? showWhereNext() : showNothingToReview();
    const series = createEditSeries(files.length);
    const all = files.map(({ proposal: { id }, file }) => ({
      id,
      file,
      current: currentFile(proposals, id, file.uri),
    }));
    for (const { id, file, current } of all) {
      // Accepting a cell opens its notebook, which gives the next cell another URI.
      const { uri } = current() ?? file;
      await decide(id, uri, new Set(file.hunks.map(({ hunk }) => hunk.id)), series);
    }
    series.end();
  }

  async function comment(from: CommandTarget): Promise<void> {
    // Opening the box decides nothing, so it is also opened at the next hunk. Otherwise, a comment that the user types would go into
    // the file.
    const found = (await findHunkOrMove(from)) ?? (toTarget(from) === undefined ? hunkInFront() : undefined);
    if (found === undefined) return;
    const { proposal, file, one } = found;
    const current = currentFile(proposals, proposal.id, file.uri);
    if (!(await reveal(proposal.id, file.uri, one.hunk.id))) return showNotOpened(found);
    const { uri } = current() ?? file;
    await threads.openCommentBox({ proposalId: proposal.id, uri, hunkId: one.hunk.id });
  }

  async function openDiff(from: CommandTarget): Promise<void> {
    const target = toTarget(from);
    const found = findTargetFile(proposals, target);
    if (found === undefined) return showNothingToReview();
    const { proposal, file } = found;
    // The diff of a proposal omits decided files while others are undecided.
    const isLeftOut = target?.uri !== undefined && !isUndecided(file) && proposal.files.some(isUndecided);
    await openProposalDiff(proposals, isLeftOut ? { ...proposal, files: [file] } : proposal);
  }

  async function preview(from: CommandTarget): Promise<void> {
    const found = findTargetFile(proposals, toTarget(from));
    if (found === undefined) return showNothingToReview();
    await edits.preview(found.proposal.id);
  }

  async function compare(from: CommandTarget): Promise<void> {
    const revision = findTargetFile(proposals, toTarget(from))?.proposal;
    const earlier = revision?.revises === undefined ? undefined : proposals.get(revision.revises);
    if (revision === undefined || earlier === undefined) return showNothingToReview();
    await openRevisionDiff(earlier, revision);
  }

  const { registerCommand } = vscode.commands;
  return vscode.Disposable.from(
    registerCommand('k3.acceptHunk', acceptHunk),
    registerCommand('k3.rejectHunk', rejectHunk),
    registerCommand('k3.acceptAll', (from: CommandTarget) => decideAll(from, edits.accept)),
    registerCommand('k3.rejectAll', (from: CommandTarget) => decideAll(from, proposals.reject)),
    registerCommand('k3.nextHunk', () => goToHunk(1)),
    registerCommand('k3.previousHunk', () => goToHunk(-1)),
    registerCommand('k3.commentHunk', comment),
    registerCommand('k3.reviewProposal', (from: CommandTarget) => review(toTarget(from))),
    registerCommand('k3.reopenProposal', (from: CommandTarget) => reopenReplaced(toTarget(from))),
    registerCommand('k3.restoreRejected', (from: CommandTarget) => restoreRejected(toTarget(from))),
    registerCommand('k3.openProposalDiff', openDiff),
    registerCommand('k3.compareProposals', compare),
    registerCommand('k3.previewProposal', preview),
  );
}

/** The hover in which the user has decided a hunk would stay. */
async function hideHover({ uri }: UnderReview['file']): Promise<void> {
  if (isCell(vscode.Uri.parse(uri))) await vscode.commands.executeCommand('editor.action.hideHover');
}
