/** Holds the proposals of this workspace, with the state of each hunk. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ANYWHERE, type Succession, withBeside } from '../../review/proposals/besideProposals.ts';
import { isAtOrBelow, withClosed, withGone, withTextNow } from '../../review/proposals/fileChanges.ts';
import {
  type FileProposal,
  isUndecided,
  type Proposal,
  withFile,
  withoutDisplaced,
  withRejected,
  withReopened,
  withReplaced,
} from '../../review/proposals/proposal.ts';
import {
  followedFiles,
  lastAcceptedIn,
  lastRejectedIn,
  reviewsOfFile,
  type UnderReview,
  underReviewIn,
  withFileChanged,
  withFilesRenamed,
  withProposal,
} from '../../review/proposals/proposalSet.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { createCellNumbering, type KeptCells } from './cellNumbering.ts';
import { type FollowedDocumentsDeps, followDocuments } from './followedDocuments.ts';
import { withOpenText } from './proposalFiles.ts';
import type { ProposalStore } from './proposalStore.ts';
import { withLabels } from './storedLabels.ts';

/** The fields of a new proposal. */
export type NewProposal = Pick<Proposal, 'turnId' | 'conversationId' | 'files' | 'trouble' | 'revises'>;

export interface ProposalChange {
  /** The turns whose proposals have changed. */
  readonly turnIds: readonly string[];
  /** The URIs of the files whose hunks have changed. */
  readonly uris: readonly string[];
}

export interface Proposals extends vscode.Disposable {
  readonly onDidChange: vscode.Event<ProposalChange>;
  get(id: string): Proposal | undefined;
  /** The proposals of a turn, oldest first. */
  ofTurn(turnId: string): readonly Proposal[];
  /** The proposals of a conversation, oldest first. */
  ofConversation(conversationId: string): readonly Proposal[];
  /** The proposals under review in a file, oldest first. Their hunks don't overlap. */
  ofFile(uri: string): readonly UnderReview[];
  /** All files under review, oldest proposal first. */
  underReview(): readonly UnderReview[];
  /** The last file of a proposal with rejected hunks that has this URI. */
  rejectedIn(uri: string): UnderReview | undefined;
  /** All files with hunks, undecided or accepted. */
  followed(): readonly FileProposal[];
  /**
   * Adds a proposal, and moves its hunks to their places in the current documents. It replaces the proposals under review in the
   * files that it changes, except those that stay beside it according to `by`.
   */
  add(fresh: NewProposal, by?: Succession): Proposal;
  /**
   * Puts a replaced file, or else the rejected hunks of a file, under review again in the current text. They replace hunks under
   * review that they meet. Does nothing if the conversation was deleted.
   */
  reopen(id: string, uri: string): void;
  reject(id: string, uri: string, hunkIds: ReadonlySet<string>): void;
  /** Changes the state of a file in a proposal. */
  change(id: string, uri: string, change: (file: FileProposal) => FileProposal): void;
  /** Called when a file or folder was renamed. */
  rename(from: vscode.Uri, to: vscode.Uri): void;
}

export interface ProposalsDeps {
  readonly store: ProposalStore;
  /** The IDs of all existing conversations. */
  readonly listed: () => ReadonlySet<string>;
  /** Fires when conversations are added or deleted. */
  readonly onDidList: (listener: () => void) => vscode.Disposable;
  /** Called with new URIs, by the previous ones: for cells of a notebook that is opened again, and for a closed untitled document. */
  readonly onMoved?: (now: ReadonlyMap<string, string>) => void;
  readonly cells?: KeptCells;
}

export function createProposals(deps: ProposalsDeps): Proposals {
  const { store, listed, onDidList, onMoved } = deps;
  const changed = new vscode.EventEmitter<ProposalChange>();
  let all: readonly Proposal[] = store.load().map(withLabels);

  const get = (id: string) => all.find((one) => one.id === id);

  function put(next: Proposal, isStored = false): void {
    const before = get(next.id);
    if (before === next) return;
    if (before === undefined) cachedIds = undefined;
    all = withProposal(all, next);
    if (!isStored) store.save(next);
    changed.fire({ turnIds: [next.turnId], uris: next.files.map(({ uri }) => uri) });
  }

  function change(id: string, uri: string, how: (file: FileProposal) => FileProposal): void {
    const known = get(id);
    if (known !== undefined) put(withFile(known, uri, how));
  }

  /** Updates the proposals of a file after its text was changed by the user, an extension, undo, or on disk. */
  const update: FollowedDocumentsDeps['update'] = (uri, how, isStep) => {
    for (const proposal of withFileChanged(all, uri, how, isListed, isStep)) put(proposal);
  };

  const cells = createCellNumbering(
    () => [
      ...underReviewIn(all.filter(isListed)).map(({ file }) => file),
      ...all.flatMap(({ files }) => files),
    ],
    (now) => {
      for (const proposal of all) put(cells.moved(proposal, now));
      onMoved?.(now);
    },
    deps.cells,
  );

  function rename(oldUri: vscode.Uri, newUri: vscode.Uri): void {
    const [from, to] = [oldUri.toString(), newUri.toString()];
    const label = toPath({ uri: newUri });
    cells.rename(oldUri, newUri);
    for (const proposal of withFilesRenamed(all, { from, to, label }, isListed)) put(proposal);
    // The documents already have their new names, and may have been changed together with the rename.
    for (const document of vscode.workspace.textDocuments)
      if (isAtOrBelow(document.uri.toString(), to)) documents.opened(document);
  }

  /** Adds the new proposals and the decisions of other windows. */
  function takeFromOthers(): void {
    const found = store.changedElsewhere(all, (one) => cells.here(withLabels(one), !get(one.id)));
    for (const one of found) put(one, true);
    if (found.length > 0) vscode.workspace.textDocuments.forEach(documents.opened);
  }

  let cachedIds: ReadonlySet<string> | undefined;
  const documents = followDocuments({
    isKnown: (uri) => all.some(({ files }) => files.some((file) => file.uri === uri)),
    update,
    closed(uri) {
      const id = randomUUID();
      for (const proposal of all) put(withClosed(proposal, uri, id));
      onMoved?.(new Map([[uri, `${uri}?${id}`]]));
    },
    numberCells: cells.number,
  });
  const listeners = vscode.Disposable.from(
    documents,
    cells,
    vscode.window.onDidChangeWindowState(({ focused }) => (focused ? takeFromOthers() : store.flush())),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) rename(oldUri, newUri);
    }),
    vscode.workspace.onDidDeleteFiles(({ files: gone }) => {
      for (const { id, files } of all)
        for (const { uri } of files)
          if (gone.some((one) => isAtOrBelow(uri, one.toString()))) change(id, uri, withGone);
    }),
    onDidList(() => {
      const before = cachedIds;
      cachedIds = undefined;
      const now = listedIds();
      const changedOnes = all.filter(
        ({ conversationId: id }) => before !== undefined && before.has(id) !== now.has(id),
      );
      if (changedOnes.length > 0)
        changed.fire({ turnIds: [], uris: changedOnes.flatMap(({ files }) => files.map(({ uri }) => uri)) });
    }),
  );
  vscode.workspace.textDocuments.forEach(documents.opened);

  function listedIds(): ReadonlySet<string> {
    cachedIds ??= listed();
    return cachedIds;
  }

  return {
    onDidChange: changed.event,
    get,
    ofTurn: (turnId) => all.filter((one) => one.turnId === turnId),
    ofConversation: (id) => all.filter(({ conversationId }) => conversationId === id),
    ofFile: (uri) => reviewsOfFile(all.filter(isListed), uri),
    underReview: () => underReviewIn(all.filter(isListed)),
    rejectedIn: (uri) => lastRejectedIn(all.filter(isListed), uri),
    followed: () => followedFiles(all),
    add(fresh, by) {
      // The documents may have changed since they were read, and these changes weren't followed yet.
      const files = fresh.files.map(withOpenText);
      const proposal: Proposal = {
        ...fresh,
        files: by === undefined ? files : files.map((file) => withBeside(file, followingTextOf(file), by)),
        id: randomUUID(),
        // Always later than the previous one, because proposals are sorted by it when they are loaded, and the clock can have been
        // set back.
        createdAt: Math.max(Date.now(), (all.at(-1)?.createdAt ?? 0) + 1),
      };
      // The new proposal is added first, so that there is always one under review.
      put(proposal);
      // A listener may have rejected it. If the conversation was deleted meanwhile, it is hidden, so it replaces nothing.
      const added = get(proposal.id) ?? proposal;
      if (isListed(added))
        for (const other of all) if (other.id !== added.id) put(withReplaced(other, added));
      return added;
    },
    reopen(id, uri) {
      const reopened = get(id);
      if (reopened === undefined || !isListed(reopened)) return;
      change(id, uri, (file) => withOpenText(withReopened(file)));
      for (const other of all) change(other.id, uri, (file) => withoutDisplaced(file, id));
      change(id, uri, (file) =>
        withBeside(
          file,
          followingTextOf(file).filter((one) => one.id !== id),
          ANYWHERE,
        ),
      );
      const file = get(id)?.files.find((one) => one.uri === uri);
      if (file !== undefined && isUndecided(file))
        for (const other of all) if (other.id !== id) put(withReplaced(other, { id, files: [file] }));
    },
    reject(id, uri, hunkIds) {
      change(id, uri, (file) => withRejected(file, hunkIds));
      store.soon();
    },
    change,
    rename,
    dispose: () => vscode.Disposable.from(listeners, store, changed).dispose(),
  };

  /** The proposals whose hunks follow the current text of a file: those under review, and accepted ones that undo may open. */
  function followingTextOf({ uri, text, lineEnd, isNew }: FileProposal): readonly Proposal[] {
    const shown = reviewsOfFile(all.filter(isListed), uri).map(({ proposal }) => proposal.id);
    // A file that isn't open may have been changed by other programs since. A new file has no text.
    if (!isNew) for (const id of shown) change(id, uri, (file) => withTextNow(file, text, lineEnd));
    const accepted = lastAcceptedIn(all, uri);
    return all.filter((one) => shown.includes(one.id) || accepted.includes(one));
  }

  /** The proposals of a deleted conversation are hidden. They are shown again when the deletion is undone. */
  function isListed({ conversationId }: Proposal): boolean {
    return listedIds().has(conversationId);
  }
}
