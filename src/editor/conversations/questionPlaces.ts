/** Asks questions at the places at which this is possible in a conversation. */

import type { Question } from '../../conversation/question.ts';
import type { InsertionPoint } from '../../conversation/questionPlace.ts';
import type { QueuedQuestion } from '../../conversation/queue.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import { refuse } from '../../requests/refusal.ts';
import type { FoundTurns } from './foundTurns.ts';
import type { AskResult, PlacedQuestion } from './turnStart.ts';

export interface Questions {
  /**
   * Asks a new question at the end of a conversation.
   *
   * @param left as in `PlacedQuestion`
   */
  ask(
    conversationId: string,
    question: Question,
    options?: AttemptOptions,
    left?: PlacedQuestion['left'],
  ): Promise<AskResult>;
  /**
   * Asks a question of the queue, with its context as it is now. It leaves the queue at the moment in which it becomes part
   * of the conversation. Asks nothing if another window has taken it before.
   */
  askQueued(conversationId: string, queued: QueuedQuestion): Promise<AskResult>;
  /** Asks an edited question. The original exchange and all exchanges after it are kept as a branch. */
  askInstead(
    conversationId: string,
    exchangeId: string,
    question: Question,
    options?: AttemptOptions,
  ): Promise<AskResult>;
  /** Asks a question after an exchange of any branch. All exchanges after it are kept as a branch. */
  askAfter(
    conversationId: string,
    exchangeId: string,
    question: Question,
    options?: AttemptOptions,
  ): Promise<AskResult>;
  /** Asks the question of a turn again, as another attempt in the same exchange. By default, it has the preset of the turn. */
  askAgain(turnId: string, options?: AttemptOptions): Promise<AskResult>;
}

export function createQuestions(
  start: (asked: PlacedQuestion) => Promise<AskResult>,
  find: FoundTurns['find'],
): Questions {
  const begin = (
    conversationId: string,
    place: InsertionPoint,
    question: Question,
    options: AttemptOptions,
  ) => start({ conversationId, place, question, options });
  return {
    ask: (conversationId, question, options = {}, left = () => question) =>
      start({ conversationId, place: { kind: 'end' }, question, options, left }),
    askQueued: (conversationId, { id, question }) =>
      start({ conversationId, place: { kind: 'end' }, question, options: {}, queuedId: id }),
    askInstead: (conversationId, exchangeId, question, options = {}) =>
      begin(conversationId, { kind: 'instead', exchangeId }, question, options),
    askAfter: (conversationId, exchangeId, question, options = {}) =>
      begin(conversationId, { kind: 'after', exchangeId }, question, options),
    async askAgain(turnId, options = {}) {
      const found = find(turnId);
      // Another window has deleted the conversation meanwhile.
      if (found === undefined) return refuse({ kind: 'gone' });
      const { conversation, exchange, turn } = found;
      const { preset } = turn.request;
      return begin(conversation.id, { kind: 'again', exchangeId: exchange.id }, exchange.question, {
        ...(preset !== undefined && { preset }),
        ...options,
      });
    },
  };
}
