/** The row below the message box, and the chips above it, in the widths of a side bar. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Surroundings } from '../../../src/panel/surroundings.ts';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { applyTheme } from '../../support/themes.ts';
import { snapshotOf, surroundingsView } from '../../support/views.ts';

const openPage = sharedChatPage();
let chat: ChatPage;

async function show(width: number, around: Partial<Surroundings>): Promise<void> {
  chat = await openPage();
  await chat.page.setViewportSize({ width, height: 500 });
  await chat.send(snapshotOf([], { surroundings: surroundingsView(around) }));
}

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? assert.fail('nothing is there');
const routeOf = (label: string) => ({ name: 'work', label, demo: false });
/** From where its letters begin to where they end, in pixels. */
const textOf = (selector: string) =>
  chat.page.evaluate<{ left: number; right: number; top: number }>(`{
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}));
    const { left, right, top } = range.getBoundingClientRect();
    ({ left, right, top });
  }`);
/** Where the text of the message box begins. */
const startOfText = () =>
  chat.page.evaluate<number>(`{
    const box = document.querySelector('.composer textarea');
    box.getBoundingClientRect().left + parseFloat(getComputedStyle(box).paddingLeft);
  }`);

describe('The route in the row below the message box', () => {
  for (const width of [300, 330, 600])
    it(`stays in the row with a name of a usual length, at ${width} pixels`, async () => {
      await show(width, { tools: 12, route: routeOf('truncate') });
      const [row, attach] = [
        await boxOf(chat.page.locator('.composer .tools')),
        await boxOf(chat.page.getByRole('button', { name: 'Attach' })),
      ];
      assert.ok(row.height < attach.height * 1.5, `${row.height} pixels`);
      const route = chat.page.locator('.tools .route');
      assert.ok((await boxOf(route)).width > 40);
      assert.match((await route.getAttribute('title')) ?? '', /work/);
    });

  for (const width of [200, 300, 330])
    it(`begins where the text of the message does when it has a row of its own, at ${width} pixels`, async () => {
      const preset = { name: 'Refactoring and more', detail: 'Reads only' };
      await show(width, { tools: 12, preset, route: routeOf('work') });
      const [name, start] = [await textOf('.route > span'), await startOfText()];
      const attach = await boxOf(chat.page.getByRole('button', { name: 'Attach' }));
      assert.ok(name.top > attach.y + attach.height, 'in another row');
      assert.ok(Math.abs(name.left - start) <= 1.5, `${name.left}, ${start}`);
    });

  for (const width of [300, 600])
    it(`has its dot in the middle between the number of tools and its name, at ${width} pixels`, async () => {
      await show(width, { tools: 11, route: routeOf('work') });
      const [name, tools] = [
        await textOf('.route > span'),
        await boxOf(chat.page.getByRole('button', { name: 'Tools' })),
      ];
      const { padding, dot } = await chat.page.evaluate<{ padding: number; dot: number }>(`{
        const route = document.querySelector('.route');
        const { left, width } = getComputedStyle(route, '::before');
        const before = document.querySelector('[aria-label="Tools"]');
        ({
          padding: parseFloat(getComputedStyle(before).paddingRight),
          dot: route.getBoundingClientRect().left + parseFloat(left) + parseFloat(width) / 2,
        });
      }`);
      const [left, right] = [dot - (tools.x + tools.width - padding), name.left - dot];
      assert.ok(Math.abs(left - right) <= 1 && left >= 6, `${left}, ${right}`);
    });
});

describe('The chip of the instructions', () => {
  const instructions = {
    kind: 'instructions',
    name: 'Instructions',
    size: '1 file, about 37 tokens',
    omitted: [],
    omittedCount: 0,
    changed: undefined,
    files: [{ path: 'AGENTS.md', note: '37' }],
  } as const;

  for (const width of [180, 240, 300])
    it(`has its facts on one line, and all of them in its tooltip, at ${width} pixels`, async () => {
      await show(width, { instructions });
      const facts = chat.page.getByRole('button', { name: instructions.size });
      assert.ok((await boxOf(facts)).height < 22, `${(await boxOf(facts)).height}`);
      const chip = chat.page.getByRole('listitem').filter({ has: facts });
      assert.match((await chip.getAttribute('title')) ?? '', /1 file, about 37 tokens/);
      const [inner, outer] = [await boxOf(facts), await boxOf(chip)];
      assert.ok(inner.x + inner.width <= outer.x + outer.width);
    });

  it('opens to all of its facts and files, with a long path broken after a slash and beside its bullet', async () => {
    const [long, deep] = ['.github/instructions/typescript.instructions.md', 'src/deep/AGENTS.md'];
    const files = ['AGENTS.md', long, deep];
    const size = '3 files, about 68 tokens';
    const several = {
      ...instructions,
      size,
      files: files.map((path) => ({ path, note: 'about 16 tokens' })),
    };
    await show(300, { instructions: several });
    await chat.page.setViewportSize({ width: 300, height: 430 });
    await applyTheme(chat.page, 'dark');
    const facts = chat.page.getByRole('button', { name: size });
    await facts.click();
    await chat.send();
    assert.ok(await facts.evaluate((one) => one.scrollWidth <= one.clientWidth), 'its facts are cut off');
    const list = await boxOf(chat.page.locator('.entry > .attachments'));
    const last = await boxOf(chat.page.getByRole('button', { name: deep }));
    assert.ok(last.y + last.height <= list.y + list.height, `${last.y}, ${list.y + list.height}`);
    const path = chat.page.getByRole('button', { name: long });
    const lines = await path.evaluate((one) => {
      const range = one.ownerDocument.createRange();
      range.selectNodeContents(one);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    assert.equal(lines, 2);
    assert.equal(await path.innerText(), long);
    assert.equal(await path.locator('wbr').count(), 2);
  });
});

describe('The list of what can be asked with /', () => {
  it('opens for the next message when it was closed for one that was sent', async () => {
    await show(300, {});
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    const asked = async () =>
      (await chat.posted()).flatMap((one) => (one.type === 'complete' ? [one.text] : []));
    await box.pressSequentially('/x');
    assert.deepEqual(await asked(), ['', 'x']);
    await box.press('Escape');
    await box.press('Enter');
    await chat.send({ type: 'taken', conversationId: 'c1', text: '/x' });
    assert.equal(await box.inputValue(), '');
    await box.pressSequentially('/');
    assert.deepEqual(await asked(), ['']);
  });

  for (const height of [300, 417, 500, 800])
    it(`shows whole rows only, in a page of ${height} pixels`, async () => {
      await show(300, {});
      await chat.page.setViewportSize({ width: 300, height });
      await chat.page.getByRole('textbox', { name: 'Message' }).pressSequentially('/');
      const asked = (await chat.posted()).findLast((one) => one.type === 'complete');
      const choices = Array.from({ length: 20 }, (_, at) => ({
        label: `/prompt-${at}`,
        description: 'Selected code',
        icon: 'sparkle',
        reference: { kind: 'file', uri: `file:///${at}` },
      }));
      await chat.send({ type: 'choices', query: asked?.query ?? assert.fail('not asked'), choices } as never);
      const list = await chat.page.evaluate<{ rows: number; row: number }>(`{
        const row = document.querySelector('.mention').getBoundingClientRect().height;
        ({ row, rows: document.querySelector('.mentions').clientHeight / row });
      }`);
      assert.ok(Math.abs(list.rows - Math.round(list.rows)) < 0.02 && list.rows >= 4, JSON.stringify(list));
    });
});
