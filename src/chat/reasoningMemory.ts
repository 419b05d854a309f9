/**
 * What was reasoned before an answer that another chat keeps. Those chats give calls and texts back without the
 * reasoning, which services of this family then refuse (`field-notes.md`, Reasoning must survive tool loops).
 */
import { createHash } from 'node:crypto';
import type { Turn } from './turn.ts';

/** The parts of a turn that go back with its answer. */
export type Answered = Pick<
  Turn,
  'answer' | 'toolCalls' | 'reasoning' | 'reasoningName' | 'reasoningTags' | 'reasoningDetails'
>;

/** An answer as another chat gives it back. */
export interface Said {
  readonly answer: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

export interface ReasoningMemory {
  /** @param beginning the first question of the conversation, which tells it from others */
  remember(beginning: string, answered: Answered): void;
  /**
   * What stood before an answer. Ids of calls can be the same in two conversations: the one that began alike counts,
   * and where none did, the only one there is.
   */
  recall(beginning: string, said: Said): Answered | undefined;
}

interface Kept {
  readonly beginning: string;
  readonly answered: Answered;
}

/** Answers, and characters in all of them, beyond which the oldest are forgotten. */
const MOST_ANSWERS = 2000;
const MOST_CHARACTERS = 32_000_000;

export function createReasoningMemory(
  mostAnswers: number = MOST_ANSWERS,
  mostCharacters: number = MOST_CHARACTERS,
): ReasoningMemory {
  /** In the order in which they came. */
  const kept = new Set<Kept>();
  const byKey = new Map<string, readonly Kept[]>();
  let characters = 0;

  function forgetOldest(): void {
    const [oldest] = kept;
    if (oldest === undefined) return;
    kept.delete(oldest);
    characters -= sizeOf(oldest.answered);
    for (const key of keysOf(toSaid(oldest.answered))) {
      const left = (byKey.get(key) ?? []).filter((one) => one !== oldest);
      if (left.length === 0) byKey.delete(key);
      else byKey.set(key, left);
    }
  }

  return {
    remember(beginning, answered) {
      if (answered.reasoning === '' && answered.reasoningDetails.length === 0) return;
      const one: Kept = { beginning: hashOf(beginning), answered };
      kept.add(one);
      characters += sizeOf(answered);
      for (const key of keysOf(toSaid(answered))) byKey.set(key, [...(byKey.get(key) ?? []), one]);
      while (kept.size > mostAnswers || characters > mostCharacters) forgetOldest();
    },
    recall(beginning, said) {
      const begun = hashOf(beginning);
      for (const key of keysOf(said)) {
        const found = byKey.get(key) ?? [];
        const same = found.findLast((one) => one.beginning === begun);
        const only = found.length === 1 ? found[0] : undefined;
        const one = same ?? only;
        if (one !== undefined) return one.answered;
      }
      return undefined;
    },
  };
}

function sizeOf({ reasoning, answer, reasoningDetails, toolCalls }: Answered): number {
  return reasoning.length + answer.length + JSON.stringify([reasoningDetails, toolCalls]).length;
}

function toSaid({ answer, toolCalls }: Answered): Said {
  return { answer, calls: toolCalls };
}

/** One key for each call; an answer without calls is known by its text. */
function keysOf({ answer, calls }: Said): readonly string[] {
  if (calls.length === 0) return [hashOf(['answer', answer.trim()])];
  return calls.map(({ id, name, arguments: args }) => hashOf(['call', id, name, normalised(args)]));
}

/** Arguments that were parsed and written again differ in white space only. */
function normalised(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args === '' ? '{}' : args));
  } catch {
    return args;
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
