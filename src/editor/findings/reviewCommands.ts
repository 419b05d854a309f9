/** The commands that ask the model for a review: of a selection, a file, or the changes of a repository. */
import * as vscode from 'vscode';
import { estimateTokens } from '../../chat/tokens.ts';
import type { Question } from '../../chat/turn.ts';
import {
  type ReviewQuestion,
  toChangesReviewQuestion,
  toCodeReviewQuestion,
} from '../../review/reviewQuestion.ts';
import { joinList } from '../base/joining.ts';
import { showInformation, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { askWithKeyPrompt, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { isFree } from '../conversations/freeConversation.ts';
import { type AllowedReads, createAllowedReads, mayReadText } from '../workspace/allowedReads.ts';
import { changesOf, readChanges, type Scope } from '../workspace/changes.ts';
import { findGit, pickRepository, type Repository } from '../workspace/git.ts';
import { linesOfDocument, type SelectedCode, toSelectedCode } from '../workspace/selectedCode.ts';
import { requestLines } from '../workspace/sentLines.ts';

const t = vscode.l10n.t;

/** The largest amount of code in the question of a review, in tokens. */
export const REVIEW_BUDGET_TOKENS = 100_000;

export interface ReviewCommandsDeps {
  readonly conversations: Pick<Conversations, 'current' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
}

export function registerReviewCommands({ conversations }: ReviewCommandsDeps): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const reads = createAllowedReads();
  return vscode.Disposable.from(
    registerCommand('k3.reviewSelection', async () => {
      const editor = vscode.window.activeTextEditor;
      const code = editor && (await toSelectedCode(editor));
      const unselected = code === undefined || code.selected ? [] : [code];
      if (!(await requestLines(unselected.map(({ text, document: { uri } }) => ({ uri, text }))))) return;
      await reviewCode(conversations, code, t('Review Selection'));
    }),
    registerCommand('k3.reviewFile', async (argument: unknown) => {
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      if (uri !== undefined && !(await mayReadText(reads, uri))) return;
      const document = uri && (await vscode.workspace.openTextDocument(uri));
      const hasText = document !== undefined && document.getText().trim() !== '';
      await reviewCode(
        conversations,
        hasText ? linesOfDocument(document, 0, countLines(document) - 1) : undefined,
        t('Review File'),
      );
    }),
    registerCommand('k3.reviewChanges', (argument: unknown) => reviewChanges(conversations, reads, argument)),
  );
}

/** The number of lines, without an empty last line. */
export const countLines = ({ lineCount, lineAt }: vscode.TextDocument) =>
  lineCount - (lineCount > 1 && lineAt(lineCount - 1).text === '' ? 1 : 0);

async function reviewCode(
  conversations: ReviewCommandsDeps['conversations'],
  code: SelectedCode | undefined,
  title: string,
): Promise<void> {
  if (code === undefined) {
    void showInformation(t('Open a text file to review.'));
    return;
  }
  const { document, startLine, endLine } = code;
  const question = toCodeReviewQuestion(
    { ...code, lineCount: countLines(document) },
    REVIEW_BUDGET_TOKENS,
    estimateTokens,
  );
  await ask(conversations, question, title, { uri: document.uri.toString(), startLine, endLine });
}

async function reviewChanges(
  conversations: ReviewCommandsDeps['conversations'],
  reads: Pick<AllowedReads, 'askForFolder'>,
  argument: unknown,
): Promise<void> {
  const git = await findGit();
  if (git === undefined || git.repositories.length === 0) {
    void showInformation(t('No Git repository is open in this window.'));
    return;
  }
  const repository = await pickRepository(git, argument);
  // The repository may start in a folder above the workspace.
  if (repository === undefined || !(await reads.askForFolder(repository.rootUri))) return;
  await repository.status();
  const scope = await pickScope(repository);
  if (scope === undefined) return;
  const files = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.SourceControl, title: t('Reading the changes…') },
    (_, token) => readChanges(repository, scope, token),
  );
  const name = repository.rootUri.path.split('/').at(-1) ?? '';
  const question = toChangesReviewQuestion(name, files, REVIEW_BUDGET_TOKENS, estimateTokens);
  await ask(conversations, question, t('Review Changes'), undefined);
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
    { label: t('All Changes'), scope: 'all' },
    {
      label: t('Staged Changes'),
      description: plural(t('{0, plural, one {# file} other {# files}}'), staged),
      scope: 'staged',
    },
    {
      label: t('Unstaged Changes'),
      description: plural(t('{0, plural, one {# file} other {# files}}'), unstaged),
      scope: 'unstaged',
    },
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Review Changes') }))?.scope;
}

/** Asks in the open conversation, or in a new one if that is running here or in another window, or deleted there. */
async function ask(
  conversations: ReviewCommandsDeps['conversations'],
  { text, leftOut }: ReviewQuestion,
  asked: string,
  origin: Question['origin'],
): Promise<void> {
  const open = conversations.current();
  const { id } = isFree(conversations, open.id) ? open : conversations.create();
  await vscode.commands.executeCommand('k3.focusChat');
  const question: Question = { text, asked, images: [], origin, purpose: 'findings' };
  const result = await askWithKeyPrompt((options) => conversations.ask(id, question, options));
  await showRefusal(result);
  if (result.ok && leftOut.length > 0) showLeftOut(leftOut);
}

function showLeftOut(leftOut: readonly string[]): void {
  void showInformation(
    t(
      'These files are not included in the review because they are too large or may contain secrets: {0}',
      withoutLinks(joinList([...leftOut.slice(0, 5), leftOut.length > 5 ? '…' : ''])),
    ),
  );
}
