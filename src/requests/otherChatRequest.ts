/** Creates the request for messages of another chat in the editor. */
import {
  betweenQuestions,
  type OtherTool,
  toFunctionTools,
  toServiceMessages,
  withWantedCall,
} from '../conversation/otherChats/otherMessages.ts';
import type { OtherMessage } from '../conversation/otherChats/otherParts.ts';
import {
  type AnswerPosition,
  type ReasoningMemory,
  type RefusedForm,
  withoutBareCalls,
} from '../conversation/otherChats/reasoningMemory.ts';
import type { RefusedPart } from '../conversation/outcomes/refusedFields.ts';
import { type SentReasoning, withReasoningAs } from '../conversation/requestMessages/replay.ts';
import type { Route } from '../service/types.ts';
import { type Refused, refuse } from './refusal.ts';
import type { TurnContent } from './turnContent.ts';
import type { TurnSettings } from './turnSettings.ts';
import { withoutRefused } from './withoutRefused.ts';

export interface OtherRequest {
  readonly messages: readonly OtherMessage[];
  /** These tools are run by the other chat. */
  readonly tools: readonly OtherTool[];
  /** The other chat requires a call of any of its tools. */
  readonly wantsCall?: boolean;
}

export interface OtherChatContent extends TurnContent {
  readonly ok: true;
  /** Number of messages with tool calls that are sent as text, because their reasoning is no longer known. */
  readonly forgotten: number;
  /** The position of the answer among the messages, for the reasoning memory. */
  readonly next: AnswerPosition;
}

/** The content of the request. Refused if the messages have data that the service doesn't accept. */
export function toOtherChatContent(
  { messages, tools, wantsCall }: OtherRequest,
  memory: Pick<ReasoningMemory, 'recall'> & Partial<Pick<ReasoningMemory, 'refuses'>>,
  { maxCompletionTokens, effort }: Pick<TurnSettings, 'maxCompletionTokens' | 'effort'>,
  { root, model }: Pick<Route, 'root' | 'model'>,
  refused?: ReadonlySet<RefusedPart>,
): OtherChatContent | Refused {
  // The address and the model identify the service, because the name of a route can change.
  const place = `${root} ${model}`;
  const refuses = (what: RefusedForm) => memory.refuses?.(place, what) === true;
  const sentReasoning: SentReasoning | undefined = refuses('reasoning')
    ? 'none'
    : refuses('name')
      ? 'documented'
      : undefined;
  const toTranscript = (isStrict: boolean, sent = sentReasoning) =>
    toServiceMessages(messages, isStrict ? withoutBareCalls(memory, sent) : memory, place, isStrict);
  const transcript = toTranscript(refuses('bare-calls'));
  if (!transcript.ok) return refuse({ kind: 'unsupported', ...transcript.unsupported });
  const toSent = ({ messages: sent }: Pick<typeof transcript, 'messages'>) => {
    const asked = betweenQuestions(wantsCall === true ? withWantedCall(sent, tools) : sent);
    return withReasoningAs(sentReasoning, asked);
  };
  const wanted = { responseFormat: undefined, effort, budget: maxCompletionTokens };
  const { sent, leftOut } = withoutRefused(wanted, refused, undefined);
  return {
    ok: true,
    request: {
      messages: toSent(transcript),
      tools: toFunctionTools(tools),
      maxCompletionTokens: sent.budget,
      effort: sent.effort,
    },
    messagesAsText(_omitted, _asText, as) {
      const asText = toTranscript(true, as);
      return toSent(asText.ok ? asText : transcript);
    },
    ...(sentReasoning && { sentReasoning }),
    ...(leftOut.length > 0 && { leftOut }),
    forgotten: transcript.forgotten,
    next: transcript.next,
  };
}
