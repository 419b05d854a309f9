/** The proposals of this workspace, and what has become of each of their hunks. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { TextChange } from '../../review/anchors.ts';
import {
  type FileProposal,
  isUndecided,
  isUnderReview,
  type Proposal,
  withChanges,
  withCreated,
  withFile,
  withRejected,
  withRenamed,
  withReplaced,
  withText,
} from '../../review/proposal.ts';
import type { ProposalStore } from './proposalStore.ts';

/** What a proposal is made of when it is new. */
export type NewProposal = Pick<Proposal, 'turnId' | 'conversationId' | 'files' | 'trouble' | 'revises'>;

export interface ProposalChange {
  /** The answers whose proposals are others now. */
  readonly turnIds: readonly string[];
  /** The files whose hunks are others now; `undefined` for any. */
  readonly uris: readonly string[];
}

/** A file with changes to decide about, and the proposal that it belongs to. */
export interface UnderReview {
  readonly proposal: Proposal;
  readonly file: FileProposal;
}

export interface Proposals extends vscode.Disposable {
  readonly onDidChange: vscode.Event<ProposalChange>;
  get(id: string): Proposal | undefined;
  /** The proposals of an answer, oldest first. */
  ofTurn(turnId: string): readonly Proposal[];
  /** What is under review in a file; one proposal at a time. */
  ofFile(uri: string): UnderReview | undefined;
  /** All that is under review, oldest proposal first. */
  underReview(): readonly UnderReview[];
  /** Puts a new one. What was under review in the files that it changes is replaced. */
  add(fresh: NewProposal): Proposal;
  reject(id: string, uri: string, hunkIds: ReadonlySet<string>): void;
  /** Puts a file of a proposal in another state. */
  change(id: string, uri: string, change: (file: FileProposal) => FileProposal): void;
}

export interface ProposalsDeps {
  readonly store: ProposalStore;
  /** The ids of all conversations that are there. */
  readonly listed: () => ReadonlySet<string>;
  /** Tells when conversations came or went. */
  readonly onDidList: (listener: () => void) => vscode.Disposable;
}

export function createProposals({ store, listed, onDidList }: ProposalsDeps): Proposals {
  const changed = new vscode.EventEmitter<ProposalChange>();
  let all: readonly Proposal[] = store.load();

  const get = (id: string) => all.find((one) => one.id === id);

  function put(next: Proposal): void {
    const before = get(next.id);
    if (before === next) return;
    if (before === undefined) kept = undefined;
    all = before === undefined ? [...all, next] : all.map((one) => (one.id === next.id ? next : one));
    store.save(next);
    changed.fire({ turnIds: [next.turnId], uris: next.files.map(({ uri }) => uri) });
  }

  function change(id: string, uri: string, how: (file: FileProposal) => FileProposal): void {
    const proposal = get(id);
    if (proposal !== undefined) put(withFile(proposal, uri, how));
  }

  /** A file's text is another: by the keyboard, by another extension, by undo, or on the disk. */
  function update(uri: string, how: (file: FileProposal) => FileProposal): void {
    const followed = all.filter(({ files }) => files.some((file) => file.uri === uri));
    // What was decided last may be undone; what was decided before that, and replaced, is done with.
    const decided = followed.findLast((proposal) => !isUnderReview(proposal));
    for (const proposal of followed) {
      if (proposal === decided || isUnderReview(proposal)) put(withFile(proposal, uri, how));
    }
  }

  const isKnown = (uri: string) => all.some(({ files }) => files.some((file) => file.uri === uri));

  const textChanged = ({ document, contentChanges }: vscode.TextDocumentChangeEvent) => {
    const uri = document.uri.toString();
    if (contentChanges.length === 0 || !isKnown(uri)) return;
    const changes = contentChanges.map(toTextChange);
    const text = document.getText();
    update(uri, (file) => (file.isNew ? withCreated(file, text) : withChanges(file, changes, text)));
  };

  const documentOpened = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    if (!isKnown(uri)) return;
    const text = document.getText();
    update(uri, (file) => (file.isNew ? withCreated(file, text) : withText(file, text)));
  };

  function renamed({ files }: vscode.FileRenameEvent): void {
    for (const { oldUri, newUri } of files) {
      const [from, to] = [oldUri.toString(), newUri.toString()];
      for (const proposal of all)
        put(withRenamed(proposal, from, to, vscode.workspace.asRelativePath(newUri)));
    }
  }

  let kept: ReadonlySet<string> | undefined;
  const listeners = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(textChanged),
    vscode.workspace.onDidOpenTextDocument(documentOpened),
    vscode.workspace.onDidRenameFiles(renamed),
    onDidList(() => {
      const before = kept;
      kept = undefined;
      const now = keptIds();
      const changedOnes = all.filter(
        ({ conversationId }) =>
          before !== undefined && before.has(conversationId) !== now.has(conversationId),
      );
      if (changedOnes.length > 0)
        changed.fire({ turnIds: [], uris: changedOnes.flatMap(({ files }) => files.map(({ uri }) => uri)) });
    }),
  );
  vscode.workspace.textDocuments.forEach(documentOpened);

  function keptIds(): ReadonlySet<string> {
    kept ??= listed();
    return kept;
  }

  return {
    onDidChange: changed.event,
    get,
    ofTurn: (turnId) => all.filter((one) => one.turnId === turnId),
    ofFile: (uri) => underReview().findLast(({ file }) => file.uri === uri),
    underReview,
    add(fresh) {
      const proposal: Proposal = {
        ...fresh,
        id: randomUUID(),
        createdAt: Date.now(),
      };
      // First the new one: in between there is always something under review.
      put(proposal);
      for (const other of all) if (other !== proposal) put(withReplaced(other, proposal));
      return proposal;
    },
    reject: (id, uri, hunkIds) => change(id, uri, (file) => withRejected(file, hunkIds)),
    change,
    dispose() {
      listeners.dispose();
      store.dispose();
      changed.dispose();
    },
  };

  /** A conversation that was deleted takes its reviews out of sight; taken back, it brings them back. */
  function underReview(): readonly UnderReview[] {
    return all
      .filter(({ conversationId }) => keptIds().has(conversationId))
      .flatMap((proposal) => proposal.files.filter(isUndecided).map((file) => ({ proposal, file })));
  }
}

function toTextChange(change: vscode.TextDocumentContentChangeEvent): TextChange {
  return { offset: change.rangeOffset, removed: change.rangeLength, inserted: change.text };
}
