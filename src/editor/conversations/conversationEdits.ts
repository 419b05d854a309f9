/** Changes of a conversation. Each change is stored and reported to all listeners. */

import { type Conversation, type Exchange, withExchange, withTurn } from '../../conversation/conversation.ts';
import { titleWith } from '../../conversation/conversationTitle.ts';
import type { TurnStep } from '../../conversation/events.ts';
import { withOmittedImage, withoutImages } from '../../conversation/images/sentImages.ts';
import { withKeptResults } from '../../conversation/requestMessages/keptResults.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { ConversationChange } from './conversationChange.ts';

export interface ConversationEdits {
  /** Like all changes, returns false if the conversation no longer exists or can't be read. */
  rename(id: string, title: string): boolean;
  pin(id: string, pinned: boolean): boolean;
  /** Adds an exchange from another chat of the editor, which has already ended, and its cost. */
  append(id: string, exchange: Exchange): boolean;
  showAttempt(conversationId: string, exchangeId: string, attempt: number): boolean;
  /** Stops sending an image of a question, which stays in the conversation, or sends it again. */
  omitImage(conversationId: string, exchangeId: string, index: number, omits: boolean): boolean;
  /** Stops sending all images of an exchange, including those of its tools. */
  omitImages(conversationId: string, exchangeId: string): boolean;
  /** Sends results of tools again that were left out, also when their questions are asked again; or takes that back. */
  keepResults(conversationId: string, exchangeIds: readonly string[], keeps: boolean): boolean;
  /** Removes the chosen route of a turn, so that it is asked again on the active route. */
  leaveRoute(conversationId: string, turnId: string): boolean;
}

export interface StoringEdits extends ConversationEdits {
  /** Replaces a conversation with a change of its latest version. */
  put(conversation: Conversation): void;
  /** Adds or replaces an exchange. */
  putExchange(conversationId: string, exchange: Exchange): void;
  /** Stores a step of a turn, which has continued or ended. */
  putTurn(conversationId: string, exchangeId: string, step: TurnStep): void;
  /** Reports that a conversation and the list may have changed. */
  replaced(conversationId: string): void;
}

export interface ConversationEditsDeps {
  readonly store: Pick<ConversationStore, 'get' | 'latest' | 'put' | 'progress' | 'putEnd'>;
  /** The title of a conversation without a question. */
  readonly untitled: string;
  readonly fire: (change: ConversationChange) => void;
}

export function createConversationEdits(deps: ConversationEditsDeps): StoringEdits {
  const { store, untitled, fire } = deps;
  const { latest } = store;

  function replaced(conversationId: string): void {
    fire({ type: 'replaced', conversationId });
    fire({ type: 'listed' });
  }

  function put(conversation: Conversation): void {
    store.put(conversation);
    replaced(conversation.id);
  }

  function putExchange(conversationId: string, exchange: Exchange): boolean {
    const conversation = latest(conversationId);
    if (conversation === undefined) return false;
    const title = titleWith(conversation, exchange, untitled);
    store.put({ ...withExchange(conversation, exchange), title }, exchange.id);
    fire({ type: 'exchange', conversationId, exchange });
    fire({ type: 'listed' });
    return true;
  }

  function change(id: string, header: Partial<Conversation>): boolean {
    const conversation = latest(id);
    if (conversation !== undefined) put({ ...conversation, ...header });
    return conversation !== undefined;
  }

  /** @param toNext returns the new state of an exchange; undefined if nothing changes */
  function changeExchange(id: string, toNext: (conversation: Conversation) => Exchange | undefined): boolean {
    const conversation = latest(id);
    const next = conversation && toNext(conversation);
    if (next !== undefined) putExchange(id, next);
    return conversation !== undefined;
  }

  return {
    put,
    putExchange,
    append: putExchange,
    replaced,
    putTurn: (conversationId, exchangeId, step) => putTurn(deps, conversationId, exchangeId, step),
    rename: (id, title) => change(id, { title, named: true }),
    pin: (id, pinned) => change(id, { pinned }),
    showAttempt(conversationId, exchangeId, attempt) {
      return changeExchange(conversationId, ({ exchanges }) => {
        const exchange = exchanges.find(({ id }) => id === exchangeId);
        return exchange?.attempts[attempt] && { ...exchange, shown: attempt };
      });
    },
    omitImage(conversationId, exchangeId, index, omits) {
      return changeExchange(conversationId, (conversation) =>
        withOmittedImage(conversation, exchangeId, index, omits).exchanges.find(
          ({ id }) => id === exchangeId,
        ),
      );
    },
    omitImages(conversationId, exchangeId) {
      return changeExchange(conversationId, ({ exchanges }) => {
        const exchange = exchanges.find(({ id }) => id === exchangeId);
        return exchange && withoutImages(exchange);
      });
    },
    keepResults(conversationId, exchangeIds, keeps) {
      const conversation = latest(conversationId);
      if (conversation === undefined) return false;
      const next = withKeptResults(conversation, exchangeIds, keeps);
      for (const { id } of next.exchanges) if (exchangeIds.includes(id)) store.put(next, id);
      replaced(conversationId);
      return true;
    },
    leaveRoute(conversationId, turnId) {
      return changeExchange(conversationId, ({ exchanges }) => {
        const exchange = exchanges.find(({ attempts }) =>
          attempts.some(({ id, request }) => id === turnId && request.chosen?.route !== undefined),
        );
        if (exchange === undefined) return undefined;
        const attempts = exchange.attempts.map((turn) =>
          turn.id === turnId ? withoutChosenRoute(turn) : turn,
        );
        return { ...exchange, attempts };
      });
    },
  };
}

function putTurn(
  { store, fire }: ConversationEditsDeps,
  conversationId: string,
  exchangeId: string,
  step: TurnStep,
): void {
  const { turn } = step;
  // The end is added to the latest version, even if another window has written while this window didn't run.
  const conversation = turn.outcome === undefined ? store.get(conversationId) : store.latest(conversationId);
  if (conversation === undefined) {
    // The conversation was deleted during the turn. The end is still stored, and panels show that nothing runs anymore.
    if (turn.outcome === undefined) return;
    store.putEnd(conversationId, exchangeId, turn);
    fire({ type: 'listed' });
    return;
  }
  const next = withTurn(conversation, exchangeId, turn);
  if (turn.outcome === undefined) store.progress(next, turn);
  else store.put(next, exchangeId);
  fire({ type: 'turn', conversationId, exchangeId, ...step });
  if (turn.outcome !== undefined) fire({ type: 'listed' });
}

/** The turn as if no route had been chosen for it. */
function withoutChosenRoute(turn: Turn): Turn {
  const { chosen, ...request } = turn.request;
  const { route, ...others } = chosen ?? {};
  const isEmpty = Object.keys(others).length === 0;
  return { ...turn, request: isEmpty ? request : { ...request, chosen: others } };
}
