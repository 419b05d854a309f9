/** Creates the question about the changes that a selection in a diff editor touches. */
import * as vscode from 'vscode';
import { sideOfDiff } from '../../access/secretContent.ts';
import type { Question } from '../../conversation/question.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import {
  type SelectedChanges,
  type SelectedSide,
  selectChanges,
} from '../../review/hunks/selectedChanges.ts';
import { linesAroundChanges, toChangesReviewQuestion } from '../../review/questions/changesQuestion.ts';
import type { ReviewQuestion } from '../../review/questions/reviewQuestion.ts';
import { type RevisionQuestions, toRevisionQuestions } from '../../review/questions/revisionQuestion.ts';
import { toChangedFile } from '../workspace/changeText.ts';
import { fileOfRevision } from '../workspace/gitUris.ts';
import { allNamesOf, commitOfDocument } from '../workspace/revisionFiles.ts';
import { linesOfRange } from '../workspace/selectedCode.ts';
import type { SentLines } from '../workspace/sentLines.ts';

export interface DiffReview extends ReviewQuestion {
  readonly origin: NonNullable<Question['origin']>;
  /** The lines of both sides in the question, to ask about those that may contain secrets. */
  readonly unseen: readonly SentLines[];
}

/**
 * The question about the selected changes if the editor is a side of a diff. Undefined if it isn't, or if the selection has no
 * changes. Its text is empty if they must not be sent.
 *
 * @param budget in tokens
 */
export async function toDiffReview(
  { document, selection }: vscode.TextEditor,
  budget: number,
): Promise<DiffReview | undefined> {
  const diff = activeDiff();
  const side = diff && sideOf(diff, document.uri);
  if (diff === undefined || side === undefined) return undefined;
  const [original, modified] = await Promise.all(
    [diff.original, diff.modified].map(async (uri) => vscode.workspace.openTextDocument(uri)),
  );
  if (original === undefined || modified === undefined) return undefined;
  const { start, end } = linesOfRange(selection);
  const selected = { side, startLine: start, endLine: end };
  const changes = selectChanges(original.getText(), modified.getText(), selected);
  return changes && toQuestion(original, modified, changes, budget);
}

function activeDiff(): vscode.TabInputTextDiff | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  // Diffs of proposals are excluded: these are reviewed hunk by hunk.
  const isOurs = input instanceof vscode.TabInputTextDiff && input.modified.scheme.startsWith('k3-');
  return input instanceof vscode.TabInputTextDiff && !isOurs ? input : undefined;
}

function sideOf(
  { original, modified }: vscode.TabInputTextDiff,
  uri: vscode.Uri,
): SelectedSide['side'] | undefined {
  if (modified.toString() === uri.toString()) return 'modified';
  return original.toString() === uri.toString() ? 'original' : undefined;
}

async function toQuestion(
  original: vscode.TextDocument,
  modified: vscode.TextDocument,
  { diff, startLine, endLine }: SelectedChanges,
  budget: number,
): Promise<DiffReview> {
  const file = fileOfRevision(modified.uri);
  const text = modified.getText();
  const path = vscode.workspace.asRelativePath(file);
  const names = await Promise.all([original.uri, modified.uri].map(allNamesOf));
  const changed = await toChangedFile(
    { path, change: 'modified', language: modified.languageId },
    names.flat(),
    async () => ({ diff, text }),
  );
  const hash = commitOfDocument(modified.uri);
  const name = vscode.workspace.getWorkspaceFolder(file)?.name ?? path;
  const revision = hash === undefined ? undefined : { name: 'commit', hash, message: undefined };
  const question =
    revision === undefined
      ? toChangesReviewQuestion(name, [changed], budget, estimateTokens)
      : toRevisionQuestion(toRevisionQuestions(name, revision, [changed], budget, estimateTokens));
  // The user isn't asked about a file that isn't sent.
  const unseen = changed.diff === undefined ? [] : sentSides(original, modified, changed.diff);
  return { ...question, origin: { uri: file.toString(), startLine, endLine }, unseen };
}

/** If there is no question, its file is left out, and nothing of it may be sent. */
const toRevisionQuestion = ({ questions: [first], leftOut }: RevisionQuestions): ReviewQuestion => ({
  text: first?.text ?? '',
  leftOut,
});

/** The lines of both sides in a question, as they are in the files: signs and line numbers would hide a key over several lines. */
function sentSides(
  original: vscode.TextDocument,
  modified: vscode.TextDocument,
  diff: string,
): readonly SentLines[] {
  const [before, now] = [original.getText(), modified.getText()];
  return [
    { uri: original.uri, text: sideOfDiff(diff, '-'), whole: before },
    { uri: modified.uri, text: linesAroundChanges(now, diff), whole: now },
  ];
}
