import type { TurnEnd } from '../events.ts';
import { mayMissCalls } from '../response.ts';
import { toFullUsage } from '../rounds.ts';
import type { Outcome, Turn } from '../turn.ts';

/** The parts of a turn that determine its outcome. */
type Ended = Pick<
  Turn,
  | 'answer'
  | 'reasoning'
  | 'toolCalls'
  | 'finishReason'
  | 'wentOn'
  | 'sawDone'
  | 'usage'
  | 'phase'
  | 'timings'
  | 'requestId'
  | 'responseId'
  | 'rounds'
>;

/**
 * The outcome of a turn (docs/security.md, Outcomes). “Complete” requires a finish reason, and an answer or tool calls. An error
 * after the finish reason doesn't change the outcome, unless text has come after a finish reason. Then only `[DONE]` or the end
 * of the body shows that the last finish reason was the end; for calls, only `[DONE]` does.
 */
export function toOutcome(turn: Ended, end: TurnEnd): Outcome {
  if (end.by === 'user') return 'stopped';
  // The service did what was requested. A notice shows that the model couldn't continue.
  if (end.by === 'limit') return 'complete';
  // After an error, calls aren't run even if they are complete, so the rest of the turn is missing.
  const unfinished =
    turn.finishReason === undefined || turn.finishReason === 'tool_calls' || (turn.wentOn && !turn.sawDone);
  if (end.by === 'error' && unfinished) return toBrokenOutcome(turn, end);
  if (end.by === 'window' && unfinished) return 'interrupted';
  if (mayMissCalls(turn)) return 'interrupted';
  return toFinishedOutcome(turn);
}

function toBrokenOutcome(turn: Ended, end: TurnEnd): Outcome {
  switch (end.failure?.kind) {
    case 'silent':
      return 'stalled';
    case 'filtered':
      return 'filtered';
    case 'connection-lost':
      // If nothing of an answer had arrived, the request failed. Otherwise, the answer was interrupted.
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
      // Cut off inside a tool call: there is an answer, but it is incomplete.
      if (turn.toolCalls.length > 0) return 'truncated';
      return wasReasoned(turn) ? 'spent-on-reasoning' : 'empty';
    case 'content_filter':
      return 'filtered';
    default:
      return answered || turn.toolCalls.length > 0 ? 'complete' : 'empty';
  }
}

/**
 * Whether the budget of a response without an answer was spent on reasoning, which isn't always streamed. An answer of white
 * space up to the limit isn't reasoning.
 */
function wasReasoned({ reasoning, answer, usage }: Ended): boolean {
  if (reasoning !== '' || (usage?.reasoningTokens ?? 0) > 0) return true;
  return answer === '' && usage !== undefined && (toFullUsage(usage).completionTokens ?? 0) > 0;
}

function hasText(turn: Ended): boolean {
  return turn.reasoning !== '' || turn.answer !== '' || turn.toolCalls.length > 0;
}
