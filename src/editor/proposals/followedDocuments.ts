/** Follows changes of documents with hunks: edits, undo and redo, and changes before they were opened. */
import * as vscode from 'vscode';
import type { TextChange } from '../../review/hunks/lineChanges.ts';
import type { ChangeReason } from '../../review/hunks/undoSteps.ts';
import { withTextNow } from '../../review/proposals/fileChanges.ts';
import type { FileProposal } from '../../review/proposals/proposal.ts';
import { isKnownStep, withChanges } from '../../review/proposals/proposalTextChanges.ts';
import { findDocument } from '../workspace/textSources.ts';
import { lineEndIn } from './proposalFiles.ts';

export interface FollowedDocumentsDeps {
  /** Whether any proposal has the file. */
  isKnown(uri: string): boolean;
  /**
   * Changes a file in the proposals that follow its text. `isStep` says whether the change is an undo or redo step that a proposal
   * knows, so that it follows, too.
   */
  update(
    uri: string,
    how: (file: FileProposal) => FileProposal,
    isStep?: (file: FileProposal) => boolean,
  ): void;
  /** Called with the URI of each untitled document that was closed. A new one can get the same name. */
  closed(uri: string): void;
  /** Called with each document that was opened, before its text is compared. */
  numberCells(document: vscode.TextDocument): void;
}

export interface FollowedDocuments extends vscode.Disposable {
  /** Updates the hunks of a document that was opened or renamed. */
  opened(document: vscode.TextDocument): void;
}

/** Follows documents until it is disposed of. Documents that are already open aren't compared. */
export function followDocuments(deps: FollowedDocumentsDeps): FollowedDocuments {
  const { isKnown, update, closed, numberCells } = deps;
  const changed = ({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent) => {
    const uri = document.uri.toString();
    if (contentChanges.length === 0 || !isKnown(uri)) return;
    const changes = contentChanges.map(toTextChange);
    const text = document.getText();
    const lineEnd = lineEndIn(document);
    const why = toReason(reason);
    update(
      uri,
      (file) =>
        file.isNew ? withTextNow(file, text, lineEnd) : withChanges(file, changes, text, lineEnd, why),
      (file) => isKnownStep(file, changes, text, why),
    );
  };

  const opened = (document: vscode.TextDocument) => {
    numberCells(document);
    const uri = document.uri.toString();
    if (!isKnown(uri)) return;
    const text = document.getText();
    const lineEnd = lineEndIn(document);
    update(uri, (file) => withTextNow(file, text, lineEnd));
  };

  /** Checked later: a document that is saved has another URI by then, and one whose language changes is opened again at once. */
  const lookIfClosed = (uri: vscode.Uri) => {
    if (findDocument(uri) === undefined) closed(uri.toString());
  };

  const listeners = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
      if (isUntitled) setTimeout(lookIfClosed, 0, uri);
    }),
  );
  return { opened, dispose: () => listeners.dispose() };
}

function toReason(reason: vscode.TextDocumentChangeReason | undefined): ChangeReason {
  if (reason === vscode.TextDocumentChangeReason.Undo) return 'undo';
  return reason === vscode.TextDocumentChangeReason.Redo ? 'redo' : 'edit';
}

function toTextChange(change: vscode.TextDocumentContentChangeEvent): TextChange {
  return { offset: change.rangeOffset, removed: change.rangeLength, inserted: change.text };
}
