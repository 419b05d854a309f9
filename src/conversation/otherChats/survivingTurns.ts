/**
 * How much of a recorded conversation a chat of the editor still has. Its user can retry or edit a request there, which
 * removes that request and everything after it from the chat, but not from the record.
 */
import { allExchanges } from '../allExchanges.ts';
import type { Conversation, Exchange } from '../conversation.ts';
import { shownTextOf } from '../shownQuestion.ts';

/** A request in a chat of the editor, with the place in the record that its response was given. */
export interface ChatTurn {
  readonly prompt: string;
  /** Undefined when the editor dropped it, as for a response that was stopped. */
  readonly conversationId: string | undefined;
  /** The last exchange of the conversation at that time. Earlier versions didn't record it. */
  readonly exchangeId: string | undefined;
}

/** The ID of the last exchange that a chat still has; undefined when it has none of them. */
export function lastSurviving(conversation: Conversation, turns: readonly ChatTurn[]): string | undefined {
  const known = new Set(allExchanges(conversation).map(({ id }) => id));
  let last: string | undefined;
  for (const { prompt, conversationId, exchangeId } of turns) {
    if (conversationId !== undefined && conversationId !== conversation.id) continue;
    if (exchangeId !== undefined && known.has(exchangeId)) last = exchangeId;
    else last = followingWith(conversation, last, prompt)?.id ?? last;
  }
  return last;
}

/** The newest exchange with a question after another exchange, or at the beginning. */
function followingWith(
  { exchanges, branches }: Conversation,
  after: string | undefined,
  text: string,
): Exchange | undefined {
  const paths = [{ after: undefined, exchanges }, ...branches];
  const following = paths.flatMap((path) =>
    path.exchanges.filter((_, at) => (at === 0 ? path.after : path.exchanges[at - 1]?.id) === after),
  );
  return following
    .filter(({ question }) => shownTextOf(question) === text)
    .toSorted((a, b) => begunAt(a) - begunAt(b))
    .at(-1);
}

const begunAt = ({ attempts }: Exchange) => attempts[0]?.startedAt ?? 0;
