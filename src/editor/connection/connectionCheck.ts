/** Check Connection (M1): shows the route, whether its key works, and how the service responds. */
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../conversation/conversationMarkdown.ts';
import { toChecks } from '../../conversation/outcomes/checks.ts';
import type { Turn } from '../../conversation/turn.ts';
import { hasUsage } from '../../conversation/usage/cost.ts';
import { CONNECTION_CHECKS } from '../../panel/usage.ts';
import type { Access } from '../../requests/credentials.ts';
import type { TurnContent } from '../../requests/turnContent.ts';
import type { TurnQuestion, Turns } from '../../requests/turns.ts';
import { isUnencrypted, withoutCredentials, withoutUserInfo } from '../../service/address.ts';
import type { Client } from '../../service/client.ts';
import { type Failure, ServiceError, toFailure } from '../../service/errors.ts';
import type { Route, RouteNetwork } from '../../service/types.ts';
import { inBackground } from '../base/background.ts';
import { withSignal } from '../base/cancellation.ts';
import { formatSeconds } from '../base/formats.ts';
import type { Log } from '../base/log.ts';
import { offerCommands, showInformation, showWarning } from '../base/notifications.ts';
import type { Reports } from '../base/reports.ts';
import { joinList, joinSentences, toSentence } from '../base/sentences.ts';
import type { Walkthrough } from '../base/walkthrough.ts';
import { noticeBody } from '../cards/noticeBodies.ts';
import { nextStep, serviceLine, warningsOf } from '../cards/noticeText.ts';
import { noticeTitle } from '../cards/noticeTitles.ts';
import { readSettings } from '../settings/settings.ts';
import { toAccountLine } from '../wording/accountWords.ts';
import { checkSign, toCheckView } from '../wording/checkWords.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { createRetryLines } from '../wording/retryWords.ts';
import { routeText } from '../wording/routeWords.ts';
import { outcomeLabel } from '../wording/turnLabels.ts';
import type { RouteProbes } from './routeProbes.ts';
import { showRefusal } from './shownRefusals.ts';

const t = vscode.l10n.t;

export interface ConnectionCheckDeps {
  readonly turns: Pick<Turns, 'prepare'>;
  readonly reports: Reports;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
  readonly log: Pick<Log, 'warn'>;
  readonly probes: Pick<RouteProbes, 'of'>;
}

/** @param routeName by default, the active route */
export function checkConnection(deps: ConnectionCheckDeps, routeName?: string): Thenable<void> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Checking connection'),
      cancellable: true,
    },
    (progress, token) => withSignal(token, (signal) => check(deps, progress, signal, routeName)),
  );
}

type Progress = vscode.Progress<{ message?: string }>;
type Row = readonly [label: string, value: string];

async function check(
  { turns, reports, walkthrough, log, probes }: ConnectionCheckDeps,
  progress: Progress,
  signal: AbortSignal,
  routeName: string | undefined,
): Promise<void> {
  const prepared = await turns.prepare({ ...PROBE, routeName }, signal);
  if (!prepared.ok) {
    if (signal.aborted) return;
    // Not awaited: the progress ends while the message is shown.
    inBackground(log, showRefusal(prepared.refusal), 'showing why the connection was not checked');
    return;
  }
  const { active, keySource } = prepared.access;
  const { route } = active;
  progress.report({ message: t('requesting the model list') });
  const models = await listModels(prepared.client, route, signal);
  if (signal.aborted) return prepared.discard();
  progress.report({ message: t('sending a test request') });
  const retryLineOf = createRetryLines();
  const turn = await prepared.run({
    signal,
    onStep(step) {
      const message = retryLineOf(step.turn);
      if (message !== undefined) progress.report({ message });
    },
  });
  if (signal.aborted) return;
  if (turn.failure?.kind === 'bad-key') {
    inBackground(log, showBadKey(turn.failure, turn), 'showing that the API key was not accepted');
    return;
  }
  if (turn.failure === undefined && active.demoKey === undefined) walkthrough.done('key');
  const rows: Row[] = [...routeRows(route, SOURCE_LABELS[keySource]()), models, ...turnRows(turn)];
  await reports.show(t('Connection to {0}', route.name), toMarkdown(route, turn, rows));
  if (probes.of(route) === undefined && works(turn))
    inBackground(log, offerProbe(route, active.demoKey !== undefined), 'offering to probe the route');
}

/** The demo is not one of the named routes, so it is probed as the active one. */
const offerProbe = ({ name }: Route, demo: boolean): Promise<void> =>
  offerCommands(showInformation, t('Route “{0}” works.', name), [
    t('Probe Route'),
    'k3.probeRoute',
    ...(demo ? [] : [name]),
  ]);

/** A short question, sent like any other. The report is based on its response. */
const PROBE: TurnQuestion<TurnContent> = {
  asker: 'connection-check',
  countedAs: CONNECTION_CHECKS,
  content: () => ({
    // Not translated: for the model.
    request: { messages: [{ role: 'user', content: 'Reply with the single word: ready' }] },
  }),
};

const SOURCE_LABELS: Readonly<Record<Access['keySource'], () => string>> = {
  demo: () => t('demo'),
  environment: () => t('environment variable'),
  stored: () => t('secret storage'),
};

/** Shown instead of a report, all rows of which would say the same. */
async function showBadKey(failure: Failure, { request }: Turn): Promise<void> {
  const { title, body } = describeFailure(failure, request);
  const message = joinSentences([toSentence(title), ...body]);
  await offerCommands(showWarning, message, [t('Set API Key…'), 'k3.setKey', request.routeName]);
}

function routeRows(route: Route, keySource: string): readonly Row[] {
  return [
    [t('Route'), routeText(route.name, route.kind)],
    [t('Address'), route.root],
    ...(isUnencrypted(route.root)
      ? [[t('Warning'), t('unencrypted HTTP to another machine: the API key can be intercepted')] as const]
      : []),
    [t('Key'), t('found in: {0}', keySource)],
    [t('Network'), route.network === undefined ? t('editor settings') : describeNetwork(route.network)],
  ];
}

/** The network settings of a route. The address of a proxy can have a password. */
function describeNetwork(network: RouteNetwork): string {
  const { proxy, ...others } = network;
  return JSON.stringify(proxy === undefined ? others : { proxy: withoutCredentials(proxy), ...others });
}

/** The models that the route lists. A route without a model list still works. */
async function listModels(client: Client, route: Route, signal: AbortSignal): Promise<Row> {
  const label = t('Models for this key');
  try {
    const ids = await client.models(signal);
    if (ids.length === 0) return [label, t('none listed')];
    const known = ids.includes(route.model);
    const shown = joinList(ids.slice(0, 20));
    return [label, known ? shown : `${shown} — ${t('{0} is not listed', route.model)}`];
  } catch (error) {
    if (!(error instanceof ServiceError)) return [label, t('not listed')];
    return [
      label,
      describeFailure(toFailure(error), { routeName: route.name, routeKind: route.kind, model: route.model })
        .title,
    ];
  }
}

function turnRows(turn: Turn): readonly Row[] {
  const { timings, usage } = turn;
  const seconds = (ms: number | undefined) => (ms === undefined ? t('never') : formatSeconds(ms));
  const yes = (value: boolean) => (value ? t('yes') : t('no'));
  return [
    [t('Test request'), turn.outcome === undefined ? '' : outcomeLabel(turn.outcome)],
    [t('Response model'), turn.responseModel ?? t('not reported')],
    [t('Time to first reasoning token'), seconds(timings.firstReasoning)],
    [t('Time to first answer token'), seconds(timings.firstAnswer)],
    [t('Reasoning field'), turn.reasoningName ?? t('none')],
    [t('Reports usage'), yes(hasUsage(usage))],
    [t('Reports reasoning tokens'), yes(usage?.reasoningTokens !== undefined)],
    [t('Reports cached tokens'), yes(usage?.cachedTokens !== undefined)],
    [t('Finish reason'), turn.finishReason ?? t('none')],
    [t('Ends with [DONE]'), yes(turn.sawDone)],
    ...(turn.tries > 1 ? [[t('Requests sent'), String(turn.tries)] as const] : []),
  ];
}

/** Whether the requested model has answered completely. */
const works = (turn: Turn): boolean =>
  turn.outcome === 'complete' && !warningsOf(turn).some(({ code }) => code === 'model-substituted');

/** The result of the test request: whether the route works, and each problem with its next step. */
function toHeadlines(route: Route, turn: Turn): readonly string[] {
  const { prices } = readSettings();
  const problems = warningsOf(turn).map((notice) => {
    const body = [...noticeBody(notice, turn, prices), nextStep(notice, turn)];
    return `**${escapeMarkdown(toSentence(noticeTitle(notice, turn)))}** ${escapeMarkdown(joinSentences(body))}`;
  });
  return works(turn) ? [escapeMarkdown(t('Route “{0}” works.', route.name)), ...problems] : problems;
}

function toMarkdown(route: Route, turn: Turn, rows: readonly Row[]): string {
  const said = serviceLine(turn);
  const checks = toChecks(turn).map((one) => `${checkSign(one)} ${toCheckView(one).name}`);
  const account = toAccountLine(turn, readSettings().prices);
  const report = [
    `# ${escapeMarkdown(t('Connection to {0}', route.name))}`,
    ...toHeadlines(route, turn),
    ...(said === '' ? [] : [`> ${escapeMarkdown(said).replaceAll('\n', '\n> ')}`]),
    `| | |\n|---|---|\n${rows.map(([label, value]) => `| ${escapeMarkdown(label)} | ${escapeMarkdown(value)} |`).join('\n')}`,
    ...(turn.outcome === 'failed'
      ? []
      : [`${t('Response checks')}: ${checks.join(' · ')}`, `${t('Usage of this check')}: ${account}`]),
  ].join('\n\n');
  // Texts of the service can repeat the address of a proxy, which can contain a password.
  return withoutUserInfo(report);
}
