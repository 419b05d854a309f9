/** Holds the findings of reviews. They are placed when an answer is complete, moved with the text, and saved for the next session. */
import * as vscode from 'vscode';
import type { Placement } from '../../review/findings/findingPlacement.ts';
import {
  decodeStoredReviews,
  openUris,
  type StoredReview,
  withFindings,
  withRenamedReviews,
} from '../../review/findings/storedFindings.ts';
import { describeWrong } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { createMarkedCells, markedIn } from '../proposals/markedCells.ts';
import type { MovedFiles } from '../proposals/movedFiles.ts';
import type { Storage } from '../storage/storage.ts';
import { createMissingLooks } from '../workspace/deletedFiles.ts';
import { type AnsweredReviewsDeps, followAnsweredReviews } from './answeredReviews.ts';
import { type OpenFinding, toOpenFindings } from './openFindings.ts';
import { joinAll, keepOpen, type LastPlace, placedAgain, shifted } from './placedFindings.ts';

export interface Findings extends vscode.Disposable {
  /** All open findings of conversations and files that exist. */
  list(): readonly OpenFinding[];
  find(id: string): OpenFinding | undefined;
  /** Whether a finding is open, also if its conversation or its file was deleted. */
  isOpen(id: string): boolean;
  dismiss(id: string): void;
  /** The placements of a turn's findings, in the order of its answer; undefined before they are placed. */
  placementsOf(turnId: string): readonly Placement[] | undefined;
  /** Fires when the list or the place of a finding changes. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires with the ID of a turn when its findings were placed. */
  readonly onDidPlace: vscode.Event<string>;
}

export interface FindingsDeps extends AnsweredReviewsDeps {
  readonly conversations: AnsweredReviewsDeps['conversations'] & Pick<Conversations, 'list'>;
  /** The state that all windows of the folder share. */
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly moved: Pick<MovedFiles, 'follow'>;
  readonly storage: Pick<Storage, 'purged'>;
}

const KEY = 'k3.findings';

/** The pause in typing after which findings are placed again, in milliseconds. */
const SETTLE_MS = 250;

export function createFindings(deps: FindingsDeps): Findings {
  const { conversations, state, moved, storage, log } = deps;
  const changed = new vscode.EventEmitter<void>();
  const placed = new vscode.EventEmitter<string>();
  const unsettled = new Map<string, NodeJS.Timeout>();
  const stale = new Set<string>();
  /** The last known places, by the IDs of the findings. */
  const lastPlaces = new Map<string, LastPlace>();
  /** The URIs of deleted files. Their findings are shown again when the files are back. */
  const missing = new Set<string>();
  const read = (): readonly StoredReview[] =>
    decodeStoredReviews(state.get<unknown>(KEY), (wrong) =>
      log.warn(`findings that were kept cannot be read: ${describeWrong(wrong)}`),
    ).filter(({ conversationId }) => !storage.purged.has(conversationId));
  const cells = createMarkedCells();
  let reviews = withFindings(read(), cells.fromEarlier);
  function save(closing?: vscode.NotebookDocument): void {
    reviews = withFindings(reviews, (one) => cells.toStored(one, closing));
    inBackground(log, state.update(KEY, reviews), 'keeping the findings');
  }

  function put(next: readonly StoredReview[]): void {
    reviews = next;
    keepOpen(lastPlaces, next);
    save();
    changed.fire();
  }

  /** Reads the findings again, because another window can have added, dismissed, or moved some. */
  function readAgain(): void {
    // Saved first, so that moves in this window are included.
    save();
    const [before, known] = [JSON.stringify(reviews), new Set(reviews.map(({ turnId }) => turnId))];
    const next = withFindings(read(), cells.fromStored);
    if (JSON.stringify(next) === before) return;
    reviews = next;
    settleAll();
    changed.fire();
    for (const { turnId } of next) if (!known.has(turnId)) placed.fire(turnId);
  }

  function list(): readonly OpenFinding[] {
    const listed = new Set(conversations.list().map(({ id }) => id));
    return reviews
      .filter(({ conversationId }) => listed.has(conversationId))
      .flatMap((review) =>
        review.findings.flatMap((kept) => toOpenFindings(kept, review, stale.has(kept.id))),
      )
      .filter(({ uri }) => !missing.has(uri.toString()));
  }

  const files = () => openUris(reviews).map((uri) => ({ uri }));
  const isReviewed = (uri: string) => openUris(reviews).includes(uri);

  /** Moves the findings immediately, so that they stay on their lines while the user types above them. */
  function textChanged({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const uri = document.uri.toString();
    if (contentChanges.length === 0 || !isReviewed(uri)) return;
    reviews = withFindings(reviews, (one) => {
      if (one.uri !== uri) return one;
      const [kept, last] = shifted(one, lastPlaces.get(one.id), contentChanges);
      if (last !== undefined) lastPlaces.set(one.id, last);
      return kept;
    });
    changed.fire();
    clearTimeout(unsettled.get(uri));
    unsettled.set(uri, setTimeout(settle, SETTLE_MS, document));
  }

  /** Places each finding of a document again, and marks those as stale whose quoted code is no longer found. */
  function settle(document: vscode.TextDocument): void {
    const [uri, text] = [document.uri.toString(), document.getText()];
    unsettled.delete(uri);
    const next = withFindings(reviews, (kept) => {
      if (kept.uri !== uri || kept.state !== 'open' || !kept.placement.placed) return kept;
      const { kept: now, found } = placedAgain(kept, lastPlaces.get(kept.id), text);
      if (found && now.placement.placed) lastPlaces.set(kept.id, { text, lines: now.placement });
      if (found) stale.delete(kept.id);
      else stale.add(kept.id);
      return now;
    });
    put(next);
  }

  function rename(from: vscode.Uri, to: vscode.Uri): void {
    const next = withRenamedReviews(reviews, from.toString(), to.toString());
    if (next === reviews) return;
    reviews = next;
    // Files without findings aren't checked, so their entries are removed: they may get findings again.
    for (const uri of missing) if (!isReviewed(uri)) missing.delete(uri);
    put(next);
  }
  function moveAtOnce(now: ReadonlyMap<string, string>): void {
    const next = withFindings(reviews, (kept) => cells.moved(kept, now));
    if (JSON.stringify(next) === JSON.stringify(reviews)) return;
    for (const uri of now.values()) if (uri.startsWith('untitled:')) missing.add(uri);
    put(next);
  }
  const marked = () => markedIn(reviews.flatMap(({ findings }) => findings));
  moved.follow({ files, cells: marked, move: rename, moveAtOnce });
  // Notebooks that are already open aren't reported anymore, so their cells are looked for here.
  reviews = withFindings(reviews, (one) => cells.moved(one));
  const looks = createMissingLooks({
    files: () => files().map(({ uri }) => ({ uri, missing: missing.has(uri) })),
    looked(uri, isMissing) {
      if (missing.has(uri) === isMissing) return;
      if (isMissing) missing.add(uri);
      else missing.delete(uri);
      changed.fire();
    },
    log,
  });

  const settleIfReviewed = (document: vscode.TextDocument) =>
    isReviewed(document.uri.toString()) && settle(document);
  const settleAll = () => vscode.workspace.textDocuments.forEach(settleIfReviewed);
  settleAll();

  const listening = vscode.Disposable.from(
    looks,
    followAnsweredReviews(
      deps,
      () => reviews,
      (next, turnId) => {
        put(next);
        settleAll();
        placed.fire(turnId);
      },
    ),
    conversations.onDidChange((change) => {
      // Findings of a deleted conversation are hidden. They are shown again when the deletion is undone.
      if (change.type === 'listed' && reviews.length > 0) changed.fire();
    }),
    vscode.workspace.onDidChangeTextDocument(textChanged),
    vscode.workspace.onDidOpenTextDocument(settleIfReviewed),
    vscode.workspace.onDidCloseNotebookDocument(save),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => joinAll(lastPlaces, reviews, uri.toString())),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && readAgain()),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) rename(oldUri, newUri);
    }),
  );

  return {
    list,
    find: (id) => list().find((one) => one.id === id),
    isOpen: (id) =>
      reviews.some(({ findings }) => findings.some((kept) => kept.id === id && kept.state === 'open')),
    dismiss: (id) =>
      put(withFindings(reviews, (kept) => (kept.id === id ? { ...kept, state: 'dismissed' } : kept))),
    placementsOf: (turnId) =>
      reviews.find((one) => one.turnId === turnId)?.findings.map(({ placement }) => placement),
    onDidChange: changed.event,
    onDidPlace: placed.event,
    dispose() {
      listening.dispose();
      for (const timer of unsettled.values()) clearTimeout(timer);
      save();
      changed.dispose();
      placed.dispose();
    },
  };
}
