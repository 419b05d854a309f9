/** Goes to the hunks under review, and shows them in their files. */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { isUndecidedHunk } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import { activeEditor, documentInFront, editorInFront, type LastEditor } from '../base/lastEditor.ts';
import { showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import { findDocument, isCell, notebookOf } from '../workspace/textSources.ts';
import { type CurrentFile, currentFile, placeToShow } from './currentFile.ts';
import { linesOfHunk } from './hunkLines.ts';
import type { FoundHunk, HunkTarget } from './hunkTargets.ts';
import type { MissingFiles } from './missingFiles.ts';
import { openProposalDiff, type ProposalDocuments, proposalIn } from './proposalDocuments.ts';
import type { Proposals } from './proposalList.ts';
import type { ProposalThreads } from './proposalThreads.ts';
import { showMissing } from './reviewNotes.ts';

const t = vscode.l10n.t;

export interface HunkNavigation {
  /** Goes to the next or previous hunk in all files. After the last hunk comes the first. Skips deleted files. */
  goToHunk(direction: 1 | -1): Promise<void>;
  /** The hunk to which `goToHunk(1)` would go, if its file can be opened. */
  next(): FoundHunk | undefined;
  /**
   * The hunk that was shown last, if it is undecided and the cursor is still where it was put. Another hunk can begin on the same
   * line.
   */
  shown(): FoundHunk | undefined;
  /** Shows a hunk in its file. False if the file was deleted or can't be opened. */
  reveal(proposalId: string, uri: string, hunkId: string): Promise<boolean>;
  /** Shows a file. Undefined if it was deleted or can't be opened. */
  showFile(current: CurrentFile): Promise<vscode.TextEditor | undefined>;
  /** Shows a message that says why a file couldn't be shown. */
  showNotOpened(file: UnderReview): void;
}

export interface HunkNavigationDeps {
  readonly proposals: Pick<Proposals, 'get' | 'underReview'>;
  readonly documents: Pick<ProposalDocuments, 'fileIn'>;
  readonly threads: Pick<ProposalThreads, 'expand'>;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
}

export function createHunkNavigation({
  proposals,
  documents,
  threads,
  missing,
  lastEditor,
}: HunkNavigationDeps): HunkNavigation {
  /** The hunk that was shown last, and the line at which the cursor was put. */
  let last: (HunkTarget & { readonly line: number }) | undefined;

  const openHunks = () =>
    inOrder(proposals.underReview()).filter(({ file, one }) => !file.missing && isUndecidedHunk(one));

  /** Whether the cursor is where the last hunk was shown. */
  const isAtLast = (editor: vscode.TextEditor | undefined): editor is vscode.TextEditor =>
    editor?.document.uri.toString() === last?.uri && editor?.selection.active.line === last?.line;

  function shownIn(
    editor: vscode.TextEditor | undefined,
    stops: readonly FoundHunk[],
  ): FoundHunk | undefined {
    const shown = editor?.document.uri;
    // A new file is only shown in the diff of its proposal.
    const diff = shown && [proposalIn(shown), documents.fileIn(shown)?.uri].join(' ');
    const created = stops.find(({ proposal, file }) => file.isNew && `${proposal.id} ${file.uri}` === diff);
    if (created !== undefined || !isAtLast(editor)) return created;
    return stops.find((stop) => isTargeted(stop, last) && lineOf(editor.document, stop.one) === last?.line);
  }

  function hunkFrom(direction: 1 | -1, skipped: ReadonlySet<string>): FoundHunk | undefined {
    const stops = openHunks().filter(({ file }) => !skipped.has(file.uri));
    const cell = editorInFront() === undefined ? documentInFront() : undefined;
    const fromCell = cell && stopFromCell(cell, stops, direction, last);
    if (fromCell !== undefined) return fromCell;
    // The focus can be in a comment box, so this isn't always `activeTextEditor`.
    const editor = activeEditor(lastEditor);
    const shown = shownIn(editor, stops);
    if (shown !== undefined) return stops[(stops.indexOf(shown) + direction + stops.length) % stops.length];
    const diffed = editor && documents.fileIn(editor.document.uri)?.uri;
    return stops[nextIndex(editor, stops, direction, diffed, isAtLast(editor))];
  }

  async function goToHunk(direction: 1 | -1): Promise<void> {
    const skipped = new Set<string>();
    for (;;) {
      const next = hunkFrom(direction, skipped);
      if (next === undefined) {
        const left = proposals.underReview().find(({ file }) => file.missing || skipped.has(file.uri));
        return left === undefined ? showNothingToReview() : showNotOpened(left);
      }
      const current = currentFile(proposals, next.proposal.id, next.file.uri);
      if (await reveal(next.proposal.id, next.file.uri, next.one.hunk.id)) return;
      skipped.add((current() ?? next.file).uri);
    }
  }

  async function reveal(proposalId: string, uri: string, hunkId: string): Promise<boolean> {
    const current = currentFile(proposals, proposalId, uri);
    const file = current();
    const proposal = proposals.get(proposalId);
    if (file === undefined || proposal === undefined) return false;
    if (file.isNew) return openProposalDiff(proposals, { ...proposal, files: [file] }).then(() => true);
    const findHunk = () => current()?.hunks.find(({ hunk }) => hunk.id === hunkId);
    const editor = await showFile(current, (document) => {
      const one = findHunk();
      return one === undefined ? 0 : lineOf(document, one);
    });
    if (editor === undefined) return false;
    // Opening the document may have moved the hunks.
    const one = findHunk();
    if (one === undefined) return true;
    const line = lineOf(editor.document, one);
    const target = { proposalId, uri: current()?.uri ?? uri, hunkId };
    last = { ...target, line };
    editor.selection = new vscode.Selection(line, 0, line, 0);
    editor.revealRange(
      new vscode.Range(line, 0, line, 0),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
    threads.expand(target);
    // The editor shows no threads of extensions there. See `registerHunkHovers`.
    if (isCell(editor.document.uri)) await vscode.commands.executeCommand('editor.action.showHover');
    return true;
  }

  /** @param toLine returns the line that is selected in a cell */
  async function showFile(
    current: CurrentFile,
    toLine: (document: vscode.TextDocument) => number = () => 0,
  ): Promise<vscode.TextEditor | undefined> {
    const known = current();
    if (known === undefined || (await missing.isMissing(known.uri))) return undefined;
    const place = await placeToShow(current);
    if (place === undefined) return undefined;
    const show = (more: vscode.TextDocumentShowOptions) =>
      vscode.window.showTextDocument(place, { preview: false, ...more });
    // Tried twice, because it also fails if another editor is opened meanwhile. A Markdown cell that is rendered has an editor only if
    // something in it is selected.
    const showAgain = () => {
      const document = isCell(place) ? findDocument(place) : undefined;
      const line = document && toLine(document);
      return show(line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) });
    };
    return show({})
      .then(undefined, showAgain)
      .then(undefined, () => undefined);
  }

  function showNotOpened({ proposal, file }: UnderReview): void {
    const now = proposals.get(proposal.id)?.files.find(({ uri }) => uri === file.uri) ?? file;
    if (now.missing) showMissing(now);
    else void showWarning(t('Couldn’t open {0}.', withoutLinks(now.label)));
  }

  return {
    goToHunk,
    next: () => hunkFrom(1, new Set()),
    shown: () => shownIn(editorInFront(), openHunks()),
    reveal,
    showFile,
    showNotOpened,
  };
}

interface Stop {
  readonly file: { readonly uri: string };
  readonly one: AnchoredHunk;
}

/** The hunks in the order of the files, and from the top within each file, whichever proposal they belong to. */
function inOrder(files: readonly UnderReview[]): readonly FoundHunk[] {
  return [...new Set(files.map(({ file }) => file.uri))].flatMap((uri) =>
    files
      .filter(({ file }) => file.uri === uri)
      .flatMap(({ proposal, file }) => file.hunks.map((one) => ({ proposal, file, one })))
      .toSorted((a, b) => a.one.from - b.one.from),
  );
}

/** Whether a hunk is the target. All three IDs are compared, because hunks of different files can have the same ID. */
const isTargeted = ({ proposal, file, one }: FoundHunk, target: HunkTarget | undefined): boolean =>
  proposal.id === target?.proposalId && file.uri === target.uri && one.hunk.id === target.hunkId;

/** The line at which the cursor is put for a hunk. For lines that are added below the last line, this is the last line. */
const lineOf = (document: vscode.TextDocument, one: AnchoredHunk): number =>
  Math.min(linesOfHunk(document, one).start, document.lineCount - 1);

/**
 * The index of the next or previous hunk from the cursor. In a file without hunks, the index of the first or last hunk. In the diff
 * of a file with hunks, that of the first or last hunk of this file.
 *
 * @param diffed the URI of the file whose diff is in the editor
 * @param isDecided whether the hunk that was shown at the cursor is decided, so that another one on the same line counts
 */
function nextIndex(
  editor: vscode.TextEditor | undefined,
  stops: readonly Stop[],
  direction: 1 | -1,
  diffed: string | undefined,
  isDecided: boolean,
): number {
  const ofFile = (uri: string | undefined) => stops.filter(({ file }) => file.uri === uri);
  const inDiff = ofFile(diffed).at(direction === 1 ? 0 : -1);
  if (inDiff !== undefined) return stops.indexOf(inDiff);
  const here = ofFile(editor?.document.uri.toString());
  if (editor === undefined || here.length === 0) return direction === 1 ? 0 : stops.length - 1;
  const line = editor.selection.active.line;
  const startOf = ({ one }: Stop) => lineOf(editor.document, one);
  const isBeside = (stop: Stop) => isDecided && startOf(stop) === line;
  const next =
    direction === 1
      ? here.find((stop) => startOf(stop) > line || isBeside(stop))
      : here.findLast((stop) => startOf(stop) < line || isBeside(stop));
  if (next !== undefined) return stops.indexOf(next);
  const edge = direction === 1 ? here.at(-1) : here[0];
  return (stops.indexOf(edge ?? (stops[0] as Stop)) + direction + stops.length) % stops.length;
}

/**
 * The next or previous hunk from a selected cell that has no editor: in this cell, unless it is the one that was shown last, in
 * another cell, or else behind the hunks of the notebook. Undefined if no cell has hunks.
 */
function stopFromCell(
  { uri }: vscode.TextDocument,
  stops: readonly FoundHunk[],
  direction: 1 | -1,
  last: HunkTarget | undefined,
): FoundHunk | undefined {
  const uris = (notebookOf(uri)?.getCells() ?? []).map(({ document }) => document.uri.toString());
  const placeOf = ({ file }: Stop) => direction * uris.indexOf(file.uri);
  const here = stops.filter(({ file }) => uris.includes(file.uri));
  const ordered = (direction === 1 ? here : here.toReversed()).toSorted((a, b) => placeOf(a) - placeOf(b));
  const shown = ordered.findIndex((stop) => stop.file.uri === `${uri}` && isTargeted(stop, last));
  const next =
    shown === -1 ? ordered.findIndex((one) => placeOf(one) >= direction * uris.indexOf(`${uri}`)) : shown + 1;
  const edge = ordered.at(-1);
  if (edge === undefined) return undefined;
  return ordered[next] ?? stops[(stops.indexOf(edge) + direction + stops.length) % stops.length];
}

export function showNothingToReview(): void {
  void showInformation(t('There is no proposal to review.'));
}
