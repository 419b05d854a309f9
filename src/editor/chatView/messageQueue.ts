/** Sends the queued messages of conversations, one after each complete answer of this window. */
import type { ContextItem } from '../../conversation/context/context.ts';
import { type Question, withContext } from '../../conversation/question.ts';
import type { QueuedQuestion } from '../../conversation/queue.ts';
import { isAnswered } from '../../conversation/rounds.ts';
import type { Refusal, Refused } from '../../requests/refusal.ts';
import { untilAborted } from '../../service/abort.ts';
import type { Composer } from '../composer/composerState.ts';
import type { Composers } from '../composer/composers.ts';
import type { ConversationChange } from '../conversations/conversationChange.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { WaitingMessages } from './waitingMessages.ts';

export interface MessageQueue {
  /** Whether a new message has to wait behind others or a running answer. */
  isAhead(conversationId: string): boolean;
  /** Adds a message at the end. A paused queue stays paused. */
  add(conversationId: string, question: Question): void;
  /** Sends the first message now, and the others after each complete answer. */
  send(conversationId: string): Promise<void>;
  /** Sends nothing by itself until the next `send`. */
  pause(conversationId: string): void;
  /** Messages were removed. If context is being read for one of them, that is stopped. */
  dropped(conversationId: string): void;
  /**
   * Sends the next message after a complete answer, and after another question had taken the conversation but was not sent.
   * After any other outcome, the user decides.
   */
  follow(change: ConversationChange): Promise<void>;
}

export interface MessageQueueDeps {
  readonly conversations: Pick<Conversations, 'get' | 'isRunning' | 'holder' | 'queue' | 'askQueued'>;
  readonly composers: Pick<Composers, 'of' | 'changed' | 'enqueue'>;
  /** Shows that a message waits for its context. */
  readonly waiting: Pick<WaitingMessages, 'until'>;
  /** Reads the context of a message again: files may have changed while it was in the queue. */
  refreshAll(queued: QueuedQuestion): Promise<readonly ContextItem[]>;
  toRefusal(error: unknown): Refused;
  describe(refusal: Refusal): string;
}

/** The reason with which the reading of context is aborted. */
const STOPPED = new Error('stopped');

export function createMessageQueue(deps: MessageQueueDeps): MessageQueue {
  const { conversations, composers } = deps;
  /**
   * The messages whose context is being read, by the id of their conversation. Reading may not end, for example if a drive
   * doesn't respond.
   */
  const reading = new Map<string, { readonly id: string; readonly stopping: AbortController }>();

  const waits = (conversationId: string, id: string) =>
    conversations.queue(conversationId).some((queued) => queued.id === id);

  /** Returns the first message if it can be sent now. */
  const nextOf = (conversationId: string, composer: Composer) =>
    composer.queuePaused || composer.sendingQueued || conversations.isRunning(conversationId)
      ? undefined
      : composer.queue[0];

  /** Pauses an empty queue, so that this window doesn't send what another window adds to it. */
  function pauseEmpty(composer: Composer): void {
    if (composer.queue.length === 0) composer.queuePaused = true;
  }

  async function sendNext(conversationId: string): Promise<void> {
    const composer = composers.of(conversationId);
    pauseEmpty(composer);
    const next = nextOf(conversationId, composer);
    if (next === undefined) return;
    composer.sendingQueued = true;
    const { id, question } = next;
    const stopping = new AbortController();
    reading.set(conversationId, { id, stopping });
    const asked = await deps.waiting
      .until(conversationId, () => untilAborted(deps.refreshAll(next), stopping.signal))
      .then((context) =>
        context === undefined || composer.queuePaused
          ? undefined
          : conversations.askQueued(conversationId, { id, question: withContext(question, context) }),
      )
      .catch((error: unknown) => (error === STOPPED ? undefined : deps.toRefusal(error)));
    composer.sendingQueued = false;
    reading.delete(conversationId);
    // The message was removed, or another window has sent it.
    const isGone = asked?.ok !== true && !waits(conversationId, id);
    const isFree = conversations.holder(conversationId) === undefined;
    if (isGone && isFree) await sendNext(conversationId);
    else if (isGone) composer.queuePaused = true;
    pauseEmpty(composer);
    const refused = isGone || asked === undefined || asked.ok ? undefined : asked.refusal;
    if (refused !== undefined && refused.kind !== 'running') {
      composer.queuePaused = true;
      composer.refused = refused;
      composer.refusal = deps.describe(refused);
    }
    composers.changed(conversationId);
  }

  function pause(conversationId: string): void {
    composers.of(conversationId).queuePaused = true;
    reading.get(conversationId)?.stopping.abort(STOPPED);
  }

  function dropped(conversationId: string): void {
    const { id, stopping } = reading.get(conversationId) ?? {};
    if (id !== undefined && !waits(conversationId, id)) stopping?.abort(STOPPED);
  }

  return {
    isAhead(conversationId) {
      const composer = composers.of(conversationId);
      if (conversations.isRunning(conversationId) || composer.sendingQueued) return true;
      return composer.queue.length > 0 && conversations.holder(conversationId) === undefined;
    },
    add: composers.enqueue,
    send(conversationId) {
      composers.of(conversationId).queuePaused = false;
      return sendNext(conversationId);
    },
    pause,
    dropped,
    async follow(change) {
      // Another window may have removed or sent the message whose context is being read here.
      if (change.type === 'listed') for (const id of reading.keys()) dropped(id);
      if (change.type === 'replaced' && conversations.get(change.conversationId) === undefined)
        pause(change.conversationId);
      // Another question came first, and wasn't sent after all. A paused queue stays paused.
      if (change.type === 'free') await sendNext(change.conversationId);
      if (change.type !== 'turn' || change.turn.outcome === undefined) return;
      if (isAnswered(change.turn)) await sendNext(change.conversationId);
      else composers.of(change.conversationId).queuePaused = true;
    },
  };
}

/** Whether the queue waits for the user, rather than for an answer here or in another window. */
export function isQueuePaused(
  { queue, queuePaused, sendingQueued }: Pick<Composer, 'queue' | 'queuePaused' | 'sendingQueued'>,
  { running, elsewhere }: { readonly running: boolean; readonly elsewhere: string | undefined },
): boolean {
  if (queue.length === 0 || elsewhere !== undefined || sendingQueued) return false;
  return running ? queuePaused : true;
}
