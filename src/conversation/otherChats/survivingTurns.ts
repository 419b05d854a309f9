/**
 * How much of a recorded conversation a chat of the editor still has. In the chat, the user can retry or edit a request. That
 * removes the request and everything after it from the chat, but not from the record.
 */
import { allExchanges } from '../allExchanges.ts';
import type { Conversation, Exchange } from '../conversation.ts';
import { shownTextOf } from '../shownQuestion.ts';
import type { Turn } from '../turn.ts';
import { foldShownText, NOTHING_SHOWN } from './shownText.ts';

/** A request in a chat of the editor, with the place of its response in the record. */
export interface ChatTurn {
  readonly prompt: string;
  /** Undefined if the editor dropped it, as for a response that was stopped. */
  readonly conversationId: string | undefined;
  /** The last exchange of the conversation at that time. Earlier versions didn't record it. */
  readonly exchangeId: string | undefined;
}

/** The id of the last exchange that a chat still has, or undefined if the chat has none of them. */
export function lastSurviving(conversation: Conversation, turns: readonly ChatTurn[]): string | undefined {
  const known = new Set(allExchanges(conversation).map(({ id }) => id));
  let last: string | undefined;
  for (const { prompt, conversationId, exchangeId } of turns) {
    if (conversationId !== undefined && conversationId !== conversation.id) continue;
    if (exchangeId !== undefined && known.has(exchangeId)) last = exchangeId;
    else last = followingWith(conversation, last, prompt).at(-1)?.id ?? last;
  }
  return last;
}

/**
 * How much a conversation differs from what a chat shows: 0 if they are the same, undefined if they can't be the same. The chat
 * may show only the beginning of an answer that was stopped, and a request without any text may have been stopped before it was
 * sent.
 */
export function misfitOf(
  conversation: Conversation,
  turns: readonly { readonly prompt: string; readonly text: string }[],
): number | undefined {
  /** The differences so far, by the exchange with which the turns so far end. */
  let ends: ReadonlyMap<string | undefined, number> = new Map([[undefined, 0]]);
  for (const { prompt, text } of turns) {
    const shown = text.trim();
    const next = new Map<string | undefined, number>();
    for (const [after, misfit] of ends) {
      if (shown === '') next.set(after, Math.min(misfit + turns.length, next.get(after) ?? Infinity));
      for (const { id, attempts } of followingWith(conversation, after, prompt)) {
        const texts = attempts.map(textOf).filter((one) => one.startsWith(shown));
        if (texts.length > 0) next.set(id, misfit + (texts.includes(shown) ? 0 : 1));
      }
    }
    ends = next;
  }
  return ends.size === 0 ? undefined : Math.min(...ends.values());
}

const textOf = (turn: Turn): string => foldShownText(NOTHING_SHOWN, turn).added.trim();

/** The exchanges with a question after another exchange, or at the beginning. The newest is last. */
function followingWith(
  { exchanges, branches }: Conversation,
  after: string | undefined,
  text: string,
): readonly Exchange[] {
  const paths = [{ after: undefined, exchanges }, ...branches];
  const following = paths.flatMap((path) =>
    path.exchanges.filter((_, at) => (at === 0 ? path.after : path.exchanges[at - 1]?.id) === after),
  );
  return following
    .filter(({ question }) => shownTextOf(question) === text)
    .toSorted((a, b) => begunAt(a) - begunAt(b));
}

const begunAt = ({ attempts }: Exchange) => attempts[0]?.startedAt ?? 0;
