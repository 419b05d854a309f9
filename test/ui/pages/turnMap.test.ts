/** The map of a turn on the page of the chat alone: its parts, keys, clicks, and what stays when the page changes. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { MapPart, TurnMap } from '../../../src/panel/turnMapParts.ts';
import { type ChatPage, DRAWN, sharedChatPage } from '../../support/chatPage.ts';
import { exchangeView, snapshotOf, surroundingsView, TURN_MAP, turnView } from '../../support/views.ts';

const REASONING = 'Let me look at the prices.\n\nCheck the rounding of all of them.';
const DONE_CALL = {
  id: 'c1',
  name: 'read_file',
  title: 'Read src/invoice.ts',
  arguments: '{}',
  source: undefined,
  approval: undefined,
  state: 'done',
  stateLabel: 'done',
  result: 'x',
  images: [],
  startedAt: undefined,
  seconds: 2,
} as const;

const exchange = (more = {}) => {
  const rounds = [{ answer: '', calls: [DONE_CALL, { ...DONE_CALL, id: 'c2', title: 'Read b.ts' }] }];
  const view = exchangeView(
    'e1',
    'Why?',
    'It adds up.',
    turnView('complete', { hasReasoning: true, rounds }),
  );
  return { ...view, turn: view.turn && { ...view.turn, reasoning: REASONING, ...more } };
};
const collapsed = { surroundings: surroundingsView({ reasoningInChat: 'collapsed' }) };

const openPage = sharedChatPage();
let chat: ChatPage;

async function prepare(): Promise<void> {
  chat = await openPage();
  await chat.page.setViewportSize({ width: 300, height: 600 });
  await chat.send(snapshotOf([exchange()], collapsed));
  await chat.posted();
}

const drawn = () => chat.page.evaluate(DRAWN);
const press = (key: string) => chat.page.keyboard.press(key).then(drawn);
const part = (name: string | RegExp) => chat.page.getByRole('button', { name });
const focused = () => chat.page.evaluate<string>('document.activeElement.ariaLabel ?? ""');
const told = () => chat.page.locator('.map-told').innerText();
const asked = async () => (await chat.posted()).filter(({ type }) => type === 'map' || type === 'show-step');
const names = (row: string) =>
  chat.page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('.map-bar')].find((one) => one.ariaLabel.startsWith('${row}'))?.querySelectorAll('button').values().map((one) => one.ariaLabel).toArray() ?? []`,
  );

async function open(map: TurnMap = TURN_MAP): Promise<void> {
  await part('Map').click();
  await drawn();
  assert.deepEqual(await asked(), [{ type: 'map', turnId: 't1' }]);
  await chat.send({ type: 'map', turnId: 't1', map });
}

describe('The map of a turn', () => {
  beforeEach(prepare);

  it('has its button beside the figures in a narrow view', async () => {
    await chat.page.setViewportSize({ width: 210, height: 600 });
    const facts = { reasoningTokens: 123_456, reasoningTokensEstimated: true, reasoningSeconds: 1234 };
    await chat.send(snapshotOf([exchange(facts)], collapsed));
    const [head, figures, button] = await Promise.all(
      ['.disclosure', '.facts', '[data-map]'].map((one) =>
        chat.page.locator(`.reasoning-head ${one}`).boundingBox(),
      ),
    );
    assert.ok(head && figures && button);
    assert.ok(figures.height > head.height * 1.5, 'the figures have two lines');
    assert.ok(button.x >= figures.x + figures.width - 1 && button.y < figures.y + figures.height);
  });

  it('is closed until wanted, and then has two rows with the figures of each part', async () => {
    assert.equal(await chat.page.locator('.map').count(), 0);
    await open();
    assert.deepEqual(await names('Time'), [
      'Waiting for the service, 1 s',
      'Step 1: Let me look at the prices, 1.2 s, about 340 tokens',
      'Waiting for approval, Read src/invoice.ts, 3 s',
      'Tool call, Read src/invoice.ts, 2 s, about 20 tokens',
      'Tool call, Read b.ts, 2 s, in parallel with other tool calls, about 20 tokens',
      'No data, 4 s',
      'Answer, 1 s, about 60 tokens',
    ]);
    assert.equal((await names('Tokens')).length, 7);
    assert.equal(await told(), '13 s · 1,540 tokens · step tokens estimated from text length');
    const [rows, beyond] = await chat.page.evaluate<readonly [number, boolean]>(
      `[document.querySelectorAll('.map-row')[1].getBoundingClientRect().bottom - document.querySelector('.map').getBoundingClientRect().top,
        document.querySelector('.log').scrollWidth > document.querySelector('.log').clientWidth]`,
    );
    assert.ok(rows <= 60, `${rows} px`);
    assert.equal(beyond, false);
    await part('Map').click();
    await drawn();
    assert.equal(await chat.page.locator('.map').count(), 0);
  });

  it('has a time for each part of the row of times, also for one that took no time to speak of', async () => {
    const step: MapPart = {
      kind: 'step',
      step: 1,
      title: 'Check',
      value: 2,
      ms: 2,
      tokens: 14,
      estimated: true,
    };
    const wide: MapPart = { kind: 'waiting', round: 0, value: 10, ms: 9000 };
    await open({ times: [wide, step], tokens: [step], reported: 'all' });
    assert.equal((await names('Time')).at(-1), 'Step 2: Check, < 0.1 s, about 14 tokens');
    assert.deepEqual(await names('Tokens'), ['Step 2: Check, about 14 tokens']);
  });

  it('leads to a step, a tool call in a group, and the answer, by click and by keyboard', async () => {
    await open();
    await part(/^Step 1: Let me.*1.2 s/)
      .first()
      .click();
    await drawn();
    assert.equal(await focused(), 'Step 1: Let me look at the prices');
    assert.equal(await chat.page.locator('.reasoning-body').isVisible(), true);
    await chat.page.locator('.map-bar button[tabindex="0"]').first().focus();
    // The part that was clicked is where Tab comes back to.
    assert.match(await focused(), /^Step 1/);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await press(key);
    assert.match(await focused(), /^Tool call, Read b.ts/);
    assert.match(await told(), /^Tool call, Read b.ts/);
    await press('Enter');
    assert.match(await focused(), /^read_file, Read b.ts/);
    assert.equal(
      await chat.page.getByRole('button', { name: 'Used 2 tools' }).getAttribute('aria-expanded'),
      'true',
    );
    await chat.page.locator('.map-bar button[tabindex="0"]').first().focus();
    await press('End');
    await press('Enter');
    assert.match(await focused(), /^svc-k3/);
    await chat.page.locator('.map-bar button[tabindex="0"]').first().focus();
    await press('Home');
    assert.match(await focused(), /^Waiting for the service/);
    // It leads nowhere.
    await press('Enter');
    assert.match(await focused(), /^Waiting for the service/);
    await press('ArrowDown');
    assert.equal(await focused(), 'Cached input, 800 tokens');
    await press('ArrowUp');
    assert.match(await focused(), /^Waiting for the service/);
    assert.deepEqual(await asked(), []);
  });

  it('goes to the Reasoning view when the setting hides the reasoning', async () => {
    const hidden = { surroundings: surroundingsView({ reasoningInChat: 'hidden' }) };
    await chat.send(snapshotOf([exchange()], hidden));
    assert.equal(await part('Map').count(), 0);
    await chat.send({ type: 'show-map', exchangeId: 'e1', turnId: 't1' });
    assert.deepEqual(await asked(), [{ type: 'map', turnId: 't1' }]);
    await chat.send({ type: 'map', turnId: 't1', map: TURN_MAP });
    await drawn();
    assert.match(await focused(), /^Waiting for the service/);
    await part(/^Step 1: Let me/)
      .first()
      .click();
    assert.deepEqual(await asked(), [{ type: 'show-step', turnId: 't1', step: 0 }]);
    assert.equal(await chat.page.locator('[data-part="reasoning"]').count(), 0);
  });

  it('joins parts that are too narrow, and leads to the first of them', async () => {
    const step = (index: number): MapPart => ({
      kind: 'step',
      step: index,
      title: index === 1 ? 'Check the rounding' : `Thing ${index}`,
      value: 1,
      ms: 1,
      tokens: 1,
      estimated: true,
    });
    const wide: MapPart = { kind: 'answer', round: 1, value: 10_000, ms: 10_000 };
    const few = Array.from({ length: 12 }, (_, index) => step(index + 1));
    await open({ times: [wide, ...few, wide], tokens: [], reported: 'none' });
    assert.deepEqual((await names('Time')).slice(1, -1), [
      '12 more, from “Step 2: Check the rounding” to “Step 13: Thing 12”',
    ]);
    await part(/^12 more/).focus();
    await press('Enter');
    assert.match(await focused(), /^Step 2: Check the rounding/);
    assert.match(await chat.page.locator('.map').innerText(), /The service reported no usage/);
  });

  it('has a part for each of forty tool calls, joined where they are narrow, and none is cut off', async () => {
    const call = (index: number): MapPart => ({
      kind: 'call',
      round: index,
      call: 0,
      value: 100 + index * 40,
      ms: 100 + index * 40,
      tokens: 50,
      estimated: true,
    });
    const calls = Array.from({ length: 40 }, (_, index) => call(index));
    await open({ times: calls, tokens: calls, reported: 'all' });
    for (const row of ['Time', 'Tokens']) {
      const all = await names(row);
      const count = all.reduce((sum, name) => sum + Number(/^(\d+) more/.exec(name)?.[1] ?? 1), 0);
      assert.equal(count, 40);
      assert.ok(all.length > 3 && all.length < 40, String(all.length));
    }
    const beyond = await chat.page.evaluate<boolean>(
      '[...document.querySelectorAll(".map-bar")].some((bar) => bar.scrollWidth > bar.clientWidth)',
    );
    assert.equal(beyond, false);
  });

  it('gives the focus back to its button when it is closed', async () => {
    await open();
    const close = chat.page.locator('.map').getByRole('button', { name: 'Close' });
    await close.focus();
    await press('Enter');
    assert.equal(await chat.page.locator('.map').count(), 0);
    assert.equal(await focused(), 'Map');
  });

  it('is open, and the end of the conversation is still followed: a time of waiting is no tool call that waits', async () => {
    await open();
    const next = exchangeView('e2', 'And what else?', 'Much.\n\n'.repeat(60), turnView('complete'));
    await chat.send({
      type: 'exchange',
      exchange: { ...next, turn: next.turn && { ...next.turn, id: 't2' } },
    });
    await drawn();
    const below = await chat.page
      .locator('.log')
      .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    assert.ok(below < 24, `${below} pixels are below`);
  });

  it('opens below its button, which stays where it is, at the end of the conversation and above it', async () => {
    const first = exchange({ answer: 'It adds up.\n\n'.repeat(12) });
    const before = exchangeView('e0', 'First?', 'A.\n\n'.repeat(20), turnView('complete'));
    const shown = [{ ...before, turn: before.turn && { ...before.turn, id: 't0' } }, first];
    await chat.send(snapshotOf(shown, collapsed));
    const button = part('Map').last();
    const top = async () => (await button.boundingBox())?.y;
    for (const scroll of [-1, 0]) {
      await chat.send(snapshotOf(shown, collapsed));
      await chat.page.locator('.log').hover();
      await chat.page.mouse.wheel(0, scroll * 150);
      await button.scrollIntoViewIfNeeded();
      await drawn();
      const place = await top();
      await button.click();
      await drawn();
      await chat.send({ type: 'map', turnId: 't1', map: TURN_MAP });
      await drawn();
      assert.equal(await chat.page.locator('.map').count(), 1);
      assert.equal(await top(), place, `scrolled by ${scroll}`);
      await button.click();
      await drawn();
      assert.equal(await top(), place, `closed, scrolled by ${scroll}`);
      await chat.page.mouse.wheel(0, 3000);
      await drawn();
    }
  });

  it('says that times were not recorded', async () => {
    await open({ ...TURN_MAP, times: undefined });
    assert.deepEqual(await names('Time'), []);
    assert.match(await chat.page.locator('.map').innerText(), /The times of this answer were not recorded\./);
  });

  it('stays open after a snapshot, is another one for each attempt, and isn’t there while the answer runs', async () => {
    await open();
    await chat.send(snapshotOf([exchange()], collapsed));
    assert.deepEqual(await asked(), [{ type: 'map', turnId: 't1' }]);
    await chat.send({ type: 'map', turnId: 't1', map: TURN_MAP });
    assert.equal(await chat.page.locator('.map').count(), 1);
    await chat.send({ type: 'exchange', exchange: { ...exchange({ id: 't2' }), attempt: 1, attempts: 2 } });
    assert.equal(await chat.page.locator('.map').count(), 0);
    await chat.send({
      type: 'exchange',
      exchange: { ...exchange({ outcome: 'running' }), attempt: 0, attempts: 2 },
    });
    assert.equal(await chat.page.locator('.map').count(), 0);
    assert.equal(await part('Map').count(), 0);
  });
});
