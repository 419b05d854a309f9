/** Probe Route: its cost is said first, its results are kept with the route, shown, used, and forgotten. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Turn } from '../../../src/conversation/turn.ts';
import { estimateTokens } from '../../../src/conversation/usage/tokens.ts';
import { createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { parseFindings } from '../../../src/review/findings/findings.ts';
import { toCodeReviewQuestion } from '../../../src/review/questions/reviewQuestion.ts';
import { startForeignService } from '../../foreign/service.ts';
import { NOT_RENAMED } from '../../support/notRenamed.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { type Asking, watchModals } from '../modals.ts';
import { driveQuickInputs, type QuickInputs } from '../quickInputs.ts';
import { reportText } from '../reports.ts';
import { ended, type Scripted, setForUser, startScripted, streamOf, until } from '../scripted.ts';

const settings = () => vscode.workspace.getConfiguration('k3');

describe('Probe Route', () => {
  let emulator: Emulator;
  let scripted: Scripted;
  let inputs: QuickInputs;
  let asking: Asking;
  before(async () => {
    emulator = await startEmulator({
      port: 0,
      route: 'direct',
      key: 'key-of-a-test',
      tokensPerSecond: Number.POSITIVE_INFINITY,
    });
  });
  after(() => emulator.close());
  beforeEach(async () => {
    const poor = { kind: 'direct', baseUrl: `${emulator.url}/s/drops-much` };
    scripted = await startScripted(() => ({ poor }));
    inputs = driveQuickInputs();
    asking = watchModals();
  });
  afterEach(async () => {
    inputs.dispose();
    asking.restore();
    await setForUser('k3', 'reasoningEffort', undefined);
    await scripted.close();
  });
  const toRoute = () =>
    ({ name: 'poor', kind: 'direct', root: `${emulator.url}/s/drops-much/v1`, model: 'svc-k3' }) as const;

  it('sends nothing before its cost was said and agreed to', async () => {
    const before = emulator.requests.length;
    await vscode.commands.executeCommand('k3.probeRoute', 'poor');
    assert.deepEqual([asking.titles, asking.focused], [['Probe route “poor”?'], ['Don’t Probe']]);
    assert.match(asking.details[0] ?? '', /About 14 short requests .* cost about \$0\.1\d\d\./);
    assert.equal(emulator.requests.length, before);
    assert.equal(scripted.probes.of(toRoute()), undefined);
  });

  it('keeps what it found, which is shown and used, until it is forgotten', async () => {
    const { probes, tools, conversations } = scripted;
    const poor = toRoute();
    asking.answer = 'Probe Route';
    await Promise.all([
      vscode.commands.executeCommand('k3.probeRoute', 'poor'),
      // Nothing happens: the route is being probed.
      vscode.commands.executeCommand('k3.probeRoute', 'poor'),
    ]);
    assert.equal(asking.titles.length, 1);
    assert.equal(emulator.requests.length, 13);
    assert.ok(emulator.requests.every(({ headers }) => headers['authorization'] === 'Bearer key-of-a-test'));
    const report = await reportText('Probe Results for Route poor', () => true);
    for (const line of [
      /^- Route “poor” doesn’t accept tools \(probed on .*\), so no tools are sent\.$/m,
      /^\| Check \| Result \| Details \|\n\|---\|---\|---\|$/m,
      /^\| Response\u00a0model \| no \| svc-k2-mini \|$/m,
      /^\| Reasoning\u00a0field \| yes \| reasoning \|$/m,
      /^\| Images \| no \| The model didn’t receive it\. \|$/m,
      /^\| Caching \| no \| 0 \/ 1,9\d\d tokens \|$/m,
      /^\| Keep-alives \| unclear \| in 0 of 13 requests \|$/m,
    ])
      assert.match(report, line);
    const { id } = conversations.current();
    assert.deepEqual(tools.toolboxOf(id, poor).definitions, []);
    assert.notEqual(tools.toolboxOf(id, poor).choice, tools.toolboxOf(id).choice);
    assert.ok(tools.toolboxOf(id).definitions.length > 0);
    const editing = vscode.commands.executeCommand('k3.editRoutes');
    await inputs.answer(/Edit Routes/, 'poor');
    await inputs.answer(/Edit Route: poor/, 'Forget Probe Results');
    await until(() => probes.of(poor) === undefined);
    await inputs.cancel(/Edit Route: poor/);
    await editing;
    assert.ok(tools.toolboxOf(id, poor).definitions.length > 0);
  });

  /** Probes a route at this address, and waits until the report says this. */
  async function probeAt(baseUrl: string, about: RegExp): Promise<void> {
    const all = settings().inspect<Record<string, object>>('routes')?.globalValue ?? {};
    const plain = { kind: 'direct', baseUrl };
    await settings().update('routes', { ...all, plain }, vscode.ConfigurationTarget.Global);
    asking.answer = 'Probe Route';
    await vscode.commands.executeCommand('k3.probeRoute', 'plain');
    assert.deepEqual(asking.titles, ['Probe route “plain”?']);
    assert.match(asking.details[0] ?? '', /They cost about \$/);
    const label = 'Probe Results for Route plain';
    await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes(label));
    const report = await reportText(label, (text) => about.test(text));
    assert.match(report, new RegExp(`^# ${label}$`, 'm'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  }

  it('breaks no rule of the emulator, which checks all requests, and shows what the route does', async () => {
    const before = emulator.requests.length;
    await probeAt(emulator.url, /^\| Reasoning\u00a0effort \| yes \| low: /m);
    const sent = emulator.requests.slice(before);
    assert.ok(sent.length >= 10, `${sent.length} requests`);
    assert.deepEqual(
      sent.filter(({ status = 200 }) => status >= 400),
      [],
    );
  });

  it('breaks no rule of the strict service, which checks all requests, and shows what the route does', async () => {
    const strict = await startForeignService({ route: 'direct', key: 'key-of-a-test', pace: 0 });
    const before = emulator.requests.length;
    try {
      await probeAt(strict.url, /^\| Reasoning\u00a0effort \| no \| low: /m);
      assert.ok(strict.requests.length >= 10, `${strict.requests.length} requests`);
      assert.deepEqual([strict.violations, emulator.requests.slice(before)], [[], []]);
    } finally {
      await strict.close();
    }
  });

  it('leaves out of requests what the route refused, and asks for the form of a proposal in words', async () => {
    const { probes, conversations } = scripted;
    const active = await scripted.turns.access();
    assert.ok(active.ok);
    const { route } = active.active;
    const refused = { verdict: 'no', seen: { kind: 'refused', values: ['not supported'] }, at: 1 } as const;
    const results = [
      { check: 'schema', ...refused },
      { check: 'effort', ...refused },
    ] as const;
    await probes.keep(route, { results, requests: 2, cost: 0 });
    await settings().update('reasoningEffort', 'low', vscode.ConfigurationTarget.Global);
    scripted.will(streamOf([{ answer: '{"explanation":"So.","files":[]}' }, { finish: 'stop' }]));
    const question = { text: 'Change it.', images: [], origin: undefined, purpose: 'proposal' } as const;
    const sent = await conversations.ask(conversations.current().id, question);
    assert.ok(sent.ok);
    await ended(conversations, sent.turnId);
    await probes.forget(route);
    const { response_format, reasoning_effort, messages } = JSON.parse(scripted.requests[0]?.body ?? '{}');
    assert.deepEqual([response_format, reasoning_effort], [undefined, undefined]);
    assert.match(messages.at(-1).content, /^Change it\.\n\nAnswer with one JSON value/);
  });

  it('ends the notices that an effort may be ignored where it has seen that it works', async () => {
    const { probes, conversations } = scripted;
    const active = await scripted.turns.access();
    assert.ok(active.ok);
    const { route } = active.active;
    await settings().update('reasoningEffort', 'low', vscode.ConfigurationTarget.Global);
    const codesOf = (id: string) =>
      vscode.languages
        .getDiagnostics()
        .filter(([{ query }]) => query === `conversation=${id}`)
        .flatMap(([, diagnostics]) => diagnostics.map(({ code }) => code));
    // Just after settings were written, the editor can have older ones for a moment, without this effort or route.
    const ask = () =>
      until(async () => {
        scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
        const { id } = conversations.create();
        const sent = await conversations.ask(id, { text: 'Why?', images: [], origin: undefined });
        assert.ok(sent.ok);
        await ended(conversations, sent.turnId);
        return JSON.parse(scripted.requests.at(-1)?.body ?? '{}').reasoning_effort === 'low' ? id : undefined;
      });
    // The problems of a turn come a moment after its end.
    const saysSo = (id: string) => until(() => codesOf(id).includes('effort-ignored'));
    await saysSo(await ask());
    const seen = { kind: 'efforts', values: ['low: 20', 'max: 90'] } as const;
    const results = [{ check: 'effort', verdict: 'yes', seen, at: 1 }] as const;
    await until(async () => {
      await probes.keep(route, { results, requests: 2, cost: 0 });
      return probes.works('effort', route);
    });
    const works = await ask();
    await probes.forget(route);
    await saysSo(await ask());
    assert.deepEqual(codesOf(works), []);
  });

  it('is offered with a retry that helps where a review is refused, and then nothing of it is refused', async () => {
    const { conversations, routes } = scripted;
    const refusing = { kind: 'direct', baseUrl: `${emulator.url}/s/refuses-schema` };
    const all = settings().inspect<Record<string, object>>('routes')?.globalValue ?? {};
    await settings().update('routes', { ...all, refusing }, vscode.ConfigurationTarget.Global);
    await settings().update('route', 'refusing', vscode.ConfigurationTarget.Global);
    const cards = createCardActions({
      waiting: NOT_WAITING,
      log: { warn: assert.fail },
      conversations,
      routes,
      composers: { compose: () => undefined },
      images: { shrink: async (images) => images },
      structured: { perform: async () => undefined },
      proposals: { ofTurn: () => [] },
      renames: NOT_RENAMED,
    });
    const code = { path: 'a.ts', language: 'typescript', text: 'let a = 1;\n', startLine: 0, lineCount: 1 };
    const { text } = toCodeReviewQuestion(code, 1000, estimateTokens);
    async function review(): Promise<Turn> {
      const { id } = conversations.create();
      const sent = await conversations.ask(id, { text, images: [], origin: undefined, purpose: 'findings' });
      assert.ok(sent.ok);
      return ended(conversations, sent.turnId);
    }
    const refusals = () => emulator.requests.filter(({ body }) => body.includes('"json_schema"')).length;

    const refused = await review();
    assert.equal(refused.failure?.kind, 'invalid-request');
    const before = refusals();
    await cards.perform('retry-without-format', refused.id);
    const attempt = await until(() => conversations.current().exchanges[0]?.attempts[1]);
    const retried = await ended(conversations, attempt.id);
    assert.ok(parseFindings(retried.answer).ok, retried.answer);
    assert.deepEqual(retried.request.leftOut, ['schema']);

    asking.answer = 'Probe Route';
    await cards.perform('probe-route', refused.id);
    assert.deepEqual(asking.titles, ['Probe route “refusing”?']);
    assert.equal(refusals(), before + 1, 'the request of the probe');
    const known = await review();
    assert.ok(parseFindings(known.answer).ok, known.answer);
    assert.equal(refusals(), before + 1);
    const codes = vscode.languages
      .getDiagnostics()
      .filter(([{ query }]) => query === `conversation=${conversations.current().id}`)
      .flatMap(([, diagnostics]) => diagnostics.map(({ code: one }) => one));
    assert.deepEqual(codes, ['left-out']);
    cards.dispose();
  });

  it('is asked about when images go to a route that drops them, after Switch Route and in Ask Again With…', async () => {
    const { conversations, probes } = scripted;
    const active = await scripted.turns.access();
    assert.ok(active.ok);
    const blind = { ...active.active.route, name: 'blind', model: 'svc-k3-blind' };
    const all = settings().inspect<Record<string, object>>('routes')?.globalValue ?? {};
    const written = { kind: 'direct', baseUrl: scripted.baseUrl, model: blind.model };
    await settings().update('routes', { ...all, blind: written }, vscode.ConfigurationTarget.Global);
    const dropped = { check: 'images', verdict: 'no', seen: { kind: 'dropped', values: [] }, at: 1 } as const;
    await probes.keep(blind, { results: [dropped], requests: 1, cost: 0 });
    const answer = () => scripted.will(streamOf([{ answer: 'A cat.' }, { finish: 'stop' }]));
    const { id } = conversations.current();
    const images = [{ name: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' }];
    answer();
    const first = await conversations.ask(id, { text: 'What is it?', images, origin: undefined });
    assert.ok(first.ok);
    await ended(conversations, first.turnId);
    assert.deepEqual(asking.titles, []);

    const { showQuickPick } = vscode.window;
    let detail = '';
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly vscode.QuickPickItem[]) {
        const item = items.find(({ label }) => label === 'blind');
        detail = item?.detail ?? '';
        return item;
      },
    });
    await vscode.commands.executeCommand('k3.askElsewhere');
    Object.assign(vscode.window, { showQuickPick });
    assert.match(detail, /^Route “blind” doesn’t accept images \(probed on [^)]*\)\.$/);
    assert.match(asking.titles[0] ?? '', /^Route “blind” doesn’t accept images \(probed on /);
    assert.deepEqual([asking.focused, scripted.requests.length], [['Don’t Send'], 1]);
    assert.match(asking.notes.at(-1) ?? '', /^Route “blind” doesn’t accept images, so nothing was sent\./);

    await settings().update('route', 'blind', vscode.ConfigurationTarget.Global);
    const later = { text: 'And?', images: [], origin: undefined };
    const refused = await conversations.ask(id, later);
    assert.deepEqual(refused, { ok: false, refusal: { kind: 'images-dropped', routeName: 'blind' } });
    assert.equal(conversations.get(id)?.exchanges.length, 1);
    asking.answer = 'Send Anyway';
    for (const _ of [1, 2]) {
      answer();
      const sent = await conversations.ask(id, later);
      assert.ok(sent.ok);
      await ended(conversations, sent.turnId);
    }
    assert.equal(asking.titles.length, 3, 'asked once more, and then agreed to');
    await probes.forget(blind);
  });
});
