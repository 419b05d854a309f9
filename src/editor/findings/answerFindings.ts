/** Reads the findings of a complete answer, and places them in the files under review. */
import { askedQuestion, sentText } from '../../conversation/conversation.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { parseFindings } from '../../review/findings/findings.ts';
import { describeWrong } from '../../validation/decode.ts';
import type { Log } from '../base/log.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Renames } from '../proposals/renamedFiles.ts';
import { placeAll } from './placedFindings.ts';

/** Returns the placed findings; undefined if the answer has no readable list. Invalid findings are left out and logged. */
export async function findingsOfAnswer(
  found: Found,
  renames: Pick<Renames, 'since'>,
  log: Pick<Log, 'warn'>,
): Promise<Awaited<ReturnType<typeof placeAll>> | undefined> {
  const { conversation, exchange, turn } = found;
  const asked = askedQuestion(exchange, turn);
  const { text, question, earlier } = toWholeAnswer(conversation.exchanges, asked, turn);
  const parsed = parseFindings(text);
  if (!parsed.ok) {
    // The chat shows the error with the answer.
    log.warn(`the answer ${turn.id} has no findings: ${describeWrong(parsed.wrong)}`);
    return undefined;
  }
  for (const { wrong } of parsed.value.leftOut)
    log.warn(`a finding of the answer ${turn.id} is left out: ${describeWrong(wrong)}`);
  // Another attempt can have other lines, or the file another name. Its prompt has them, and the question those of the first attempt.
  const first = earlier[0] ?? turn;
  const { origin, prompt } = first.request;
  const isRenewed = origin !== undefined && prompt !== undefined;
  const { origin: lines } = !isRenewed && question === asked ? exchange.question : question;
  const sent = { ...question, text: sentText({ question }, first) };
  return placeAll(parsed.value.findings, turn.id, { question: sent, lines }, renames.since(found));
}
