/** From the messages of another chat of the editor to what is asked of the service. */
import { type OtherTool, toFunctionTools, toServiceMessages } from '../chat/otherMessages.ts';
import type { OtherMessage } from '../chat/otherParts.ts';
import type { AnswerPosition, ReasoningMemory } from '../chat/reasoningMemory.ts';
import type { Route } from '../service/types.ts';
import { type Refused, refuse } from './refusal.ts';
import type { TurnSettings } from './settings.ts';
import type { TurnContent } from './turns.ts';

export interface OtherRequest {
  readonly messages: readonly OtherMessage[];
  /** The other chat runs them, not the turn. */
  readonly tools: readonly OtherTool[];
}

export interface OtherChatContent extends TurnContent {
  readonly ok: true;
  /** Messages with tool calls that go back as text: their reasoning is not known any more. */
  readonly forgotten: number;
  /** Where the answer stands among the messages, for the memory of reasoning. */
  readonly next: AnswerPosition;
}

/** What another chat asks of the service; refused when it holds data that the service does not take. */
export function toOtherChatContent(
  { messages, tools }: OtherRequest,
  memory: Pick<ReasoningMemory, 'recall'>,
  { maxCompletionTokens, effort }: Pick<TurnSettings, 'maxCompletionTokens' | 'effort'>,
  { root, model }: Pick<Route, 'root' | 'model'>,
): OtherChatContent | Refused {
  // A route can be renamed; one that has another address or model is another service.
  const transcript = toServiceMessages(messages, memory, `${root} ${model}`);
  if (!transcript.ok) return refuse({ kind: 'unsupported', ...transcript.unsupported });
  return {
    ok: true,
    request: { messages: transcript.messages, tools: toFunctionTools(tools), maxCompletionTokens, effort },
    forgotten: transcript.forgotten,
    next: transcript.next,
  };
}
