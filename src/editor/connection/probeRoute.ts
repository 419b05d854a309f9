/**
 * Probe Route (`k3.probeRoute`): shows the cost of a probe first, then its progress, and keeps and shows its results. The code for its
 * requests and its report is loaded when the command first runs.
 */
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../conversation/conversationMarkdown.ts';
import { costOf } from '../../conversation/usage/cost.ts';
import { estimateRequest } from '../../conversation/usage/estimate.ts';
import { CONNECTION_CHECKS } from '../../panel/usage.ts';
import { CHECKS, type RouteProbe } from '../../probe/probe.ts';
import type { EndedProbe, ProbeEnd } from '../../probe/runProbe.ts';
import { type ActiveRoute, pricesOf } from '../../requests/credentials.ts';
import type { TurnContent } from '../../requests/turnContent.ts';
import type { Turns } from '../../requests/turns.ts';
import { withoutUserInfo } from '../../service/address.ts';
import type { Route } from '../../service/types.ts';
import { importLater } from '../base/atFirstUse.ts';
import { withSignal } from '../base/cancellation.ts';
import { formatCost, formatTokens, tokensText } from '../base/formats.ts';
import { askInDialog, showWarning } from '../base/notifications.ts';
import type { Reports } from '../base/reports.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { describeLack, probeDay } from '../wording/probeWords.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { outcomeLabel } from '../wording/turnLabels.ts';
import { type RouteProbes, shareProbe } from './routeProbes.ts';
import type { Routes } from './routes.ts';
import { showNoRoute, tellRouteGone } from './shownRefusals.ts';

const t = vscode.l10n.t;

export interface ProbeRouteDeps {
  readonly routes: Pick<Routes, 'active' | 'named'>;
  readonly turns: Pick<Turns, 'build' | 'prepare' | 'tokenRatio'>;
  readonly probes: Pick<RouteProbes, 'of' | 'keep'>;
  readonly reports: Pick<Reports, 'show'>;
}

export function registerProbeRoute(deps: ProbeRouteDeps): vscode.Disposable {
  /** The routes that are being probed in this window. */
  const running = new Set<Route>();
  return vscode.commands.registerCommand('k3.probeRoute', async (given: unknown) => {
    const { routes } = deps;
    const probed = typeof given === 'string' ? routes.named(given) : routes.active();
    if (probed === undefined) return typeof given === 'string' ? tellRouteGone() : showNoRoute();
    const { route } = probed;
    // A probe of this route is already running, and its progress is shown.
    if ([...running].some((other) => shareProbe(other, route))) return;
    running.add(route);
    try {
      await probeRoute(deps, probed);
    } finally {
      running.delete(route);
    }
  });
}

async function loadParts() {
  const { checkLabel, createAsk, estimateProbe, runProbe, toProbePlan } = await importLater(
    () => import('./probeParts.ts'),
  );
  return { checkLabel, createAsk, estimateProbe, runProbe, toProbePlan };
}

type Parts = Awaited<ReturnType<typeof loadParts>>;

async function probeRoute(deps: ProbeRouteDeps, probed: ActiveRoute): Promise<void> {
  const { route } = probed;
  const parts = await loadParts();
  // Makes the requests begin with a text that no earlier probe has sent, so that it isn't cached.
  const plan = parts.toProbePlan(Date.now().toString(36));
  if (!(await confirm(deps, probed, parts, plan))) return;
  const { probe, end } = await withProgress(deps, probed, parts, plan);
  const why = describeEnd(end);
  if (probe.results.length > 0) {
    await deps.probes.keep(route, probe);
    // Nothing is kept for a route that was removed in the meantime. The results are shown anyway, because the requests were billed.
    await showResults(deps, route, deps.probes.of(route) ?? probe, why);
  }
  // Not awaited: the command ends while the message is shown.
  else if (why !== '' && end.by !== 'user') void showWarning(why);
}

/** Shows what a probe costs, and asks whether to run it. */
async function confirm(
  { turns }: ProbeRouteDeps,
  probed: ActiveRoute,
  { estimateProbe }: Parts,
  plan: ReturnType<Parts['toProbePlan']>,
): Promise<boolean> {
  const { route } = probed;
  const prices = pricesOf(probed, readSettings().prices);
  const ratio = turns.tokenRatio(route);
  const inputCostOf = (content: TurnContent) => {
    const built = turns.build(content, route, prices);
    return built.ok ? estimateRequest(built.request, undefined, prices, ratio).inputCost : 0;
  };
  const { requests, cost } = estimateProbe(plan, inputCostOf, prices.output);
  const start = t('Probe Route');
  const chosen = await askInDialog(
    t('Probe route “{0}”?', route.name),
    t(
      'About {0} short requests show what the route does with tools, images, answer formats, effort, and more. They cost about {1}.',
      requests,
      formatCost(cost),
    ),
    t('Don’t Probe'),
    start,
  );
  return chosen === start;
}

function withProgress(
  { turns }: ProbeRouteDeps,
  probed: ActiveRoute,
  { runProbe, createAsk, checkLabel }: Parts,
  plan: ReturnType<Parts['toProbePlan']>,
): Thenable<EndedProbe> {
  const { route, demoKey } = probed;
  const prices = pricesOf(probed, readSettings().prices);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t('Probing route “{0}”', route.name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) =>
    withSignal(token, (signal) =>
      runProbe(plan, {
        ask: createAsk(turns, { route, demo: demoKey !== undefined }, CONNECTION_CHECKS, signal),
        onStep: (about, index) =>
          progress.report({ message: checkLabel(about), increment: index === 0 ? 0 : 100 / plan.length }),
        now: Date.now,
        model: route.model,
        costOf: (turn) => costOf(turn, prices),
        signal,
      }),
    ),
  );
}

/** Shows the kept results of the probes of a route, if there are any. */
export async function showProbe(
  { probes, reports }: { readonly probes: Pick<RouteProbes, 'of'>; readonly reports: Pick<Reports, 'show'> },
  route: Route,
): Promise<void> {
  const probe = probes.of(route);
  if (probe !== undefined) await showResults({ reports }, route, probe, '');
}

/** @param why why the probe ended early; empty if it did not */
async function showResults(
  { reports }: { readonly reports: Pick<Reports, 'show'> },
  route: Route,
  probe: RouteProbe,
  why: string,
): Promise<void> {
  const { toProbeReport } = await importLater(() => import('./probeParts.ts'));
  const title = t('Probe Results for Route {0}', route.name);
  const report = toProbeReport(title, probe, why, {
    checks: CHECKS,
    plain: escapeMarkdown,
    figure: formatTokens,
    tokens: tokensText,
    cost: formatCost,
    day: probeDay,
    lack: (result) => describeLack(route.name, result),
  });
  // Texts of the service can repeat the address of a proxy, which can contain a password.
  await reports.show(title, withoutUserInfo(report));
}

function describeEnd(end: ProbeEnd): string {
  switch (end.by) {
    case 'done':
      return '';
    case 'user':
      return toSentence(outcomeLabel('stopped'));
    case 'moved':
      return t('The route was changed or removed.');
    case 'refusal':
      return describeRefusal(end.refusal);
    case 'failure': {
      const { title, body } = describeFailure(end.failure, end.turn.request);
      return joinSentences([toSentence(title), ...body]);
    }
  }
}
