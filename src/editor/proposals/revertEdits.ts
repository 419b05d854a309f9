/** Writes the files without their accepted hunks: after confirmation, as one edit of all files. */
import * as vscode from 'vscode';
import { type FileProposal, withRejected } from '../../review/proposals/proposal.ts';
import {
  type FileNow,
  type FileRevert,
  type KeptHunk,
  keptIn,
  type NotRead,
  planRevert,
  type RevertPlan,
} from '../../review/proposals/revertPlan.ts';
import { askInDialog, showWarning, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { isReadOnly } from '../workspace/fileKinds.ts';
import { isOpenAsNotebook } from '../workspace/notebookTexts.ts';
import { findDocument } from '../workspace/textSources.ts';
import type { OpenPlace } from '../workspace/workspaceBoundary.ts';
import { confirmPlace, createEditSeries, isStillConfirmed } from './editConfirmation.ts';
import type { MissingFiles } from './missingFiles.ts';
import { lineEndIn } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import { toTextEdits } from './textEdits.ts';
import { applyEdit } from './writtenEdits.ts';

const t = vscode.l10n.t;

/** The result of a revert. */
export interface Reverted {
  /** The number of hunks that were taken back, and the number of their files. */
  readonly hunks: number;
  readonly files: number;
  readonly kept: readonly KeptHunk[];
}

export interface RevertEdits {
  /** Takes back the accepted hunks of proposals. Undefined if the user closed a dialog, or if the files couldn't be written. */
  revert(proposalIds: readonly string[]): Promise<Reverted | undefined>;
}

export interface RevertEditsDeps {
  readonly proposals: Pick<Proposals, 'get' | 'change'>;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
}

type Document = vscode.TextDocument | NotRead;

export function createRevertEdits({ proposals, missing }: RevertEditsDeps): RevertEdits {
  const listed = (ids: readonly string[]) => ids.flatMap((id) => proposals.get(id) ?? []);

  async function openDocument(uri: string): Promise<Document> {
    const place = vscode.Uri.parse(uri);
    // Opening an untitled document that was closed would create one.
    const isClosed = place.scheme === 'untitled' && findDocument(place) === undefined;
    if (isClosed || (await missing.isMissing(uri))) return 'missing';
    if (await isReadOnly(place)) return 'read-only';
    return vscode.workspace.openTextDocument(place).then(
      (document) => document,
      () => 'unreadable' as const,
    );
  }

  /** The plan for the current files, and their documents. */
  async function plan(ids: readonly string[]) {
    const documents = new Map<string, Document>();
    const findUnopened = () =>
      listed(ids)
        .flatMap(({ files }) => files)
        .find(({ uri }) => !documents.has(uri));
    // Looked for after each one, because opening a cell opens its notebook, which gives all cells other URIs.
    for (let next = findUnopened(); next !== undefined; next = findUnopened())
      documents.set(next.uri, await openDocument(next.uri));
    // Nothing is awaited until the edit is applied, because the positions must fit the current documents.
    const made = planRevert(listed(ids), (uri) =>
      isOpenAsNotebook(uri) ? 'notebook' : toNow(documents.get(uri)),
    );
    return { made: withoutDirty(made, documents), documents };
  }

  /** Updates the proposals after the edit. Hunks that were rejected meanwhile stay rejected. */
  function follow({ uri, files }: FileRevert): void {
    for (const { proposalId, file } of files)
      proposals.change(proposalId, uri, (now) => withRejected(file, rejectedIn(now)));
  }

  return {
    async revert(ids) {
      const first = await plan(ids);
      const confirmed = await confirmAll(first.made);
      if (confirmed === undefined) return undefined;
      // Files may have been changed, closed, or deleted while the dialogs were open.
      const { made, documents } = await plan(ids);
      const files = made.files.filter((file) => confirmed.some((one) => isSame(one, file)));
      const left = made.files.filter((file) => !files.includes(file));
      const refused = left.flatMap((file) =>
        keptIn(file, first.made.files.some((one) => isSame(one, file)) ? 'refused' : 'changed'),
      );
      const locked = files.length === 0 ? [] : await write(files, documents);
      if (locked === undefined) {
        void showWarning(
          t('The edits were not reverted because a file is read-only or was just modified. Try again.'),
        );
        return undefined;
      }
      const written = files.filter((file) => !locked.includes(file));
      written.forEach(follow);
      const hunks = written.reduce((sum, { parts }) => sum + parts.length, 0);
      const readOnly = locked.flatMap((file) => keptIn(file, 'read-only'));
      return { hunks, files: written.length, kept: [...made.kept, ...refused, ...readOnly] };
    },
  };
}

const toNow = (document: Document | undefined): FileNow | NotRead => {
  if (document === undefined || typeof document === 'string') return document ?? 'missing';
  return { text: document.getText(), lineEnd: lineEndIn(document) };
};

/** The plan without deleting files that have unsaved changes, because the files on disk have another text. */
function withoutDirty(plan: RevertPlan, documents: ReadonlyMap<string, Document>): RevertPlan {
  const isDirty = ({ uri, next }: FileRevert) => {
    const document = documents.get(uri);
    return next === undefined && typeof document === 'object' && document.isDirty;
  };
  return {
    ...plan,
    files: plan.files.filter((file) => !isDirty(file)),
    kept: [...plan.kept, ...plan.files.filter(isDirty).flatMap((file) => keptIn(file, 'changed'))],
  };
}

const isSame = (a: FileRevert, b: FileRevert): boolean =>
  a.uri === b.uri && a.text === b.text && a.next === b.next;

const rejectedIn = ({ hunks }: FileProposal): ReadonlySet<string> =>
  new Set(hunks.filter(({ state }) => state === 'rejected').map(({ hunk }) => hunk.id));

/**
 * Asks the user where the access policy requires it, as for accepting, and before files are deleted.
 *
 * @returns the files that may be written; undefined if the user doesn't want to delete files
 */
async function confirmAll({ files }: RevertPlan): Promise<readonly FileRevert[] | undefined> {
  const deleted = files.filter(({ next }) => next === undefined);
  if (deleted.length > 0 && !(await confirmDeletion(deleted))) return undefined;
  const confirmed: { readonly file: FileRevert; readonly place: OpenPlace }[] = [];
  const series = createEditSeries(files.length);
  for (const file of files) {
    const place = await confirmPlace({ uri: vscode.Uri.parse(file.uri), parts: file.parts }, series);
    if (place !== undefined) confirmed.push({ file, place });
  }
  const there = await Promise.all(confirmed.map(({ place }) => isStillConfirmed(place, series)));
  series.end();
  return confirmed.flatMap(({ file }, at) => (there[at] ? [file] : []));
}

async function confirmDeletion(files: readonly FileRevert[]): Promise<boolean> {
  const remove = t('Delete and Revert');
  const title = plural(
    t(
      '{0, plural, one {Delete # file that an accepted edit created?} other {Delete # files that accepted edits created?}}',
    ),
    files.length,
  );
  const names = files.map(({ label }) => withoutLinks(label)).join('\n');
  return (await askInDialog(title, names, t('Keep Files'), remove)) === remove;
}

/** Writes the files. Returns those that can't be saved and got their previous text back; undefined if nothing was written. */
async function write(
  files: readonly FileRevert[],
  documents: ReadonlyMap<string, Document>,
): Promise<readonly FileRevert[] | undefined> {
  const open = [...documents.values()].filter((one) => typeof one === 'object');
  const locked = await applyEdit(toWorkspaceEdit(files, documents), open);
  return locked && files.filter(({ uri }) => locked.some((document) => document === documents.get(uri)));
}

function toWorkspaceEdit(
  files: readonly FileRevert[],
  documents: ReadonlyMap<string, Document>,
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, next, edits } of files) {
    const document = documents.get(uri);
    if (document === undefined || typeof document === 'string') continue;
    if (next === undefined) edit.deleteFile(document.uri, { ignoreIfNotExists: true });
    else edit.set(document.uri, toTextEdits(document, edits));
  }
  return edit;
}
