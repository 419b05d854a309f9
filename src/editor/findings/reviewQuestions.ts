/** Creates the questions of the review commands. Shows a message if there is nothing to ask. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { withWords } from '../../conversation/shownQuestion.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import { isBinaryDiff } from '../../review/edits/unifiedDiff.ts';
import { type ChangedFile, toChangesReviewQuestion } from '../../review/questions/changesQuestion.ts';
import { REVIEW_BUDGET_TOKENS, toCodeReviewQuestion } from '../../review/questions/reviewQuestion.ts';
import type { Say } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { changesOf, readChanges, type Scope } from '../workspace/changes.ts';
import { findRepository, type Repository, refreshState, repositoryName } from '../workspace/git.ts';
import { countLines, linesOfDocument, type SelectedCode, toSelectedCode } from '../workspace/selectedCode.ts';
import type { SentLines } from '../workspace/sentLines.ts';
import { toDiffReview } from './diffReview.ts';

const t = vscode.l10n.t;

export interface Asking {
  /** Additional words of the user; empty if there are none. */
  readonly words: string;
  /** Shows why there is nothing to ask. */
  readonly say: Say;
}

export interface FoundReview {
  /** More than one if there is much to review. */
  readonly questions: readonly Question[];
  /** The files and lines that the questions leave out, to show them to the user. */
  readonly leftOut: readonly string[];
  /** Lines that the user didn't select, about which they may have to be asked before these are sent. */
  readonly unseen: readonly SentLines[];
}

export async function findSelectionReview(
  editor: vscode.TextEditor | undefined,
  { words, say }: Asking,
): Promise<FoundReview | undefined> {
  const changes = editor && (await toDiffReview(editor, REVIEW_BUDGET_TOKENS));
  if (changes !== undefined) {
    const { text, origin, leftOut, unseen } = changes;
    return { questions: [toQuestion(text, t('Review Selection'), origin, words)], leftOut, unseen };
  }
  const code = editor && (await toSelectedCode(editor));
  const unseen =
    code === undefined || code.selected
      ? []
      : [{ uri: code.document.uri, text: code.text, unselected: true as const }];
  const found = toCodeReview(code, t('Review Selection'), unseen, { words, say });
  const more = (code?.more ?? []).map((one) => toCodeReview(one, t('Review Selection'), [], { words, say }));
  const parts = [found, ...more].filter((one) => one !== undefined);
  const leftOut = [...new Set(parts.flatMap((one) => one.leftOut))];
  return found && { questions: parts.flatMap(({ questions }) => questions), leftOut, unseen };
}

export async function findFileReview(
  uri: vscode.Uri | undefined,
  asking: Asking,
): Promise<FoundReview | undefined> {
  return toCodeReview(await codeOfFile(uri), t('Review File'), [], asking);
}

/** @param argument the argument of the command, which can name a repository */
export async function findChangesReview(
  reads: Pick<AllowedReads, 'askForFolder'>,
  argument: unknown,
  { words, say }: Asking,
): Promise<FoundReview | undefined> {
  const repository = await askForRepository(reads, argument, say);
  if (repository === undefined) return undefined;
  await refreshState(repository);
  const scope = await pickScope(repository, say);
  if (scope === undefined) return undefined;
  const files = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.SourceControl, title: t('Reading changes…') },
    (_, token) => readChanges(repository, scope, token),
  );
  if (areUnreadable(files, say)) return undefined;
  const name = repositoryName(repository);
  const { text, leftOut } = toChangesReviewQuestion(name, files, REVIEW_BUDGET_TOKENS, estimateTokens);
  const question = toQuestion(text, t('Review Changes'), undefined, words);
  return { questions: [{ ...question, repository: repository.rootUri.toString() }], leftOut, unseen: [] };
}

/** Whether only binary files have changed, so that there is nothing to review. Shows a message if so. */
export function areUnreadable(files: readonly ChangedFile[], say: Say): boolean {
  // An untracked file has an empty diff. A file that must not be sent has none, and is named in the question.
  const isUnreadable = ({ diff, text }: ChangedFile) =>
    diff === '' ? text === undefined : diff !== undefined && isBinaryDiff(diff);
  if (files.length === 0 || !files.every(isUnreadable)) return false;
  say(t('Only files that aren’t text have changed, so there is nothing to review.'));
  return true;
}

/** The whole text of a file; undefined if it has none. */
async function codeOfFile(uri: vscode.Uri | undefined): Promise<SelectedCode | undefined> {
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  return document === undefined || document.getText().trim() === ''
    ? undefined
    : linesOfDocument(document, 0, countLines(document) - 1);
}

function toCodeReview(
  code: SelectedCode | undefined,
  title: string,
  unseen: readonly SentLines[],
  { words, say }: Asking,
): FoundReview | undefined {
  if (code === undefined) return void say(t('Open a text file to review.'));
  const { document, startLine, endLine } = code;
  const { text, leftOut } = toCodeReviewQuestion(
    { ...code, lineCount: countLines(document) },
    REVIEW_BUDGET_TOKENS,
    estimateTokens,
  );
  const origin = { uri: document.uri.toString(), startLine, endLine };
  return { questions: [toQuestion(text, title, origin, words)], leftOut, unseen };
}

const toQuestion = (text: string, asked: string, origin: Question['origin'], words: string): Question =>
  withWords({ text, asked, images: [], origin, purpose: 'findings' }, words);

/** The repository for a command. Shows a message if there is none, and asks before a folder outside the workspace is read. */
export async function askForRepository(
  reads: Pick<AllowedReads, 'askForFolder'>,
  argument: unknown,
  say: Say,
): Promise<Repository | undefined> {
  const repository = await findRepository(argument, say);
  // The repository may start in a folder above the workspace.
  return repository !== undefined && (await reads.askForFolder(repository.rootUri)) ? repository : undefined;
}

/** Asks the user for a scope if both staged and unstaged changes exist. Undefined when there is none. */
async function pickScope(repository: Repository, say: Say): Promise<Scope | undefined> {
  const staged = changesOf(repository, 'staged').length;
  const unstaged = changesOf(repository, 'unstaged').length;
  if (staged + unstaged === 0) {
    say(t('There are no changes since the last commit.'));
    return undefined;
  }
  if (staged === 0 || unstaged === 0) return staged === 0 ? 'unstaged' : 'staged';
  const items: readonly (vscode.QuickPickItem & { readonly scope: Scope })[] = [
    { label: t('All changes'), scope: 'all' },
    {
      label: t('Staged changes'),
      description: plural(t('{0, plural, one {# file} other {# files}}'), staged),
      scope: 'staged',
    },
    {
      label: t('Unstaged changes'),
      description: plural(t('{0, plural, one {# file} other {# files}}'), unstaged),
      scope: 'unstaged',
    },
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Review Changes') }))?.scope;
}
