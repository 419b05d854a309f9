/** What the model answers, as plain data, before any of it is put on the wire. */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MODEL } from '../service/limits.ts';
import type { CompletionRequest } from './completionRequest.ts';
import { countTokens, truncateToTokens } from './tokens.ts';

export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  /** JSON text; cut in the middle when the budget ran out. */
  readonly arguments: string;
}

/** What the model would say, given all the room it wants. */
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
  /** With the reasoning tokens. */
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
 * The draft as far as the budget reaches: reasoning is spent first, then the answer, then tool calls. Whatever does
 * not fit is cut off in the middle, with finish reason `length` (F1, F2).
 */
export function toReply(draft: Draft, request: CompletionRequest, context: ReplyContext): Reply {
  const budget = Math.max(1, Math.min(request.budget, CONTEXT_WINDOW_TOKENS - context.promptTokens));
  const reasoning = truncateToTokens(draft.reasoning, budget);
  const reasoningTokens = countTokens(reasoning);
  // Reasoning that fills the budget to the last token leaves no room to begin the answer.
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

/** Tokens of reasoning, answer and tool calls together. */
export function countOutput(draft: Draft): number {
  const texts = [
    draft.reasoning,
    draft.content,
    ...draft.calls.flatMap((call) => [call.name, call.arguments]),
  ];
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}
