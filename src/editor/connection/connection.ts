/** Check Connection (M1): what the active route is, whether its key works, and what the route really does. */
import * as vscode from 'vscode';
import { toChecks } from '../../chat/checks.ts';
import { escapeMarkdown } from '../../chat/document.ts';
import { createTurn } from '../../chat/fold.ts';
import { toPrefix } from '../../chat/prefix.ts';
import { runTurn } from '../../chat/run.ts';
import type { Turn } from '../../chat/turn.ts';
import { isOverheard } from '../../service/address.ts';
import { type Client, createClient } from '../../service/client.ts';
import { ServiceError, toFailure } from '../../service/errors.ts';
import { buildRequest } from '../../service/request.ts';
import type { Route } from '../../service/types.ts';
import { formatSeconds } from '../base/formats.ts';
import type { Log } from '../base/log.ts';
import type { Reports } from '../base/reports.ts';
import { readSettings } from '../base/settings.ts';
import { toAccountLine } from '../wording/accountWords.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { outcomeLabel } from '../wording/words.ts';
import type { Keys } from './keys.ts';
import type { Routes } from './routes.ts';
import type { Transports } from './transports.ts';

const t = vscode.l10n.t;

export interface ConnectionDeps {
  readonly routes: Pick<Routes, 'active'>;
  readonly keys: Pick<Keys, 'find'>;
  readonly transports: Pick<Transports, 'for'>;
  readonly reports: Reports;
  readonly log: Log;
}

export function registerConnection(deps: ConnectionDeps): vscode.Disposable {
  return vscode.commands.registerCommand('k3.checkConnection', () =>
    vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: t('Checking connection'),
        cancellable: true,
      },
      (progress, token) => {
        const controller = new AbortController();
        token.onCancellationRequested(() => controller.abort());
        return check(deps, progress, controller.signal);
      },
    ),
  );
}

type Progress = vscode.Progress<{ message?: string }>;
type Row = readonly [label: string, value: string];

async function check(deps: ConnectionDeps, progress: Progress, signal: AbortSignal): Promise<void> {
  const settings = readSettings();
  const active = deps.routes.active(settings);
  if (active === undefined) {
    void offer(describeRefusal({ kind: 'no-route' }), t('Add Route…'), 'k3.addRoute');
    return;
  }
  const { route } = active;
  const found = active.demoKey === undefined ? await deps.keys.find(route) : undefined;
  if (found?.found === false) {
    void offer(describeRefusal({ kind: 'no-key', route, why: found.why }), t('Set API Key…'), 'k3.setKey');
    return;
  }
  const transport = await deps.transports.for(route);
  const client = createClient({
    transport,
    route,
    key: active.demoKey ?? found?.key ?? '',
    limits: settings.limits,
  });
  progress.report({ message: t('requesting the model list') });
  const models = await listModels(client, route, signal);
  if (signal.aborted) return;
  progress.report({ message: t('sending a test request') });
  const turn = await probe(client, route, signal);
  if (signal.aborted) return;
  const source =
    active.demoKey !== undefined
      ? t('demo')
      : found?.source === 'environment'
        ? t('environment variable')
        : t('secret storage');
  const rows: Row[] = [...routeRows(route, source), models, ...turnRows(turn)];
  deps.log.info(`checked route ${route.name}: ${turn.outcome ?? 'running'}`);
  await deps.reports.show(t('Connection to {0}', route.name), toMarkdown(route, turn, rows));
}

/** Not awaited: the progress ends while the message still stands. */
async function offer(message: string, label: string, command: string): Promise<void> {
  if ((await vscode.window.showWarningMessage(message, label)) === label)
    await vscode.commands.executeCommand(command);
}

function routeRows(route: Route, keySource: string): readonly Row[] {
  return [
    [t('Route'), `${route.name} (${route.kind})`],
    [t('Address'), route.root],
    ...(isOverheard(route.root)
      ? [[t('Warning'), t('unencrypted HTTP to another machine: the API key can be intercepted')] as const]
      : []),
    [t('Key'), t('found in: {0}', keySource)],
    [t('Network'), route.network === undefined ? t('editor settings') : JSON.stringify(route.network)],
  ];
}

/** Tolerant of any shape with ids in it; a route without a listing still works. */
async function listModels(client: Client, route: Route, signal: AbortSignal): Promise<Row> {
  const label = t('Models for this key');
  try {
    const ids = await client.models(signal);
    if (ids.length === 0) return [label, t('none listed')];
    const known = ids.includes(route.model);
    const shown = ids.slice(0, 20).join(', ');
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

/** One short question, as every other is asked: what the route does is read from what comes back. */
async function probe(client: Client, route: Route, signal: AbortSignal): Promise<Turn> {
  const built = buildRequest({
    model: route.model,
    routeKind: route.kind,
    messages: [{ role: 'user', content: 'Reply with the single word: ready' }],
  });
  if (!built.ok) throw new Error(`the probe's request has a wrong ${built.problem.field}`);
  const facts = {
    routeName: route.name,
    routeKind: route.kind,
    model: route.model,
    maxCompletionTokens: undefined,
    clampedFrom: undefined,
    effort: undefined,
    prompt: undefined,
    prefix: toPrefix(built.request),
  };
  let turn = createTurn('probe', Date.now(), facts);
  for await (const step of runTurn({ client, now: () => performance.now() }, turn, built.request, signal))
    turn = step.turn;
  return turn;
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
    [t('Reports usage'), yes(usage !== undefined)],
    [t('Reports reasoning tokens'), yes(usage?.reasoningTokens !== undefined)],
    [t('Reports cached tokens'), yes(usage?.cachedTokens !== undefined)],
    [t('Finish reason'), turn.finishReason ?? t('none')],
    [t('Ends with [DONE]'), yes(turn.sawDone)],
    ...(turn.tries > 1 ? [[t('Requests sent'), String(turn.tries)] as const] : []),
  ];
}

function toMarkdown(route: Route, turn: Turn, rows: readonly Row[]): string {
  const failure = turn.failure === undefined ? undefined : describeFailure(turn.failure, turn.request);
  const words = turn.failure?.details.serviceMessage;
  const headline =
    failure === undefined
      ? escapeMarkdown(t('Route “{0}” works.', route.name))
      : `**${escapeMarkdown(failure.title)}.** ${escapeMarkdown(failure.body.join(' '))}`;
  const checks = toChecks(turn).map((one) => `${one.passed ? '✓' : '✗'} ${one.name}`);
  const account = toAccountLine(turn, readSettings().prices);
  return [
    `# ${escapeMarkdown(t('Connection to {0}', route.name))}`,
    headline,
    ...(words === undefined ? [] : [`> ${escapeMarkdown(words).replaceAll('\n', '\n> ')}`]),
    `| | |\n|---|---|\n${rows.map(([label, value]) => `| ${escapeMarkdown(label)} | ${escapeMarkdown(value)} |`).join('\n')}`,
    ...(turn.outcome === 'failed'
      ? []
      : [`${t('Response checks')}: ${checks.join(' · ')}`, `${t('Usage of this check')}: ${account}`]),
  ].join('\n\n');
}
