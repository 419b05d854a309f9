/** Converts the proposals of an answer to views for the panel. */
import * as vscode from 'vscode';
import type { CardView } from '../../panel/cards.ts';
import type { ProposalView } from '../../panel/views.ts';
import type { UnplacedEditReason } from '../../review/edits/editPlacement.ts';
import {
  countHunks,
  type FileProposal,
  hasRejected,
  isUndecided,
  type Proposal,
  type ProposalTrouble,
} from '../../review/proposals/proposal.ts';
import { plural } from '../base/plural.ts';
import { joinList } from '../base/sentences.ts';

const t = vscode.l10n.t;

/** One view for each file. */
export function toProposalViews(proposals: readonly Proposal[]): readonly ProposalView[] {
  return proposals.flatMap((proposal) => proposal.files.map((file) => toView(proposal, file)));
}

function toView(proposal: Proposal, file: FileProposal): ProposalView {
  const { open, accepted, rejected, stale } = countHunks(file);
  const replaced = file.replacedBy !== undefined;
  return {
    proposalId: proposal.id,
    uri: file.uri,
    file: file.label,
    state: toState(file),
    summary: joinList([
      // A missing file that was only named isn't created.
      ...(file.isNew && file.hunks.length > 0 ? [t('new file')] : []),
      ...(open + accepted + rejected + stale === 0
        ? [t('nothing to review')]
        : [
            replaced ? t('{0} not reviewed', open) : t('{0} open', open),
            t('{0} accepted', accepted),
            t('{0} rejected', rejected),
          ]),
      ...(stale === 0 ? [] : [t('{0} outdated', stale)]),
      ...(file.missing ? [t('the file no longer exists')] : []),
      ...(replaced ? [t('replaced by a later proposal')] : []),
    ]),
    open,
    accepted,
    restorable: hasRejected(file),
    revises: proposal.revises !== undefined,
    unplaced: file.unplaced.map(({ edit, reason }) => ({
      why: describeUnplaced(reason),
      find: edit.find,
      replace: edit.replace,
    })),
    // If this proposal was itself replaced, the later one of the answer shows this instead.
    displaced: (replaced ? [] : (file.displaced ?? [])).map((one) => ({
      proposalId: one.id,
      summary: plural(
        t(
          '{0, plural, one {It replaced an earlier proposal with # hunk that you had not reviewed.} other {It replaced an earlier proposal with # hunks that you had not reviewed.}}',
        ),
        one.open,
      ),
    })),
  };
}

function toState(file: FileProposal): ProposalView['state'] {
  if (file.replacedBy !== undefined) return 'replaced';
  if (file.hunks.length === 0) return 'empty';
  return isUndecided(file) ? 'open' : 'decided';
}

function describeUnplaced(reason: UnplacedEditReason): string {
  switch (reason) {
    case 'not-there':
      return t('Not placed: these lines are not in the file.');
    case 'part-of-line':
      return t('Not placed: the text is only part of a line in the file.');
    case 'several':
      return t('Not placed: these lines are in the file several times.');
    case 'overlaps':
      return t('Not placed: it overlaps another change in this proposal.');
    case 'file-missing':
      return t('Not placed: the file doesn’t exist.');
    case 'marker-left':
      return t('Not placed: a conflict marker would be left alone.');
    case 'unclear':
      return t('Not placed: the change is incomplete, or doesn’t say exactly which lines it replaces.');
    case 'too-many':
      return t('Not placed: the proposal has too many changes of this file.');
    case 'unreadable':
      return t('Not placed: the file couldn’t be read as text.');
    case 'moved':
      return t('Not placed: the path now leads to a different file. To ask again, select “Regenerate”.');
    case 'refused':
      return t('Not placed: you didn’t allow the file to be read.');
    case 'whole-file':
      return t('Not placed: a proposal can only change text. Do this yourself.');
    case 'no-text':
      return t('Not placed: the new file is empty. Create it yourself.');
    case 'file-exists':
      return t('Not placed: the file already exists, and the location in it is not specified.');
  }
}

/** Cards that explain why no proposal could be created from an answer. */
export function toTroubleCards(proposals: readonly Proposal[]): readonly CardView[] {
  return proposals.flatMap(({ trouble, files }) =>
    trouble === undefined
      ? []
      : [
          {
            tone: 'note' as const,
            title:
              files.length === 0
                ? t('Couldn’t create a proposal from this answer')
                : t('The proposal has only part of this answer'),
            body: [describeTrouble(trouble)],
            facts: [],
            actions: [],
            serviceWords: undefined,
          },
        ],
  );
}

function describeTrouble(trouble: ProposalTrouble): string {
  switch (trouble.kind) {
    case 'malformed':
      return describeMalformed(trouble.malformed);
    case 'failed':
      return t('Its changes couldn’t be placed in the files. To see why, run “K3: Show Log”.');
    case 'no-change':
      return t('The answer contains no code or no changes.');
    case 'several-blocks':
      return t(
        'The answer contains {0} code blocks but doesn’t say where they belong. To choose a location, select “Apply” on a code block.',
        trouble.count,
      );
    case 'unnamed-blocks':
      return plural(
        t(
          '{0, plural, one {# code block doesn’t say which file it belongs to.} other {# code blocks don’t say which file they belong to.}} To choose a location, select “Apply” on a code block.',
        ),
        trouble.count,
      );
    case 'lines-changed':
      return t(
        'The lines of {0} that were sent no longer exist, so there is no location for the code. To choose a location, select “Apply” on the code block.',
        trouble.label,
      );
  }
}

function describeMalformed({
  field,
  expected,
}: Extract<ProposalTrouble, { kind: 'malformed' }>['malformed']): string {
  const name = field === '' ? t('The answer') : t('“{0}”', field);
  switch (expected) {
    case 'an object':
      return t(
        '{0} should be an object. The answer is shown unchanged. To ask again, select “Regenerate”.',
        name,
      );
    case 'a list':
      return t(
        '{0} should be a list. The answer is shown unchanged. To ask again, select “Regenerate”.',
        name,
      );
    case 'text':
      return t('{0} should be text. The answer is shown unchanged. To ask again, select “Regenerate”.', name);
  }
}
