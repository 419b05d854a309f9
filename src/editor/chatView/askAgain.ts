/** Asks a question again, or goes on with its answer: what Retry, Continue, Regenerate, and smaller images do. */

import * as vscode from 'vscode';
import { toContinuingQuestion } from '../../conversation/continuingQuestion.ts';
import { askedQuestion, shownTurn } from '../../conversation/conversation.ts';
import { toHelpfulBudget } from '../../conversation/outcomes/outputBudget.ts';
import { type Question, withPreset } from '../../conversation/question.ts';
import { toContinuation, toSameContinuation } from '../../conversation/requestMessages/continuation.ts';
import type { Turn } from '../../conversation/turn.ts';
import { withKept } from '../../requests/chosenOptions.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import type { ImageIntake } from '../composer/imageIntake.ts';
import { keptOptions } from '../connection/keptOptions.ts';
import type { Routes } from '../connection/routes.ts';
import { askOrExplain, type InputClosed } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { type RenewalDeps, renewAsked } from './renewedQuestion.ts';
import type { WaitingMessages } from './waitingMessages.ts';

const t = vscode.l10n.t;

/** Each shows the reason when the request can't be sent, and keeps the route, effort, and preset of the turn. */
export interface AskingAgain {
  /** Creates a new attempt for the question of a turn, which reasons anew. */
  again(turnId: string, options?: AttemptOptions, inputClosed?: InputClosed): Promise<void>;
  /** Asks the same again: also to continue from the reasoning that was continued. */
  retry(found: Found, inputClosed: InputClosed, options?: AttemptOptions): Promise<void>;
  /** Continues an answer or reasoning that was cut. */
  continueTurn(found: Found, inputClosed: InputClosed): Promise<void>;
  /** Asks the question of a turn with smaller images, in place of it. */
  askSmaller(found: Found, inputClosed: InputClosed): Promise<void>;
}

export interface AskingAgainDeps extends RenewalDeps {
  readonly conversations: Pick<Conversations, 'ask' | 'askAgain' | 'askInstead' | 'find'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly images: Pick<ImageIntake, 'shrink'>;
  /** While the code is read again, or images are scaled, the user can stop that. */
  readonly waiting: Pick<WaitingMessages, 'until'>;
}

export function createAskingAgain({
  conversations,
  routes,
  images,
  waiting,
  ...renewal
}: AskingAgainDeps): AskingAgain {
  /** What is made of questions that are about to be asked again, and how often the user has asked for that. */
  const renewing = new Map<string, { readonly made: Promise<Question | undefined>; asked: number }>();

  /**
   * A question as it is made once for all who wait for it. Undefined if the user stops that, or asks again meanwhile: only one attempt
   * can run, and they mean the last one.
   */
  async function madeOnce(
    key: string,
    conversationId: string,
    make: (signal: AbortSignal) => Promise<Question>,
  ): Promise<Question | undefined> {
    const one = renewing.get(key) ?? {
      made: waiting.until(conversationId, make).finally(() => renewing.delete(key)),
      asked: 0,
    };
    renewing.set(key, one);
    const asked = ++one.asked;
    const made = await one.made;
    return one.asked === asked ? made : undefined;
  }

  /** The code may have changed since the question was asked. The question itself stays as it is. */
  async function renewedFor(
    found: Pick<Found, 'conversation' | 'exchange'>,
  ): Promise<AttemptOptions | undefined> {
    const { conversation, exchange } = found;
    const renewed = await madeOnce(exchange.id, conversation.id, () => renewAsked(found, renewal));
    if (renewed === undefined) return undefined;
    const { text, origin, more } = renewed;
    if (text === exchange.question.text || origin === undefined) return {};
    return { prompt: text, origin, ...(more && { more }) };
  }

  async function again(
    turnId: string,
    options: AttemptOptions = {},
    inputClosed?: InputClosed,
  ): Promise<void> {
    const found = conversations.find(turnId);
    const renewed = options.prompt === undefined && found !== undefined ? await renewedFor(found) : {};
    if (renewed !== undefined) await ask(turnId, { ...renewed, ...options }, inputClosed);
  }

  /** Asks with the code as it was read: the user may be asked about its file each time. */
  async function ask(turnId: string, options: AttemptOptions, inputClosed?: InputClosed): Promise<void> {
    const found = conversations.find(turnId);
    const kept = found === undefined ? {} : keptOptions(found.turn, routes);
    const asked = withKept(kept, options);
    await askOrExplain((more) => conversations.askAgain(turnId, more), asked, inputClosed);
  }

  async function retry(
    { conversation, exchange, turn }: Found,
    inputClosed: InputClosed,
    options: AttemptOptions = {},
  ): Promise<void> {
    const renewed = await renewedFor({ conversation, exchange });
    if (renewed === undefined) return;
    const prompt = toSameContinuation(renewed.prompt ?? exchange.question.text, turn);
    await ask(turn.id, { ...renewed, ...(prompt !== undefined && { prompt }), ...options }, inputClosed);
  }

  async function continueTurn(
    { conversation, exchange, turn }: Found,
    inputClosed: InputClosed,
  ): Promise<void> {
    const cut = turn.answer.trim() !== '';
    // A turn with tool results is not sent again: it continues with the results it has.
    if (!cut && turn.rounds.length === 0) {
      const renewed = await renewedFor({ conversation, exchange });
      if (renewed === undefined) return;
      const going = fromReasoning(renewed.prompt ?? exchange.question.text, turn);
      await ask(turn.id, { ...renewed, ...going }, inputClosed);
      return;
    }
    // Another panel may have continued it already. Its rest has a place only right after it.
    if (conversation.exchanges.at(-1) !== exchange || shownTurn(exchange)?.id !== turn.id) return;
    // Repeated words show where the two parts meet.
    const text = cut
      ? t(
          'Continue exactly where your answer was cut off, in the same form. Begin by repeating its last few words, and don’t open a code block again.',
        )
      : t('Continue.');
    const question = toContinuingQuestion(askedQuestion(exchange, turn), turn, text);
    // Earlier messages have the reasoning of the rounds, and not what was behind them.
    const going = cut || turn.reasoning.trim() === '' ? {} : fromReasoning(text, turn);
    await askOrExplain(
      (options) => conversations.ask(conversation.id, question, options),
      { ...keptOptions(turn, routes), ...going },
      inputClosed,
    );
  }

  async function askSmaller(
    { conversation, exchange, turn }: Found,
    inputClosed: InputClosed,
  ): Promise<void> {
    const asked = withPreset(exchange.question, turn.request.preset);
    const question = await madeOnce(`smaller:${exchange.id}`, conversation.id, async (signal) => ({
      ...asked,
      images: await images.shrink(asked.images, signal),
    }));
    if (question === undefined) return;
    await askOrExplain(
      (options) => conversations.askInstead(conversation.id, exchange.id, question, options),
      keptOptions(turn, routes),
      inputClosed,
    );
  }

  return { again, retry, continueTurn, askSmaller };
}

/** The options to continue the reasoning of a turn whose answer didn't come. */
function fromReasoning(question: string, turn: Turn): AttemptOptions {
  const prompt = toContinuation(question, turn);
  // A smaller one would be used up sooner.
  const budget = toHelpfulBudget(turn) ?? turn.request.maxCompletionTokens;
  return turn.outcome === 'spent-on-reasoning' && budget !== undefined ? { prompt, budget } : { prompt };
}
