/** Finds failures that no longer say anything about the next request. */
import type { ServiceErrorKind } from '../../service/errors.ts';
import { type Conversation, shownTurn } from '../conversation.ts';
import type { Destination } from '../routePlace.ts';
import type { Outcome, Turn } from '../turn.ts';

/** The request itself was refused. Neither another route nor an answer to another question changes that. */
const ABOUT_THE_REQUEST: ReadonlySet<ServiceErrorKind> = new Set([
  'invalid-request',
  'filtered',
  'context-overflow',
  'too-large',
  'response-too-large',
]);

const ANSWERED: ReadonlySet<Outcome> = new Set(['complete', 'truncated', 'spent-on-reasoning', 'empty']);

/** The current state, with which a failure is compared. `place` and `hasRoute` are those of the route of the next request. */
export interface Now extends Pick<Destination, 'place' | 'hasRoute'> {
  /** The route of the next request. */
  readonly routeName: string | undefined;
  /** The conversation of the failed turn, and the others that are open. */
  readonly conversations: readonly Conversation[];
}

/**
 * Whether the cause of a failed turn is gone: the next request goes to another route, or the route has answered a later request.
 * If the request itself was the problem, it is over when a later question of its conversation is answered.
 */
export function isFailurePast(
  turn: Turn,
  conversationId: string,
  { routeName, conversations, ...now }: Now,
): boolean {
  if (turn.outcome !== 'failed' || turn.failure === undefined) return false;
  const own = ABOUT_THE_REQUEST.has(turn.failure.kind);
  const names = [turn.request.routeName, ...(isRenamed(turn, now) ? [routeName] : [])];
  // A retry goes to the route that was chosen for it, unless another route has become the active one since then.
  const isChosen = routeName !== undefined && turn.request.chosen?.route?.insteadOf === routeName;
  if (!own && !isChosen && routeName !== undefined && !names.includes(routeName)) return true;
  return conversations.some(
    ({ id, exchanges }) =>
      (!own || id === conversationId) &&
      exchanges.some((exchange) => {
        const later = shownTurn(exchange);
        return hasAnswered(later, turn) && (own || names.includes(later.request.routeName));
      }),
  );
}

/** Whether the route of a turn has another name now. A route at the same address that already had its own name can have another key. */
const isRenamed = ({ request }: Turn, { place, hasRoute }: Pick<Now, 'place' | 'hasRoute'>): boolean =>
  place !== undefined && place === request.routePlace && hasRoute?.(request.routeName) === false;

function hasAnswered(later: Turn | undefined, failed: Turn): later is Turn {
  return later?.outcome !== undefined && ANSWERED.has(later.outcome) && later.startedAt > failed.startedAt;
}
