/** Shows CodeLenses above each hunk of a proposal: Accept, Reject, and Comment. The first hunk also has those for all hunks. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { type FileProposal, isUndecidedHunk, type Proposal } from '../../review/proposals/proposal.ts';
import { isCell } from '../workspace/textSources.ts';
import { firstLineOfHunk } from './hunkLines.ts';
import type { HunkTarget } from './hunkTargets.ts';
import type { Proposals } from './proposalList.ts';
import type { Remarks } from './remarks.ts';

const t = vscode.l10n.t;

/** The delay before the second change event, in milliseconds. */
const REFRESH_AGAIN_MS = 800;

export interface ProposalLensesDeps {
  readonly proposals: Pick<Proposals, 'ofFile' | 'underReview' | 'onDidChange'>;
  readonly remarks: Pick<Remarks, 'list' | 'onDidChange'>;
}

export function registerProposalLenses({ proposals, remarks }: ProposalLensesDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let shown = '';
  let later: NodeJS.Timeout | undefined;
  /** The editor ignores a change event while it still handles earlier CodeLenses, so the event is fired again. */
  const refresh = () => {
    changed.fire();
    clearTimeout(later);
    later = setTimeout(() => changed.fire(), REFRESH_AGAIN_MS);
  };
  refresh();
  return vscode.Disposable.from(
    changed,
    proposals.onDidChange(() => {
      const now = JSON.stringify(
        proposals
          .underReview()
          .map(({ proposal, file }) => [proposal.id, file.uri, file.hunks.map(({ state }) => state)]),
      );
      // The editor moves CodeLenses with their lines. They are requested again only when they differ.
      if (now !== shown) refresh();
      shown = now;
    }),
    remarks.onDidChange(refresh),
    vscode.window.onDidChangeVisibleTextEditors(refresh),
    new vscode.Disposable(() => clearTimeout(later)),
    vscode.languages.registerCodeLensProvider('*', {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses(document) {
        return proposals
          .ofFile(document.uri.toString())
          .flatMap(({ proposal, file }) => toLenses(document, proposal, file, remarks.list().length));
      },
    }),
  );
}

function toLenses(
  document: vscode.TextDocument,
  proposal: Proposal,
  file: FileProposal,
  remarks: number,
): vscode.CodeLens[] {
  const undecided = file.hunks.filter(isUndecidedHunk);
  return undecided.flatMap((one, index) => {
    const line = Math.min(firstLineOfHunk(document, one), document.lineCount - 1);
    const range = new vscode.Range(line, 0, line, 0);
    const target: HunkTarget = { proposalId: proposal.id, uri: file.uri, hunkId: one.hunk.id };
    const commands = [
      ...hunkCommands(one, target),
      ...(isCell(document.uri)
        ? [{ command: 'k3.reviewProposal', title: t('Show Changes'), arguments: [target] }]
        : []),
      ...(index === 0 ? fileCommands(proposal, file, remarks) : []),
    ];
    return commands.map((command) => new vscode.CodeLens(range, command));
  });
}

/** What can be done about a hunk. */
export function hunkCommands({ state }: AnchoredHunk, target: HunkTarget): readonly vscode.Command[] {
  const decide =
    state === 'open'
      ? [
          { command: 'k3.acceptHunk', title: t('Accept'), arguments: [target] },
          { command: 'k3.rejectHunk', title: t('Reject'), arguments: [target] },
        ]
      : [
          {
            command: 'k3.openProposalDiff',
            // A no-break space, because the editor drops a plain space behind an icon.
            title: `$(warning)\u00a0${t('Lines changed: can’t be applied')}`,
            arguments: [target],
          },
          { command: 'k3.rejectHunk', title: t('Reject'), arguments: [target] },
        ];
  return [...decide, { command: 'k3.commentHunk', title: t('Comment'), arguments: [target] }];
}

function fileCommands(proposal: Proposal, file: FileProposal, remarks: number): readonly vscode.Command[] {
  const target = { proposalId: proposal.id, uri: file.uri };
  return [
    { command: 'k3.acceptAll', title: t('Accept all'), arguments: [target] },
    { command: 'k3.rejectAll', title: t('Reject all'), arguments: [target] },
    { command: 'k3.openProposalDiff', title: t('Open Diff'), arguments: [target] },
    ...(remarks === 0
      ? []
      : [{ command: 'k3.sendReview', title: t('Send Review ({0})', remarks), arguments: [target] }]),
  ];
}
