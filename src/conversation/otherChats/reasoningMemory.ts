/**
 * Remembers the reasoning of answers that another chat keeps. Those chats send calls and text back without
 * the reasoning, which services of this kind then refuse
 * (docs/service.md, Reasoning must survive tool loops).
 */
import { createHash } from 'node:crypto';
import { hasReasoningField, type SentReasoning } from '../requestMessages/replay.ts';
import type { Turn } from '../turn.ts';

/** The parts of a turn that are sent back with its answer. */
export type KnownAnswer = Pick<
  Turn,
  'answer' | 'toolCalls' | 'reasoning' | 'reasoningName' | 'reasoningTags' | 'reasoningDetails'
>;

/** An answer as another chat sends it back. */
export interface ReturnedAnswer {
  readonly answer: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** The position of an answer. */
export interface AnswerPosition {
  /** Identifies the service. Reasoning is sent back only to the service that it came from. */
  readonly route: string;
  /** Identifies the messages before the answer, as a hash. */
  readonly before: string;
}

export interface ReasoningMemory {
  /** Stores an answer at its position. If the same answer is already stored there, that one is kept. */
  remember(position: AnswerPosition, answered: KnownAnswer): void;
  /**
   * Finds the answer with its reasoning. Other chats shorten the history. If the position is unknown, an
   * answer with the same calls is used, provided that the route has only one. The result is remembered, even
   * if nothing was found, because what was sent once must be sent again unchanged.
   */
  recall(position: AnswerPosition, returned: ReturnedAnswer): KnownAnswer | undefined;
  /** The service has refused this form. After `bare-calls`, calls without reasoning are no longer found. */
  refuse(route: AnswerPosition['route'], what: RefusedForm): void;
  refuses(route: AnswerPosition['route'], what: RefusedForm): boolean;
}

/** The forms of earlier messages that some services refuse. */
export type RefusedForm = 'bare-calls' | 'reasoning' | 'name';

/** The same memory for one request to a service that refuses calls without reasoning. */
export const withoutBareCalls = (
  { recall }: Pick<ReasoningMemory, 'recall'>,
  sent?: SentReasoning,
): Pick<ReasoningMemory, 'recall'> => ({
  recall(position, returned) {
    const answered = recall(position, returned);
    const isBare = answered !== undefined && (sent === 'none' || !hasReasoningField(answered));
    return isBare && returned.calls.length > 0 ? undefined : answered;
  },
});

interface Kept {
  /** Undefined if nothing was found. */
  readonly answered: KnownAnswer | undefined;
  /**
   * Keys of the calls by which the answer is found at other positions. Empty if it was itself found that way.
   */
  readonly calls: readonly string[];
}

/** The maximum number of answers, and of characters in all of them. The least recently used answers are removed first. */
const MAX_ANSWERS = 10_000;
const MAX_CHARACTERS = 32_000_000;

export function createReasoningMemory(
  maxAnswers: number = MAX_ANSWERS,
  maxCharacters: number = MAX_CHARACTERS,
): ReasoningMemory {
  /** By position and answer, least recently used first. */
  const kept = new Map<string, Kept>();
  const byCall = new Map<string, ReadonlySet<KnownAnswer>>();
  /** The services that have refused each form. */
  const refusing = {
    'bare-calls': new Set<string>(),
    reasoning: new Set<string>(),
    name: new Set<string>(),
  };
  let characters = 0;

  function keep(key: string, one: Kept): void {
    const { answered, calls } = one;
    kept.set(key, one);
    characters += sizeOf(answered);
    if (answered !== undefined)
      for (const call of calls) byCall.set(call, new Set(byCall.get(call)).add(answered));
    while (kept.size > maxAnswers || characters > maxCharacters) forgetOldest();
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

  const recall: ReasoningMemory['recall'] = (position, returned) => {
    const key = keyOf(position, returned);
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known.answered;
    }
    const answered = findOnly(callKeysOf(position, returned));
    keep(key, { answered, calls: [] });
    return answered;
  };
  const others = withoutBareCalls({ recall });

  return {
    remember(position, answered) {
      const returned = { answer: answered.answer, calls: answered.toolCalls };
      const key = keyOf(position, returned);
      if (!kept.has(key)) keep(key, { answered, calls: callKeysOf(position, returned) });
    },
    recall: (position, returned) =>
      (refusing['bare-calls'].has(position.route) ? others : { recall }).recall(position, returned),
    refuse: (route, what) => void refusing[what].add(route),
    refuses: (route, what) => refusing[what].has(route),
  };
}

function sizeOf(answered: KnownAnswer | undefined): number {
  if (answered === undefined) return 0;
  const { reasoning, answer, reasoningDetails, toolCalls } = answered;
  return reasoning.length + answer.length + JSON.stringify([reasoningDetails, toolCalls]).length;
}

/**
 * The key of an answer at its position. If it has calls, only they count, because other chats drop the text
 * next to calls.
 */
function keyOf({ route, before }: AnswerPosition, { answer, calls }: ReturnedAnswer): string {
  return hashOf([route, before, calls.length === 0 ? answer.trim() : calls.map(toCall)]);
}

/** One key for each call, independent of its position. */
function callKeysOf({ route }: AnswerPosition, { calls }: ReturnedAnswer): readonly string[] {
  return calls.map((call) => hashOf([route, toCall(call)]));
}

function toCall({ id, name, arguments: args }: ReturnedAnswer['calls'][number]): readonly string[] {
  return [id, name, normalized(args)];
}

/** Arguments that were parsed and serialized again differ only in white space. */
function normalized(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args === '' ? '{}' : args));
  } catch {
    // Invalid JSON can't have been parsed and serialized again.
    return args;
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
