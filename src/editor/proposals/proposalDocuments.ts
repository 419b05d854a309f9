/** Provides the texts of a proposal as read-only documents (scheme `k3-proposal`), and opens diff editors with them. */
import * as vscode from 'vscode';
import { isAtOrBelow, renamedUri } from '../../review/proposals/fileChanges.ts';
import { toOpenText } from '../../review/proposals/openHunks.ts';
import {
  countHunks,
  type FileProposal,
  isUndecided,
  type Proposal,
} from '../../review/proposals/proposal.ts';
import { isSameNotebook } from '../../review/proposals/renumberedCells.ts';
import { type FileNow, type KeptHunk, toTextWithout } from '../../review/proposals/revertPlan.ts';
import { bringsSchema } from '../../text/schemaAddresses.ts';
import { plural } from '../base/plural.ts';
import { findDocument } from '../workspace/textSources.ts';
import { type CurrentFile, currentFile, openCurrent } from './currentFile.ts';
import type { MovedFiles } from './movedFiles.ts';
import { lineEndIn, withOpenText } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';

const t = vscode.l10n.t;

export const PROPOSAL_SCHEME = 'k3-proposal';

/**
 * `now`: the current file. `after`: the current file with all open hunks applied. `before`: the file when the proposal
 * was created. `proposed`: the file as the model proposed it. `empty`: an empty document. `without`: the current file
 * without one of its accepted hunks.
 */
type Side = 'now' | 'after' | 'before' | 'proposed' | 'empty' | 'without';

/** A proposal with all of its files. */
type Whole = Pick<Proposal, 'id' | 'files'>;

function toUri(proposal: Whole, file: FileProposal, side: Side, hunk = ''): vscode.Uri {
  // A cell is found by its index, because another cell can get its URI when the notebook is opened again.
  const index = proposal.files.findIndex(({ uri }) => uri === file.uri);
  const cell = isSameNotebook(file.uri, file.uri) ? { cell: `${index}/${proposal.files.length}` } : {};
  // If the document were JSON, other extensions would download the schema from its address before the review.
  const isPlain = (side === 'after' || side === 'proposed') && bringsSchema(file.before, file.after);
  return vscode.Uri.from({
    scheme: PROPOSAL_SCHEME,
    // The label of a file outside the workspace already starts with a slash, and two slashes would be an error.
    path: `${file.label.replace(/^\/*/, '/')}${isPlain ? '.txt' : ''}`,
    query: new URLSearchParams({ proposal: proposal.id, file: file.uri, ...cell, side, hunk }).toString(),
  });
}

/** The ID of the proposal that a document belongs to; undefined if it is another document. */
export const proposalIn = ({ scheme, query }: vscode.Uri): string | undefined =>
  scheme === PROPOSAL_SCHEME ? (new URLSearchParams(query).get('proposal') ?? undefined) : undefined;

/** The URI that the file of a document had when the document was opened; undefined if it is no document of a proposal. */
const proposedFileIn = ({ scheme, query }: vscode.Uri): string | undefined =>
  scheme === PROPOSAL_SCHEME ? (new URLSearchParams(query).get('file') ?? undefined) : undefined;

/**
 * The file that a document had when it was opened, if it is a cell, also if that has another URI now. Undefined if a file was removed
 * from the proposal since, because another one was renamed to its name.
 */
function cellIn(files: Whole['files'], { query }: vscode.Uri): FileProposal | undefined {
  const [index, count] = new URLSearchParams(query).get('cell')?.split('/').map(Number) ?? [];
  return index !== undefined && count === files.length ? files[index] : undefined;
}

function toText(file: FileProposal | undefined, query: URLSearchParams): string {
  if (file === undefined || query.get('side') === 'empty') return '';
  switch (query.get('side')) {
    case 'now':
      return file.text;
    case 'before':
      return file.before;
    case 'proposed':
      return file.after;
    case 'without':
      return toTextWithout(file, query.get('hunk') ?? '', nowOf(file));
    default:
      return toOpenText(file);
  }
}

export interface ProposalDocumentsDeps {
  readonly proposals: Pick<Proposals, 'get' | 'onDidChange'>;
  readonly moved: Pick<MovedFiles, 'follow'>;
}

export interface ProposalDocuments extends vscode.Disposable {
  /** The file that a document is about, also if the file was renamed since; undefined if it is no document of a proposal. */
  fileIn(uri: vscode.Uri): FileProposal | undefined;
}

/**
 * Registers the provider of the documents. They change when hunks are decided and when the file is edited, and stay open when the
 * file is renamed.
 */
export function registerProposalDocuments({ proposals, moved }: ProposalDocumentsDeps): ProposalDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const renames: (readonly [from: string, to: string])[] = [];
  function fileIn(document: vscode.Uri): FileProposal | undefined {
    const uri = proposedFileIn(document) ?? '';
    const now = renames.reduce((at, [from, to]) => renamedUri(at, from, to) ?? at, uri);
    const files = proposals.get(proposalIn(document) ?? '')?.files ?? [];
    const found = cellIn(files, document) ?? files.find((one) => one.uri === uri);
    return found ?? files.find((one) => one.uri === now);
  }
  function update(isOf: (uri: string) => boolean): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      const file = fileIn(uri);
      if (file !== undefined && isOf(file.uri)) changed.fire(uri);
    }
  }
  const move = (from: vscode.Uri, to: vscode.Uri) => {
    renames.push([from.toString(), to.toString()]);
    update((uri) => isAtOrBelow(uri, to.toString()));
  };
  moved.follow({ files: () => [], move });
  const registered = vscode.Disposable.from(
    changed,
    proposals.onDidChange(({ uris }) => update((uri) => uris.includes(uri))),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) move(oldUri, newUri);
    }),
    vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => toText(fileIn(uri), new URLSearchParams(uri.query)),
    }),
  );
  return { fileIn, dispose: () => registered.dispose() };
}

/**
 * Opens a proposal in a diff editor, or in a multi-file diff editor when it has several files.
 *
 * @param proposal may have only some of its files
 */
export async function openProposalDiff(proposals: Pick<Proposals, 'get'>, proposal: Proposal): Promise<void> {
  const undecided = proposal.files.filter(isUndecided);
  const chosen = undecided.length > 0 ? undecided : proposal.files;
  const all = chosen.map((known) => ({ known, current: currentFile(proposals, proposal.id, known.uri) }));
  // Files that aren't open are opened, too, so that they are shown with their current text. If this fails, such as for a deleted file,
  // the proposal still has the text that it was created for.
  for (const { known, current } of all) if (!known.isNew) await openCurrent(current);
  const files = all.map(({ known, current }) => current() ?? known);
  const [file, ...more] = files;
  if (file === undefined) return;
  const whole = proposals.get(proposal.id) ?? proposal;
  const toSides = (one: FileProposal) => sidesOf(whole, isUndecided(one) ? withOpenText(one) : one);
  if (more.length === 0) {
    const title = t('Proposal: {0}', file.label);
    await vscode.commands.executeCommand('vscode.diff', ...toSides(file), title);
    return;
  }
  await vscode.commands.executeCommand(
    'vscode.changes',
    plural(t('{0, plural, one {Proposal: # file} other {Proposal: # files}}'), files.length),
    files.map((one) => [vscode.Uri.parse(one.uri), ...toSides(one)]),
  );
}

/**
 * Both sides of a diff: the current file, and the file with all open hunks applied. If no hunk is open, some can't be applied, or
 * the file was deleted, the proposal as it was created, so that the user can copy from it. The current file is a separate document,
 * because the editor would repeat the threads of the review in the file itself.
 */
function sidesOf(proposal: Whole, file: FileProposal): readonly [vscode.Uri, vscode.Uri] {
  if (file.isNew) return [toUri(proposal, file, 'empty'), toUri(proposal, file, 'after')];
  const { open, stale } = countHunks(file);
  return open > 0 && stale === 0 && file.replacedBy === undefined && !file.missing
    ? [toUri(proposal, file, 'now'), toUri(proposal, file, 'after')]
    : [toUri(proposal, file, 'before'), toUri(proposal, file, 'proposed')];
}

/** The current state of a file in the editor, or as its proposal last knew it. */
function nowOf({ uri, text }: FileProposal): FileNow {
  const document = findDocument(vscode.Uri.parse(uri));
  return document === undefined ? { text } : { text: document.getText(), lineEnd: lineEndIn(document) };
}

/** Opens a diff between a file without an accepted hunk and the current file. Does nothing if the file was renamed. */
export async function openWithoutHunk(
  proposals: Pick<Proposals, 'get'>,
  { proposalId, hunkId }: Pick<KeptHunk, 'proposalId' | 'hunkId'>,
  current: CurrentFile,
): Promise<void> {
  await openCurrent(current);
  const [proposal, file] = [proposals.get(proposalId), current()];
  if (proposal === undefined || file === undefined) return;
  const uri = vscode.Uri.parse(file.uri);
  const title = t('{0}: Without the Accepted Edit ↔ Now', file.label);
  await vscode.commands.executeCommand('vscode.diff', toUri(proposal, file, 'without', hunkId), uri, title);
}

/** Compares a revised proposal with the proposal that it revises. */
export async function openRevisionDiff(earlier: Proposal, revision: Proposal): Promise<void> {
  const pairs = revision.files.map((file) => {
    const before = earlier.files.find(({ uri }) => uri === file.uri);
    return {
      label: vscode.Uri.parse(file.uri),
      before:
        before === undefined
          ? toUri(revision, file, file.isNew ? 'empty' : 'before')
          : toUri(earlier, before, 'proposed'),
      after: toUri(revision, file, 'proposed'),
    };
  });
  await vscode.commands.executeCommand(
    'vscode.changes',
    t('Previous Proposal ↔ Revised Proposal'),
    pairs.map(({ label, before, after }) => [label, before, after]),
  );
}
