/** Commands that a message can name with `/`. They report to the message box whether they have asked. */

import { type CommandWords, wordsOf } from '../base/commandWords.ts';
import type { Log } from '../base/log.ts';
import { notify, type Say } from '../base/notifications.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { tellRefusal } from './asking.ts';
import type { AskResult } from './turnStart.ts';

/** The result of a command: true if it has asked, otherwise the reason why it hasn't, which is empty if the user canceled it. */
export type Ran = true | string;

export interface Running extends CommandWords {
  /** Tells the user what is missing. */
  readonly say: Say;
  /** Tells the user why a question was not sent, if it was refused. */
  tell(asked: AskResult): void;
}

/**
 * Runs a command that asks a question. Its messages are shown in the message box if a message has named it, otherwise in a
 * notification.
 *
 * @param run resolves with whether the command has asked
 */
export async function runFor(
  argument: unknown,
  log: Pick<Log, 'warn'>,
  run: (running: Running) => Promise<boolean>,
): Promise<Ran> {
  const words = wordsOf(argument);
  if (words === undefined) {
    const tell = (asked: AskResult) => tellRefusal(log, asked);
    return (await run({ words: '', say: notify, tell })) || '';
  }
  let why = '';
  const say = (text: string) => {
    why = text;
  };
  const tell = (asked: AskResult) => asked.ok || say(describeRefusal(asked.refusal));
  return (await run({ words, say, tell })) || why;
}
