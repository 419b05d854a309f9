/** Creates the request for a question in a conversation. */

import { allTurns } from '../conversation/allExchanges.ts';
import { type Conversation, type Exchange, shownTurn } from '../conversation/conversation.ts';
import type { RefusedPart } from '../conversation/outcomes/refusedFields.ts';
import { type Origin, type Preset, type Question, withPreset } from '../conversation/question.ts';
import type { ChosenRequest, EarlierResult } from '../conversation/requestFacts.ts';
import { omittedAtFirst, toOmissions } from '../conversation/requestMessages/omissions.ts';
import {
  AS_IT_CAME,
  refusesCalls,
  toReplay,
  toSentReasoning,
  withCallsAsText,
  withReasoningAs,
} from '../conversation/requestMessages/replay.ts';
import { exchangesBefore, toMessages, toPieces } from '../conversation/requestMessages/transcript.ts';
import { toDestination } from '../conversation/routePlace.ts';
import type { Toolbox, ToolResult } from '../conversation/toolCalls/tools.ts';
import type { Turn } from '../conversation/turn.ts';
import { turnBefore } from '../conversation/turnBefore.ts';
import { latestUsage } from '../conversation/usage/cost.ts';
import type { FunctionTool, ReasoningEffort, ResponseFormat, Route } from '../service/types.ts';
import { lowerEffort, mayRun } from './presets.ts';
import { responseFormatOf } from './responseFormat.ts';
import type { TurnContent } from './turnContent.ts';
import type { TurnSettings } from './turnSettings.ts';
import { withFormat, withoutRefused } from './withoutRefused.ts';

/** Settings that are different for one attempt. */
export interface AttemptOptions {
  /** Output budget in tokens; `default` uses the default of the service instead of the setting. */
  readonly budget?: number | 'default';
  /** The budget of the attempt before, in tokens. Sent if the route refuses a larger one. */
  readonly budgetBefore?: number;
  /** The text that is sent, if it isn't the text of the question. */
  readonly prompt?: string;
  /** The lines that the question is about, if they aren't those of the question. */
  readonly origin?: Origin;
  /** The same for the lines of other files. Set only together with `origin`. */
  readonly more?: readonly Origin[];
  /** The name of the route; by default, the active one. */
  readonly routeName?: string;
  /** The reasoning effort; `default` uses the default of the service instead of the setting. */
  readonly effort?: ReasoningEffort | 'default';
  /** Another preset than that of the question. */
  readonly preset?: Preset | 'none';
  /** The choices because of which the route or the effort isn't that of the settings; kept with the turn. */
  readonly chosen?: ChosenRequest;
  /** A new question is asked without the instructions of the project, whatever is chosen for its conversation. */
  readonly leavesOut?: true;
}

/** A question that is about to be sent, with its conversation. */
export interface QuestionContext {
  /** Undefined if it was deleted in the meantime. */
  readonly conversation: Conversation | undefined;
  /** The exchange that gets another attempt; undefined for a new question. */
  readonly exchange: Exchange | undefined;
  readonly question: Question;
  /** The route of the request, if it is known. */
  readonly route?: RequestRoute;
  /** The parts of a request that the route refused in a probe. They aren't sent. */
  readonly refused?: ReadonlySet<RefusedPart>;
}

/** The route of a request, as far as it is known. */
export type RequestRoute = Pick<Route, 'name' | 'kind'> & Partial<Pick<Route, 'root' | 'model' | 'network'>>;

/** The tools that a turn of a conversation can call on a route; undefined for none. */
export type ToolboxOf = (conversationId: string, route?: RequestRoute) => Toolbox | undefined;

/** The content of the request for a question: the conversation before it, the question, and the settings. */
export function toConversationContent(
  settings: TurnSettings,
  context: QuestionContext,
  options: AttemptOptions,
  toolboxOf: ToolboxOf,
): TurnContent {
  const { conversation, exchange, route, refused } = context;
  const question = withPreset(context.question, options.preset);
  const earlier = conversation === undefined ? [] : exchangesBefore(conversation, exchange?.id);
  const available = conversation && toolboxOf(conversation.id, route);
  const toolbox = offeredTools(available, question);
  const wanted = {
    responseFormat: responseFormatOf(question),
    effort: effortOf(question, options, settings),
    budget: budgetOf(question, options, settings),
  };
  const { sent, leftOut } = withoutRefused(wanted, refusedFor(refused, options), options.budgetBefore);
  const prompt = promptOf(
    question,
    options,
    sent.responseFormat === undefined ? wanted.responseFormat : undefined,
  );
  const turns = conversation === undefined ? [] : allTurns(conversation);
  const destination = route && toDestination(route);
  const replay = destination && toReplay(earlier, destination, turns);
  const asked = { ...question, text: prompt ?? question.text };
  const sentReasoning = destination && toSentReasoning(turns, destination);
  const isText = destination !== undefined && refusesCalls(turns, destination);
  const messagesWithout = (omitted: readonly EarlierResult[], asText = isText, as = sentReasoning) => {
    const sentAs = asText ? withCallsAsText(replay ?? AS_IT_CAME, as) : replay;
    const messages = toMessages(settings.systemPrompt, earlier, asked, sentAs, omitted);
    return withReasoningAs(as, messages);
  };
  const omitted = question.keepsResults ? [] : omittedBefore(context, earlier);
  return {
    request: {
      messages: messagesWithout(omitted),
      maxCompletionTokens: sent.budget,
      effort: sent.effort,
      tools: toolbox && toTools(toolbox),
      responseFormat: sent.responseFormat,
      promptCacheKey: settings.promptCacheKey ? conversation?.id : undefined,
    },
    toolbox,
    toolChoice: available?.choice,
    prompt,
    keepsResults: question.keepsResults,
    ...(omitted.length > 0 && { omitted }),
    ...(hasResults(earlier) && {
      earlierResults: { messagesWithout, pieces: (left) => toPieces(earlier, replay, left) },
    }),
    ...(isText && { callsAsText: true }),
    ...(sentReasoning && { sentReasoning }),
    origin: options.origin,
    more: options.more,
    preset: options.preset,
    ...(question.preset?.maxCompletionTokens !== undefined && { budgetPreset: question.preset.name }),
    chosen: options.chosen,
    ...(leftOut.length > 0 && { leftOut }),
    earlier: requestBefore(context),
    contentPartRoutes: contentPartRoutesOf(turns),
  };
}

function effortOf({ effort, preset }: Question, options: AttemptOptions, settings: TurnSettings) {
  if (options.effort === 'default') return undefined;
  return options.effort ?? lowerEffort(effort, preset?.effort) ?? settings.effort;
}

function budgetOf({ preset }: Question, { budget }: AttemptOptions, settings: TurnSettings) {
  if (budget === 'default') return undefined;
  return budget ?? preset?.maxCompletionTokens ?? settings.maxCompletionTokens;
}

const refusedFor = (refused: ReadonlySet<RefusedPart> | undefined, { chosen }: AttemptOptions) =>
  chosen?.leaveOut === undefined ? refused : new Set([...(refused ?? []), ...chosen.leaveOut]);

/**
 * The text that is sent, if it isn't that of the question.
 *
 * @param format the answer format to describe in words, because the field is left out. It isn't described when an answer is
 * continued in the form of its earlier part: the words would ask for all of the answer again.
 */
function promptOf(
  { text, continues }: Question,
  { prompt }: AttemptOptions,
  format: ResponseFormat | undefined,
): string | undefined {
  return format === undefined || continues !== undefined ? prompt : withFormat(prompt ?? text, format);
}

/**
 * The routes that need content as arrays. Turns that aren't shown anymore count, too: they say something about the route, not
 * about the conversation. Turns are stored, so a route isn't asked again after a restart.
 */
const contentPartRoutesOf = (turns: readonly Turn[]): ReadonlySet<string> =>
  new Set(
    turns.flatMap(({ request: { contentParts, routePlace, routeName } }) =>
      contentParts === undefined ? [] : [routePlace ?? routeName],
    ),
  );

const hasResults = (earlier: readonly Exchange[]) =>
  earlier.some((exchange) => (shownTurn(exchange)?.rounds ?? []).length > 0);

/**
 * The results of earlier turns that were left out when this question, or the question that it replaces, was asked before. With
 * the same results left out, the request begins with the same bytes.
 */
function omittedBefore(
  { conversation, exchange }: QuestionContext,
  earlier: readonly Exchange[],
): readonly EarlierResult[] {
  const after = earlier.at(-1)?.id;
  const before =
    exchange ?? conversation?.branches.findLast((branch) => branch.after === after)?.exchanges[0];
  if (before === undefined || before.question.keepsResults) return [];
  // Another attempt of an earlier answer can be shown now, or the user wants some of the results to be sent.
  const mayOmit = ({ question }: Exchange) => question.keepsResults !== true;
  const shown = new Set(earlier.filter(mayOmit).map((one) => shownTurn(one)?.id));
  const { kept } = toOmissions(earlier);
  return omittedAtFirst(before.attempts).filter(
    ({ turn, round, index }) => shown.has(turn) && !kept(turn, round).has(index),
  );
}

/** The turn whose request is a prefix of the next one, if it reported its usage. */
function requestBefore({ conversation, exchange }: QuestionContext): Turn | undefined {
  const again = exchange?.attempts.findLast((turn) => latestUsage(turn) !== undefined);
  return again ?? (conversation && turnBefore(conversation, exchange?.id ?? ''));
}

/**
 * The tools of a turn. They are the same for every question and in a fixed order, so that the prefix stays cached (R11).
 * Questions with a purpose have an answer format of their own and are answered without tools: their calls aren't run. A format
 * that the user selected doesn't exclude tools.
 */
function offeredTools(offered: Toolbox | undefined, question: Question): Toolbox | undefined {
  if (offered === undefined || offered.definitions.length === 0) return undefined;
  const definitions = offered.definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const kept = { definitions, ...(offered.titles !== undefined && { titles: offered.titles }) };
  if (question.purpose !== undefined) return { ...kept, run: async () => NOT_RUN };
  return {
    ...kept,
    run: async (call, signal, onState) =>
      mayRun(call.name, question) ? offered.run(call, signal, onState) : NOT_FOR_THIS,
  };
}

const NOT_FOR_THIS: ToolResult = {
  text: 'Not run: the prompt or the preset of this question leaves this tool out.',
  failed: true,
};

const NOT_RUN: ToolResult = {
  text: 'Not run: this question is answered without tools. Answer in the form that it asks for.',
  failed: true,
};

/** Tool definitions as they are sent. */
export const toTools = ({ definitions }: Pick<Toolbox, 'definitions'>): readonly FunctionTool[] =>
  definitions.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
