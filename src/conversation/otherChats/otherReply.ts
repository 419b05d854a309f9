/**
 * What another chat receives from a turn: text as it arrives, and tool calls after the complete response was
 * checked.
 */
import { hasUnrunCalls } from '../outcomes/notices.ts';
import { isOutOfRounds, responsesOf } from '../rounds.ts';
import { type CallDraft, parseArguments } from '../toolCalls/toolCalls.ts';
import type { Outcome, Turn } from '../turn.ts';

export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Why a reply isn't usable. */
export type ReplyProblem =
  | { readonly why: 'outcome'; readonly outcome: Exclude<Outcome, 'complete'> }
  | { readonly why: 'model-substituted' | 'rounds-spent' | 'calls-not-run' }
  | {
      readonly why: 'broken-call';
      readonly name: string;
      readonly fault: 'damaged' | 'unknown-name' | 'no-object';
    };

export type ReplyEnd =
  | { readonly ok: true; readonly calls: readonly ReplyCall[] }
  | { readonly ok: false; readonly problem: ReplyProblem };

/**
 * The end of a reply. It contains calls only if the service ended the response with them, because arguments that were cut off can
 * still be valid JSON.
 *
 * @param offered the names of the tools that were offered
 * @param isModelTold whether the user already knows that another model answers
 */
export function toReplyEnd(turn: Turn, offered: ReadonlySet<string>, isModelTold = false): ReplyEnd {
  const outcome = turn.outcome ?? 'interrupted';
  if (outcome !== 'complete') return { ok: false, problem: { why: 'outcome', outcome } };
  if (!isModelTold && otherModelsOf(turn).length > 0)
    return { ok: false, problem: { why: 'model-substituted' } };
  if (hasUnrunCalls(turn)) return { ok: false, problem: { why: 'calls-not-run' } };
  if (isOutOfRounds(turn)) return { ok: false, problem: { why: 'rounds-spent' } };
  const calls: ReplyCall[] = [];
  for (const draft of turn.toolCalls) {
    const input = parseArguments(draft.arguments);
    const fault = findFault(turn, draft, offered, input);
    if (fault !== undefined || input === undefined)
      return {
        ok: false,
        problem: { why: 'broken-call', name: draft.name, fault: fault ?? 'no-object' },
      };
    calls.push({ id: draft.id, name: draft.name, input });
  }
  return { ok: true, calls };
}

/** The models that answered instead of the requested one. */
export function otherModelsOf(turn: Turn): readonly string[] {
  const models = responsesOf(turn).flatMap(({ responseModel }) => responseModel ?? []);
  return [...new Set(models)].filter((model) => model !== turn.request.model);
}

function findFault(
  { damagedEvents }: Turn,
  { name }: CallDraft,
  offered: ReadonlySet<string>,
  input: ReplyCall['input'] | undefined,
) {
  // The skipped event may have been part of the arguments.
  if (damagedEvents > 0) return 'damaged';
  if (!offered.has(name)) return 'unknown-name';
  return input === undefined ? 'no-object' : undefined;
}
