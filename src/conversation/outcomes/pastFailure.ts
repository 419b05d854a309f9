/** Failures that say nothing about the next request anymore. */
import type { ServiceErrorKind } from '../../service/errors.ts';
import { type Conversation, shownTurn } from '../conversation.ts';
import type { Outcome, Turn } from '../turn.ts';

/** The request itself was refused. Another route, or another question that is answered, doesn't change that. */
const ABOUT_THE_REQUEST: ReadonlySet<ServiceErrorKind> = new Set([
  'invalid-request',
  'filtered',
  'context-overflow',
  'too-large',
  'response-too-large',
]);

const ANSWERED: ReadonlySet<Outcome> = new Set(['complete', 'truncated', 'spent-on-reasoning', 'empty']);

/** The state in which a failure is looked at. */
export interface Now {
  /** The route of the next request. */
  readonly routeName: string | undefined;
  /** The conversation of the failed turn, and the others that are open. */
  readonly conversations: readonly Conversation[];
}

/**
 * Whether the cause of a failed turn is gone: the next request goes to another route, or the route has answered a later
 * one. What was wrong with the request itself is over when a later question of its conversation is answered.
 */
export function isFailurePast(
  turn: Turn,
  conversationId: string,
  { routeName, conversations }: Now,
): boolean {
  if (turn.outcome !== 'failed' || turn.failure === undefined) return false;
  const own = ABOUT_THE_REQUEST.has(turn.failure.kind);
  // A retry goes to the route that was chosen for it, unless another one became the active one since.
  const isChosen = routeName !== undefined && turn.request.chosen?.route?.insteadOf === routeName;
  if (!own && !isChosen && routeName !== undefined && routeName !== turn.request.routeName) return true;
  return conversations.some(
    ({ id, exchanges }) =>
      (!own || id === conversationId) &&
      exchanges.some((exchange) => {
        const later = shownTurn(exchange);
        return hasAnswered(later, turn) && (own || later?.request.routeName === turn.request.routeName);
      }),
  );
}

function hasAnswered(later: Turn | undefined, failed: Turn): boolean {
  return later?.outcome !== undefined && ANSWERED.has(later.outcome) && later.startedAt > failed.startedAt;
}
