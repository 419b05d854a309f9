/** Passes on the chunks of the choice that is the answer. Text that may belong to another choice waits for the next event. */
import {
  EMPTY_CHUNK,
  hasOutputCount,
  isOfAnswer,
  NO_CHOICES,
  pickChoice,
  type SeenChoices,
  withoutChoice,
} from './answerChoice.ts';
import { asArray, asObject } from './json.ts';
import type { Chunk, Usage } from './types.ts';

export interface ChoicePicker {
  /** Returns the event without the other choices. */
  pick(json: unknown): unknown;
  /** Whether the last event changed no state here. Then another event with the same fields doesn't change any either. */
  readonly isSettled: boolean;
  /** Adds the chunk of the last event. Returns false if the chunk waits for the next event. */
  add(chunk: Chunk): boolean;
  /** Sets the state of the choices from a response that was read as a whole. */
  see(seen: SeenChoices): void;
  /** Passes on the text that waits. No event follows that could show that it belongs to another choice. */
  flush(): void;
}

/**
 * @param onOther called once when there is, or may be, another choice beside the answer, and once more if tool calls that were
 * passed on may belong to it
 */
export function createChoicePicker(
  onChunk: (chunk: Chunk) => void,
  onOther: (hasCalls: boolean) => void,
): ChoicePicker {
  let choices = NO_CHOICES;
  let hasAnswer = false;
  let isDoubtful = false;
  let isSettled = false;
  let doubtful: Chunk | undefined;
  /** The last usage with output that came after the chunk in `doubtful`. */
  let latest: Usage | undefined;
  /** Tool calls were passed on that may belong to another choice. */
  let hasOtherCalls = false;
  /** The last argument of `onOther`. */
  let said: boolean | undefined;

  const tell = (isOver = false) => {
    const hasCalls = choices.isApart && hasOtherCalls;
    // Two choices have two finish reasons. The parts of one answer with different numbers have one.
    const isDoubted = isOver && choices.isDoubted && choices.isFinished === choices.isOtherFinished;
    if ((!choices.isApart && !isDoubted) || said === hasCalls) return;
    said = hasCalls;
    onOther(hasCalls);
  };
  const give = (chunk: Chunk) => {
    // Finish reasons count only after answer text or tool calls, so the next event can change the state.
    if (!hasAnswer && isOfAnswer(chunk)) {
      hasAnswer = true;
      isSettled = false;
    }
    hasOtherCalls ||= choices.hasOther && !choices.isApart && chunk.toolCalls.length > 0;
    onChunk(chunk);
    tell();
  };
  const giveDoubtful = (isOther: boolean) => {
    if (doubtful === undefined) return;
    const chunk = isOther ? withoutChoice(doubtful) : doubtful;
    doubtful = undefined;
    give(chunk);
    // Usage doesn't count text that comes after it. This text arrived before the usage, so the usage is passed on again after it.
    if (latest !== undefined) give({ ...EMPTY_CHUNK, usage: latest });
    latest = undefined;
  };
  const see = (seen: SeenChoices) => {
    choices = seen;
    tell();
  };

  return {
    pick(json) {
      const picked = pickChoice(json, choices, hasAnswer);
      if (asArray(asObject(json)?.['choices'])?.length) giveDoubtful(picked.seen.isApart && !choices.isApart);
      isDoubtful = picked.isDoubtful === true;
      isSettled = picked.json === json && picked.seen === choices;
      see(picked.seen);
      return picked.json;
    },
    get isSettled() {
      return isSettled;
    },
    add(chunk) {
      // The answer can have another number than its reasoning. If its first chunk already has a finish reason, no event may
      // follow, so it doesn't wait.
      const waits = isDoubtful && (hasAnswer || !isOfAnswer(chunk) || chunk.finishReason === undefined);
      if (waits) doubtful = chunk;
      else {
        if (doubtful !== undefined && hasOutputCount(chunk.usage)) latest = chunk.usage;
        give(chunk);
      }
      return !waits;
    },
    see,
    flush() {
      giveDoubtful(false);
      tell(true);
    },
  };
}
