/** Commands that a message can name with `/`: they say to the message box whether they have asked. */

import { type CommandWords, wordsOf } from '../base/commandWords.ts';
import type { Log } from '../base/log.ts';
import { notify, type Say } from '../base/notifications.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { tellRefusal } from './asking.ts';
import type { AskResult } from './turnStart.ts';

/** What a command says to the message box: that it has asked, or why it hasn't; empty if the user has canceled it. */
export type Ran = true | string;

export interface Running extends CommandWords {
  /** Says what is missing. */
  readonly say: Say;
  /** Says why a question was not sent, if it was refused. */
  tell(asked: AskResult): void;
}

/**
 * Runs a command, which asks a question. What it says is shown in the message box that has named it, or else in a
 * notification.
 *
 * @param run resolves with whether it has asked
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
