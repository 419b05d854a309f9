/** The parts of an answer that was continued. Each part is in an exchange of its own. */
import type { Exchange } from './conversation.ts';
import { isAnswered } from './rounds.ts';
import type { Turn } from './turn.ts';

/** The exchange in which an answer began: the first exchange that this one continues, directly or indirectly, or this one itself. */
export function firstPartOf(exchanges: readonly Exchange[], exchange: Exchange): Exchange {
  const { continues } = exchange.question;
  if (continues === undefined) return exchange;
  const earlier = exchanges.slice(0, Math.max(0, exchanges.indexOf(exchange)));
  const before = earlier.find(({ attempts }) => attempts.some(({ id }) => id === continues));
  return before === undefined ? exchange : firstPartOf(earlier, before);
}

/** Whether a turn is the first to answer its question. The question may have been asked again, or answered in parts, in any window. */
export function isFirstAnswer(exchanges: readonly Exchange[], exchange: Exchange, turn: Turn): boolean {
  const first = firstPartOf(exchanges, exchange);
  const parts = exchanges.filter((one) => firstPartOf(exchanges, one) === first);
  const others = parts.flatMap(({ attempts }) => attempts).filter(({ id }) => id !== turn.id);
  return isAnswered(turn) && !others.some(isAnswered);
}
