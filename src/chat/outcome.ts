import type { TurnEnd } from './events.ts';
import type { Outcome, Turn } from './turn.ts';

/** The parts of a turn from which its outcome follows. */
type Ended = Pick<
  Turn,
  | 'answer'
  | 'reasoning'
  | 'toolCalls'
  | 'finishReason'
  | 'usage'
  | 'phase'
  | 'timings'
  | 'requestId'
  | 'responseId'
  | 'rounds'
>;

/**
 * The one outcome of a turn (docs/security.md, Outcomes). "Complete" needs a finish reason, and content or tool calls;
 * an error after the finish reason changes nothing any more.
 */
export function toOutcome(turn: Ended, end: TurnEnd): Outcome {
  if (end.by === 'reader') return 'stopped';
  // The service has done what it was asked for; that the model was not let go on is a notice.
  if (end.by === 'limit') return 'complete';
  // Calls are not run after an error, so what was to follow them is missing, although they had come to their end.
  const unfinished = turn.finishReason === undefined || turn.finishReason === 'tool_calls';
  if (end.by === 'error' && unfinished) return toBrokenOutcome(turn, end);
  return toFinishedOutcome(turn);
}

function toBrokenOutcome(turn: Ended, end: TurnEnd): Outcome {
  switch (end.failure?.kind) {
    case 'silent':
      return 'stalled';
    case 'filtered':
      return 'filtered';
    case 'connection-lost':
      // Before anything of an answer came, the request failed; afterwards the answer was interrupted.
      return turn.responseId !== undefined || hasText(turn) || turn.rounds.length > 0
        ? 'interrupted'
        : 'failed';
    default:
      return 'failed';
  }
}

function toFinishedOutcome(turn: Ended): Outcome {
  const answered = turn.answer.trim() !== '';
  switch (turn.finishReason) {
    case undefined:
    case 'error':
      return 'interrupted';
    case 'length':
      if (answered) return 'truncated';
      // Cut off inside a tool call: something was answered, and it is not whole.
      if (turn.toolCalls.length > 0) return 'truncated';
      return turn.reasoning !== '' || (turn.usage?.completionTokens ?? 0) > 0
        ? 'spent-on-reasoning'
        : 'empty';
    case 'content_filter':
      return 'filtered';
    default:
      return answered || turn.toolCalls.length > 0 ? 'complete' : 'empty';
  }
}

function hasText(turn: Ended): boolean {
  return turn.reasoning !== '' || turn.answer !== '' || turn.toolCalls.length > 0;
}
