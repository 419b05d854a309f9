/** What a panel shows around the transcript: route, context meter, attachments, refusal. */
import * as vscode from 'vscode';
import { toAskedText } from '../../conversation/context/context.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { canBeIgnored } from '../../conversation/outcomes/notices.ts';
import { toDestination } from '../../conversation/routePlace.ts';
import type { ToolDefinition } from '../../conversation/toolCalls/tools.ts';
import { type Estimate, estimateNext } from '../../conversation/usage/estimate.ts';
import { referencesIn } from '../../panel/imageAddress.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import type { CheckId } from '../../probe/probe.ts';
import { toTools } from '../../requests/conversationRequest.ts';
import { type ActiveRoute, pricesOf, whyNoRoute } from '../../requests/credentials.ts';
import { mayRun } from '../../requests/presets.ts';
import type { Turns } from '../../requests/turns.ts';
import type { ReasoningEffort } from '../../service/types.ts';
import { compactTokens, formatCost, formatShare, formatTokens } from '../base/formats.ts';
import type { Composer } from '../composer/composerState.ts';
import { toImageChip, toWorkingChip } from '../composer/imageWords.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import { toAttachedView, toInstructionsView } from '../context/contextWords.ts';
import { readPreset, readSettings, type Settings } from '../settings/settings.ts';
import { toFormatLabel } from '../structured/structuredWords.ts';
import { toPresetView } from '../wording/presetWords.ts';
import { describeLack } from '../wording/probeWords.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { type BannerState, nextBudget, toBanners } from './banners.ts';
import { isQueuePaused } from './messageQueue.ts';

const t = vscode.l10n.t;

export interface SurroundingsDeps {
  readonly routes: Pick<Routes, 'active' | 'named'>;
  readonly probes: Pick<RouteProbes, 'lackOf' | 'works'>;
  readonly turns: Pick<Turns, 'tokenRatio'>;
}

/** The current state of a conversation. */
export interface ConversationState extends BannerState {
  /** The text of the draft as it would be sent. */
  readonly text: string;
  readonly running: boolean;
  /** The tools in the next request. */
  readonly tools: readonly ToolDefinition[];
  readonly starters: Surroundings['starters'];
}

/** The token ratio of a route at the time when the exchanges of a conversation last changed. */
const ratios = new WeakMap<Conversation['exchanges'], { readonly route: string; readonly ratio: number }>();

/**
 * The token ratio for the estimate. It stays the same until the conversation goes on, so that it doesn't change the meter
 * while the user types.
 */
function ratioFor(
  { exchanges }: Conversation,
  active: ActiveRoute | undefined,
  turns: SurroundingsDeps['turns'],
): number {
  if (active === undefined || active.demoKey !== undefined) return 1;
  const route = `${active.route.origin} ${active.route.model}`;
  const known = ratios.get(exchanges);
  if (known?.route === route) return known.ratio;
  const ratio = turns.tokenRatio(active.route);
  ratios.set(exchanges, { route, ratio });
  return ratio;
}

/** What a probe has found missing on the active route; empty if nothing is known to be missing. */
function hintOf(check: CheckId, { lackOf }: Pick<RouteProbes, 'lackOf'>): string {
  const lack = lackOf(check);
  return lack === undefined ? '' : describeLack(lack.routeName, lack.result);
}

function toEffortHint(effort: ReasoningEffort | undefined, probes: SurroundingsDeps['probes']): string {
  if (!canBeIgnored(effort) || probes.works('effort')) return '';
  return hintOf('effort', probes) || t('may be ignored');
}

function toMeterText(estimate: Estimate): string {
  const { leftOutTokens } = estimate;
  const text = t(
    'Next request: about {0} of {1} tokens ({2}), {4} probably cached; input cost about {3}',
    formatTokens(estimate.promptTokens),
    formatTokens(estimate.windowTokens),
    formatShare(estimate.promptTokens, estimate.windowTokens),
    formatCost(estimate.inputCost),
    formatTokens(estimate.cachedTokens),
  );
  return leftOutTokens === undefined
    ? text
    : t(
        '{0}. Earlier tool results of about {1} are left out to make room',
        text,
        compactTokens(leftOutTokens),
      );
}

/** Why no route is active. Undefined if there is no route at all: the page itself shows that. */
function toNoRoute({ problems }: Settings): Surroundings['noRoute'] {
  const refusal = whyNoRoute(problems);
  if (refusal.kind === 'no-route') return undefined;
  return { text: describeRefusal(refusal), label: t('Switch Route…') };
}

/** The surroundings of a conversation, with its composer and an estimate of the next request. */
export function toSurroundings(
  open: Conversation,
  composer: Composer,
  state: ConversationState,
  { routes, probes, turns }: SurroundingsDeps,
): Surroundings {
  const settings = readSettings();
  const active = routes.active(settings);
  const chosen = readPreset(composer.preset);
  const preset = chosen.ok ? chosen.preset : undefined;
  const effort = preset?.effort ?? settings.effort;
  const tools = probes.lackOf('tools') === undefined ? state.tools : [];
  const estimate = estimateNext(
    open,
    settings.systemPrompt,
    toAskedText({
      text: state.text,
      ...(preset && { preset }),
      context: [...composer.instructions.items, ...composer.context.map(({ item }) => item)],
    }),
    composer.attachments.length + referencesIn(composer.draft).length,
    active === undefined ? settings.prices : pricesOf(active, settings.prices),
    {
      tools: toTools({ definitions: tools }),
      ratio: ratioFor(open, active, turns),
      route: active && toDestination(active.route, routes),
    },
  );
  return {
    route: active && {
      name: active.route.name,
      label: active.route.name,
      demo: active.demoKey !== undefined,
    },
    noRoute: active === undefined ? toNoRoute(settings) : undefined,
    title: open.title,
    banners: toBanners(state, composer.draft, open, estimate, nextBudget(preset, settings)),
    running: state.running,
    waiting: composer.waiting,
    elsewhere: state.elsewhere !== undefined,
    deleted: state.deleted,
    queue: composer.queue.map(({ id, question: { text, asked = text, images, context } }) => ({
      id,
      text: asked.trim().split('\n', 1)[0] || (images[0]?.name ?? context?.[0]?.label ?? ''),
    })),
    queuePaused: isQueuePaused(composer, state),
    effort,
    effortHint: toEffortHint(effort, probes),
    effortOfPreset: preset?.effort !== undefined,
    preset: chosen.ok
      ? toPresetView(preset)
      : { name: composer.preset ?? '', detail: describeRefusal(chosen.refusal), unusable: true },
    answerFormat: composer.format && toFormatLabel(composer.format),
    formatHint: composer.format === undefined ? '' : hintOf(composer.format.kind, probes),
    tools: tools.filter(({ name }) => mayRun(name, preset === undefined ? {} : { preset })).length,
    toolsHint: hintOf('tools', probes),
    reasoningInChat: settings.reasoningInChat,
    meter: {
      value: estimate.promptTokens,
      max: estimate.windowTokens,
      text: toMeterText(estimate),
    },
    attachments: [...composer.attachments.map(toImageChip), ...composer.working.map(toWorkingChip)],
    rejectedImages: composer.rejected,
    context: composer.context.map((one) => toAttachedView(one, composer.reading)),
    instructions: toInstructionsView(composer.instructions),
    starters: state.starters,
    refusal: composer.refusal,
  };
}
