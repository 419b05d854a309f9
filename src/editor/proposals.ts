/** The proposals of this workspace, and what has become of each of their hunks. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { TextChange } from '../review/anchors.ts';
import {
  type FileProposal,
  isUnderReview,
  type Proposal,
  withChanges,
  withFile,
  withRejected,
  withText,
} from '../review/proposal.ts';
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
  /** Puts a new one. What was under review in its files is replaced. */
  add(fresh: NewProposal): Proposal;
  reject(id: string, uri: string, hunkIds: ReadonlySet<string>): void;
  /** Puts a file of a proposal in another state. */
  change(id: string, uri: string, change: (file: FileProposal) => FileProposal): void;
}

export interface ProposalsDeps {
  readonly store: ProposalStore;
  /** Tells when a conversation is no longer there. */
  readonly isKept: (conversationId: string) => boolean;
}

export function createProposals({ store, isKept }: ProposalsDeps): Proposals {
  const changed = new vscode.EventEmitter<ProposalChange>();
  let all: readonly Proposal[] = store.load().filter(({ conversationId }) => isKept(conversationId));

  const get = (id: string) => all.find((one) => one.id === id);

  function put(next: Proposal): void {
    const before = get(next.id);
    if (before === next) return;
    all = before === undefined ? [...all, next] : all.map((one) => (one.id === next.id ? next : one));
    store.save(next);
    changed.fire({ turnIds: [next.turnId], uris: next.files.map(({ uri }) => uri) });
  }

  function change(id: string, uri: string, how: (file: FileProposal) => FileProposal): void {
    const proposal = get(id);
    if (proposal !== undefined) put(withFile(proposal, uri, how));
  }

  /** A file's text is another: by the keyboard, by another extension, by undo, or on the disk. */
  function follow(uri: string, how: (file: FileProposal) => FileProposal): void {
    for (const proposal of all) {
      if (proposal.replacedBy === undefined)
        put(withFile(proposal, uri, (file) => (file.isNew ? file : how(file))));
    }
  }

  const textChanged = ({ document, contentChanges }: vscode.TextDocumentChangeEvent) => {
    if (contentChanges.length === 0) return;
    const uri = document.uri.toString();
    if (!all.some(({ files }) => files.some((file) => file.uri === uri))) return;
    const changes = contentChanges.map(toTextChange);
    const text = document.getText();
    follow(uri, (file) => withChanges(file, changes, text));
  };

  const caughtUp = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    if (all.some(({ files }) => files.some((file) => file.uri === uri)))
      follow(uri, (file) => withText(file, document.getText()));
  };

  const listeners = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(textChanged),
    vscode.workspace.onDidOpenTextDocument(caughtUp),
  );
  vscode.workspace.textDocuments.forEach(caughtUp);

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
        replacedBy: undefined,
      };
      const uris = new Set(fresh.files.map(({ uri }) => uri));
      for (const other of all) {
        const meets = isUnderReview(other) && other.files.some(({ uri }) => uris.has(uri));
        if (other.id === fresh.revises || meets) put({ ...other, replacedBy: proposal.id });
      }
      put(proposal);
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

  function underReview(): readonly UnderReview[] {
    return all
      .filter(isUnderReview)
      .flatMap((proposal) => proposal.files.map((file) => ({ proposal, file })));
  }
}

function toTextChange(change: vscode.TextDocumentContentChangeEvent): TextChange {
  return { offset: change.rangeOffset, removed: change.rangeLength, inserted: change.text };
}
