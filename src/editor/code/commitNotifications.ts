/** The notifications of Write Commit Message when its answer has ended, and how the message gets into the input box. */
import * as vscode from 'vscode';
import type { Turn } from '../../conversation/turn.ts';
import { showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import { joinList, joinSentences, toSentence } from '../base/sentences.ts';
import { isDoubtful, nextStep, noticeText, serviceLine, warningsOf } from '../cards/noticeText.ts';
import { readSettings } from '../settings/settings.ts';
import { headCommitOf, type Repository, refreshState, repositoryName } from '../workspace/git.ts';
import type { ContinuedMessages } from './continuedMessages.ts';

const t = vscode.l10n.t;

export interface AskedMessage {
  readonly turn: Turn;
  /** The paths of files that were not used. */
  readonly leftOut: readonly string[];
  /** Whether there is a message, but the repository was closed in the meantime, such as with its folder. */
  readonly isClosed: boolean;
}

/** The title of the conversation of a message, with its first line. */
export const titleFor = (message: string) => t('Commit message: {0}', message.split('\n', 1)[0] ?? '');

/** The title before there is a message. */
export const firstTitle = (repository: Pick<Repository, 'rootUri'>) => titleFor(repositoryName(repository));

export const openButton = () => t('Open Conversation');

/** The warnings about an answer; empty if there are none. */
function describeWarnings(turn: Turn): string {
  const { prices } = readSettings();
  const all = warningsOf(turn).flatMap((notice) => [
    noticeText(notice, turn, prices),
    nextStep(notice, turn),
  ]);
  return joinSentences([...all, serviceLine(turn)]);
}

export const describeLate = () =>
  t('There is another commit since this message was requested. Check the message before you use it.');

/**
 * Puts the message into the input box. *Undo* in the notification restores the earlier text. Returns the selected button.
 *
 * @param commit the HEAD commit when the changes were read. If there is another one by now, the message may be about changes that it
 * contains.
 */
export async function putMessage(
  continued: Pick<ContinuedMessages, 'put'>,
  repository: Repository,
  message: string,
  commit: string | undefined,
  { turn, leftOut }: Pick<AskedMessage, 'turn' | 'leftOut'>,
): Promise<string | undefined> {
  // An error of Git is ignored: the message was billed, and its conversation is deleted.
  await refreshState(repository).catch(() => undefined);
  const before = repository.inputBox.value;
  continued.put(repository, message, turn.startedAt);
  const put = repository.inputBox.value;
  const left =
    leftOut.length === 0
      ? ''
      : t(
          'These files were not used for the commit message because they are too large or too many, are ignored by Git, or may contain secrets: {0}',
          withoutLinks(joinList(leftOut.slice(0, 5))),
        );
  const replaced = before.trim() === '' || before === message ? '' : t('The commit message was replaced.');
  const late = headCommitOf(repository) === commit ? '' : describeLate();
  const doubtful = isDoubtful(turn);
  const warnings = doubtful ? describeWarnings(turn) : '';
  const text = joinSentences([replaced, late, warnings, left]);
  if (text === '') return undefined;
  const undo = t('Undo');
  const show = doubtful ? showWarning : showInformation;
  const chosen = await show(
    text,
    ...(replaced === '' && late === '' && !doubtful ? [] : [undo]),
    ...(doubtful ? [openButton()] : []),
  );
  // Text that the user has written since then stays.
  if (chosen === undo && repository.inputBox.value === put) repository.inputBox.value = before;
  return chosen;
}

/** Tells the user why there is no message. Returns the selected button. */
export function showIncomplete({
  turn,
  isClosed,
}: Pick<AskedMessage, 'turn' | 'isClosed'>): Thenable<string | undefined> {
  // An answer that is only a code block has no message either.
  const why =
    joinSentences([describeClosed(isClosed), describeWarnings(turn)]) || toSentence(t('The answer is empty'));
  return showWarning(joinSentences([describeUnchanged(), why]), openButton());
}

/** Tells the user that a complete message is only in its conversation. Returns the selected button. */
export const showKept = (isClosed: boolean): Thenable<string | undefined> =>
  showInformation(joinSentences([describeUnchanged(), describeClosed(isClosed)]), openButton());

const describeUnchanged = () => t('The commit message was not changed.');

const describeClosed = (isClosed: boolean) => (isClosed ? t('The repository is no longer open.') : '');
