/** The commands that ask the model for a review: of a selection, a file, or the changes of a repository. */
import * as vscode from 'vscode';
import type { Question } from '../../chat/question.ts';
import { estimateTokens } from '../../chat/tokens.ts';
import { reviewedPaths, toChangesReviewQuestion, toCodeReviewQuestion } from '../../review/reviewQuestion.ts';
import { joinList } from '../base/joining.ts';
import { showInformation, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import type { Composers } from '../composer/composers.ts';
import { askWithKeyPrompt, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { freeConversation } from '../conversations/freeConversation.ts';
import { nextConversation, type Preview } from '../conversations/previews.ts';
import { type AllowedReads, mayReadText } from '../workspace/allowedReads.ts';
import { changesOf, readChanges, type Scope } from '../workspace/changes.ts';
import { findGit, pickRepository, type Repository } from '../workspace/git.ts';
import { linesOfDocument, type SelectedCode, toSelectedCode } from '../workspace/selectedCode.ts';
import { requestLines } from '../workspace/sentLines.ts';
import { toDiffReview } from './diffReview.ts';

const t = vscode.l10n.t;

/** The largest amount of code in the question of a review, in tokens. */
export const REVIEW_BUDGET_TOKENS = 100_000;

export interface ReviewCommandsDeps {
  /** One for all commands, because a folder is asked about once. */
  readonly reads: AllowedReads;
  readonly composers: Pick<Composers, 'enqueue'>;
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
}

export function registerReviewCommands(deps: ReviewCommandsDeps): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const { reads } = deps;
  return vscode.Disposable.from(
    registerCommand('k3.reviewSelection', async () => {
      const editor = vscode.window.activeTextEditor;
      const changes = editor && (await toDiffReview(editor, REVIEW_BUDGET_TOKENS));
      if (changes === 'refused') return;
      if (changes !== undefined) {
        const question = toQuestion(changes.text, t('Review Selection'), changes.origin);
        return askInFreeConversation(deps, [question], changes.leftOut);
      }
      const code = editor && (await toSelectedCode(editor));
      const unselected = code === undefined || code.selected ? [] : [code];
      if (!(await requestLines(unselected.map(({ text, document: { uri } }) => ({ uri, text }))))) return;
      await reviewCode(deps, code, t('Review Selection'));
    }),
    registerCommand('k3.reviewFile', async (argument: unknown) => {
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      if (uri !== undefined && !(await mayReadText(reads, uri))) return;
      await reviewCode(deps, await codeOfFile(uri), t('Review File'));
    }),
    registerCommand('k3.reviewChanges', (argument: unknown) => reviewChanges(deps, argument)),
  );
}

/** What Review File would ask about the active editor. */
export const toReviewPreview = ({ conversations }: Pick<ReviewCommandsDeps, 'conversations'>): Preview => ({
  title: t('Review File'),
  async make() {
    const found = toReview(await codeOfFile(vscode.window.activeTextEditor?.document.uri), t('Review File'));
    return found && { conversation: nextConversation(conversations), question: found.question };
  },
});

/** The whole text of a file; undefined if it has none. */
async function codeOfFile(uri: vscode.Uri | undefined): Promise<SelectedCode | undefined> {
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  return document === undefined || document.getText().trim() === ''
    ? undefined
    : linesOfDocument(document, 0, countLines(document) - 1);
}

/** The number of lines, without an empty last line. */
export const countLines = ({ lineCount, lineAt }: vscode.TextDocument) =>
  lineCount - (lineCount > 1 && lineAt(lineCount - 1).text === '' ? 1 : 0);

async function reviewCode(
  deps: ReviewCommandsDeps,
  code: SelectedCode | undefined,
  title: string,
): Promise<void> {
  const found = toReview(code, title);
  if (found !== undefined) await askInFreeConversation(deps, [found.question], found.leftOut);
}

/** The question about code. Says so if there is none. */
function toReview(code: SelectedCode | undefined, asked: string) {
  if (code === undefined) return void showInformation(t('Open a text file to review.'));
  const { document, startLine, endLine } = code;
  const { text, leftOut } = toCodeReviewQuestion(
    { ...code, lineCount: countLines(document) },
    REVIEW_BUDGET_TOKENS,
    estimateTokens,
  );
  return { question: toQuestion(text, asked, { uri: document.uri.toString(), startLine, endLine }), leftOut };
}

const toQuestion = (text: string, asked: string, origin: Question['origin']): Question => ({
  text,
  asked,
  images: [],
  origin,
  purpose: 'findings',
});

async function reviewChanges(deps: ReviewCommandsDeps, argument: unknown): Promise<void> {
  const repository = await findRepository(deps.reads, argument);
  if (repository === undefined) return;
  await repository.status();
  const scope = await pickScope(repository);
  if (scope === undefined) return;
  const files = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.SourceControl, title: t('Reading changes…') },
    (_, token) => readChanges(repository, scope, token),
  );
  const name = repository.rootUri.path.split('/').at(-1) ?? '';
  const { text, leftOut } = toChangesReviewQuestion(name, files, REVIEW_BUDGET_TOKENS, estimateTokens);
  await askInFreeConversation(deps, [toQuestion(text, t('Review Changes'), undefined)], leftOut);
}

/** The repository for a command. Says why if there is none, and asks before a folder outside the workspace is read. */
export async function findRepository(
  reads: Pick<AllowedReads, 'askForFolder'>,
  argument: unknown,
): Promise<Repository | undefined> {
  const git = await findGit();
  if (git === undefined || git.repositories.length === 0) {
    void showInformation(t('No Git repository is open in this window.'));
    return undefined;
  }
  const repository = await pickRepository(git, argument);
  // The repository may start in a folder above the workspace.
  return repository !== undefined && (await reads.askForFolder(repository.rootUri)) ? repository : undefined;
}

/** Asks the user for a scope if both staged and unstaged changes exist. Undefined when there is none. */
async function pickScope(repository: Repository): Promise<Scope | undefined> {
  const staged = changesOf(repository, 'staged').length;
  const unstaged = changesOf(repository, 'unstaged').length;
  if (staged + unstaged === 0) {
    void showInformation(t('There are no changes since the last commit.'));
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

/**
 * Asks in the chat in front, or in a new conversation if that is running here or in another window, or deleted there. Further
 * questions wait in its queue.
 *
 * @param leftOut what the questions don't have, to tell the user
 */
export async function askInFreeConversation(
  { conversations, composers }: ReviewCommandsDeps,
  [question, ...others]: readonly Question[],
  leftOut: readonly string[],
): Promise<void> {
  if (question === undefined) return;
  // Everything is left out.
  if (reviewedPaths(question.text).length === 0) return showLeftOut(leftOut);
  const id = freeConversation(conversations);
  await vscode.commands.executeCommand('k3.focusChat', id);
  const result = await askWithKeyPrompt((options) => conversations.ask(id, question, options));
  await showRefusal(result);
  if (!result.ok) return;
  for (const other of others) composers.enqueue(id, other);
  if (leftOut.length > 0) showLeftOut(leftOut);
}

export function showLeftOut(leftOut: readonly string[]): void {
  void showInformation(
    t(
      'These files are not included in the review because they are too large or may contain secrets: {0}',
      withoutLinks(joinList([...leftOut.slice(0, 5), leftOut.length > 5 ? '…' : ''])),
    ),
  );
}
