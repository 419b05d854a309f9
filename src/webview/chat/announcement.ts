import type { PanelState } from '../../panel/panelState.ts';
import type { ExchangeView, ToolCallView, TurnView } from '../../panel/views.ts';
import type { PanelWord } from '../../panel/words.ts';

type Word = (key: PanelWord, ...values: readonly string[]) => string;

/**
 * The announcement for screen readers: when reasoning and answering start, when the turn ends, warnings, content that is left out of
 * its requests, and that a message was queued; not every token. Undefined if there is nothing new. Empty when another conversation is
 * shown, so that what was announced of the one before isn't read as its state.
 */
export function announcementOf(
  before: PanelState | undefined,
  after: PanelState,
  word: Word,
): string | undefined {
  const isOther = before !== undefined && before.conversationId !== after.conversationId;
  return ofTurn(before, after, word) ?? ofQueue(before, after, word) ?? (isOther ? '' : undefined);
}

function ofTurn(before: PanelState | undefined, after: PanelState, word: Word): string | undefined {
  const { id, turn } = followed(before, after) ?? {};
  if (turn === undefined) return undefined;
  const earlier = before?.exchanges.find((one) => one.id === id)?.turn;
  const asks = waitingCall(turn);
  if (asks !== undefined && asks.id !== (earlier && waitingCall(earlier)?.id))
    return `${word('Tool call, {0}', asks.name)}: ${asks.stateLabel}`;
  const added = newCard(earlier, turn);
  if (added !== undefined) return added;
  if (earlier?.id === turn.id && earlier.phase === turn.phase && earlier.outcome === turn.outcome)
    return undefined;
  if (before === undefined || before.conversationId !== after.conversationId) return undefined;
  // Another page of exchanges is shown, so its last turn is a different one, but nothing is new.
  if (before.later !== after.later) return undefined;
  switch (turn.phase) {
    case 'reasoning':
      return word('Reasoning');
    case 'answering':
      return word('Answering');
    case 'ended': {
      const problems = turn.cards.filter(({ tone }) => tone === 'problem').map(({ title }) => title);
      if (problems.length > 0) return problems.reduce((before, next) => word('{0}. {1}', before, next));
      return turn.outcome === 'complete' ? word('Done') : turn.phaseLabel;
    }
    default:
      return turn.phaseLabel;
  }
}

/**
 * The exchange of the turn that runs or has just ended, which can be another attempt for an earlier question. Otherwise the last
 * exchange.
 */
function followed(before: PanelState | undefined, { exchanges }: PanelState): ExchangeView | undefined {
  const ran = before?.exchanges.find(isRunning)?.id;
  return exchanges.find(isRunning) ?? exchanges.find(({ id }) => id === ran) ?? exchanges.at(-1);
}

const isRunning = ({ turn }: ExchangeView): boolean => turn?.outcome === 'running';

/** The title of a card that has appeared while the turn runs. Not for retries, which are announced as a phase. */
function newCard(earlier: TurnView | undefined, turn: TurnView): string | undefined {
  if (earlier?.id !== turn.id || turn.phase === 'ended' || turn.waitUntil !== undefined) return undefined;
  return turn.cards.find(({ title }) => !earlier.cards.some((card) => card.title === title))?.title;
}

/** The newest tool call that waits for an approval. */
function waitingCall(turn: TurnView): ToolCallView | undefined {
  return turn.rounds.at(-1)?.calls.findLast(({ state }) => state === 'waiting');
}

/**
 * Announces a queued message: it has left the message box, and nothing else says where it is. A paused queue has an announcement of its
 * own.
 */
function ofQueue(before: PanelState | undefined, after: PanelState, word: Word): string | undefined {
  if (before?.conversationId !== after.conversationId) return undefined;
  const { queue, queuePaused } = after.surroundings;
  if (queuePaused || queue.length <= before.surroundings.queue.length) return undefined;
  return word('Queued messages: {0}', String(queue.length));
}
