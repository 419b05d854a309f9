/** The texts of a proposal as read-only documents (`k3-proposal`), and the native diffs that show them. */
import * as vscode from 'vscode';
import { countHunks, type FileProposal, isUndecided, type Proposal } from '../../review/proposal.ts';
import type { Proposals } from './proposalList.ts';

const t = vscode.l10n.t;

export const PROPOSAL_SCHEME = 'k3-proposal';

/**
 * `after`: the file as it is, with all that is still open. `before` and `proposed`: as the model saw it, and as it
 * proposed it. `empty`: nothing.
 */
type Side = 'after' | 'before' | 'proposed' | 'empty';

function toUri(proposal: Proposal, file: FileProposal, side: Side): vscode.Uri {
  return vscode.Uri.from({
    scheme: PROPOSAL_SCHEME,
    path: `/${file.label}`,
    query: new URLSearchParams({ proposal: proposal.id, file: file.uri, side }).toString(),
  });
}

/** The text of a file with every hunk that is still open. */
export function toOpenText({ text, after, isNew, hunks }: FileProposal): string {
  if (isNew) return after;
  return hunks
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { hunk, from, to }) => all.slice(0, from) + hunk.after + all.slice(to), text);
}

function toText(proposals: Pick<Proposals, 'get'>, uri: vscode.Uri): string {
  const query = new URLSearchParams(uri.query);
  const file = proposals.get(query.get('proposal') ?? '')?.files.find((one) => one.uri === query.get('file'));
  if (file === undefined || query.get('side') === 'empty') return '';
  switch (query.get('side')) {
    case 'before':
      return file.before;
    case 'proposed':
      return file.after;
    default:
      return toOpenText(file);
  }
}

/** Provides the documents. They follow what is decided and typed. */
export function registerProposalDocuments({
  proposals,
}: {
  readonly proposals: Pick<Proposals, 'get' | 'onDidChange'>;
}): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    proposals.onDidChange(({ uris }) => {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme !== PROPOSAL_SCHEME) continue;
        if (uris.includes(new URLSearchParams(uri.query).get('file') ?? '')) changed.fire(uri);
      }
    }),
    vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => toText(proposals, uri),
    }),
  );
}

/** Shows a proposal as a native diff: of one file, or of all in one editor. */
export async function openProposalDiff(proposal: Proposal): Promise<void> {
  const undecided = proposal.files.filter(isUndecided);
  const files = undecided.length > 0 ? undecided : proposal.files;
  const [file, ...more] = files;
  if (file === undefined) return;
  if (more.length === 0) {
    const title = t('Proposal: {0}', file.label);
    return void vscode.commands.executeCommand('vscode.diff', ...sidesOf(proposal, file), title);
  }
  await vscode.commands.executeCommand(
    'vscode.changes',
    t('Proposal: {0} files', files.length),
    files.map((one) => [vscode.Uri.parse(one.uri), ...sidesOf(proposal, one)]),
  );
}

/**
 * The file as it is against what it would be. Where nothing can be taken any more, or not all of it, the proposal as it
 * was made: there is what the reader may want to take by hand.
 */
function sidesOf(proposal: Proposal, file: FileProposal): readonly [vscode.Uri, vscode.Uri] {
  if (file.isNew) return [toUri(proposal, file, 'empty'), toUri(proposal, file, 'after')];
  const { open, stale } = countHunks(file);
  return open > 0 && stale === 0 && file.replacedBy === undefined
    ? [vscode.Uri.parse(file.uri), toUri(proposal, file, 'after')]
    : [toUri(proposal, file, 'before'), toUri(proposal, file, 'proposed')];
}

/** Shows what a revision changed against the proposal that it revises. */
export async function openRevisionDiff(earlier: Proposal, revision: Proposal): Promise<void> {
  const pairs = revision.files.map((file) => {
    const before = earlier.files.find(({ uri }) => uri === file.uri);
    return {
      label: vscode.Uri.parse(file.uri),
      before: before === undefined ? toUri(revision, file, 'empty') : toUri(earlier, before, 'proposed'),
      after: toUri(revision, file, 'proposed'),
    };
  });
  await vscode.commands.executeCommand(
    'vscode.changes',
    t('Previous Proposal ↔ Revised Proposal'),
    pairs.map(({ label, before, after }) => [label, before, after]),
  );
}
