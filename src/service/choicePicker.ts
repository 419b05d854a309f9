/** Passes on the chunks of the choice that is the answer. Text that may be that of another one waits for the next event. */
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
  /** The event without other choices. */
  pick(json: unknown): unknown;
  /** Whether the event that was picked last has changed nothing, so that another one with the same fields wouldn't either. */
  readonly isSettled: boolean;
  /** The chunk of the event that was picked last. False if it waits. */
  add(chunk: Chunk): boolean;
  /** The choices of a response that was read as a whole. */
  see(seen: SeenChoices): void;
  /** Nothing follows that could show that the last text was that of another choice. */
  flush(): void;
}

/**
 * @param onOther called once, when there is or may be another choice beside that of the answer, and once when calls that were given
 * may be its own
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
  /** Usage that came behind that, and counts output. */
  let latest: Usage | undefined;
  /** Calls were given that can be those of another number. */
  let hasOtherCalls = false;
  /** What was said last. */
  let said: boolean | undefined;

  const tell = (isOver = false) => {
    const hasCalls = choices.isApart && hasOtherCalls;
    // Two choices have two ends. Parts of one answer, with numbers of their own, have one.
    const isDoubted = isOver && choices.isDoubted && choices.isFinished === choices.isOtherFinished;
    if ((!choices.isApart && !isDoubted) || said === hasCalls) return;
    said = hasCalls;
    onOther(hasCalls);
  };
  const give = (chunk: Chunk) => {
    // An end counts behind an answer only.
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
    // Text behind a report isn't counted by it. This text arrived before it.
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
      // An answer can have another number than its reasoning. It doesn't wait if it has ended, because nothing may follow.
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
