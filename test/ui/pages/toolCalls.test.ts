/** Tool calls in the page of the chat alone: one line each, in groups, opened on demand. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { ToolCallView, TurnView } from '../../../src/panel/views.ts';
import { type ChatPage, chatPages, sharedChatPage } from '../../support/chatPage.ts';
import { exchangeView, snapshotOf, toolCallView, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
const openNewPage = chatPages();
let chat: ChatPage;

const call = (id: string, more: Partial<ToolCallView> = {}): ToolCallView =>
  toolCallView({
    id,
    title: `Read src/${id}.ts, lines 1–40`,
    arguments: `{"path":"src/${id}.ts"}`,
    result: Array.from({ length: 40 }, (_, line) => `${line + 1}\tThe text of ${id}.`).join('\n'),
    seconds: 0.2,
    ...more,
  });

type Calls = readonly ToolCallView[];

/** A page that shows one answer with these rounds of calls. */
async function show(rounds: readonly Calls[], outcome: TurnView['outcome'] = 'complete'): Promise<void> {
  await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnOf(rounds, outcome))]));
}

const turnOf = (rounds: readonly Calls[], outcome: TurnView['outcome'] = 'complete') =>
  turnView(outcome, { rounds: rounds.map((calls) => ({ answer: '', calls })) });

/** The same turn, as the host sends it while it runs. */
const update = (rounds: readonly Calls[], outcome: TurnView['outcome'] = 'running') =>
  chat.send({ type: 'turn', turn: turnOf(rounds, outcome) });

const many = (count: number): Calls => Array.from({ length: count }, (_, index) => call(`file${index}`));
const group = (name: string): Locator => chat.page.getByRole('group', { name, exact: true });
const line = (id: string): Locator =>
  chat.page.getByRole('button', { name: new RegExp(`Read src/${id}\\.ts`) });
const calls = (): Locator => chat.page.getByRole('group', { name: /^Tool call, / });
/** Clicks, and waits until the page has drawn. */
const press = async (button: Locator): Promise<void> => {
  await button.click();
  await chat.send();
};
const heightOf = async (one: Locator) => (await one.boundingBox())?.height ?? 0;

/** The number of elements of the answer that the Tab key stops at. */
const tabStops = () =>
  chat.page.evaluate<number>(
    `[...document.querySelectorAll('article.k3 :is(button, [tabindex], a[href])')].filter((one) => one.tabIndex >= 0 && one.checkVisibility() && !one.closest('.foot, .checks')).length`,
  );

describe('Tool calls', () => {
  it('are one collapsed line with one tab stop when there are forty', async () => {
    chat = await openPage();
    await show(Array.from({ length: 20 }, (_, round) => [call(`a${round}`), call(`b${round}`)]));
    const used = group('Used 40 tools');
    const height = await heightOf(used);
    assert.ok(height < 40, `${height} pixels`);
    assert.equal(await tabStops(), 1);
    assert.equal(await calls().count(), 40, 'screen readers still find all calls');
    const button = used.getByRole('button', { name: 'Used 40 tools' });
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    await press(button);
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    const opened = await heightOf(used);
    assert.ok(opened > 40 * 15 && opened < 41 * 30, `${opened} pixels for 41 lines`);
  });

  it('are one line each, which opens to the arguments and the result', async () => {
    chat = await openPage();
    await show([[call('invoice')]]);
    const one = group('Tool call, read_file');
    const button = one.getByRole('button', {
      name: 'read_file, Read src/invoice.ts, lines 1–40 · 0.2 s',
      exact: true,
    });
    assert.equal(await button.textContent(), 'Read src/invoice.ts, lines 1–40 · 0.2 s');
    assert.equal(await one.getAttribute('data-state'), 'done');
    assert.ok((await heightOf(one)) < 40);
    assert.equal(await one.getByText('The text of invoice').count(), 0);
    await press(button);
    assert.match(await one.innerText(), /"path":"src\/invoice\.ts"[\s\S]*The text of invoice/);
  });

  it('open their result as a document', async () => {
    chat = await openPage();
    await show([[call('a')], [call('b'), call('c')]]);
    await press(group('Used 3 tools').getByRole('button', { name: 'Used 3 tools' }));
    await press(line('c'));
    await chat.posted();
    await chat.page.getByRole('button', { name: 'Open result' }).click();
    assert.deepEqual(await chat.posted(), [{ type: 'open-result', turnId: 't1', round: 1, index: 1 }]);
  });

  it('that failed are open, and stand between the groups in their order', async () => {
    chat = await openPage();
    const failed = call('gone', { state: 'failed', stateLabel: 'Failed', result: 'There is no such file.' });
    await show([[call('a'), call('b')], [failed], [call('c'), call('d')]]);
    assert.equal(await group('Used 2 tools').count(), 2);
    assert.ok(await chat.page.getByText('There is no such file.').isVisible());
    const order = await calls().evaluateAll((all) => all.map((one) => one.getAttribute('data-state')));
    assert.deepEqual(order, ['done', 'done', 'failed', 'done', 'done']);
    await press(line('gone'));
    assert.equal(await chat.page.getByText('There is no such file.').count(), 0);
  });

  it('that wait for approval are outside of a group, with all they would run', async () => {
    chat = await openPage();
    const waiting = call('x', {
      name: 'deploy',
      title: 'Deploy',
      state: 'waiting',
      stateLabel: 'Waiting for approval',
      approval: 'a1',
      source: 'MCP: ops',
      result: undefined,
      seconds: undefined,
    });
    await show([many(4), [waiting]], 'running');
    const card = group('Tool call, deploy');
    assert.equal(await card.locator('xpath=ancestor::*[@role="group"]').count(), 0);
    for (const name of ['Allow once', 'Allow in this conversation', 'Always allow', 'Refuse'])
      assert.ok(await card.getByRole('button', { name, exact: true }).isVisible(), name);
    assert.ok(await card.getByText('{"path":"src/x.ts"}').isVisible());
    assert.ok(await card.getByText('Provided by MCP: ops').isVisible());
  });

  it('that wait have no choice for later calls if every one is asked about', async () => {
    chat = await openPage();
    const waiting = { state: 'waiting', result: undefined, onlyOnce: true } as const;
    await show([[call('x', { ...waiting, approval: 'a1' })]], 'running');
    assert.deepEqual(await calls().getByRole('button').allTextContents(), ['Allow once', 'Refuse']);
  });

  it('are not allowed by the second click of a double click that allowed the one in their place', async () => {
    chat = await openPage();
    const waiting = (id: string) => call(id, { state: 'waiting', approval: id, result: undefined });
    await chat.page.setViewportSize({ width: 400, height: 1000 });
    await show([many(2), [waiting('x'), waiting('y')]], 'running');
    await chat.posted();
    const allow = () => chat.page.getByRole('button', { name: 'Allow once' }).first();
    const { x, y, width, height } = (await allow().boundingBox()) ?? assert.fail();
    const clickThere = async (clickCount: number) => {
      await chat.page.mouse.move(x + width / 2, y + height / 2);
      await chat.page.mouse.down({ clickCount });
      await chat.page.mouse.up({ clickCount });
    };
    await clickThere(1);
    // The first one has run already.
    await update([many(2), [call('x'), waiting('y')]]);
    const now = await allow().boundingBox();
    assert.ok(now && Math.abs(now.y - y) < height / 2, 'the next one is in its place');
    await clickThere(2);
    const decision = { type: 'tool-decision', decision: 'once' };
    assert.deepEqual(await chat.posted(), [{ ...decision, approval: 'x' }]);
    await clickThere(1);
    assert.deepEqual(await chat.posted(), [{ ...decision, approval: 'y' }]);
  });

  it('can be stopped while they run, but not where another window runs them', async () => {
    chat = await openPage();
    const running = {
      state: 'running',
      stateLabel: 'Running',
      result: undefined,
      seconds: undefined,
    } as const;
    await show([[call('a', { ...running, startedAt: 1 }), call('b', running)]], 'running');
    const stop = chat.page.getByRole('button', { name: /^Stop the call/ });
    assert.equal(await stop.count(), 1);
    await press(stop);
    assert.deepEqual((await chat.posted()).at(-1), { type: 'stop-call', turnId: 't1', callId: 'a' });
  });

  it('stay open while others follow, and after a reload', async () => {
    chat = await openPage();
    await show([[call('a')]], 'running');
    await press(line('a'));
    await update([[call('a')], [call('b', { state: 'running', stateLabel: 'Running', result: undefined })]]);
    await update([[call('a')], [call('b')], [call('c')]]);
    assert.ok(await chat.page.getByText('The text of a.').first().isVisible(), 'its group is open');
    assert.equal(await group('Used 3 tools').count(), 1);
    await update([[call('a')], [call('b')], [call('c')]], 'complete');
    assert.ok(await chat.page.getByText('The text of a.').first().isVisible());
    const saved = await chat.page.evaluate<unknown>('getSaved()');
    chat = await openNewPage({}, `globalThis.savedState = ${JSON.stringify(saved)};`);
    await show([[call('a')], [call('b')], [call('c')]]);
    assert.ok(await chat.page.getByText('The text of a.').first().isVisible(), 'also after a reload');
    await press(chat.page.getByRole('button', { name: 'Used 3 tools' }));
    assert.equal(await line('a').getAttribute('tabindex'), '-1', 'the group can be closed');
  });

  it('that write a plan are one line, which opens to a checklist and is replaced by the next', async () => {
    chat = await openPage();
    const states = ['done', 'in_progress', 'pending'] as const;
    const planned = (id: string, done: number, text: string) => {
      const items = states.map((state) => ({ text, state, label: state }));
      return call(id, { name: 'update_plan', plan: { line: `Plan: ${done} of 3 · ${text}`, items } });
    };
    const hostile = '**x** <img src=x> $(zap)';
    await show([[call('a')], [planned('p', 1, hostile)]], 'running');
    const plan = chat.page.getByRole('button', { name: /^update_plan, Plan: / });
    assert.equal(await group('Tool call, update_plan').count(), 1);
    assert.equal(await plan.innerText(), `Plan: 1 of 3 · ${hostile}`);
    assert.equal(await plan.getAttribute('aria-expanded'), 'false');
    await press(plan);
    const list = chat.page.getByRole('list', { name: 'Plan' });
    const texts = async () => list.getByRole('listitem').allTextContents();
    assert.deepEqual(
      await texts(),
      states.map((state) => `${hostile}, ${state}`),
    );
    const earlier = call('p', { name: 'update_plan', title: 'Updated the plan: 1 of 3' });
    await update([[call('a')], [earlier], [call('b')], [planned('q', 2, 'Write')]]);
    assert.equal(await plan.innerText(), 'Plan: 2 of 3 · Write');
    assert.equal((await texts())[0], 'Write, done', 'it is still open');
    assert.equal(await group('Used 3 tools').count(), 1);
    assert.equal(await chat.page.evaluate('document.activeElement.title'), 'Plan: 2 of 3 · Write');
    await update([[call('a')], [earlier], [call('b')], [planned('q', 2, 'Write')]], 'complete');
    const [above, below] = [list, chat.page.locator('[data-part="answer"]')].map((one) => one.boundingBox());
    const gap = ((await below)?.y ?? 0) - ((await above)?.y ?? 0) - ((await above)?.height ?? 0);
    assert.ok(gap >= 8, `${gap} px between the checklist and the answer`);
  });

  it('say why a tool that was allowed is asked about again, and lead to what has changed', async () => {
    chat = await openPage();
    const changed = 'The description of this tool has changed since you allowed it.';
    const waiting = { state: 'waiting', approval: 'a1', source: 'MCP: x', result: undefined } as const;
    await show([[call('a', waiting), call('b', { ...waiting, approval: 'a2', changed })]], 'running');
    assert.equal(await chat.page.getByText(changed).count(), 1);
    await chat.posted();
    await chat.page.getByRole('button', { name: 'Show Changes' }).click();
    assert.deepEqual(await chat.posted(), [{ type: 'show-tool-changes', approval: 'a2' }]);
  });

  it('keep the name of the tool in view at the buttons, however long its arguments are', async () => {
    chat = await openPage();
    const text = Array.from({ length: 200 }, (_, at) => `  "${at}"`).join(',\n');
    const waiting = { state: 'waiting', approval: 'a1', arguments: `[\n${text}\n]` } as const;
    await show([[call('a', waiting)]], 'running');
    await chat.page.getByRole('button', { name: 'Refuse' }).scrollIntoViewIfNeeded();
    const name = calls().locator('.tool-name');
    const log = await chat.page.locator('.transcript, [role="log"]').first().boundingBox();
    const box = await name.boundingBox();
    assert.ok(log && box && box.y >= log.y && box.y < log.y + log.height, 'the name is scrolled away');
    const head = await calls().locator('.tool-head').boundingBox();
    assert.ok(head && head.y <= log.y + 1, 'arguments are seen above the name');
    /** Nothing of the arguments shows through it. */
    const covered = await name.evaluate((one) => {
      const { left, top } = one.getBoundingClientRect();
      return one.ownerDocument.elementFromPoint(left + 2, top + 4) === one;
    });
    assert.ok(covered);
  });
});
