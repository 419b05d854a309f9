/** Follows what happens to the text of documents with hunks: edits, undo and redo, and text that changed before they were opened. */
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
  /** Changes a file in the proposals that follow its text, and in those for which the change is a step that they know. */
  update(
    uri: string,
    how: (file: FileProposal) => FileProposal,
    isStep?: (file: FileProposal) => boolean,
  ): void;
  /** Called with each untitled document that was closed. Another one can get its name. */
  closed(uri: string): void;
  /** Called with each document that was opened, before its text is compared. */
  numberCells(document: vscode.TextDocument): void;
}

export interface FollowedDocuments extends vscode.Disposable {
  /** Takes over the text of a document that was opened, or has another name now. */
  opened(document: vscode.TextDocument): void;
}

/** Follows the documents until it is disposed of. Those that are open already are not looked at. */
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

  /** One that is saved has another URI by now, and one that gets another language is opened again at once. */
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
