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

/** Each function shows the reason if the request can't be sent, and keeps the route, effort, and preset of the turn. */
export interface AskingAgain {
  /** Creates a new attempt for the question of a turn. The model reasons from the beginning. */
  again(turnId: string, options?: AttemptOptions, inputClosed?: InputClosed): Promise<void>;
  /** Sends the same prompt again: a turn that continued earlier reasoning continues it again. */
  retry(found: Found, inputClosed: InputClosed, options?: AttemptOptions): Promise<void>;
  /** Continues an answer or reasoning that was cut off. */
  continueTurn(found: Found, inputClosed: InputClosed): Promise<void>;
  /** Replaces the question of a turn with the same question and smaller images, and asks it. */
  askSmaller(found: Found, inputClosed: InputClosed): Promise<void>;
}

export interface AskingAgainDeps extends RenewalDeps {
  readonly conversations: Pick<Conversations, 'ask' | 'askAgain' | 'askInstead' | 'find'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly images: Pick<ImageIntake, 'shrink'>;
  /** Lets the user stop while code is read again or images are scaled. */
  readonly waiting: Pick<WaitingMessages, 'until'>;
}

export function createAskingAgain({
  conversations,
  routes,
  images,
  waiting,
  ...renewal
}: AskingAgainDeps): AskingAgain {
  /** Questions that are being prepared to be asked again, and how often the user has requested each of them meanwhile. */
  const renewing = new Map<string, { readonly made: Promise<Question | undefined>; asked: number }>();

  /**
   * Prepares a question once for all callers that wait for it. Returns undefined if the user stops that, and to all callers
   * but the last: only one attempt can run, and the user means the last request.
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

  /**
   * The options for asking a question with its code as it is now. The question itself isn't changed. Undefined if the user
   * stopped that or has asked again.
   */
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

  /** Asks with code that was read already. Reading it again could ask the user for access to its file a second time. */
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
    // Another panel may have continued the turn already. The rest of an answer can only come directly after the answer.
    if (conversation.exchanges.at(-1) !== exchange || shownTurn(exchange)?.id !== turn.id) return;
    // Repeated words show where the two parts meet.
    const text = cut
      ? t(
          'Continue exactly where your answer was cut off, in the same form. Begin by repeating its last few words, and don’t open a code block again.',
        )
      : t('Continue.');
    const question = toContinuingQuestion(askedQuestion(exchange, turn), turn, text);
    // The messages contain the reasoning of the rounds, but not what the model reasoned after the last round. So the prompt
    // quotes that.
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

/** The options for continuing the reasoning of a turn that has no answer yet. */
function fromReasoning(question: string, turn: Turn): AttemptOptions {
  const prompt = toContinuation(question, turn);
  // With a smaller budget, the reasoning would be cut off even sooner.
  const budget = toHelpfulBudget(turn) ?? turn.request.maxCompletionTokens;
  return turn.outcome === 'spent-on-reasoning' && budget !== undefined
    ? { prompt, budget, ...budgetBefore(turn) }
    : { prompt };
}

/** The route can have refused a larger budget in a probe since then. */
export const budgetBefore = ({ request: { maxCompletionTokens } }: Turn): AttemptOptions =>
  maxCompletionTokens === undefined ? {} : { budgetBefore: maxCompletionTokens };
