/** The page of the chat alone in a browser, without a workbench: selecting in an answer that streams, and its layout. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { PageMessage } from '../../../src/panel/webviewMessages.ts';
import { type ChatPage, chatPages, isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import {
  cardView,
  exchangeView,
  proposalView,
  STARTERS,
  snapshotOf,
  surroundingsView,
  turnView,
} from '../../support/views.ts';

const openPage = sharedChatPage();
const openNewPage = chatPages();
let chat: ChatPage;

const answer = (text: string) => ({ type: 'text' as const, turnId: 't1', reasoning: '', answer: text });
const ended = { type: 'turn' as const, turn: turnView('complete') };

/** Drags from the start of one text in the transcript to the end of another, as with the mouse. */
async function selectFrom(first: string, last = first): Promise<void> {
  const place = (text: string, end: boolean) =>
    chat.page.evaluate<{ x: number; y: number }>(`(() => {
      const walker = document.createTreeWalker(document.querySelector('.log'), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(text)});
        if (at === -1) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + ${text.length});
        const { left, right, top, height } = range.getBoundingClientRect();
        return { x: ${end} ? right - 1 : left + 1, y: top + height / 2 };
      }
      throw new Error('the text is not on the page');
    })()`);
  const from = await place(first, false);
  const to = await place(last, true);
  await chat.page.mouse.move(from.x, from.y);
  await chat.page.mouse.down();
  await chat.page.mouse.move(to.x, to.y, { steps: 5 });
  await chat.page.mouse.up();
}

const selected = () => chat.page.evaluate<string>('getSelection().toString()');
const markup = () =>
  chat.page.evaluate<string>(`(() => {
    const shown = document.querySelector('[data-part="answer"]').cloneNode(true);
    for (const code of shown.querySelectorAll('code')) {
      delete code.dataset.highlighted;
      code.textContent = String(code.textContent);
    }
    return [...shown.children].map((part) => part.innerHTML).join('');
  })()`);

/** The markup of an answer that was never selected in. */
async function markupOf(text: string): Promise<string> {
  const [whole = ''] = await markupsOf([text]);
  return whole;
}

/** The same of several texts, which the page shows one after the other, each in a conversation and a turn of its own. */
async function markupsOf(texts: readonly string[]): Promise<readonly string[]> {
  chat = await openPage();
  const whole: string[] = [];
  for (const [at, text] of texts.entries()) {
    const exchange = exchangeView(`e${100 + at}`, 'Why?', text, turnView('complete'));
    await chat.send(snapshotOf([exchange], { conversationId: `whole-${at}` }));
    whole.push(await markup());
  }
  return whole;
}

describe('Enter in the message box, before the list of prompts is there', () => {
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([]));
    await chat.page.locator('.composer textarea').focus();
  });
  const sent = async () =>
    (await chat.posted()).flatMap((message) => (message.type === 'send' ? [message.text] : []));
  const query = async () =>
    (await chat.posted()).findLast((message) => message.type === 'complete')?.query ?? 0;
  const value = () => chat.page.locator('.composer textarea').inputValue();

  it('sends what was typed when nothing is found, and keeps what is typed after it', async () => {
    await chat.page.keyboard.type('/x');
    const last = await query();
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.type('so');
    assert.deepEqual(await sent(), []);
    await chat.send({ type: 'choices', query: last, choices: [] });
    assert.deepEqual([await sent(), await value()], [['/x'], '/xso']);
  });

  it('is not lost with the results that the page has missed', async () => {
    await chat.page.keyboard.type('/te');
    const last = await query();
    await chat.page.keyboard.press('Enter');
    await chat.send(snapshotOf([]));
    assert.equal(await query(), last + 1);
    await chat.send({ type: 'choices', query: last + 1, choices: [] });
    assert.deepEqual([await sent(), await value()], [['/te'], '/te']);
  });

  it('sends the prompt that is found', async () => {
    await chat.page.keyboard.type('/te');
    const last = await query();
    await chat.page.keyboard.press('Enter');
    const tests = { label: '/tests', description: '', icon: 'sparkle', reference: undefined };
    await chat.send({ type: 'choices', query: last, choices: [tests] });
    assert.deepEqual([await sent(), await value()], [['/tests '], '/tests ']);
  });
});

describe('An empty conversation without an active route', () => {
  it('says why, and offers to switch, when there are routes', async () => {
    chat = await openPage();
    const noRoute = { text: 'k3.route is “”.', label: 'Switch Route…' };
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ route: undefined, noRoute }) }));
    await chat.page.getByText(noRoute.text).waitFor();
    assert.equal(await chat.page.getByText('No route yet').count(), 0);
    await chat.page.getByRole('button', { name: noRoute.label }).click();
    assert.deepEqual(
      (await chat.posted()).filter(({ type }) => type === 'action'),
      [{ type: 'action', action: 'switch-route', turnId: undefined }],
    );
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ route: undefined }) }));
    await chat.page.getByText('No route yet').waitFor();
    await chat.page.getByRole('button', { name: 'Add Route…' }).waitFor();
  });
});

describe('A paragraph that streams', () => {
  it('is the same as in a whole answer while it grows, and keeps what is selected in it', async () => {
    const text =
      'A **bold** `some code`, [a *link*](https://example.com/),\\\nand <b> & *more*, **not closed';
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running'))]));
    await chat.send(answer(text.slice(0, 20)));
    await selectFrom('bold');
    const grown: Record<string, string> = {};
    for (let at = 20; at < text.length; at++) {
      await chat.send(answer(text[at] ?? ''));
      if (at % 10 === 0) grown[text.slice(0, at + 1)] = await markup();
    }
    assert.equal(await selected(), 'bold');
    await chat.send(ended);
    assert.equal(await selected(), 'bold');
    grown[text] = await markup();
    const [beginnings, shown] = [Object.keys(grown), Object.values(grown)];
    assert.ok(shown.length > 5);
    assert.deepEqual(shown, await markupsOf(beginnings));
  });
});

describe('A selection in an answer that streams', () => {
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running'))]));
  });

  it('stays while its paragraph grows, is finished, and the answer ends', async () => {
    const parts = ['The quick fox', ' jumps over', ' the **lazy', '** dog.\n', '\nNext', ' one.\n\nLast.'];
    await chat.send(answer(parts[0] ?? ''));
    await selectFrom('quick fox');
    assert.equal(await selected(), 'quick fox');
    for (const part of parts.slice(1)) {
      await chat.send(answer(part));
      assert.equal(await selected(), 'quick fox', `after ${JSON.stringify(part)}`);
    }
    await chat.send(ended);
    assert.equal(await selected(), 'quick fox');
    assert.equal(await markup(), await markupOf(parts.join('')));
  });

  it('can begin in a finished paragraph and end in the one that streams', async () => {
    const begin = 'First paragraph.\n\nSecond paragraph.\n\nThird';
    await chat.send(answer(begin));
    await selectFrom('Second', 'Third');
    assert.equal(await selected(), 'Second paragraph.\n\nThird');
    await chat.send(answer(' and more'), answer('.\n\nFourth.\n\nFifth.\n\n'), answer('Sixth'));
    assert.equal(await selected(), 'Second paragraph.\n\nThird');
    await chat.send(ended);
    assert.equal(await selected(), 'Second paragraph.\n\nThird');
    assert.equal(await markup(), await markupOf(`${begin} and more.\n\nFourth.\n\nFifth.\n\nSixth`));
  });

  it('can be made while text arrives', async () => {
    await chat.send(answer('The quick fox'));
    const box = await chat.page.locator('[data-part="answer"] p').boundingBox();
    assert.ok(box);
    const y = box.y + 8;
    await chat.page.mouse.move(box.x + 1, y);
    await chat.page.mouse.down();
    await chat.send(answer(' jumps.\n\n'), answer('Next'));
    await chat.page.mouse.move(box.x + 60, y, { steps: 3 });
    await chat.send(answer(' one.\n\n'), answer('Last'));
    await chat.page.mouse.up();
    assert.match(await selected(), /^The qu/);
  });

  it('stays in a list, and in code that is highlighted when the selection has ended', async () => {
    const code = '```ts\nconst a = 1;\nconst b = 2;\n';
    await chat.send(answer('- one\n- two'));
    await selectFrom('one');
    await chat.send(answer('\n- three\n\n'), answer(code));
    assert.equal(await selected(), 'one');
    await selectFrom('const a');
    await chat.send(answer('const c = 3;\n```\n\nDone.'), ended);
    await chat.page.waitForTimeout(300);
    assert.equal(await selected(), 'const a');
    await chat.page.evaluate('getSelection().removeAllRanges()');
    await chat.page.locator('code[data-highlighted] .hljs-keyword').first().waitFor();
    assert.equal(
      await markup(),
      await markupOf(`- one\n- two\n- three\n\n${code}const c = 3;\n\`\`\`\n\nDone.`),
    );
  });

  it('stays when a link definition at the end changes earlier text', async () => {
    await chat.send(answer('See [the page].\n\nThe quick fox'));
    await selectFrom('quick');
    await chat.send(answer('.\n\n[the page]: https://example.com\n'), ended);
    assert.equal(await selected(), 'quick');
    assert.equal(await chat.page.locator('[data-part="answer"] a').textContent(), 'the page');
  });

  it('stays in the reasoning', async () => {
    const reasoning = (text: string) => ({ ...answer(''), reasoning: text });
    await chat.send({ ...ended, turn: turnView('running', { hasReasoning: true, phase: 'reasoning' }) });
    await chat.send(reasoning('Let me think'));
    await chat.page.locator('[data-part="reasoning"]').waitFor();
    await selectFrom('me think');
    await chat.send(reasoning(' about it.\n\nWell'), answer('So'), ended);
    assert.equal(await selected(), 'me think');
  });

  it('is not scrolled away', async () => {
    const lines = (count: number) => Array.from({ length: count }, () => 'More text.\n\n').join('');
    await chat.send(answer(`${lines(30)}The quick fox`));
    const top = () => chat.page.evaluate<number>(`document.querySelector('.log').scrollTop`);
    await selectFrom('quick');
    const before = await top();
    await chat.send(answer(`\n\n${lines(30)}`), answer('End'));
    assert.equal(await top(), before);
    assert.equal(await selected(), 'quick');
    await chat.page.getByRole('button', { name: 'Scroll to bottom' }).click();
    assert.ok((await top()) > before);
  });
});

describe('The scroll position while an answer streams', () => {
  const paragraphs = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `Paragraph ${from + n} of an answer that is long.\n\n`).join(
      '',
    );
  const second = (text: string) => ({ ...answer(text), turnId: 't2' });
  const endOfSecond = {
    type: 'turn' as const,
    exchangeId: 'e2',
    turn: {
      ...turnView('complete', {
        cards: [],
        checks: [{ name: 'Model', passed: true, detail: 'svc-k3' }],
        account: [{ label: 'Tokens', value: '50' }],
        accountLine: '50 tokens',
      }),
      id: 't2',
    },
  };
  const below = () =>
    chat.page.evaluate<number>(
      `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.log'))`,
    );
  const placeOf = async (text: string) =>
    (await chat.page.locator('article[data-outcome]').last().getByText(text, { exact: true }).boundingBox())
      ?.y ?? 0;

  beforeEach(async () => {
    chat = await openPage();
    await chat.send(
      snapshotOf([
        exchangeView('e1', 'Something long, please', paragraphs(0, 60), turnView('complete')),
        exchangeView('e2', 'And more, slowly', '', turnView('running')),
      ]),
      second(paragraphs(0, 10)),
    );
  });

  it('stays at the end, also when the answer ends', async () => {
    for (let n = 10; n < 60; n += 10) {
      await chat.send(second(paragraphs(n, n + 10)));
      assert.ok((await below()) < 24, `after paragraph ${n + 9}: ${await below()}`);
    }
    await chat.send(endOfSecond);
    assert.ok((await below()) < 24);
  });

  it('goes to another attempt for an earlier question, which streams there, and not to the end', async () => {
    await chat.send(second(paragraphs(10, 60)), endOfSecond);
    const first = chat.page.locator('article.k3').first();
    await first.locator('.foot').scrollIntoViewIfNeeded();
    await first.getByRole('button', { name: 'Regenerate' }).click();
    const again = exchangeView('e1', 'Something long, please', '', turnView('running'));
    const attempt = { attempt: 1, attempts: 2, turn: again.turn && { ...again.turn, id: 't3' } };
    await chat.send({ type: 'exchange', exchange: { ...again, ...attempt } });
    await chat.send({ ...answer('So it is.\n\n'), turnId: 't3' });
    await eventually(async () => {
      const [log, box] = [await chat.page.locator('.log').boundingBox(), await first.boundingBox()];
      assert.ok(log && box && box.y >= log.y - 1 && box.y < log.y + log.height, `${box?.y}, ${log?.y}`);
    });
    assert.ok((await below()) > 300, `${await below()}`);
  });

  it('is at a new question and its answer although something is still selected, until something else is', async () => {
    await chat.send(second(paragraphs(10, 30)), endOfSecond);
    await eventually(async () => assert.ok((await below()) < 24));
    await selectFrom('Paragraph 29');
    await chat.send({ type: 'exchange', exchange: exchangeView('e3', 'Refactor', '', turnView('running')) });
    const third = (text: string) => ({ ...answer(text), turnId: 't3' });
    for (let n = 0; n < 40; n += 10) {
      await chat.send(third(paragraphs(n, n + 10)));
      await eventually(async () =>
        assert.ok((await below()) < 24, `after paragraph ${n + 9}: ${await below()}`),
      );
    }
    assert.equal(await selected(), 'Paragraph 29');
    await selectFrom('Paragraph 39');
    await chat.send(third(paragraphs(40, 60)));
    await eventually(async () => assert.ok((await below()) > 24));
  });

  it('does not change when the exchange of the running answer comes again, as for an image that is no longer sent', async () => {
    await chat.send(second(paragraphs(10, 40)));
    await placeOf('Paragraph 39 of an answer that is long.');
    await eventually(async () => assert.ok((await below()) < 24));
    await chat.page.locator('.log').hover();
    await chat.page.mouse.wheel(0, -400);
    await chat.page.getByRole('button', { name: 'Scroll to bottom' }).waitFor();
    const text = paragraphs(0, 40);
    await chat.send({
      type: 'exchange',
      exchange: exchangeView('e2', 'And more, slowly', text, turnView('running')),
    });
    await chat.send(second(paragraphs(40, 41)));
    assert.ok((await below()) > 300, `${await below()}`);
  });

  it('does not change when the answer ends after the user scrolled up', async () => {
    await chat.send(second(paragraphs(10, 40)));
    // On a slow machine, the page can draw after `send` has ended.
    await placeOf('Paragraph 39 of an answer that is long.');
    await eventually(async () => assert.ok((await below()) < 24));
    await chat.page.locator('.log').hover();
    await chat.page.mouse.wheel(0, -400);
    await chat.page.getByRole('button', { name: 'Scroll to bottom' }).waitFor();
    const read = 'Paragraph 25 of an answer that is long.';
    const place = await placeOf(read);
    assert.ok((await below()) > 300);
    await chat.send(second(paragraphs(40, 60)));
    await chat.send(endOfSecond);
    assert.ok(Math.abs((await placeOf(read)) - place) < 5, `${place}, ${await placeOf(read)}`);
  });

  it('is left to a user who drags the scroll bar, however long that takes', async () => {
    await chat.send(second(paragraphs(10, 40)));
    await placeOf('Paragraph 39 of an answer that is long.');
    await eventually(async () => assert.ok((await below()) < 24));
    await chat.page.locator('.log').hover({ position: { x: 200, y: 2 } });
    await chat.page.mouse.down();
    // As long as the scroll bar is held, the browser reports no moves, only the scroll position.
    await chat.page.waitForTimeout(1100);
    await chat.page.evaluate(`document.querySelector('.log').scrollTop -= 400`);
    await chat.page.getByRole('button', { name: 'Scroll to bottom' }).waitFor();
    await chat.send(second(paragraphs(40, 60)));
    await placeOf('Paragraph 59 of an answer that is long.');
    assert.ok((await below()) > 300, `${await below()}`);
    await chat.page.mouse.up();
    await chat.page.getByRole('button', { name: 'Scroll to bottom' }).click();
    await eventually(async () => assert.ok((await below()) < 24));
    await chat.page.waitForTimeout(1100);
    // Nobody holds it.
    await chat.page.evaluate(`document.querySelector('.log').scrollTop -= 400`);
    await chat.send(second(paragraphs(60, 61)));
    await eventually(async () => assert.ok((await below()) < 24));
  });
});

describe('An answer that streams', () => {
  it('keeps the focus on its code block, where a key has moved it, while the block goes on and when it ends', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running'))]));
    await chat.send(answer('Like this:\n\n```ts\nlet a;\n'));
    await chat.page.getByRole('textbox', { name: 'Message' }).focus();
    await chat.page.keyboard.press('Alt+Shift+ArrowUp');
    const focused = () => chat.page.evaluate('document.activeElement.className');
    assert.equal(await focused(), 'code');
    await chat.send(answer('let b;\n```\n\nAnd so'));
    assert.equal(await focused(), 'code', 'the block has ended');
    await chat.send(answer(' on.\n'));
    await chat.send({ type: 'turn', turn: turnView('complete') });
    assert.equal(await focused(), 'code', 'the answer has ended');
  });

  it('can be clicked: a button of its open code block stays the same element', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turnView('running'))]));
    await chat.send(answer('```ts\nlet a;\n'));
    const box = await chat.page.locator('button[data-code="copy"]').boundingBox();
    assert.ok(box);
    await chat.posted();
    await chat.page.mouse.move(box.x + 5, box.y + 5);
    await chat.page.mouse.down();
    await chat.send(answer('let b;\n'));
    await chat.page.locator('code', { hasText: 'let b;' }).waitFor();
    await chat.page.mouse.up();
    assert.deepEqual(await chat.posted(), [{ type: 'copy-text', text: 'let a;\nlet b;\n' }]);
  });
});

describe('The code of an answer', () => {
  it('is highlighted on a page that always has something to do', async () => {
    chat = await openNewPage();
    await chat.page.evaluate(`{
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const end = performance.now() + 5;
        while (performance.now() < end);
        port2.postMessage('');
      };
      port2.postMessage('');
    }`);
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '```ts\nlet a;\n```\n', turnView('complete'))]));
    await chat.page.locator('code .hljs-keyword').waitFor({ timeout: 20_000 });
  });
});

describe('The buttons of a code block', () => {
  const stops = () =>
    chat.page.locator('.code-buttons button').evaluateAll((all) => all.map(({ tabIndex }) => tabIndex));

  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '```ts\nlet a;\n```\n', turnView('complete'))]));
    await chat.page.locator('.code-buttons').waitFor();
  });

  it('are one stop for the Tab key, which stays where an arrow key went', async () => {
    const first = (await stops()).length - 1;
    assert.deepEqual(await stops(), [0, ...Array<number>(first).fill(-1)]);
    await chat.page.locator('.code-buttons button').first().focus();
    await chat.page.keyboard.press('ArrowRight');
    const moved = [-1, 0, ...Array<number>(first - 1).fill(-1)];
    assert.deepEqual(await stops(), moved);
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ running: true }) });
    assert.deepEqual(await stops(), moved);
  });

  it('leave the name of the language out of what is selected with the text around the code', async () => {
    const answer = 'Before.\n\n```ts\nlet a;\n```\n\nAfter.';
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', answer, turnView('complete'))]));
    await chat.page.evaluate(`getSelection().selectAllChildren(document.querySelector('.answer'))`);
    assert.equal(
      (await chat.page.evaluate<string>('getSelection().toString()')).replace(/\n+/g, ' | '),
      'Before. | let a; | After.',
    );
  });

  it('show for a moment that the code was copied', async () => {
    const copy = chat.page.locator('button[data-code="copy"]');
    await copy.click();
    assert.match((await copy.getAttribute('class')) ?? '', /codicon-check/);
    await eventually(async () => assert.match((await copy.getAttribute('class')) ?? '', /codicon-copy/));
  });
});

describe('The list that an answer ends with', () => {
  const items = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `- item **${from + at}**\n`).join('');

  it('keeps what is selected in an item when others come, and changes as a whole when it has to', async () => {
    chat = await openPage();
    const shown = () => chat.page.locator('.answer').innerText();
    await chat.send(snapshotOf([exchangeView('e1', 'Which?', '', turnView('running'))]));
    await chat.send(answer(items(1, 4)));
    await chat.page.evaluate(`getSelection().selectAllChildren(document.querySelectorAll('.answer li')[2])`);
    for (let n = 4; n < 8; n++) await chat.send(answer(items(n, n + 1)));
    await chat.page.locator('.answer li', { hasText: 'item 7' }).waitFor();
    assert.equal(await chat.page.evaluate('String(getSelection())'), 'item 3');
    assert.equal(
      await shown(),
      items(1, 8)
        .replace(/[-*] ?/g, '')
        .trim(),
    );
    await chat.send(answer('\nAnd a ta'));
    await chat.page.locator('.answer p', { hasText: 'And a ta' }).waitFor();
    assert.equal(await chat.page.locator('.answer > * > ul > li').count(), 7);
    await chat.send(
      answer('ble:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'),
      answer('| 3 | 4 |\n'),
      answer('| 5'),
    );
    await chat.page.getByRole('cell', { name: '5' }).waitFor();
    const cells = await chat.page.locator('.answer td').allInnerTexts();
    assert.deepEqual(cells, ['1', '2', '3', '4', '5', '']);
    assert.equal(await chat.page.evaluate('String(getSelection())'), 'item 3');
  });

  it('gets paragraphs in all its items when a blank line comes between two', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Which?', '', turnView('running'))]));
    await chat.send(answer(items(1, 4)));
    await chat.page.locator('.answer li', { hasText: 'item 3' }).waitFor();
    assert.equal(await chat.page.locator('.answer li > p').count(), 0);
    await chat.send(answer(`\n${items(4, 6)}`));
    await chat.page.locator('.answer li', { hasText: 'item 5' }).waitFor();
    assert.equal(await chat.page.locator('.answer li > p').count(), 5);
    await chat.send(answer(items(6, 7)));
    await chat.page.locator('.answer li > p', { hasText: 'item 6' }).waitFor();
    assert.equal(await chat.page.locator('.answer li').count(), 6);
  });
});

const THEMES = {
  dark: {
    foreground: '#cccccc',
    'editorWidget-background': '#202020',
    'widget-border': '#313131',
    'sideBar-background': '#181818',
  },
  light: {
    foreground: '#3b3b3b',
    'editorWidget-background': '#f8f8f8',
    'widget-border': '#e5e5e5',
    'sideBar-background': '#f8f8f8',
  },
};

describe('The button that scrolls to the end', () => {
  for (const [name, colors] of Object.entries(THEMES))
    it(`covers no text of the transcript (${name})`, async () => {
      chat = await openPage();
      await chat.page.evaluate(`for (const [name, color] of Object.entries(${JSON.stringify(colors)}))
        document.documentElement.style.setProperty('--vscode-' + name, color);`);
      const long = Array.from({ length: 60 }, () => 'A line of text that is as wide as the view.').join(
        '\n\n',
      );
      await chat.send(snapshotOf([exchangeView('e1', 'Why?', long, turnView('complete'))]));
      const button = chat.page.getByRole('button', { name: 'Scroll to bottom' });
      assert.equal(await button.isVisible(), false);
      await chat.page.locator('.log').hover();
      await chat.page.mouse.wheel(0, -300);
      await button.waitFor();
      const of = async (selector: string) => chat.page.locator(selector).boundingBox();
      const [over, log, composer] = [await button.boundingBox(), await of('.log'), await of('.composer')];
      assert.ok(over && log && composer);
      assert.ok(over.y >= log.y + log.height, 'the button begins below the transcript');
      assert.ok(over.y + over.height <= composer.y, 'and ends above the message box');
      await button.click();
      await button.waitFor({ state: 'hidden' });
      const below = () =>
        chat.page.evaluate<number>(
          `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.log'))`,
        );
      assert.ok((await below()) < 24);
    });
});

describe('A conversation that is in view as a whole', () => {
  it('has no button that scrolls to the end, also when text is found in it', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'))]), {
      type: 'open-find',
    });
    await chat.page.getByRole('textbox', { name: 'Find' }).fill('adds');
    const places = [{ exchangeId: 'e1', part: 'answer', occurrence: 0 }] as const;
    await chat.send({ type: 'found', words: 'adds', places });
    await chat.send();
    assert.equal(await chat.page.getByRole('button', { name: 'Scroll to bottom' }).isVisible(), false);
  });

  it('has none either after another conversation, whose beginning was in view', async () => {
    chat = await openPage();
    const long = exchangeView('e1', 'Why?', 'A line.\n\n'.repeat(100), turnView('complete'));
    await chat.send(snapshotOf([long]));
    await chat.page.locator('.log').hover();
    await chat.page.mouse.wheel(0, -100_000);
    await isTrue(chat.page, `document.querySelector('.log').scrollTop === 0`);
    const button = chat.page.getByRole('button', { name: 'Scroll to bottom' });
    await button.waitFor();
    const short = exchangeView('e2', 'Why?', 'It adds up.', turnView('complete'));
    await chat.send(snapshotOf([short], { conversationId: 'c2' }));
    await button.waitFor({ state: 'hidden' });
  });
});

describe('A conversation that is shown from its beginning again, after one that is in view as a whole', () => {
  const short = exchangeView('e1', 'Why?', 'It adds up.', turnView('complete'));
  const long = exchangeView('e2', 'Why?', 'A line.\n\n'.repeat(100), turnView('complete'));

  /** Shows the short one, and then another one, whose beginning was in view when the page was closed. */
  async function showFromBeginning(exchange: typeof short): Promise<void> {
    chat = await openPage();
    await chat.send(snapshotOf([short], { conversationId: 'in-view' }));
    const saved = { conversationId: 'from-beginning', open: {}, scrollTop: 0 };
    const next = chat.numbered(snapshotOf([exchange], { conversationId: saved.conversationId }));
    // At once: the page saves where it is scrolled.
    await chat.page.evaluate(
      `globalThis.savedState = ${JSON.stringify(saved)}; postMessage(${JSON.stringify(next)}, '*')`,
    );
    await chat.send();
    assert.equal(await chat.page.evaluate(`document.querySelector('.log').scrollTop`), 0);
  }

  const isButtonSeen = () => chat.page.getByRole('button', { name: 'Scroll to bottom' }).isVisible();

  it('has the button that scrolls to the end', async () => {
    await showFromBeginning(long);
    assert.equal(await isButtonSeen(), true);
  });

  it('has no such button if all of it is in view, too', async () => {
    await showFromBeginning(short);
    assert.equal(await isButtonSeen(), false);
  });
});

describe('A banner, such as that the disk is full', () => {
  it('is on the screen at the end of a long conversation', async () => {
    chat = await openPage();
    const long = exchangeView('e1', 'Why?', 'A line.\n\n'.repeat(200), turnView('complete'));
    await chat.send(
      snapshotOf([long], {
        surroundings: surroundingsView({
          banners: [{ tone: 'problem', text: 'The disk is full.', actions: [] }],
        }),
      }),
    );
    await chat.page.evaluate(`document.querySelector('.log').scrollTo(0, 1e6)`);
    const { y = -1 } = (await chat.page.getByText('The disk is full.').boundingBox()) ?? {};
    assert.ok(y >= 0, `its top is at ${y}`);
  });
});

describe('A banner', () => {
  it('about a problem is an alert with the icon of a warning, and another one is a status', async () => {
    chat = await openPage();
    const banners = [
      { tone: 'problem', text: 'The disk is full.', actions: [] },
      { tone: 'note', text: 'Another window is answering.', actions: [] },
    ] as const;
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ banners }) }));
    const alert = chat.page.getByRole('alert').filter({ hasText: 'The disk is full.' });
    assert.equal(await alert.locator('.codicon-warning').count(), 1);
    const status = chat.page.getByRole('status').filter({ hasText: 'Another window is answering.' });
    assert.equal(await status.locator('.codicon-info').count(), 1);
    assert.match((await alert.getAttribute('class')) ?? '', /\bproblem\b/);
  });
});

describe('A message that is searched for in another place', () => {
  it('is shown, whatever its id is: an import can have any', async () => {
    chat = await openPage();
    const id = 'e1"] \\';
    await chat.send(snapshotOf([exchangeView(id, 'Why?', 'It adds up.', turnView('complete'))]));
    await chat.send({ type: 'reveal', exchangeId: id, part: 'answer' });
    await chat.page.locator('article.k3.is-revealed:focus').waitFor();
  });

  it('has all lines of its question, in any of which the words can be', async () => {
    chat = await openPage();
    const question = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
    await chat.send(snapshotOf([exchangeView('e1', question, 'So.', turnView('complete'))]));
    await chat.send({ type: 'reveal', exchangeId: 'e1', part: 'question' });
    await chat.page.getByRole('button', { name: 'Show less' }).waitFor();
  });
});

describe('The versions of a question', () => {
  it('can’t be gone through while an answer runs here or in another window, which would do nothing', async () => {
    chat = await openPage();
    const exchange = { ...exchangeView('e1', 'Why?', 'So.', turnView('complete')), version: 1, versions: 2 };
    await chat.send(snapshotOf([exchange], { surroundings: surroundingsView({ running: true }) }));
    const back = chat.page.getByRole('group', { name: 'Versions' }).getByRole('button').first();
    assert.equal(await back.isDisabled(), true);
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ elsewhere: true }) });
    assert.equal(await back.isDisabled(), true);
    await chat.send({ type: 'surroundings', surroundings: surroundingsView() });
    await chat.posted();
    await back.click();
    const asked = (await chat.posted()).filter(({ type }) => type === 'show-version');
    assert.deepEqual(asked, [{ type: 'show-version', exchangeId: 'e1', version: 0 }]);
  });
});

describe('A page whose conversation can’t be read yet', () => {
  it('keeps that one for a reload, until it shows it or stays in another one', async () => {
    chat = await openPage();
    const kept = () => chat.page.evaluate<string>('globalThis.getSaved().conversationId');
    await chat.send(snapshotOf([], { conversationId: 'new', opened: 'c7' }));
    await chat.page.locator('.composer textarea').fill('Half');
    assert.equal(await kept(), 'c7');
    await chat.send(snapshotOf([], { conversationId: 'new' }));
    assert.equal(await kept(), 'new');
  });
});

describe('Send and Stop, which take each other’s place', () => {
  const queue = [{ id: 'q1', text: 'And then?' }];
  const centerOf = async (name: string) => {
    const { x, y, width, height } =
      (await chat.page.getByRole('button', { name, exact: true }).boundingBox()) ?? assert.fail(name);
    return { x: x + width / 2, y: y + height / 2 };
  };

  it('are not pressed by the second click of a double click on the other one', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([], { draft: 'Why?' }));
    const place = await centerOf('Send');
    const click = async (clickCount: number) => {
      await chat.posted();
      await chat.page.mouse.move(place.x, place.y);
      await chat.page.mouse.down({ clickCount });
      await chat.page.mouse.up({ clickCount });
      return (await chat.posted()).filter(({ type }) => type === 'send' || type === 'stop');
    };
    assert.deepEqual(await click(1), [{ type: 'send', text: 'Why?' }]);
    await chat.send(
      { type: 'taken', conversationId: 'c1', text: 'Why?' },
      { type: 'surroundings', surroundings: surroundingsView({ running: true, queue }) },
    );
    assert.deepEqual(await centerOf('Stop'), place);
    assert.deepEqual(await click(2), [], 'the answer that was just asked for goes on');
    assert.deepEqual(await click(3), [{ type: 'stop' }], 'who goes on clicking wants to stop it');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ queue, queuePaused: true }) });
    assert.deepEqual(await centerOf('Send'), place);
    assert.deepEqual(await click(2), [], 'the queue stays paused');
    assert.deepEqual(await click(1), [{ type: 'send', text: '' }]);
  });
});

describe('A message that waits for its files', () => {
  it('can be stopped with the button, and with Escape, and is in the box meanwhile', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([], { draft: 'Why?', surroundings: surroundingsView({}) }));
    const stop = chat.page.getByRole('button', { name: 'Stop', exact: true });
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await box.press('Escape');
    await box.press('Enter');
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({ waiting: true }) });
    await stop.click();
    await box.press('Escape');
    const asked = (await chat.posted()).flatMap(({ type }) =>
      type === 'send' || type === 'stop' ? type : [],
    );
    assert.deepEqual([asked, await box.inputValue()], [['send', 'stop', 'stop'], 'Why?']);
    await chat.send({ type: 'surroundings', surroundings: surroundingsView({}) });
    await stop.waitFor({ state: 'detached' });
  });

  it('can be stopped the same way while the page reads an image, and is sent without it then', async () => {
    chat = await openNewPage();
    await chat.send(snapshotOf([], { draft: 'Why?', surroundings: surroundingsView({}) }));
    await chat.page.evaluate(`(() => {
      File.prototype.arrayBuffer = () => new Promise(() => undefined);
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['a'], 'a.png', { type: 'image/png' }));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.composer textarea').dispatchEvent(event);
    })()`);
    const stop = chat.page.getByRole('button', { name: 'Stop', exact: true });
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await box.press('Enter');
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    await box.press('Enter');
    await eventually(async () =>
      assert.deepEqual(
        (await chat.posted()).filter(({ type }) => type === 'send'),
        [{ type: 'send', text: 'Why?' }],
      ),
    );
  });
});

describe('Queued messages', () => {
  it('are removed one by one: the second click of a double click is on the next one, which has come up', async () => {
    chat = await openPage();
    const queue = ['One', 'Two', 'Three'].map((text, at) => ({ id: `q${at}`, text }));
    const show = (from: number) =>
      chat.send({
        type: 'surroundings',
        surroundings: surroundingsView({ running: true, queue: queue.slice(from) }),
      });
    await chat.send(snapshotOf([]));
    await show(0);
    const remove = chat.page.getByRole('list', { name: 'Queued messages' }).getByRole('button').first();
    const removedBy = async (clickCount: number) => {
      await chat.posted();
      await remove.click({ clickCount });
      return (await chat.posted()).filter(({ type }) => type === 'remove-queued');
    };
    assert.deepEqual(await removedBy(1), [{ type: 'remove-queued', id: 'q0' }]);
    await show(1);
    const { x, y, width, height } = (await remove.boundingBox()) ?? assert.fail();
    await chat.page.mouse.move(x + width / 2, y + height / 2);
    await chat.page.mouse.down({ clickCount: 2 });
    await chat.page.mouse.up({ clickCount: 2 });
    assert.deepEqual(
      (await chat.posted()).filter(({ type }) => type === 'remove-queued'),
      [],
    );
    assert.deepEqual(await removedBy(1), [{ type: 'remove-queued', id: 'q1' }]);
    await remove.press('Enter');
    assert.equal((await chat.posted()).filter(({ type }) => type === 'remove-queued').length, 1);
  });
});

describe('What is attached to a message, and why something was not', () => {
  it('is removed one by one, too', async () => {
    chat = await openPage();
    const attachments = ['a.png', 'b.png'].map((name) => ({
      ...{ name, url: undefined, note: '', detail: name, busy: false },
    }));
    const context = ['a.ts', 'b.ts'].map((name) => ({
      ...{
        id: name,
        kind: 'file' as const,
        name,
        size: '1',
        omitted: [],
        omittedCount: 0,
        changed: undefined,
      },
    }));
    const rejectedImages = ['a.bmp', 'b.bmp'].map((text) => ({ text, offersFile: false }));
    const surroundings = surroundingsView({ attachments, context, rejectedImages });
    await chat.send(snapshotOf([], { surroundings }));
    const all = ['Remove b.png', 'Remove b.ts', 'Dismiss'].map((name) =>
      chat.page.getByRole('button', { name, exact: true }).last(),
    );
    for (const button of all) {
      await chat.posted();
      await button.dblclick();
      assert.equal((await chat.posted()).filter(({ type }) => /^(?:remove|dismiss)/.test(type)).length, 1);
    }
  });
});

describe('The dialog that selects files', () => {
  it('is opened once by a double click: the editor would show another one behind it', async () => {
    chat = await openPage();
    const rejectedImages = [{ text: 'a.bmp', offersFile: true }];
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ rejectedImages }) }));
    for (const name of ['Attach', 'Attach file…']) {
      await chat.posted();
      await chat.page.getByRole('button', { name, exact: true }).dblclick();
      assert.equal((await chat.posted()).filter(({ type }) => type === 'attach').length, 1);
    }
  });
});

describe('An action of an answer', () => {
  it('happens once by a double click, such as a fork', async () => {
    chat = await openPage();
    const banner = {
      tone: 'note' as const,
      text: 'Full.',
      actions: [{ action: 'summarize' as const, label: 'Summarize' }],
    };
    const card = {
      ...cardView('problem', 'Cut'),
      actions: [{ action: 'continue' as const, label: 'Continue' }],
    };
    const exchange = exchangeView('e1', 'Why?', 'So.', turnView('complete', { cards: [card] }));
    await chat.send(snapshotOf([exchange], { surroundings: surroundingsView({ banners: [banner] }) }));
    for (const name of ['Continue', 'Summarize']) {
      await chat.posted();
      await chat.page.getByRole('button', { name, exact: true }).dblclick();
      assert.equal((await chat.posted()).filter(({ type }) => type === 'action').length, 1, name);
    }
    await chat.posted();
    const fork = chat.page.getByRole('button', { name: 'Fork' });
    await fork.dblclick();
    const forks = async () => (await chat.posted()).filter(({ type }) => type === 'fork').length;
    assert.equal(await forks(), 1);
    await fork.press('Enter');
    assert.equal(await forks(), 1);
  });
});

describe('The buttons of a proposal', () => {
  it('are not pressed by the second click of a double click on the one before: Accept all is where Restore rejected was', async () => {
    chat = await openPage();
    const turnWith = (state: 'decided' | 'open') =>
      turnView('complete', { proposals: [proposalView({ state, restorable: state === 'decided' })] });
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnWith('open'))]));
    const boxOf = async (name: string) =>
      (await chat.page.getByRole('button', { name, exact: true }).boundingBox()) ?? assert.fail(name);
    const accept = await boxOf('Accept all');
    await chat.send({ type: 'turn', turn: turnWith('decided') });
    const restore = await boxOf('Restore rejected');
    const [left, right] = [Math.max(accept.x, restore.x), restore.x + restore.width];
    assert.ok(left < right && accept.y === restore.y, 'one is in the place of the other');
    const click = async (clickCount: number) => {
      await chat.posted();
      await chat.page.mouse.move((left + right) / 2, restore.y + restore.height / 2);
      await chat.page.mouse.down({ clickCount });
      await chat.page.mouse.up({ clickCount });
      return (await chat.posted()).flatMap((one) => (one.type === 'proposal' ? one.action : []));
    };
    assert.deepEqual(await click(1), ['restore']);
    await chat.send({ type: 'turn', turn: turnWith('open') });
    assert.deepEqual(await click(2), [], 'nothing is accepted');
    assert.deepEqual(await click(1), ['accept-all']);
  });
});

describe('The edit box of a question', () => {
  it('is there again when its conversation was deleted and is restored', async () => {
    chat = await openPage();
    const exchanges = [exchangeView('e1', 'Why?', 'So.', turnView('complete'))];
    const editing = { exchangeId: 'e1', text: 'Why not?' };
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ deleted: true }) }));
    await chat.send(snapshotOf(exchanges, { editing }));
    assert.equal(await chat.page.locator('textarea.edit').inputValue(), 'Why not?');
  });

  it('is there again after a reload, with its text', async () => {
    chat = await openPage();
    const exchanges = [
      exchangeView('e1', 'Why?', 'So.', turnView('complete')),
      exchangeView('e2', 'And?', 'Well.', turnView('complete')),
    ];
    await chat.send(snapshotOf(exchanges));
    await chat.page.locator('article.you').first().hover();
    await chat.page.getByRole('button', { name: 'Edit' }).first().click();
    await chat.page.locator('textarea.edit').fill('Why not?');
    await chat.page.locator('.composer textarea').focus();
    const editing = (await chat.posted()).findLast(({ type }) => type === 'editing');
    const edited = { exchangeId: 'e1', text: 'Why not?' };
    assert.deepEqual(editing, { type: 'editing', before: 'e1', editing: edited });
    chat = await openNewPage();
    await chat.send(snapshotOf(exchanges, { editing: { exchangeId: 'e1', text: 'Why not?' } }));
    assert.equal(await chat.page.locator('textarea.edit').inputValue(), 'Why not?');
    await chat.posted();
    await chat.page.getByRole('button', { name: 'Send', exact: true }).first().click();
    assert.deepEqual(await chat.posted(), [
      // The box is closed first: the host keeps the text of the question from then on until it is asked.
      { type: 'editing', before: 'e1', editing: undefined },
      { type: 'edit', exchangeId: 'e1', text: 'Why not?' },
    ]);
  });
});

describe('A question that is being edited', () => {
  it('keeps what was typed when it is to be edited once more, from its card or by the Up key', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    const editing = { exchangeId: 'e1', text: 'Why?' };
    await chat.send({ type: 'edit', editing });
    const box = chat.page.locator('textarea.edit');
    await box.fill('Why not?');
    const messageBox = chat.page.locator('.composer textarea');
    await messageBox.focus();
    await chat.send({ type: 'edit', editing });
    await isTrue(chat.page, `document.activeElement.matches('textarea.edit')`);
    await messageBox.focus();
    await chat.page.keyboard.press('ArrowUp');
    await isTrue(chat.page, `document.activeElement.matches('textarea.edit')`);
    assert.equal(await box.inputValue(), 'Why not?');
  });

  it('is the last one that the user wrote by the Up key, not the words of Continue', async () => {
    chat = await openPage();
    const rest = exchangeView('e2', 'Continue exactly where it was cut off.', 'so.', turnView('complete'));
    const continuing = {
      ...rest,
      question: { ...rest.question, asked: 'Continue', continues: true as const },
    };
    const cut = exchangeView('e1', 'Why?', 'And', turnView('truncated'));
    await chat.send(snapshotOf([cut, continuing]));
    await chat.page.locator('.composer textarea').press('ArrowUp');
    await isTrue(chat.page, `document.querySelector('textarea.edit')?.value === 'Why?'`);
  });

  it('is the last one by the Up key, also if the page has an earlier part of the conversation', async () => {
    chat = await openPage();
    const last = exchangeView('e3', 'And last?', 'So.', turnView('complete'));
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))], { later: 2 }));
    await chat.page.locator('.composer textarea').focus();
    await chat.posted();
    await chat.page.keyboard.press('ArrowUp');
    await chat.send();
    assert.equal(await chat.page.locator('textarea.edit').count(), 0);
    const asked = (await chat.posted()).filter(({ type }) => type === 'action');
    assert.deepEqual(asked, [{ type: 'action', action: 'edit-question', turnId: undefined }]);
    await chat.send(snapshotOf([last], { earlier: 2 }), {
      type: 'edit',
      editing: { exchangeId: 'e3', text: 'And last?' },
    });
    await isTrue(chat.page, `document.activeElement.matches('textarea.edit')`);
    assert.equal(await chat.page.locator('textarea.edit').inputValue(), 'And last?');
  });

  it('stays in its box when another one was not sent, whose text goes to the message box then', async () => {
    chat = await openPage();
    const answers = ['e1', 'e2'].map((id) => exchangeView(id, 'Why?', 'So.', turnView('complete', { id })));
    await chat.send(snapshotOf(answers));
    const [own, back] = [
      { exchangeId: 'e1', text: 'Why not?' },
      { exchangeId: 'e2', text: 'And then?' },
    ];
    await chat.send({ type: 'edit', editing: own });
    const box = chat.page.locator('textarea.edit');
    await box.waitFor();
    await chat.posted();
    await chat.send({ type: 'edit', editing: back, isReturned: true });
    const messageBox = chat.page.locator('.composer textarea');
    await isTrue(chat.page, `document.querySelector('.composer textarea').value !== ''`);
    assert.deepEqual([await box.inputValue(), await messageBox.inputValue()], [own.text, back.text]);
    assert.deepEqual(await chat.posted(), [
      { type: 'draft', text: back.text },
      { type: 'editing', before: 'e2', editing: own },
    ]);
    await box.press('Escape');
    await chat.send({ type: 'edit', editing: back, isReturned: true });
    await isTrue(chat.page, `document.querySelector('textarea.edit')?.value === 'And then?'`);
  });
});

describe('The box of another question that is edited instead', () => {
  const [first, second] = ['e1', 'e2'].map((id) =>
    exchangeView(id, `Why ${id}?`, 'So.', turnView('complete', { id })),
  );
  const inBoxes = async () => [
    await chat.page.locator('textarea.edit').inputValue(),
    await chat.page.locator('.composer textarea').inputValue(),
  ];
  const ways: Readonly<Record<string, () => Promise<void>>> = {
    'its pencil': async () => {
      await chat.page.locator('article.you').last().hover();
      await chat.page.locator('article.you').last().getByRole('button', { name: 'Edit' }).click();
    },
    'the card of its answer': () =>
      chat.send({ type: 'edit', editing: { exchangeId: 'e2', text: 'Why e2?' } }),
    'the Up key': async () => {
      await chat.page.locator('.composer textarea').press('ArrowUp');
    },
  };
  for (const [name, open] of Object.entries(ways)) {
    it(`gives what was written in it to the message box, with ${name}`, async () => {
      chat = await openPage();
      await chat.send(snapshotOf([first, second].flatMap((one) => one ?? [])));
      await chat.send({ type: 'edit', editing: { exchangeId: 'e1', text: 'Why e1?' } });
      await open();
      await isTrue(chat.page, `document.querySelector('textarea.edit')?.value === 'Why e2?'`);
      assert.deepEqual(await inBoxes(), ['Why e2?', ''], 'nothing was written');
      await chat.send({ type: 'edit', editing: { exchangeId: 'e1', text: 'Why e1?' } });
      await chat.page.locator('textarea.edit').fill('Why not?');
      await chat.posted();
      await open();
      await isTrue(chat.page, `document.querySelector('textarea.edit')?.value === 'Why e2?'`);
      assert.deepEqual(await inBoxes(), ['Why e2?', 'Why not?']);
      assert.deepEqual(
        (await chat.posted()).filter(({ type }) => type === 'draft' || type === 'editing').slice(-2),
        [
          { type: 'draft', text: 'Why not?' },
          { type: 'editing', before: 'e1', editing: { exchangeId: 'e2', text: 'Why e2?' } },
        ],
      );
    });
  }
});

describe('The page that has shown other conversations', () => {
  it('has no more nodes than before', async () => {
    chat = await openNewPage();
    const empty = async (conversationId: string) => {
      await chat.send(snapshotOf([], { conversationId }));
      return chat.page.evaluate<number>(
        `document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue`,
      );
    };
    const before = await empty('c1');
    for (const conversationId of ['c2', 'c3', 'c4']) {
      const id = `e-${conversationId}`;
      await chat.send(
        snapshotOf([exchangeView(id, 'Why?', 'So.', turnView('complete'))], { conversationId }),
      );
      await empty(conversationId);
    }
    assert.equal(await empty('c5'), before);
  });
});

describe('Suggestions in an empty conversation', () => {
  const route = { name: 'work', label: 'work', demo: false };
  const posted = async () =>
    (await chat.posted()).filter(({ type }) => !['draft', 'ready', 'focus-moved'].includes(type));
  beforeEach(async () => {
    chat = await openPage();
    await chat.send(snapshotOf([], { surroundings: surroundingsView({ route, starters: STARTERS }) }));
  });

  it('add their context and their text, and send nothing', async () => {
    await chat.page.getByRole('button', { name: 'Explain the changes' }).click();
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await isTrue(chat.page, `document.querySelector('.composer textarea').value !== ''`);
    assert.equal(await box.inputValue(), 'Explain these changes. What could break?');
    assert.equal(await chat.page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
    assert.deepEqual(await posted(), [{ type: 'attach-context', references: [{ kind: 'changes' }] }]);
  });

  it('keep the text that is there', async () => {
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await box.fill('Is this right?');
    await chat.page.getByRole('button', { name: 'Explain invoice.ts' }).click();
    assert.equal(await box.inputValue(), 'Is this right?');
  });

  it('include the file that is open, with one click and without a text', async () => {
    const chip = chat.page.getByRole('button', { name: 'Add invoice.ts' });
    await chip.click();
    assert.deepEqual(await posted(), [{ type: 'attach-context', references: [STARTERS[0]?.reference] }]);
    assert.equal(await chat.page.getByRole('textbox', { name: 'Message' }).inputValue(), '');
    const folder = process.env['K3_SCREENSHOTS'];
    if (folder !== undefined) await chat.page.screenshot({ path: `${folder}/starters.png` });
  });

  it('go away with the first question', async () => {
    const asked = exchangeView('e1', 'Why?', 'So.', turnView('complete'));
    await chat.send(snapshotOf([asked], { surroundings: surroundingsView({ route }) }));
    assert.equal(await chat.page.getByRole('list', { name: 'Suggestions' }).count(), 0);
    assert.equal(await chat.page.getByRole('button', { name: 'Add invoice.ts' }).count(), 0);
  });
});

describe('A structured answer', () => {
  it('has a tree whose root is named, also on the screen', async () => {
    chat = await openPage();
    const structured = {
      name: 'boat',
      state: 'fits',
      summary: 'Matches the schema',
      errors: [],
      brokenAt: undefined,
      repairable: false,
    } as const;
    const turn = turnView('complete', { structured });
    await chat.send(snapshotOf([exchangeView('e73', 'Which boat?', '{"name": "Argo", "parts": [7]}', turn)]));
    const rows = chat.page.getByRole('treeitem');
    assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label'))), [
      'Entire answer: {2}',
      'name: "Argo"',
      'parts: [1]',
      '0: 7',
    ]);
    assert.match(await rows.first().innerText(), /^Entire answer: \{2\}/);
  });

  it('opens one dialog to save it, and asks for one correction, by a double click', async () => {
    chat = await openPage();
    const structured = {
      name: 'boat',
      state: 'not-json',
      summary: 'Not valid JSON',
      errors: [],
      brokenAt: 0,
      repairable: true,
    } as const;
    await chat.send(
      snapshotOf([exchangeView('e74', 'Which boat?', 'Argo', turnView('complete', { structured }))]),
    );
    for (const name of ['Save as…', 'Ask for correction']) {
      await chat.posted();
      await chat.page.getByRole('button', { name, exact: true }).dblclick();
      assert.equal((await chat.posted()).filter(({ type }) => type === 'structured').length, 1, name);
    }
  });
});

describe('A draft', () => {
  /** What the page wants to do later, in a frame, or when it is idle waits for the test. */
  const holdTimers = () =>
    chat.page.evaluate(`{
      const before = {};
      const held = new Map();
      const hold = (set, clear, msOf, argument) => {
        const clearNow = globalThis[clear];
        Object.assign(before, { [set]: globalThis[set], [clear]: clearNow });
        globalThis[set] = (run, more) => {
          const id = {};
          held.set(id, { run: () => run(argument()), ms: msOf(more) });
          return id;
        };
        globalThis[clear] = (id) => held.delete(id) || clearNow.call(globalThis, id);
      };
      hold('setTimeout', 'clearTimeout', (ms = 0) => ms, () => undefined);
      hold('requestAnimationFrame', 'cancelAnimationFrame', () => 16, () => performance.now());
      const idle = { didTimeout: false, timeRemaining: () => 50 };
      hold('requestIdleCallback', 'cancelIdleCallback', () => 16, () => idle);
      globalThis.runTimers = (within) => {
        for (const [id, { run, ms }] of held) if (ms <= within && held.delete(id)) run();
      };
      globalThis.letTimersRun = () => {
        Object.assign(globalThis, before);
        runTimers(Infinity);
      };
    }`);
  /** Runs those that wait for at most so many milliseconds. */
  const runTimers = (within: number) => chat.page.evaluate(`runTimers(${within})`);
  const letTimersRun = () => chat.page.evaluate('letTimersRun()');

  it('is sent with each key, so that a page that is closed at once loses nothing', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    await chat.posted();
    // No pause ends before the page is closed.
    await holdTimers();
    await chat.page.getByRole('textbox', { name: 'Message' }).pressSequentially('ab');
    const posted = await chat.page.evaluate<readonly PageMessage[]>('takePosted()');
    await letTimersRun();
    const typed = posted.flatMap(({ message }) => (message.type === 'typed' ? [message.text] : []));
    assert.deepEqual(typed, ['a', 'ab']);
  });

  it('is sent with an earlier message that is changed in its place', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    const box = chat.page.getByRole('textbox', { name: 'Message' });
    await box.fill('half a dr');
    await box.press('ControlOrMeta+ArrowUp');
    await chat.send({ type: 'recalled', texts: ['Why?'] });
    await chat.posted();
    await box.press('End');
    await box.press('!');
    const typed = (await chat.posted()).flatMap((said) => (said.type === 'typed' ? [said.text] : []));
    assert.deepEqual(typed, ['Why?!\nhalf a dr']);
  });

  it('is sent after a pause when it is long, because each message takes time', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'So.', turnView('complete'))]));
    await chat.posted();
    await holdTimers();
    await chat.page.getByRole('textbox', { name: 'Message' }).fill('a'.repeat(50_001));
    await runTimers(300);
    const posted = await chat.page.evaluate<readonly PageMessage[]>('takePosted()');
    await letTimersRun();
    assert.deepEqual(
      posted.map(({ message }) => message.type).filter((type) => type === 'typed' || type === 'draft'),
      ['draft'],
    );
  });

  it('stays with its conversation when another one is opened just before the draft is saved', async () => {
    chat = await openPage();
    await chat.send(snapshotOf([], { conversationId: 'first' }));
    await chat.posted();
    await holdTimers();
    await chat.page.getByRole('textbox', { name: 'Message' }).fill('For the first');
    await runTimers(290);
    const other = chat.numbered(snapshotOf([], { conversationId: 'second' }));
    await chat.page.evaluate(`new Promise((resolve) => {
      addEventListener('message', () => resolve(), { once: true });
      postMessage(${JSON.stringify(other)}, '*');
    })`);
    await runTimers(300);
    const posted = await chat.page.evaluate<readonly PageMessage[]>('takePosted()');
    await letTimersRun();
    const drafts = posted.flatMap(({ conversationId, message }) =>
      message.type === 'draft' ? [[conversationId, message.text]] : [],
    );
    assert.deepEqual(drafts.slice(0, 1), [['first', 'For the first']]);
    assert.equal(
      drafts.some(([id, text]) => id === 'second' && text !== ''),
      false,
    );
  });
});

describe('A long question', () => {
  const text = () => chat.page.locator('.question');
  const height = async () => (await text().boundingBox())?.height ?? 0;

  it('is folded, and shown as a whole with the button below it', async () => {
    chat = await openPage();
    const lines = Array.from({ length: 30 }, (_, at) => `Line ${at}`).join('\n');
    await chat.send(snapshotOf([exchangeView('e1', lines, 'So.', turnView('complete'))]));
    const folded = await height();
    await chat.page.getByRole('button', { name: 'Show more', exact: true }).click();
    await eventually(async () => assert.ok((await height()) > 2 * folded));
    await chat.page.getByRole('button', { name: 'Show less', exact: true }).click();
    await eventually(async () => assert.equal(await height(), folded));
  });
});
