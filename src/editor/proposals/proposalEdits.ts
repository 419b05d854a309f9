/** Writes hunks of a proposal to their files: after confirmation, at their exact positions, as one undo step. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { toAcceptance } from '../../review/proposals/openHunks.ts';
import { countHunks, type FileProposal, isUndecided, withNewAgain } from '../../review/proposals/proposal.ts';
import { withCreated } from '../../review/proposals/proposalTextChanges.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { isReadOnly } from '../workspace/fileKinds.ts';
import { isOpenAsNotebook } from '../workspace/notebookTexts.ts';
import type { OpenPlace } from '../workspace/workspaceBoundary.ts';
import { type CurrentFile, currentFile, openUpdated } from './currentFile.ts';
import {
  confirmEdit,
  confirmPlace,
  createEditSeries,
  type EditSeries,
  isStillConfirmed,
  noteMoved,
  type PendingEdit,
} from './editConfirmation.ts';
import { createFile } from './fileDocuments.ts';
import type { MissingFiles } from './missingFiles.ts';
import { addPreview, toTarget } from './previewEdits.ts';
import { lineEndIn, readTarget } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import {
  showAlreadyReplaced,
  showCreatedMeanwhile,
  showMissing,
  showNotCreated,
  showNotWritten,
  showOpenAsNotebook,
  showStale,
} from './reviewNotes.ts';
import { toWorkspaceEdit } from './textEdits.ts';
import { applyEdit } from './writtenEdits.ts';

export interface ProposalEdits {
  /** Shows all open hunks of a proposal in the Refactor Preview of the editor. */
  preview(proposalId: string): Promise<void>;
  /** Applies the open ones of the given hunks, and shows why others weren't applied. Never rejects because of a file. */
  accept(proposalId: string, uri: string, hunkIds: ReadonlySet<string>, series?: EditSeries): Promise<void>;
}

export interface ProposalEditsDeps {
  readonly proposals: Pick<Proposals, 'get' | 'change'>;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createProposalEdits({ proposals, missing, log }: ProposalEditsDeps): ProposalEdits {
  /** Writes to a file one after the other: the editor refuses an edit while it applies another one to the same document. */
  const writes = createKeyedQueue();
  const fileOf = (proposalId: string, uri: string) =>
    proposals.get(proposalId)?.files.find((file) => file.uri === uri);

  async function acceptNew(proposalId: string, file: FileProposal, series?: EditSeries): Promise<void> {
    const uri = vscode.Uri.parse(file.uri);
    if (!(await confirmEdit({ uri, parts: [{ before: '', after: file.after }] }, series))) return;
    // During the dialog, the folder may have been renamed, or the file may have been replaced or rejected.
    const now = fileOf(proposalId, file.uri);
    if (now === undefined) return noteMoved(uri, series);
    if (now.replacedBy !== undefined) return showAlreadyReplaced();
    if (openHunks(now).length === 0) return;
    const document = await createFile(uri, file.after);
    if (document === undefined) {
      if (await markCreated(proposalId, file)) return showCreatedMeanwhile(file);
      return showNotCreated(file);
    }
    proposals.change(proposalId, file.uri, (one) =>
      withCreated(one, document.getText(), lineEndIn(document)),
    );
    // Fails if another editor is opened meanwhile, which must not stop the following files.
    await vscode.window.showTextDocument(document, { preview: false }).then(undefined, () => undefined);
  }

  /**
   * Marks a file that the proposal would create as created if the preview or another program has created it.
   *
   * @returns whether it has another text than the proposed one, which the user hasn't seen yet
   */
  async function markCreated(proposalId: string, file: FileProposal | undefined): Promise<boolean> {
    if (file?.isNew !== true) return false;
    const target = await readTarget(vscode.Uri.parse(file.uri)).catch(
      // The file isn't text. The caller shows that nothing was written.
      () => undefined,
    );
    if (target?.exists)
      proposals.change(proposalId, file.uri, (one) => withCreated(one, target.text, target.lineEnd));
    const now = fileOf(proposalId, file.uri);
    return now !== undefined && !now.isNew && countHunks(now).open > 0;
  }

  async function acceptHunks(
    proposalId: string,
    current: CurrentFile,
    hunkIds: ReadonlySet<string>,
    series: EditSeries | undefined,
    isAgain = false,
  ): Promise<void> {
    const known = current();
    if (known === undefined) return;
    if (await missing.isMissing(known.uri)) return showMissing(known);
    const before = await openUpdated(proposals, proposalId, current);
    // Checked after it was opened: which file a cell is in is only known while its notebook is open.
    if (before === undefined || (await isReadOnly(before.document.uri))) return showNotOpened(known);
    const open = openHunks(before.file).filter(({ hunk }) => hunkIds.has(hunk.id));
    const parts = partsOf(open);
    if (open.length > 0 && !(await confirmEdit({ uri: before.document.uri, parts }, series))) return;
    // The file may have been renamed, changed, closed, or deleted while the confirmation dialog was open.
    const still = current();
    if (still === undefined) return noteMoved(before.document.uri, series);
    if (await missing.isMissing(still.uri)) return showMissing(still);
    const now = await openUpdated(proposals, proposalId, current);
    if (now === undefined) return showNotOpened(known);
    if (now.file.replacedBy !== undefined) return showAlreadyReplaced();
    const { stale } = toAcceptance(now.file, hunkIds);
    if (stale > 0) showStale(log, proposalId, now.file, stale);
    const { edits } = toAcceptance(now.file, idsOf(open));
    if (edits.length === 0) return;
    const locked = await applyEdit(toWorkspaceEdit(now.document, edits), [now.document]);
    // The text was changed at the same moment. The change is known by now, so this is tried once more.
    if (locked === undefined && !isAgain) return acceptHunks(proposalId, current, idsOf(open), series, true);
    if (locked === undefined || locked.length > 0) showNotWritten(now.file);
  }

  async function acceptNow(
    current: CurrentFile,
    ...[proposalId, uri, hunkIds, series]: Parameters<ProposalEdits['accept']>
  ): Promise<void> {
    const known = current();
    // Renamed while the user was asked about another file.
    if (known === undefined) return noteMoved(vscode.Uri.parse(uri), series);
    if (known.replacedBy !== undefined) return showAlreadyReplaced();
    if (await markCreated(proposalId, known)) return showCreatedMeanwhile(known);
    if (known.created === false && (await missing.isMissing(uri)))
      proposals.change(proposalId, uri, (one) => withNewAgain(one, hunkIds));
    const file = current();
    if (file === undefined) return;
    if (!file.isNew) return acceptHunks(proposalId, current, hunkIds, series);
    // A file that was rejected or has no text isn't created.
    if (openHunks(file).some(({ hunk }) => hunkIds.has(hunk.id))) await acceptNew(proposalId, file, series);
  }

  /** Asks about a file of a preview. Undefined if nothing of the file may be in the preview. */
  async function confirmPreview(
    proposalId: string,
    { uri, current }: Previewed,
    series: EditSeries,
  ): Promise<Confirmed | undefined> {
    const known = current();
    // Renamed while the user was asked about another file.
    if (known === undefined) return void series.moved(vscode.Uri.parse(uri));
    if (!isUndecided(known)) return undefined;
    if (!known.isNew && (await missing.isMissing(known.uri))) return void showMissing(known);
    const file = known.isNew ? known : (await openUpdated(proposals, proposalId, current))?.file;
    if (file === undefined || (await isReadOnly(vscode.Uri.parse(file.uri))))
      return void showNotOpened(known);
    const { stale } = countHunks(file);
    if (stale > 0) showStale(log, proposalId, file, stale);
    const open = openHunks(file);
    if (open.length === 0) return undefined;
    const place = await confirmPlace({ uri: vscode.Uri.parse(file.uri), parts: partsOf(open) }, series);
    return place && { ids: idsOf(open), place };
  }

  return {
    async preview(proposalId) {
      const confirmed: (Confirmed & Previewed)[] = [];
      const files = (proposals.get(proposalId)?.files ?? []).map((known) => ({
        known,
        uri: known.uri,
        current: currentFile(proposals, proposalId, known.uri),
      }));
      const series = createEditSeries(files.length);
      for (const { known, ...file } of files) {
        await markCreated(proposalId, known);
        const one = await confirmPreview(proposalId, file, series);
        if (one !== undefined) confirmed.push({ ...one, ...file });
      }
      const found = await Promise.all(
        confirmed.map(async (one) => {
          const isListed = one.current() !== undefined;
          if (!isListed) series.moved(vscode.Uri.parse(one.uri));
          const isThere = isListed && (await isStillConfirmed(one.place, series));
          return { ...one, target: await toTarget(one.current), isThere };
        }),
      );
      series.end();
      // Nothing is awaited until the edit is applied, because the positions must fit the current documents.
      const edit = new vscode.WorkspaceEdit();
      for (const { current, ids, target, isThere } of found) {
        const file = current();
        if (!isThere || file === undefined || !isUndecided(file)) continue;
        if (isOpenAsNotebook(file.uri)) showNotOpened(file);
        else addPreview(edit, file, ids, target);
      }
      const now = proposals.get(proposalId)?.files ?? [];
      const isRefused = edit.size > 0 && !(await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
      if (edit.size === 0 && !now.some(isUndecided) && now.some(({ replacedBy }) => replacedBy !== undefined))
        showAlreadyReplaced();
      // The editor doesn't say whether the user canceled the preview, or whether a file that it would create already existed.
      for (const file of proposals.get(proposalId)?.files ?? [])
        if ((await markCreated(proposalId, file)) && isRefused) showCreatedMeanwhile(file);
    },
    accept(...one) {
      const [proposalId, uri] = one;
      const current = currentFile(proposals, proposalId, uri);
      return writes.run(uri, () => acceptNow(current, ...one));
    },
  };
}

/** A file of a preview, with the URI that it had when the preview began. */
interface Previewed {
  readonly uri: string;
  readonly current: CurrentFile;
}

/** The IDs of the hunks that may be in the preview of a file, and where its path led when that was decided. */
interface Confirmed {
  readonly ids: ReadonlySet<string>;
  readonly place: OpenPlace;
}

/** Says why a file can't be changed. */
const showNotOpened = (file: FileProposal): void =>
  isOpenAsNotebook(file.uri) ? showOpenAsNotebook(file) : showNotWritten(file);

const openHunks = ({ hunks }: FileProposal): readonly AnchoredHunk[] =>
  hunks.filter(({ state }) => state === 'open');

const idsOf = (hunks: readonly AnchoredHunk[]): ReadonlySet<string> =>
  new Set(hunks.map(({ hunk }) => hunk.id));

const partsOf = (hunks: readonly AnchoredHunk[]): PendingEdit['parts'] =>
  hunks.map(({ hunk: { before, after } }) => ({ before, after }));
