/** What the user chose in Ask Again With… is kept when the attempt is retried or continued. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type CardActions, createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { createStructuredAnswers } from '../../../src/editor/structured/structuredAnswers.ts';
import { NOT_RENAMED } from '../../support/notRenamed.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import {
  type Answer,
  ended,
  type Scripted,
  setForUser,
  startScripted,
  streamOf,
  until,
} from '../scripted.ts';

describe('Another attempt that failed or was cut off', () => {
  let scripted: Scripted;
  let cards: CardActions;
  let shown: { readonly text: string; readonly buttons: readonly string[] }[];
  let select: string | undefined;
  const { showQuickPick, showWarningMessage } = vscode.window;
  const settings = () => vscode.workspace.getConfiguration('k3');
  const write = (name: string, value: unknown) => setForUser('k3', name, value);
  const toRoutes = (names: readonly string[], baseUrl: string) =>
    Object.fromEntries(
      names.map((name) => {
        const model = name === 'scripted' || name === 'third' ? `of-${name}` : 'of-second';
        return [name, { kind: 'direct', baseUrl, model }];
      }),
    );
  const routes = (names: readonly string[]) => write('routes', toRoutes(names, scripted.baseUrl));

  beforeEach(async () => {
    scripted = await startScripted((baseUrl) => toRoutes(['scripted', 'second', 'third'], baseUrl));
    const { conversations } = scripted;
    cards = createCardActions({
      waiting: NOT_WAITING,
      log: { warn: assert.fail },
      conversations,
      routes: scripted.routes,
      composers: { compose: () => undefined },
      images: { shrink: async (images) => images },
      structured: { perform: async () => undefined },
      proposals: { ofTurn: () => [] },
      renames: NOT_RENAMED,
    });
    shown = [];
    select = undefined;
    Object.assign(vscode.window, {
      async showWarningMessage(text: string, ...buttons: string[]) {
        shown.push({ text, buttons });
        return buttons.find((button) => button === select);
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick, showWarningMessage });
    cards.dispose();
    await write('reasoningEffort', undefined);
    await scripted.close();
  });

  const pick = (wanted: string) =>
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) =>
        items.find(({ label }) => label === wanted),
    });
  const answer = (text: string, finish = 'stop') => streamOf([{ answer: text }, { finish }]);
  const noBalance: Answer = (response) => {
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ error: { type: 'exceeded_current_quota_error', message: 'insufficient balance' } }),
    );
  };
  const exchanges = () => scripted.conversations.current().exchanges;
  const newest = () => exchanges().at(-1)?.attempts.at(-1);
  async function next(act: () => PromiseLike<unknown>) {
    const before = newest()?.id;
    await act();
    const turn = await until(() => newest()?.id !== before && newest());
    return ended(scripted.conversations, turn.id);
  }
  /** Asks, and then again with a route or an effort. */
  async function askAgainWith(wanted: string, scriptedAnswer: Answer) {
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    pick(wanted);
    scripted.will(scriptedAnswer);
    return next(() => vscode.commands.executeCommand('k3.askElsewhere'));
  }
  const retry = (id: string) => {
    scripted.will(answer('again'));
    return next(() => cards.perform('retry', id));
  };
  const sent = () =>
    scripted.requests.map(({ body }) => {
      const { model, reasoning_effort } = JSON.parse(body);
      return reasoning_effort === undefined ? model : `${model} ${reasoning_effort}`;
    });

  it('is retried on its route, and so is the retry, while the active route stays', async () => {
    const failed = await askAgainWith('second', noBalance);
    assert.equal(failed.outcome, 'failed');
    const retried = await retry(failed.id);
    await retry(retried.id);
    assert.deepEqual(sent(), ['of-scripted', 'of-second', 'of-second', 'of-second']);
    assert.equal(settings().get('route'), 'scripted');
    scripted.will(answer('later'));
    await scripted.ask('And?');
    assert.equal(sent().at(-1), 'of-scripted', 'the next question goes to the active route');
  });

  it('is continued on its route, and the rest of the rest as well', async () => {
    const cut = await askAgainWith('second', answer('One and ', 'length'));
    scripted.will(answer('two and ', 'length'));
    const rest = await next(() => cards.perform('continue', cut.id));
    scripted.will(answer('three.'));
    await next(() => cards.perform('continue', rest.id));
    assert.deepEqual(sent(), ['of-scripted', 'of-second', 'of-second', 'of-second']);
  });

  it('is continued from its reasoning on its route', async () => {
    const cut = await askAgainWith('second', streamOf([{ reasoning: 'Hm.' }, { finish: 'length' }]));
    scripted.will(answer('two'));
    await next(() => cards.perform('continue', cut.id));
    assert.equal(sent().at(-1), 'of-second');
  });

  it('is retried and continued with its effort, not with that of the settings', async () => {
    const cut = await askAgainWith('low', answer('One and ', 'length'));
    await write('reasoningEffort', 'max');
    const retried = await retry(cut.id);
    assert.equal(retried.request.effort, 'low');
    pick('Default');
    scripted.will(answer('One and ', 'length'));
    const plain = await next(() => vscode.commands.executeCommand('k3.askElsewhere'));
    scripted.will(answer('two'));
    await next(() => cards.perform('continue', plain.id));
    assert.deepEqual(sent(), [
      'of-scripted',
      'of-scripted low',
      'of-scripted low',
      'of-scripted',
      'of-scripted',
    ]);
  });

  it('has the effort of a preset that is chosen afterwards', async () => {
    await askAgainWith('low', answer('low'));
    pick('Plan');
    scripted.will(answer('plan'));
    await next(() => vscode.commands.executeCommand('k3.askElsewhere'));
    assert.equal(sent().at(-1), 'of-scripted max');
  });

  it('is retried on the route that is chosen with the button of its card', async () => {
    const failed = await askAgainWith('second', noBalance);
    pick('third');
    await cards.perform('switch-route', failed.id);
    await until(() => settings().get('route') === 'third');
    const { id } = scripted.conversations.current();
    assert.equal(scripted.conversations.get(id)?.exchanges[0]?.attempts[1]?.request.routeName, 'second');
    await retry(failed.id);
    assert.deepEqual(sent(), ['of-scripted', 'of-second', 'of-third']);
  });

  it('is retried on the active route when that is chosen with the button of its card', async () => {
    const failed = await askAgainWith('second', noBalance);
    pick('$(check) scripted');
    await cards.perform('switch-route', failed.id);
    await retry(failed.id);
    assert.deepEqual(sent(), ['of-scripted', 'of-second', 'of-scripted']);
  });

  it('keeps its route when another effort or preset is chosen for the next attempt', async () => {
    await askAgainWith('second', answer('second'));
    for (const wanted of ['low', 'Plan']) {
      pick(wanted);
      scripted.will(answer(wanted));
      const turn = await next(() => vscode.commands.executeCommand('k3.askElsewhere'));
      await retry(turn.id);
    }
    assert.deepEqual(sent().slice(1), [
      'of-second',
      'of-second low',
      'of-second low',
      'of-second max',
      'of-second max',
    ]);
  });

  it('is asked for the key of its own route', async () => {
    const refusal = await askAgainWith('second', (response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'invalid_authentication_error', message: 'No.' } }));
    });
    const { showInputBox } = vscode.window;
    let title = '';
    Object.assign(vscode.window, {
      async showInputBox(options: vscode.InputBoxOptions) {
        title = options.title ?? '';
      },
    });
    await cards.perform('set-key', refusal.id);
    Object.assign(vscode.window, { showInputBox });
    assert.equal(title, 'API key for route “second”');
  });

  it('keeps its route when no other one is chosen with that button', async () => {
    const failed = await askAgainWith('second', noBalance);
    pick('none of them');
    await cards.perform('switch-route', failed.id);
    await retry(failed.id);
    assert.equal(sent().at(-1), 'of-second');
  });

  it('is retried on its route under another name', async () => {
    const failed = await askAgainWith('second', noBalance);
    await routes(['scripted', 'renamed', 'third']);
    const retried = await retry(failed.id);
    assert.equal(sent().at(-1), 'of-second');
    assert.equal(retried.request.routeName, 'renamed');
    assert.equal(failed.request.routeName, 'second');
  });

  it('gets the model that was suggested, which is written to its route under another name, and to no other one', async () => {
    scripted.will((response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      const error = { message: 'Unknown model.', code: 'model_not_found', did_you_mean: 'right' };
      response.end(JSON.stringify({ error }));
    });
    const failed = await scripted.ask('Why?');
    assert.equal(failed.failure?.details.didYouMean, 'right');
    const models = () =>
      Object.entries(settings().get<Record<string, { model: string }>>('routes') ?? {}).map(
        ([name, { model }]) => `${name} ${model}`,
      );
    const { showErrorMessage } = vscode.window;
    const errors: string[] = [];
    Object.assign(vscode.window, { showErrorMessage: async (text: string) => void errors.push(text) });
    // A route that has its name now, and leads elsewhere.
    const { scripted: mine, ...others } = settings().get<Record<string, object>>('routes') ?? {};
    const other = { kind: 'direct', baseUrl: 'https://other.invalid', model: 'other' };
    await write('routes', { ...others, scripted: other });
    await cards.perform('use-suggested-model', failed.id);
    const before = ['second of-second', 'third of-third', 'scripted other'];
    assert.deepEqual([models(), errors], [before, ['The route was changed or removed.']]);
    await write('routes', { ...others, scripted: other, office: mine });
    await write('route', 'office');
    scripted.will(answer('again'));
    await next(() => cards.perform('use-suggested-model', failed.id));
    Object.assign(vscode.window, { showErrorMessage });
    assert.deepEqual([models(), sent().at(-1)], [[...before, 'office right'], 'right']);
  });

  it('says that its route is gone, changes nothing, and is asked on the active one if the user wants that', async () => {
    const failed = await askAgainWith('second', noBalance);
    const cut = await next(async () => {
      pick('third');
      scripted.will(answer('One and ', 'length'));
      await vscode.commands.executeCommand('k3.askElsewhere');
    });
    await routes(['scripted']);
    const before = exchanges();
    await cards.perform('retry', failed.id);
    await cards.perform('continue', cut.id);
    assert.equal(scripted.requests.length, 3);
    assert.deepEqual(exchanges(), before);
    assert.deepEqual(shown, [
      {
        text: 'Route “second” isn’t in k3.routes anymore, so nothing was sent. The active route is “scripted”.',
        buttons: ['Ask on Active Route'],
      },
      {
        text: 'Route “third” isn’t in k3.routes anymore, so nothing was sent. The active route is “scripted”.',
        buttons: ['Ask on Active Route'],
      },
    ]);
    select = 'Ask on Active Route';
    scripted.will(answer('two'));
    const rest = await next(() => cards.perform('continue', cut.id));
    assert.equal(rest.request.routeName, 'scripted');
    const retried = await retry(rest.id);
    assert.equal(retried.request.routeName, 'scripted');
    assert.equal(shown.length, 3, 'it isn’t asked about again');
  });

  it('is corrected on its route', async () => {
    const { conversations, routes } = scripted;
    const structured = createStructuredAnswers({
      conversations,
      routes,
      log: vscode.window.createOutputChannel('test', { log: true }),
    });
    const question = { text: 'Why?', images: [], origin: undefined, format: { kind: 'json' } } as const;
    scripted.will(answer('{}'));
    assert.ok((await conversations.ask(conversations.current().id, question)).ok);
    await until(() => newest()?.outcome);
    pick('second');
    scripted.will(answer('no JSON'));
    const wrong = await next(() => vscode.commands.executeCommand('k3.askElsewhere'));
    await until(() => structured.judged(wrong, question)?.verdict);
    scripted.will(answer('{}'));
    await next(() => structured.perform('repair', wrong.id));
    assert.equal(sent().at(-1), 'of-second');
    structured.dispose();
  });

  it('is retried on its route after a fork', async () => {
    const failed = await askAgainWith('second', noBalance);
    scripted.conversations.fork(scripted.conversations.current().id);
    const copy = newest() ?? assert.fail();
    assert.notEqual(copy.id, failed.id);
    await retry(copy.id);
    assert.equal(sent().at(-1), 'of-second');
  });
});
