/**
 * What was reasoned before an answer that another chat keeps. Those chats give calls and texts back without the
 * reasoning, which services of this family then refuse (docs/service.md, Reasoning must survive tool loops).
 */
import { createHash } from 'node:crypto';
import type { Turn } from './turn.ts';

/** The parts of a turn that go back with its answer. */
export type KnownAnswer = Pick<
  Turn,
  'answer' | 'toolCalls' | 'reasoning' | 'reasoningName' | 'reasoningTags' | 'reasoningDetails'
>;

/** An answer as another chat gives it back. */
export interface ReturnedAnswer {
  readonly answer: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Where an answer stands. */
export interface AnswerPosition {
  /** What tells the service from others: reasoning goes back only to the one that it came from. */
  readonly route: string;
  /** What tells the messages before the answer from all others. */
  readonly before: string;
}

export interface ReasoningMemory {
  /** Keeps an answer at its place. Where the same answer is kept at the same place, that one stays. */
  remember(place: AnswerPosition, answered: KnownAnswer): void;
  /**
   * What stood before an answer. Other chats shorten what came before: calls whose place is not known are those that
   * are kept, when there is only one answer of the route with them. What was found once, or was not, stays so, because
   * what went out once must go out again as it was.
   */
  recall(place: AnswerPosition, said: ReturnedAnswer): KnownAnswer | undefined;
}

interface Kept {
  /** Undefined where nothing was found. */
  readonly answered: KnownAnswer | undefined;
  /** Keys of the calls by which an answer is found elsewhere; none for what was itself found so. */
  readonly calls: readonly string[];
}

/** Answers, and characters in all of them, beyond which those are forgotten that were not needed for longest. */
const MOST_ANSWERS = 10_000;
const MOST_CHARACTERS = 32_000_000;

export function createReasoningMemory(
  mostAnswers: number = MOST_ANSWERS,
  mostCharacters: number = MOST_CHARACTERS,
): ReasoningMemory {
  /** By place and answer, in the order in which they were needed. */
  const kept = new Map<string, Kept>();
  const byCall = new Map<string, ReadonlySet<KnownAnswer>>();
  let characters = 0;

  function keep(key: string, one: Kept): void {
    const { answered, calls } = one;
    kept.set(key, one);
    characters += sizeOf(answered);
    if (answered !== undefined)
      for (const call of calls) byCall.set(call, new Set(byCall.get(call)).add(answered));
    while (kept.size > mostAnswers || characters > mostCharacters) forgetOldest();
  }

  function forgetOldest(): void {
    const [oldest] = kept;
    if (oldest === undefined) return;
    const [key, { answered, calls }] = oldest;
    kept.delete(key);
    characters -= sizeOf(answered);
    for (const call of calls) {
      const left = [...(byCall.get(call) ?? [])].filter((one) => one !== answered);
      if (left.length === 0) byCall.delete(call);
      else byCall.set(call, new Set(left));
    }
  }

  function findOnly(calls: readonly string[]): KnownAnswer | undefined {
    const [first, ...more] = calls.map((call) => byCall.get(call) ?? new Set<KnownAnswer>());
    const [one, ...others] = [...(first ?? [])].filter((found) => more.every((all) => all.has(found)));
    return others.length === 0 ? one : undefined;
  }

  return {
    remember(place, answered) {
      const said = { answer: answered.answer, calls: answered.toolCalls };
      const key = keyOf(place, said);
      if (!kept.has(key)) keep(key, { answered, calls: callKeysOf(place, said) });
    },
    recall(place, said) {
      const key = keyOf(place, said);
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known);
        return known.answered;
      }
      const answered = findOnly(callKeysOf(place, said));
      keep(key, { answered, calls: [] });
      return answered;
    },
  };
}

function sizeOf(answered: KnownAnswer | undefined): number {
  if (answered === undefined) return 0;
  const { reasoning, answer, reasoningDetails, toolCalls } = answered;
  return reasoning.length + answer.length + JSON.stringify([reasoningDetails, toolCalls]).length;
}

/** An answer at its place. One with calls is known by them: other chats drop what was said beside them. */
function keyOf({ route, before }: AnswerPosition, { answer, calls }: ReturnedAnswer): string {
  return hashOf([route, before, calls.length === 0 ? answer.trim() : calls.map(toCall)]);
}

/** One key for each call, wherever it stands. */
function callKeysOf({ route }: AnswerPosition, { calls }: ReturnedAnswer): readonly string[] {
  return calls.map((call) => hashOf([route, toCall(call)]));
}

function toCall({ id, name, arguments: args }: ReturnedAnswer['calls'][number]): readonly string[] {
  return [id, name, normalised(args)];
}

/** Arguments that were parsed and written again differ in white space only. */
function normalised(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args === '' ? '{}' : args));
  } catch {
    // What is no JSON was not written again either.
    return args;
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
