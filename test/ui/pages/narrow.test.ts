/** What fits into the narrowest side bar, and stays in view in a low one. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { PanelState } from '../../../src/panel/panelState.ts';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { applyTheme } from '../../support/themes.ts';
import {
  exchangeView,
  proposalView,
  snapshotOf,
  surroundingsView,
  toolCallView,
  turnView,
} from '../../support/views.ts';

const openPage = sharedChatPage();
/** The side bar can't be narrower. */
const NARROWEST = { width: 170, height: 500 };
let chat: ChatPage;

async function show(
  exchange: ReturnType<typeof exchangeView>,
  more: Partial<PanelState> = {},
): Promise<void> {
  chat = await openPage();
  await chat.page.setViewportSize(NARROWEST);
  await chat.send(snapshotOf([exchange], more));
}

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? assert.fail('nothing is there');
const button = (name: string) => chat.page.getByRole('button', { name });

/** All of it is in the view, and none of its text is cut off. */
async function fits(one: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(one);
  assert.ok(x >= 0 && x + width <= NARROWEST.width, `from ${x} to ${x + width} of ${NARROWEST.width}`);
  assert.ok(y >= 0 && y + height <= NARROWEST.height, `from ${y} to ${y + height} of ${NARROWEST.height}`);
  const hidden = await one.evaluate((element) => element.scrollWidth - element.clientWidth);
  assert.ok(hidden <= 0, `${hidden} pixels are cut off`);
}

describe('The narrowest side bar', () => {
  it('has all words of a button', async () => {
    const displaced = [{ proposalId: 'q', summary: 'It replaced an earlier proposal.' }];
    const turn = turnView('complete', { proposals: [proposalView({ displaced })] });
    await show(exchangeView('e1', 'Why?', '', turn));
    const review = button('Review Replaced Proposal');
    await review.scrollIntoViewIfNeeded();
    await fits(review);
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ route: undefined }) }));
    await fits(button('Try the Demo (No Key)'));
  });

  it('has the figures of the reasoning on one line, below its button where there is no room beside it', async () => {
    const turn = turnView('complete', {
      hasReasoning: true,
      reasoningTokens: 198,
      reasoningSeconds: 12,
    });
    await show(exchangeView('e1', 'Why?', 'So.', turn));
    for (const width of [200, 220, 240, 260, 300]) {
      await chat.page.setViewportSize({ ...NARROWEST, width });
      const figures = await Promise.all((await chat.page.locator('.figure').all()).map(boxOf));
      assert.equal(figures.length, 2);
      assert.equal(figures[0]?.y, figures[1]?.y, `at ${width} pixels`);
    }
  });

  it('has the welcome from its beginning also where it is low, and after a long conversation', async () => {
    await show(exchangeView('e1', 'Why?', 'So.\n\n'.repeat(50), turnView('complete')));
    await chat.page.setViewportSize({ ...NARROWEST, height: 260 });
    await chat.send(snapshotOf([], { conversationId: 'other' }));
    const [log, icon] = [chat.page.getByRole('log'), chat.page.locator('.welcome .codicon').first()];
    const hidden = await log.evaluate((one) => one.scrollHeight - one.clientHeight);
    assert.ok(hidden > 30, `${hidden} pixels are not in view`);
    assert.ok((await boxOf(icon)).y >= (await boxOf(log)).y);
    assert.equal(await log.evaluate((one) => one.scrollTop), 0);
  });

  it('has several words on a line in a table of many columns, which scrolls, and short columns beside each other', async () => {
    const row = (count: number, text: string) => `| ${Array(count).fill(text).join(' | ')} |\n`;
    const table = (count: number, text: string) => row(count, text) + row(count, '---') + row(count, text);
    const answer = `${table(20, 'some words of it')}\n${table(9, '1')}\n${table(2, 'some words of it')}`;
    await show(exchangeView('e1', 'Why?', answer, turnView('complete')));
    const cells = (at: number) => chat.page.locator('.table-box').nth(at).locator('td');
    assert.ok((await boxOf(cells(0).first())).height < 60, 'many columns');
    assert.ok((await boxOf(cells(1).first())).width < 40, 'short ones');
    const { x, width } = await boxOf(cells(2).last());
    assert.ok(x + width <= NARROWEST.width, 'few columns');
  });

  it('has the icon of a warning beside its text', async () => {
    const changed = 'The description of this tool has changed since you allowed it.';
    const toolCalls = [toolCallView({ state: 'waiting', approval: 'a', changed })];
    await show(exchangeView('e1', 'Why?', '', turnView('running', { toolCalls })));
    const text = await boxOf(chat.page.getByText(changed));
    const icon = await boxOf(chat.page.locator('.tool-change .codicon'));
    assert.ok(Math.abs(icon.y - text.y) < 6 && icon.x + icon.width <= text.x, `${icon.y}, ${text.y}`);
  });

  it('has the first of two calls that wait in view, with buttons in two rows that its name does not cover', async () => {
    const two = ['a', 'b'].map((approval) =>
      toolCallView({ id: approval, name: 'mcp_echo', state: 'waiting', approval, source: 'MCP: echo' }),
    );
    await show(exchangeView('e1', 'Why?', 'So. '.repeat(200), turnView('running')));
    await chat.page.setViewportSize({ width: 300, height: 360 });
    await applyTheme(chat.page, 'dark');
    const turn = turnView('running', { toolCalls: two });
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So. '.repeat(200), turn)]));
    const card = chat.page.locator('.tool-call.is-waiting').first();
    const head = await boxOf(card.locator('.tool-head'));
    const rows = new Set<number>();
    for (const one of await card.locator('.card-actions button').all()) rows.add((await boxOf(one)).y);
    assert.equal(rows.size, 2);
    const [log, box] = [await boxOf(chat.page.getByRole('log')), await boxOf(card)];
    assert.ok(box.y >= log.y && box.y + box.height <= log.y + log.height, `${box.y}, ${log.y}`);
    assert.ok(Math.min(...rows) >= head.y + head.height);
    // Where the user has scrolled to stays in view.
    await chat.page.mouse.move(150, 100);
    await chat.page.mouse.wheel(0, 30);
    await eventually(async () => assert.ok((await boxOf(card)).y < box.y));
    const scrolled = (await boxOf(card)).y;
    await chat.send({ type: 'turn', turn });
    assert.equal((await boxOf(card)).y, scrolled);
  });

  it('has the buttons of a call that waits in view in the panel below the editor, where its name would cover them', async () => {
    const toolCalls = [
      toolCallView({ name: 'mcp_echo', state: 'waiting', approval: 'a', source: 'MCP: echo' }),
    ];
    const queue = [2, 3].map((at) => ({ id: `${at}`, text: 'And then?' }));
    const exchange = exchangeView('e1', 'Why?', 'So. '.repeat(200), turnView('running', { toolCalls }));
    await show(exchange, { surroundings: surroundingsView({ queue }) });
    await chat.page.setViewportSize({ width: 248, height: 230 });
    for (const name of ['Refuse', 'Allow once']) {
      await button(name).scrollIntoViewIfNeeded();
      const inFront = await button(name).evaluate((one) => {
        const { left, top } = one.getBoundingClientRect();
        return one.ownerDocument.elementFromPoint(left + 8, top + 8)?.textContent;
      });
      assert.equal(inFront, name);
    }
  });

  it('has all buttons of the find bar', async () => {
    await show(exchangeView('e1', 'Why?', 'So.', turnView('complete')));
    await chat.send({ type: 'open-find' });
    await chat.page.getByRole('textbox', { name: 'Find' }).fill('so');
    for (const name of ['Previous match', 'Next match', 'Close']) await fits(button(name));
  });

  it('has the buttons of the find bar on one line in every width', async () => {
    await show(exchangeView('e1', 'Why?', 'So.', turnView('complete')));
    await chat.send({ type: 'open-find' });
    await chat.page.getByRole('textbox', { name: 'Find' }).fill('so');
    for (const width of [170, 200, 215, 226, 240, 300]) {
      await chat.page.setViewportSize({ ...NARROWEST, width });
      const [previous, close] = [await boxOf(button('Previous match')), await boxOf(button('Close'))];
      assert.ok(previous.y === close.y && previous.x < close.x, `at ${width} pixels`);
    }
  });

  it('has the end of a long path, which tells the files of a folder apart', async () => {
    const name = 'lib/components/very/deeply/nested/folder/TimetableOfBoats7.tsx';
    const file = {
      id: 'k1',
      kind: 'file',
      size: '',
      omitted: [],
      omittedCount: 0,
      changed: undefined,
    } as const;
    const sent = exchangeView('e1', 'Why?', 'So.', turnView('complete'));
    await show(
      { ...sent, question: { ...sent.question, origin: name } },
      {
        surroundings: surroundingsView({ context: [{ ...file, name }] }),
      },
    );
    for (const place of ['.composer', '[data-exchange="e1"]'])
      await isCutAtBeginning(chat.page.locator(`${place} .chip-name`), name);
  });

  const isCutAtBeginning = async (chip: Locator, name: string) => {
    const isSeen = await chip.evaluate((one) => {
      const text = one.ownerDocument.createTreeWalker(one, 4).nextNode() ?? one;
      const box = one.getBoundingClientRect();
      return ['lib/', '7.tsx'].map((part) => {
        const range = one.ownerDocument.createRange();
        const from = text.textContent?.indexOf(part) ?? 0;
        range.setStart(text, from);
        range.setEnd(text, from + part.length);
        const { left, right } = range.getBoundingClientRect();
        return left >= box.left - 1 && right <= box.right + 1;
      });
    });
    assert.deepEqual(isSeen, [false, true]);
    assert.equal(await chip.innerText(), name);
  };

  it('has the versions of a question beside or below its button', async () => {
    await show({ ...exchangeView('e1', 'Why?', 'So.', turnView('complete')), versions: 12, version: 10 });
    const edit = await boxOf(button('Edit'));
    const previous = await boxOf(button('Previous version'));
    assert.ok(previous.x >= edit.x + edit.width || previous.y >= edit.y + edit.height);
  });

  it('shows below why a message was refused that there is a queue', async () => {
    await show(exchangeView('e1', 'Why?', 'So.', turnView('complete')), {
      surroundings: surroundingsView({
        refusal:
          'Open a file and select the code to ask about. If nothing is selected, the code around the cursor is used.',
        queue: [{ id: 'q', text: 'And then?' }],
        queuePaused: true,
      }),
    });
    await chat.page.setViewportSize({ width: 217, height: 397 });
    const above = await boxOf(chat.page.locator('.above-box'));
    const queued = await boxOf(chat.page.getByRole('listitem').filter({ hasText: 'And then?' }));
    assert.ok(queued.y + 20 <= above.y + above.height, `${queued.y}, ${above.y + above.height}`);
  });

  it('has each queued message on one line', async () => {
    const text = 'Review Commit, part 2 of 6 · 0ebd153c Add the parts of the engine that were left out';
    await show(exchangeView('e1', 'Why?', 'So.', turnView('running')), {
      surroundings: surroundingsView({ queue: [2, 3].map((at) => ({ id: `${at}`, text })) }),
    });
    const row = chat.page.getByRole('listitem').filter({ hasText: text }).first();
    const { height } = await boxOf(row);
    assert.ok(height < 32, `${height}`);
    assert.equal(await row.getAttribute('title'), text);
  });

  it('has a queued message from right to left if its text begins so', async () => {
    await show(exchangeView('e1', 'Why?', 'So.', turnView('running')), {
      surroundings: surroundingsView({ queue: [{ id: 'q', text: 'ولماذا index.ts؟' }] }),
    });
    const direction = `getComputedStyle(document.querySelector('.queue .codicon + span')).direction`;
    assert.equal(await chat.page.evaluate(direction), 'rtl');
  });

  it('has a long message that is queued, and a long name of what is attached, with their buttons in full', async () => {
    const text = 'A message that is longer than the side bar is wide, and has no end in it';
    const name = 'aVeryLongNameOfAFileThatIsAttachedToTheMessage.test.ts';
    await show(exchangeView('e1', 'Why?', '', turnView('running')), {
      surroundings: surroundingsView({
        queue: [{ id: 'q', text }],
        attachments: [{ name, url: undefined, note: '', detail: '', busy: false }],
      }),
    });
    for (const list of ['Queued messages', 'Attachments']) {
      const row = chat.page.getByRole('list', { name: list }).getByRole('listitem').first();
      const around = await boxOf(chat.page.getByRole('list', { name: list }));
      const { x, width } = await boxOf(row);
      assert.ok(
        x + width <= around.x + around.width + 0.5,
        `${list}: ${x + width} of ${around.x + around.width}`,
      );
    }
  });

  it('shows what is still read on two lines at most, however long its path is', async () => {
    const name = `${'a-very-long-name-of-a-folder/'.repeat(8)}a.ts`;
    const reading = { name, url: undefined, note: 'Reading…', detail: `${name} is being read.`, busy: true };
    await show(exchangeView('e1', 'Why?', 'So.', turnView('complete')), {
      surroundings: surroundingsView({
        attachments: [reading, { ...reading, name: 'a.ts', note: '' }],
      }),
    });
    const [long, short] = await chat.page
      .getByRole('list', { name: 'Attachments' })
      .getByRole('listitem')
      .all();
    assert.ok(long !== undefined && short !== undefined);
    assert.ok((await boxOf(long)).height < 2.5 * (await boxOf(short)).height);
  });

  it('has the message box in view, however much is attached, queued, or was rejected', async () => {
    const many = Array.from({ length: 12 }, (_, at) => at);
    await show(exchangeView('e1', 'Why?', 'So.', turnView('running')), {
      surroundings: surroundingsView({
        refusal: 'Route “work” has no API key.',
        rejectedImages: many.map((at) => ({ text: `${at}.png is damaged.`, offersFile: false })),
        queue: many.map((at) => ({ id: String(at), text: `And ${at}?` })),
        attachments: many.map((at) => ({
          name: `${at}.png`,
          url: undefined,
          note: '',
          detail: '',
          busy: false,
        })),
      }),
    });
    await fits(button('Send'));
    await fits(chat.page.getByRole('textbox', { name: 'Message' }));
    const log = await boxOf(chat.page.getByRole('log'));
    assert.ok(log.height > 0);
    // What is not in view can be scrolled to.
    const last = button('Remove 11.png');
    await last.scrollIntoViewIfNeeded();
    await fits(last);
    assert.equal(await chat.page.evaluate('document.documentElement.scrollTop'), 0);
  });
});

describe('A low chat with banners', () => {
  const text =
    'Another program has locked the conversation database. When it is free again, your earlier conversations are shown, and what you ask now is saved. Until then, what you ask is in memory only. You can also export it now.';
  const banner = { tone: 'problem', text, actions: [{ action: 'export', label: 'Export…' }] } as const;

  for (const [width, height] of [
    [300, 300],
    [220, 260],
  ] as const)
    it(`has the message box and some of the answer in view, and all of a banner to scroll to: ${width} × ${height}`, async () => {
      const banners = [banner, { tone: 'note', text: 'The conversation was deleted.', actions: [] } as const];
      const more = { surroundings: surroundingsView({ banners }) };
      await show(exchangeView('e1', 'Why?', 'So. '.repeat(90), turnView('complete')), more);
      await chat.page.setViewportSize({ width, height });
      const box = await boxOf(chat.page.getByRole('textbox', { name: 'Message' }));
      const send = await boxOf(button('Send'));
      assert.ok(box.y >= 0 && send.y + send.height <= height, `from ${box.y} to ${send.y + send.height}`);
      const log = await boxOf(chat.page.getByRole('log'));
      assert.ok(log.height >= 40, `${log.height} pixels of the answer`);
      const last = button('Export…');
      await last.scrollIntoViewIfNeeded();
      const { y } = await boxOf(last);
      assert.ok(y > 0 && y < log.y, `${y}, above ${log.y}`);
    });
});

/** With all views open in a window that is zoomed to twice its size. */
describe('A chat that is 135 pixels high', () => {
  it('has more room for the answer than for the message box, whose buttons stay on one line', async () => {
    chat = await openPage();
    await chat.page.setViewportSize({ width: 295, height: 135 });
    const name = 'a gateway with a long name';
    const surroundings = surroundingsView({ route: { name, label: name, demo: false }, tools: 11 });
    await chat.send(
      snapshotOf([exchangeView('e1', 'Why?', 'So. '.repeat(90), turnView('complete'))], { surroundings }),
    );
    const log = await boxOf(chat.page.getByRole('log'));
    const box = await boxOf(chat.page.locator('.composer'));
    assert.ok(log.height > box.height, `${log.height} for the answer, ${box.height} for the message box`);
    const [route, send] = [await boxOf(button('a gateway')), await boxOf(button('Send'))];
    assert.ok(Math.abs(route.y - send.y) < 10, `${route.y}, ${send.y}`);
    await chat.page.getByRole('textbox', { name: 'Message' }).fill('And\nthen\nwhat?\nWhy?');
    assert.ok((await boxOf(chat.page.getByRole('textbox', { name: 'Message' }))).height <= 0.4 * 135);
  });
});
