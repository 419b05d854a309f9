/** Starts a turn in a conversation. What can refuse it is checked before the conversation is changed. */
import { randomUUID } from 'node:crypto';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { Conversation, Exchange } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import {
  findPlace,
  type InsertionPoint,
  isSamePlace,
  type Placed,
} from '../../conversation/questionPlace.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import { withInstructions } from '../../instructions/dueInstructions.ts';
import {
  type AttemptOptions,
  type ToolboxOf,
  toConversationContent,
} from '../../requests/conversationRequest.ts';
import { type Refusal, type Refused, refuse } from '../../requests/refusal.ts';
import type { Turns } from '../../requests/turns.ts';
import { untilAborted } from '../../service/abort.ts';
import type { TurnRunner } from './turnRunner.ts';

export type AskResult =
  | { readonly ok: true; readonly turnId: string }
  | { readonly ok: false; readonly refusal: Refusal };

/** What is asked, and where. */
export interface PlacedQuestion {
  readonly conversationId: string;
  readonly place: InsertionPoint;
  /** For another attempt, the question as this window knows it. */
  readonly question: Question;
  readonly options: AttemptOptions;
  /** What is left of the question when its instructions are read: the user may remove its files meanwhile. Undefined if nothing is. */
  readonly left?: () => Question | undefined;
  /** The place in the queue that a queued question leaves. */
  readonly queuedId?: string;
}

/** The instructions that go with a question in a conversation, after these exchanges, if it doesn't leave them out. */
export type InstructionsOf = (
  conversationId: string,
  earlier: readonly Exchange[],
  question: Question,
  leavesOut?: boolean,
) => Promise<readonly ContextItem[]>;

export interface TurnStartDeps {
  readonly turns: Pick<Turns, 'prepare'>;
  readonly runner: Pick<TurnRunner, 'isRunning' | 'take' | 'signalOf' | 'renew' | 'release' | 'start'>;
  readonly store: Pick<ConversationStore, 'get' | 'latest' | 'isUnread' | 'queue' | 'dequeue'>;
  /** Reads what other windows have written. */
  poll(): void;
  readonly toolboxOf: ToolboxOf;
  readonly instructionsOf: InstructionsOf;
  put(conversation: Conversation): void;
  putExchange(conversationId: string, exchange: Exchange): void;
  /** Tells everybody to look at a conversation again, because its question can't be sent anymore. */
  replaced(conversationId: string): void;
}

/** The place of a question in the conversation as it is now. */
interface Found extends Placed {
  readonly ok: true;
  readonly conversation: Conversation;
}

export function createTurnStart(deps: TurnStartDeps): (asked: PlacedQuestion) => Promise<AskResult> {
  const { runner, store, poll } = deps;

  const refuseAbsent = (conversationId: string): Refused =>
    refuse({ kind: store.isUnread(conversationId) ? 'unread' : 'gone' });

  function placeOf({ conversationId, place, question }: PlacedQuestion): Found | Refused {
    const conversation = store.latest(conversationId);
    if (conversation === undefined) return refuseAbsent(conversationId);
    const placed = findPlace(conversation, place, question);
    // Another window has changed the place that the user saw.
    return placed === undefined ? refuse({ kind: 'changed' }) : { ok: true, conversation, ...placed };
  }

  /**
   * Finds the place again after the dialog about the daily cap, and the queued question in the queue. While the
   * dialog was open, another window may have run a turn or sent the queued question, and the user may have changed
   * what the request was made of.
   */
  function placeAgain(asked: PlacedQuestion, before: Found): Found | Refused {
    const { conversationId, queuedId } = asked;
    const lost = runner.renew(conversationId);
    if (lost !== undefined) return lost;
    poll();
    const now = placeOf(asked);
    if (!now.ok) return now;
    if (!isSamePlace(before, now)) return refuse({ kind: 'changed' });
    const isThere = queuedId === undefined || isQueued(conversationId, queuedId);
    return isThere ? now : refuse({ kind: 'changed' });
  }

  /** A question whose exchange can't have its id is taken first, so that it isn't sent twice. */
  const isQueued = (conversationId: string, queuedId: string): boolean =>
    isExchangeId(queuedId)
      ? store.queue(conversationId).some(({ id }) => id === queuedId)
      : store.dequeue(conversationId, queuedId);

  function prepare({ conversationId, question, options }: PlacedQuestion, { base, exchange }: Found) {
    const asking = { conversation: base, exchange, question: exchange?.question ?? question };
    return deps.turns.prepare(
      {
        asker: 'conversation',
        countedAs: undefined,
        routeName: options.routeName,
        content: (settings, route, refused) =>
          toConversationContent(settings, { ...asking, route, refused }, options, deps.toolboxOf),
      },
      runner.signalOf(conversationId),
    );
  }

  /** Adds the turn to the conversation, and returns the exchange that it belongs to. */
  function add(asked: PlacedQuestion, { conversation, base, exchange: known }: Found, turn: Turn): Exchange {
    if (base !== conversation) deps.put(base);
    const attempts = [...(known?.attempts ?? []), turn];
    const exchange: Exchange = {
      id: known?.id ?? toExchangeId(asked.queuedId),
      question: known?.question ?? asked.question,
      attempts,
      shown: attempts.length - 1,
    };
    deps.putExchange(asked.conversationId, exchange);
    // After it was written: if the window is killed in between, the exchange says that it was sent.
    if (asked.queuedId !== undefined) store.dequeue(asked.conversationId, asked.queuedId);
    return exchange;
  }

  /**
   * A new question has the instructions that are due at its place. Another attempt has those of the first. Undefined
   * when it was stopped, or nothing of it is left, meanwhile.
   */
  async function withDue(
    asked: PlacedQuestion,
    { base, exchange }: Found,
  ): Promise<PlacedQuestion | undefined> {
    if (exchange !== undefined) return asked;
    const { conversationId, question, options, left = () => question } = asked;
    const reading = deps.instructionsOf(conversationId, base.exchanges, question, options.leavesOut);
    // A folder on another machine can take long. Only stopping rejects.
    const due = await untilAborted(reading, runner.signalOf(conversationId)).catch(() => undefined);
    const now = due && left();
    return now && { ...asked, question: withInstructions(now, due) };
  }

  function free(conversationId: string, refused: Refused): Refused {
    runner.release(conversationId);
    return refused;
  }

  return async (question) => {
    const { conversationId } = question;
    if (runner.isRunning(conversationId)) return refuse({ kind: 'running' });
    poll();
    if (store.get(conversationId) === undefined) return refuseAbsent(conversationId);
    const taken = runner.take(conversationId);
    if (taken !== undefined) return taken;
    const before = placeOf(question);
    if (!before.ok) return free(conversationId, before);
    const asked = await withDue(question, before);
    if (asked === undefined) return free(conversationId, refuse({ kind: 'stopped' }));
    const prepared = await prepare(asked, before);
    if (!prepared.ok) return free(conversationId, prepared);
    const now = placeAgain(asked, before);
    if (!now.ok) {
      prepared.discard();
      free(conversationId, now);
      deps.replaced(conversationId);
      return now;
    }
    const { initialTurn } = prepared;
    runner.start(conversationId, add(asked, now, initialTurn).id, prepared);
    return { ok: true, turnId: initialTurn.id };
  };
}

/**
 * The id of the exchange of a queued question, by which the database knows that it was sent, also when it couldn't take
 * it from the queue. Earlier versions queued questions without an id of their own.
 */
const toExchangeId = (queuedId: string | undefined) =>
  queuedId !== undefined && isExchangeId(queuedId) ? queuedId : randomUUID();

const isExchangeId = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);
