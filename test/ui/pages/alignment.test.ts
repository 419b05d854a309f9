/** What stands beside or below what, in the page of the chat alone, in a narrow side bar. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { TurnView } from '../../../src/panel/views.ts';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import {
  exchangeView,
  proposalView,
  snapshotOf,
  surroundingsView,
  toolCallView,
  turnView,
} from '../../support/views.ts';

const openPage = sharedChatPage();
const NARROW = { width: 230, height: 500 };
let chat: ChatPage;

async function show(turn: Partial<TurnView>, answer = 'So.', attached?: string): Promise<void> {
  chat = await openPage();
  await chat.page.setViewportSize(NARROW);
  const context =
    attached === undefined
      ? []
      : [
          {
            id: 'k1',
            kind: 'file' as const,
            name: attached,
            size: 'about 120 tokens',
            omitted: [],
            omittedCount: 0,
            changed: undefined,
          },
        ];
  const exchange = exchangeView('e1', 'Why?', answer, turnView('complete', turn));
  await chat.send(snapshotOf([exchange], { surroundings: surroundingsView({ context }) }));
}

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? assert.fail('nothing is there');
const middleOf = async (one: Locator) => {
  const { y, height } = await boxOf(one);
  return y + height / 2;
};

describe('An attachment', () => {
  const chip = () => chat.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

  it('has its name at the height of its icon and its button', async () => {
    await show({}, 'So.', 'a.ts');
    const name = await middleOf(chip().locator('.chip-name'));
    for (const part of ['.codicon-file', '.chip-size', 'button'])
      assert.ok(Math.abs((await middleOf(chip().locator(part))) - name) <= 1, part);
    const { y, height } = await boxOf(chip());
    assert.ok(Math.abs(y + height / 2 - name) <= 1, 'in the middle of the attachment');
  });

  it('stays one line high beside one that shows its list', async () => {
    await show({});
    await chat.page.setViewportSize({ ...NARROW, width: 900 });
    const file = { kind: 'file', size: '', omitted: [], omittedCount: 0, changed: undefined } as const;
    const omitted = Array.from({ length: 9 }, (_, n) => `src/large${n}.bin`);
    const folder = { ...file, id: 'k1', kind: 'folder', name: 'src', omitted, omittedCount: 9 } as const;
    const context = [folder, { ...file, id: 'k2', name: 'a.ts' }];
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ context }) }));
    const before = await boxOf(chip().last());
    await chip().first().getByRole('button', { name: '9 omitted' }).click();
    await chat.page.getByText('src/large8.bin').waitFor();
    const after = await boxOf(chip().last());
    assert.equal((await boxOf(chip().first())).y, after.y, 'beside it');
    assert.equal(after.height, before.height);
  });

  it('has its icon beside its name, however long that is', async () => {
    await show({}, 'So.', 'src/documents/of/all/kinds/reader.test.ts');
    const icon = await boxOf(chip().locator('.codicon-file'));
    assert.ok((await boxOf(chip().locator('.chip-name'))).y < icon.y + icon.height);
  });
});

describe('The head of a proposal', () => {
  for (const [what, file] of [
    ['beside a path of one line', 'a.ts'],
    [
      'at the first line of a long path',
      'src/a-component-with-a-very-long-name-that-never-ends.generated.ts',
    ],
  ] as const)
    it(`has its icon ${what}`, async () => {
      await show({ proposals: [proposalView({ file })] });
      // The size of text in the editor, which is smaller than that of icons.
      await chat.page.evaluate("document.documentElement.style.setProperty('--vscode-font-size', '13px')");
      const icon = await middleOf(chat.page.locator('.proposal-head .codicon'));
      const path = chat.page.locator('.proposal-file');
      const line = await chat.page.evaluate<number>(
        "parseFloat(getComputedStyle(document.querySelector('.proposal-file')).lineHeight)",
      );
      const { y } = await boxOf(path);
      assert.ok(Math.abs(icon - y - line / 2) <= 1, `${icon - y} pixels below its top`);
    });
});

describe('Around an answer', () => {
  it('is room between an open tool call and the answer', async () => {
    const call = toolCallView({ state: 'failed', stateLabel: 'Failed', result: 'It does not exist.' });
    await show({ rounds: [{ answer: '', calls: [call] }] }, '> Quoted.');
    const details = await boxOf(chat.page.locator('.tool-details'));
    const answer = await boxOf(chat.page.locator('blockquote'));
    assert.ok(answer.y - details.y - details.height >= 4, `${answer.y - details.y - details.height} pixels`);
  });

  it('is room between a tool call of one line and the answer', async () => {
    const call = toolCallView({ state: 'done', stateLabel: 'Done', result: 'A result.' });
    await show({ rounds: [{ answer: '', calls: [call] }] }, '### So');
    const line = await boxOf(chat.page.locator('.tool-line'));
    const answer = await boxOf(chat.page.getByRole('heading', { name: 'So' }));
    assert.ok(answer.y - line.y - line.height >= 6, `${answer.y - line.y - line.height} pixels`);
  });

  it('is no line break between a number and its unit in the figures of the reasoning', async () => {
    const figures = { hasReasoning: true, reasoningTokens: 147, reasoningSeconds: 1.4 };
    await show(figures);
    await chat.page.locator('.reasoning-head .facts').getByText('147 tokens').waitFor();
    // In every width: the lines of the figures end after “tokens” or “·”, never in “1.4 s”.
    const tall = await chat.page.evaluate<number[]>(`[30, 40, 50, 60, 70, 80, 90, 100, 110].map((width) => {
      const facts = document.querySelector('.reasoning-head .facts');
      facts.style.width = width + 'px';
      facts.style.flex = 'none';
      const walker = document.createTreeWalker(facts, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.data.indexOf('1.4 s');
        if (at === -1) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 5);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }
      return 0;
    })`);
    assert.deepEqual([...new Set(tall)], [1]);
  });

  it('are the figures of the reasoning and the checks, also in the narrowest side bar', async () => {
    const checks = [{ name: 'Parameters', passed: false, detail: 'max_completion_tokens 1048576' }];
    await show({ hasReasoning: true, reasoningTokens: 12_390, reasoningSeconds: 1.4, checks });
    await chat.page.setViewportSize({ width: 170, height: 500 });
    const figures = chat.page.locator('.reasoning-head .figure');
    for (const figure of await figures.all()) assert.ok((await boxOf(figure)).height < 25, 'on one line');
    const log = await boxOf(chat.page.getByRole('log'));
    for (const part of [figures.last(), chat.page.locator('.check-detail')]) {
      const { x, width } = await boxOf(part);
      assert.ok(x + width <= log.x + log.width, `ends at ${x + width} of ${log.x + log.width}`);
    }
  });

  it('begins the line about a first part at the left, also on its second line', async () => {
    await show({ continued: true });
    await chat.page.getByRole('button', { name: /^First part of the answer/ }).waitFor();
    const style = "getComputedStyle([...document.querySelectorAll('.disclosure')].at(-1)).textAlign";
    assert.equal(await chat.page.evaluate<string>(style), 'start');
  });

  it('are figures that stand at the first line of their names', async () => {
    const label = 'Time to the first token of the reasoning, and more';
    await show({ account: [{ label, value: '1' }], accountLine: '$0.01' });
    await chat.page.getByRole('button', { name: 'Details: $0.01' }).click();
    const top = (cell: 'th' | 'td') =>
      chat.page.evaluate<number>(`(() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('.account ${cell}'));
        return range.getClientRects()[0].top;
      })()`);
    assert.ok((await boxOf(chat.page.getByText(label))).height > 25, 'a name of two lines');
    assert.equal(await top('td'), await top('th'));
  });

  it('are the checks, which are in view when they are opened at the end', async () => {
    const checks = ['Model', 'Finish', 'Content', 'Usage', 'Parameters'].map((name) => ({
      name,
      passed: true,
      detail: '',
    }));
    await show({ checks }, Array.from({ length: 40 }, (_, at) => `Line ${at}.`).join('\n\n'));
    await chat.page.getByRole('button', { name: 'All checks passed' }).click();
    const list = chat.page.getByRole('list', { name: 'Response checks' });
    const log = chat.page.getByRole('log');
    await eventually(async () => {
      const [shown, around] = [await boxOf(list), await boxOf(log)];
      assert.ok(shown.height > 20);
      assert.ok(shown.y + shown.height <= around.y + around.height + 0.5);
    }, 2000);
  });
});

describe('The versions of a question, and the attempts of an answer', () => {
  it('are at the height of the name', async () => {
    chat = await openPage();
    const exchange = exchangeView('e1', 'Why?', 'So.', turnView('complete'));
    await chat.send(snapshotOf([{ ...exchange, versions: 2, attempts: 2 }]));
    for (const message of ['.you', '.k3']) {
      const name = await middleOf(chat.page.locator(`${message} .who`));
      const pager = await middleOf(chat.page.locator(`${message} .attempts`));
      assert.ok(Math.abs(pager - name) <= 1, `${message}: ${pager} beside ${name}`);
    }
  });
});

describe('A banner', () => {
  for (const width of [300, 1200])
    it(`has the edges of the message box (${width} pixels)`, async () => {
      chat = await openPage();
      await chat.page.setViewportSize({ width, height: 500 });
      const banners = [{ tone: 'note' as const, text: 'It was deleted.', actions: [] }];
      await chat.send(snapshotOf([], { surroundings: surroundingsView({ banners }) }));
      const banner = await boxOf(chat.page.locator('.banner'));
      const box = await boxOf(chat.page.locator('.box'));
      assert.ok(Math.abs(banner.x - box.x) <= 1, `${banner.x} below ${box.x}`);
      assert.ok(Math.abs(banner.width - box.width) <= 2, `${banner.width} and ${box.width}`);
    });
});
