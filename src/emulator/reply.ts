/** The model's response as plain data, before it is encoded. */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MODEL } from '../service/limits.ts';
import type { CompletionRequest } from './completionRequest.ts';
import { countTokens, truncateToTokens } from './tokens.ts';

export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  /** JSON text; incomplete if the budget was used up. */
  readonly arguments: string;
}

/** The response of the model with an unlimited budget. */
export interface Draft {
  readonly reasoning: string;
  readonly content: string;
  readonly calls: readonly ReplyCall[];
}

/** Token counts of a reply (R6). */
interface ReplyUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Includes reasoning tokens. */
  readonly completionTokens: number;
}

export interface Reply extends Draft {
  /** `chatcmpl-…` (R1). */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly finishReason: string;
  readonly usage: ReplyUsage;
}

export interface ReplyContext {
  readonly id: string;
  readonly created: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
}

/**
 * Cuts the draft to the budget, which is used for the reasoning first, then the answer, then tool calls. What exceeds
 * it is cut off, with finish reason `length` (F1, F2).
 */
export function toReply(draft: Draft, request: CompletionRequest, context: ReplyContext): Reply {
  const budget = Math.max(1, Math.min(request.budget, CONTEXT_WINDOW_TOKENS - context.promptTokens));
  const reasoning = truncateToTokens(draft.reasoning, budget);
  const reasoningTokens = countTokens(reasoning);
  // If the reasoning uses the complete budget, the answer doesn't start.
  let left = reasoning.length < draft.reasoning.length ? 0 : budget - reasoningTokens;
  const content = truncateToTokens(draft.content, left);
  left -= countTokens(content);
  const calls: ReplyCall[] = [];
  let isCut = reasoning.length < draft.reasoning.length || content.length < draft.content.length;
  for (const call of draft.calls) {
    const nameTokens = countTokens(call.name);
    if (isCut || left <= nameTokens) {
      isCut = true;
      break;
    }
    const args = truncateToTokens(call.arguments, left - nameTokens);
    left -= nameTokens + countTokens(args);
    calls.push({ ...call, arguments: args });
    isCut = args.length < call.arguments.length;
  }
  return {
    id: context.id,
    created: context.created,
    model: DEFAULT_MODEL,
    reasoning,
    content,
    calls,
    finishReason: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      promptTokens: context.promptTokens,
      cachedTokens: context.cachedTokens,
      reasoningTokens,
      completionTokens: countOutput({ reasoning, content, calls }),
    },
  };
}

/** The tokens of reasoning, answer, and tool calls. */
export function countOutput(draft: Draft): number {
  const texts = [
    draft.reasoning,
    draft.content,
    ...draft.calls.flatMap((call) => [call.name, call.arguments]),
  ];
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}
