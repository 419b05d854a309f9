/** From a question to a request that can be sent, or to the reason why not. */

import { estimateNext } from '../../chat/budget.ts';
import { toAskedText } from '../../chat/context.ts';
import { toPrefix } from '../../chat/prefix.ts';
import { createRoundCap, type Spending } from '../../chat/roundCap.ts';
import type { Toolbox } from '../../chat/tools.ts';
import { exchangesBefore, toMessages } from '../../chat/transcript.ts';
import type { Conversation, Exchange, Question, RequestFacts, Turn } from '../../chat/turn.ts';
import { createClient } from '../../service/client.ts';
import { buildRequest } from '../../service/request.ts';
import type { ChatRequest, FunctionTool } from '../../service/types.ts';
import { type Refusal, type Refused, refuse } from '../../turns/refusal.ts';
import { readSettings, type Settings } from '../base/settings.ts';
import type { Keys } from '../connection/keys.ts';
import type { ActiveRoute, Routes } from '../connection/routes.ts';
import type { Transports } from '../connection/transports.ts';
import { toAnswerForm } from './answerForms.ts';

/** What one attempt does differently from the settings. */
export interface AttemptOptions {
  /** Output budget in tokens; `default` leaves it to the service, whatever the settings say. */
  readonly budget?: number | 'default';
  /** The question as it goes out, when it is not the question's text. */
  readonly prompt?: string;
  /** The reader has agreed to go past the cap of the day. */
  readonly pastCap?: boolean;
}

/** What is about to be asked, and where. */
export interface Asking {
  /** Undefined when it was deleted meanwhile. */
  readonly conversation: Conversation | undefined;
  /** The exchange that gets another attempt; undefined when the question is new. */
  readonly exchange: Exchange | undefined;
  readonly question: Question;
}

export interface PreparationDeps {
  /** The tools that a turn of a conversation may call, or undefined for none. */
  toolbox(conversationId: string): Toolbox | undefined;
  /** USD since midnight, over all conversations. */
  spentToday(): number;
  /** Asks the reader whether a turn that calls tools may go past the cap of the day. */
  askPastCap(spending: Spending): Promise<boolean>;
  readonly routes: Pick<Routes, 'active'>;
  readonly keys: Pick<Keys, 'find'>;
  readonly transports: Pick<Transports, 'for'>;
}

/** All that a turn needs to run. */
export interface Prepared {
  readonly ok: true;
  readonly client: ReturnType<typeof createClient>;
  readonly request: ChatRequest;
  readonly facts: RequestFacts;
  readonly toolbox: Toolbox | undefined;
  /** Whether a turn may ask the service once more; undefined without a cap of the day. */
  readonly mayGoOn: ((turn: Turn) => Promise<boolean>) | undefined;
}

/** Where requests go, with a key that belongs there. */
export interface Access {
  readonly ok: true;
  readonly active: ActiveRoute;
  readonly key: string;
}

/** The active route and its key, or what is wrong with the settings or the key. */
export async function findAccess(
  { routes, keys }: Pick<PreparationDeps, 'routes' | 'keys'>,
  settings: Settings,
): Promise<Access | Refused> {
  const active = routes.active(settings);
  if (active === undefined) {
    const problem = settings.problems.find(({ setting }) => setting.startsWith('k3.route'));
    return refuse(problem === undefined ? { kind: 'no-route' } : { kind: 'setting', problem });
  }
  const wrong = settings.problems.find(({ setting }) => !setting.startsWith('k3.route'));
  if (wrong !== undefined) return refuse({ kind: 'setting', problem: wrong });
  const { route, demoKey } = active;
  if (demoKey !== undefined) return { ok: true, active, key: demoKey };
  const found = await keys.find(route);
  if (!found.found) return refuse({ kind: 'no-key', route, why: found.why });
  return { ok: true, active, key: found.key };
}

/** Everything between a question and the wire: settings, route, key, messages, request. Refuses what cannot work. */
export async function prepare(
  deps: PreparationDeps,
  asking: Asking,
  options: AttemptOptions,
): Promise<Prepared | Refused> {
  const { conversation, question } = asking;
  const settings = readSettings();
  const access = await findAccess(deps, settings);
  if (!access.ok) return access;
  const { active, key } = access;
  const { route } = active;
  const toolbox = toolboxFor(deps, asking);
  const built = buildNext(settings, route, asking, options, toTools(toolbox));
  if (!built.ok) return refuse({ kind: 'request', problem: built.problem });
  const over = options.pastCap === true ? undefined : overCap(deps, settings, conversation, question);
  if (over !== undefined) return refuse(over);
  const client = createClient({
    transport: await deps.transports.for(route),
    route,
    key,
    limits: settings.limits,
  });
  return {
    ok: true,
    client,
    request: built.request,
    facts: toFacts(active, settings, built, options),
    toolbox,
    mayGoOn: toRoundCap(deps, settings, options),
  };
}

/**
 * The tools of a turn, as they are now and in an order that does not change from turn to turn, so that the prefix stays
 * cached. A purpose has a form of its own, and wants nothing but the answer; a format that the reader chose does not
 * keep the model from looking something up.
 */
export function toolboxFor(
  { toolbox }: Pick<PreparationDeps, 'toolbox'>,
  { conversation, question }: Asking,
): Toolbox | undefined {
  if (conversation === undefined || question.purpose !== undefined) return undefined;
  const offered = toolbox(conversation.id);
  if (offered === undefined || offered.definitions.length === 0) return undefined;
  const definitions = offered.definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { definitions, run: (call, signal, onState) => offered.run(call, signal, onState) };
}

export function toTools(toolbox: Toolbox | undefined): readonly FunctionTool[] | undefined {
  return toolbox?.definitions.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
}

/** The request that a question would go out as, with everything of the conversation before it. */
export function buildNext(
  settings: Settings,
  route: ActiveRoute['route'],
  { conversation, exchange, question }: Asking,
  options: AttemptOptions,
  tools: readonly FunctionTool[] | undefined,
): ReturnType<typeof buildRequest> {
  const earlier = conversation === undefined ? [] : exchangesBefore(conversation, exchange?.id);
  const budget = options.budget === 'default' ? undefined : (options.budget ?? settings.maxCompletionTokens);
  return buildRequest({
    model: route.model,
    routeKind: route.kind,
    messages: toMessages(settings.systemPrompt, earlier, {
      text: options.prompt ?? question.text,
      images: question.images,
      context: question.context ?? [],
    }),
    maxCompletionTokens: budget,
    effort: settings.effort,
    tools,
    responseFormat: toAnswerForm(question),
    promptCacheKey: settings.promptCacheKey ? conversation?.id : undefined,
  });
}

function toRoundCap(
  { spentToday, askPastCap }: PreparationDeps,
  { dailyCap, prices }: Settings,
  { pastCap }: AttemptOptions,
): Prepared['mayGoOn'] {
  if (dailyCap === undefined) return undefined;
  return createRoundCap({
    dailyCap,
    prices,
    spentBefore: spentToday(),
    agreed: pastCap === true,
    ask: askPastCap,
  });
}

/** The cap of the day, when the input of this request alone would go past it. What the answer costs is not known. */
function overCap(
  { spentToday }: PreparationDeps,
  { dailyCap, systemPrompt, prices }: Settings,
  conversation: Conversation | undefined,
  question: Question,
): Extract<Refusal, { kind: 'over-cap' }> | undefined {
  if (dailyCap === undefined) return undefined;
  const spent = spentToday();
  const { inputCost } =
    conversation === undefined
      ? { inputCost: 0 }
      : estimateNext(conversation, systemPrompt, toAskedText(question), question.images.length, prices);
  return spent + inputCost > dailyCap ? { kind: 'over-cap', cap: dailyCap, spent, inputCost } : undefined;
}

function toFacts(
  { route }: ActiveRoute,
  settings: Settings,
  built: Extract<ReturnType<typeof buildRequest>, { ok: true }>,
  options: AttemptOptions,
): RequestFacts {
  const clamped = built.warnings.find((warning) => warning.kind === 'budget-clamped');
  return {
    routeName: route.name,
    routeKind: route.kind,
    model: route.model,
    maxCompletionTokens: built.request.max_completion_tokens,
    clampedFrom: clamped?.asked,
    effort: settings.effort,
    prompt: options.prompt,
    prefix: toPrefix(built.request),
  };
}
