/** What is around an answer in the page of the chat alone: one line, actions on demand, and a message box that fits. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Surroundings } from '../../../src/panel/surroundings.ts';
import type { CheckView } from '../../../src/panel/views.ts';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView } from '../../support/views.ts';

const openPage = sharedChatPage();
let chat: ChatPage;

const checksOf = (...failed: readonly string[]): readonly CheckView[] =>
  ['Model', 'Finish', 'Content', 'Usage'].map((name) => ({
    name,
    passed: !failed.includes(name),
    detail: `the ${name}`,
  }));

async function show(
  checks: readonly CheckView[],
  around: Partial<Surroundings> = {},
  width = 300,
): Promise<void> {
  chat = await openPage();
  await chat.page.setViewportSize({ width, height: 600 });
  const turn = turnView('complete', {
    checks,
    account: [{ label: 'Total tokens', value: '1,020' }],
    accountLine: '$0.012',
  });
  await chat.send(
    snapshotOf([exchangeView('e1', 'Why?', 'So.', turn)], { surroundings: surroundingsView(around) }),
  );
}

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const list = () => chat.page.getByRole('list', { name: 'Response checks' });
const opacityOf = (article: string) =>
  chat.page.evaluate<string>(`getComputedStyle(document.querySelector('${article} .actions')).opacity`);

describe('Below an answer', () => {
  it('is one line: a tick, the actions, and the cost', async () => {
    await show(checksOf());
    const below = await boxOf(chat.page.locator('.below'));
    assert.ok(below.height < 34, `${below.height} pixels`);
    assert.equal(await chat.page.getByRole('button', { name: 'Details: $0.012' }).innerText(), '$0.012');
    assert.equal(await chat.page.getByText('1,020').count(), 0);
    await chat.page.getByRole('button', { name: 'Details: $0.012' }).click();
    await chat.page.getByText('1,020').waitFor();
  });

  it('are the checks behind the tick, where screen readers find them', async () => {
    await show(checksOf());
    const items = list().getByRole('listitem');
    assert.deepEqual(
      (await items.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim()),
      ['Model passed', 'Finish passed', 'Content passed', 'Usage passed'],
    );
    assert.ok((await boxOf(list())).height < 2);
    await chat.page.getByRole('button', { name: 'All checks passed' }).click();
    await chat.send();
    assert.ok((await boxOf(list())).height > 10);
  });

  it('are the checks in view if one failed, without a tick', async () => {
    await show(checksOf('Usage'));
    assert.equal(await chat.page.getByRole('button', { name: 'All checks passed' }).count(), 0);
    assert.ok((await boxOf(list())).height > 10);
    assert.ok(await chat.page.getByText('the Usage').isVisible());
  });

  it('are the checks in view with a question mark, which is no failure, at one that the answer doesn’t show', async () => {
    const detail = 'The effort may have been ignored';
    await show([...checksOf(), { name: 'Parameters', passed: undefined, detail }]);
    assert.equal(await chat.page.getByRole('button', { name: 'All checks passed' }).count(), 0);
    const open = list().getByRole('listitem').last();
    assert.equal((await open.textContent())?.replace(/\s+/g, ' ').trim(), `Parameters ${detail}`);
    assert.equal(await open.locator('.codicon-question').count(), 1);
    assert.equal(await list().locator('[data-state="failed"], .codicon-error').count(), 0);
  });
});

describe('An answer that runs', () => {
  it('turns an icon, unless the user wants no motion', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('running'))]));
    const moving = () => chat.page.evaluate<number>('document.getAnimations().length');
    await chat.page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.ok((await moving()) > 0);
    await chat.page.emulateMedia({ reducedMotion: 'reduce' });
    assert.equal(await moving(), 0);
  });
});

describe('The actions of a message', () => {
  it('appear under the mouse and with the focus, and are always there for screen readers', async () => {
    await show(checksOf());
    await chat.page.mouse.move(0, 590);
    for (const [article, name] of [
      ['article.you', 'Edit'],
      ['article.k3', 'Regenerate'],
    ] as const) {
      const toolbar = chat.page.locator(article).getByRole('toolbar', { name: 'Message actions' });
      assert.equal(await opacityOf(article), '0', name);
      await chat.page.locator(article).hover();
      assert.equal(await opacityOf(article), '1', name);
      await chat.page.mouse.move(0, 590);
      await toolbar.getByRole('button', { name }).focus();
      assert.equal(await opacityOf(article), '1', name);
      assert.notEqual(await toolbar.getByRole('button', { name }).getAttribute('title'), null);
    }
  });

  it('have the pencil beside “You”', async () => {
    await show(checksOf());
    const [who, edit] = [
      await boxOf(chat.page.getByRole('heading', { name: 'You' })),
      await boxOf(chat.page.getByRole('button', { name: 'Edit' })),
    ];
    assert.ok(Math.abs(who.y + who.height / 2 - (edit.y + edit.height / 2)) < 3);
  });
});

describe('The message box', () => {
  const wide = {
    effort: 'max',
    effortHint: 'accepted by the service, but may be ignored',
    tools: 12,
    answerFormat: 'a schema with a long name',
    running: true,
    route: { name: 'work', label: 'a gateway with a long name', demo: false },
  } as const;

  const withPreset = {
    ...wide,
    effortOfPreset: true,
    preset: { name: 'Plan', detail: 'Reads only' },
  } as const;

  const plain = { tools: 12, route: { name: 'work', label: 'direct', demo: false } } as const;

  for (const [width, name, around] of [
    [300, '', plain],
    [1200, ', with all names', withPreset],
  ] as const)
    it(`has its buttons in one row at ${width} pixels${name}`, async () => {
      await show(checksOf(), around, width);
      await chat.page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await chat.send();
      const row = await boxOf(chat.page.locator('.composer .tools'));
      assert.ok(row.height < 34, `${row.height} pixels`);
      const send = await boxOf(chat.page.getByRole('button', { name: 'Send' }));
      assert.ok(send.x + send.width <= width - 12, `${send.x + send.width}`);
    });

  const named = {
    tools: 12,
    effort: 'high',
    effortOfPreset: true,
    preset: { name: 'Refactoring', detail: 'Reads only' },
    route: { name: 'work', label: 'company-gateway', demo: false },
  } as const;

  for (const [width, around] of [
    [300, named],
    [300, { ...named, running: true, answerFormat: 'JSON' }],
    [245, named],
  ] as const)
    it(`shows the names of a preset and a route at ${width} pixels in two rows, ${'running' in around ? 'while an answer runs' : 'the last one with Send'}`, async () => {
      await show(checksOf(), around, width);
      await chat.page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await chat.send();
      // What is cut has no room for a few letters more than it shows.
      const cut = await chat.page.evaluate<number>(
        `Math.max(...[...document.querySelectorAll('.tools .text-button, .tools .route > span')].map((one) => one.scrollWidth - one.clientWidth))`,
      );
      assert.ok(cut <= (width < 300 ? 20 : 1), `${cut} pixels are cut off`);
      const [row, send] = [
        await boxOf(chat.page.locator('.composer .tools')),
        await boxOf(chat.page.getByRole('button', { name: 'Send' })),
      ];
      assert.ok(row.height < 68, `${row.height} pixels`);
      const route = await boxOf(chat.page.locator('.tools .route'));
      assert.ok(Math.abs(route.y - send.y) < 4 && route.x + route.width <= send.x, 'beside each other');
    });

  for (const width of [170, 240])
    it(`has all its buttons inside its border at ${width} pixels`, async () => {
      await show(checksOf(), withPreset, width);
      await chat.page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      await chat.send();
      const box = await boxOf(chat.page.locator('.composer .box'));
      assert.ok((await chat.page.locator('.composer .tools button').count()) > 4);
      for (const button of await chat.page.locator('.composer .tools button').all()) {
        const { x, width: wide } = await boxOf(button);
        assert.ok(x >= box.x && x + wide <= box.x + box.width, `${await button.getAttribute('aria-label')}`);
      }
      const scrolls = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      assert.equal(await chat.page.evaluate(scrolls), false);
    });

  it('has an explanation for each icon', async () => {
    await show(checksOf(), wide);
    assert.ok((await chat.page.locator('.composer .tools button').count()) > 4);
    const without = await chat.page.evaluate<string[]>(
      `[...document.querySelectorAll('button')].filter((one) => one.querySelector('.codicon') && !one.innerText.trim() && !one.title).map((one) => one.ariaLabel)`,
    );
    assert.deepEqual(without, []);
  });

  it('keeps its attachments in view while something is chosen with @, and the name in the text', async () => {
    const context = [
      { id: 'k1', kind: 'file', name: 'a.ts', size: '12', omitted: [], omittedCount: 0, changed: undefined },
    ] as const;
    await show(checksOf(), { context });
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await box.pressSequentially('@b');
    const choice = {
      label: 'b.ts',
      description: '',
      icon: 'file',
      reference: { kind: 'file', uri: 'file:///b.ts' },
    } as const;
    const asked = (await chat.posted()).findLast(({ type }) => type === 'complete');
    assert.ok(asked?.type === 'complete');
    await chat.send({ type: 'choices', query: asked.query, choices: [choice] });
    const [popup, chips] = [
      await boxOf(chat.page.getByRole('listbox')),
      await boxOf(chat.page.getByRole('list', { name: 'Attachments' })),
    ];
    assert.ok(
      popup.height > 10 && popup.y + popup.height <= chips.y,
      `${popup.y + popup.height}, ${chips.y}`,
    );
    await box.press('Enter');
    assert.equal(await box.inputValue(), 'b.ts ');
  });

  it('opens the settings, and sends nothing, when the row of / that says what is wrong with one is chosen', async () => {
    await show(checksOf(), {});
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await box.pressSequentially('/m');
    const asked = (await chat.posted()).findLast(({ type }) => type === 'complete');
    assert.ok(asked?.type === 'complete');
    const problem = {
      label: 'Open Settings',
      description: 'k3.prompts must be a string, not 5.',
      icon: 'warning',
      reference: undefined,
      action: 'edit-settings',
    } as const;
    await chat.send({ type: 'choices', query: asked.query, choices: [problem] });
    await chat.page.getByRole('option', { name: 'Open Settings' }).waitFor();
    assert.equal(await box.getAttribute('aria-activedescendant'), null, 'Enter would send');
    await chat.posted();
    await box.press('ArrowDown');
    await box.press('Enter');
    const posted = await chat.posted();
    assert.deepEqual(
      posted.filter(({ type }) => type !== 'draft' && type !== 'typed'),
      [{ type: 'action', action: 'edit-settings', turnId: undefined }],
    );
    assert.equal(await box.inputValue(), '/m');
    await chat.page.getByRole('listbox').waitFor({ state: 'detached' });
    // The list doesn't come back by itself, so the text can be sent as it is.
    await box.press('Enter');
    assert.ok((await chat.posted()).some(({ type }) => type === 'send'));
  });
});
