/** From a conversation and a question to what is asked of the service. */
import { latestUsage } from '../chat/cost.ts';
import type { Toolbox } from '../chat/tools.ts';
import { exchangesBefore, toMessages } from '../chat/transcript.ts';
import type { Conversation, Exchange, Question, Turn } from '../chat/turn.ts';
import { turnBefore } from '../chat/turnBefore.ts';
import type { FunctionTool } from '../service/types.ts';
import { responseFormatOf } from './responseFormat.ts';
import type { TurnSettings } from './settings.ts';
import type { TurnContent } from './turns.ts';

/** What one attempt does differently from the settings. */
export interface AttemptOptions {
  /** Output budget in tokens; `default` leaves it to the service, whatever the settings say. */
  readonly budget?: number | 'default';
  /** The question as it goes out, when it is not the question's text. */
  readonly prompt?: string;
}

/** What is about to be asked, and where. */
export interface Asking {
  /** Undefined when it was deleted meanwhile. */
  readonly conversation: Conversation | undefined;
  /** The exchange that gets another attempt; undefined when the question is new. */
  readonly exchange: Exchange | undefined;
  readonly question: Question;
}

/** The tools that a turn of a conversation may call, or undefined for none. */
export type ToolboxOf = (conversationId: string) => Toolbox | undefined;

/** What a question asks of the service, with everything of its conversation before it. */
export function toConversationContent(
  settings: TurnSettings,
  asking: Asking,
  options: AttemptOptions,
  toolboxOf: ToolboxOf,
): TurnContent {
  const { conversation, exchange, question } = asking;
  const earlier = conversation === undefined ? [] : exchangesBefore(conversation, exchange?.id);
  const toolbox = offeredTools(toolboxOf, asking);
  return {
    request: {
      messages: toMessages(settings.systemPrompt, earlier, {
        text: options.prompt ?? question.text,
        images: question.images,
        context: question.context ?? [],
      }),
      maxCompletionTokens:
        options.budget === 'default' ? undefined : (options.budget ?? settings.maxCompletionTokens),
      effort: settings.effort,
      tools: toolbox && toTools(toolbox),
      responseFormat: responseFormatOf(question),
      promptCacheKey: settings.promptCacheKey ? conversation?.id : undefined,
    },
    toolbox,
    prompt: options.prompt,
    earlier: requestBefore(asking),
  };
}

/** The turn whose request is the beginning of the next one, as far as it reported its usage. */
function requestBefore({ conversation, exchange }: Asking): Turn | undefined {
  const again = exchange?.attempts.findLast((turn) => latestUsage(turn) !== undefined);
  return again ?? (conversation && turnBefore(conversation, exchange?.id ?? ''));
}

/**
 * The tools of a turn, as they are now and in an order that does not change from turn to turn, so that the prefix stays
 * cached. A purpose has a form of its own, and wants nothing but the answer; a format that the user chose does not keep
 * the model from looking something up.
 */
function offeredTools(toolboxOf: ToolboxOf, { conversation, question }: Asking): Toolbox | undefined {
  if (conversation === undefined || question.purpose !== undefined) return undefined;
  const offered = toolboxOf(conversation.id);
  if (offered === undefined || offered.definitions.length === 0) return undefined;
  const definitions = offered.definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { definitions, run: (call, signal, onState) => offered.run(call, signal, onState) };
}

const toTools = ({ definitions }: Toolbox): readonly FunctionTool[] =>
  definitions.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
