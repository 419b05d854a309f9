/** Starts a turn in a conversation. All reasons to refuse it are checked before the conversation is changed. */
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

/** A question, and the place where it is asked. */
export interface PlacedQuestion {
  readonly conversationId: string;
  readonly place: InsertionPoint;
  /** The question. For another attempt, this is the question as this window knows it. */
  readonly question: Question;
  readonly options: AttemptOptions;
  /**
   * Returns what is left of the question after its instructions were read, because the user may remove its files meanwhile.
   * Undefined if nothing is left.
   */
  readonly left?: () => Question | undefined;
  /** The ID of a queued question, which then leaves the queue. */
  readonly queuedId?: string;
}

/** Returns the instructions that go with a question after these exchanges of a conversation, unless it leaves them out. */
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
  /** Reports that a conversation has changed, because its question can't be sent anymore. */
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
   * Finds the place, and a queued question in the queue, again after the dialog about the daily cap. While the dialog was
   * open, another window may have run a turn or sent the queued question, and the user may have changed what the request
   * was made from.
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

  /**
   * Whether a queued question is still in the queue. If its exchange can't have its id, it is removed from the queue now,
   * so that it isn't sent twice.
   */
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
    // After the exchange was written. If the window is killed in between, the exchange shows that the question was sent.
    if (asked.queuedId !== undefined) store.dequeue(asked.conversationId, asked.queuedId);
    return exchange;
  }

  /**
   * Adds the instructions that are due at its place to a new question. Another attempt has those of the first attempt.
   * Undefined if the question was stopped meanwhile, or if nothing of it is left.
   */
  async function withDue(
    asked: PlacedQuestion,
    { base, exchange }: Found,
  ): Promise<PlacedQuestion | undefined> {
    if (exchange !== undefined) return asked;
    const { conversationId, question, options, left = () => question } = asked;
    const reading = deps.instructionsOf(conversationId, base.exchanges, question, options.leavesOut);
    // Reading can take long, for example on another machine. It rejects only if it is stopped.
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
 * The id of the exchange of a queued question. By this id, the database knows that the question was sent, even if it could
 * not be removed from the queue. Earlier versions queued questions without an id of their own.
 */
const toExchangeId = (queuedId: string | undefined) =>
  queuedId !== undefined && isExchangeId(queuedId) ? queuedId : randomUUID();

const isExchangeId = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);
