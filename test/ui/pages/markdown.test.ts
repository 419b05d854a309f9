/** Markdown in the page of the chat alone: reasoning in steps, math, footnotes, and task lists, with the policy of the page. */
import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { beforeEach, describe, it } from 'mocha';
import { type ChatPage, chatPages, isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView } from '../../support/views.ts';

/** Tells the test what the policy refuses. Before the page runs, it hears of all of it. */
const WATCH = `globalThis.refused = [];
addEventListener('securitypolicyviolation', ({ violatedDirective }) => refused.push(violatedDirective));`;

const openPage = sharedChatPage();
const openNewPage = chatPages();
let chat: ChatPage;
let requested: string[];

async function prepare(): Promise<void> {
  chat = await openPage();
}

/** A page that was just opened, which tells what it loads and what the policy refuses. */
async function watchNewPage(): Promise<void> {
  chat = await openNewPage({}, WATCH);
  requested = [];
  chat.page.on('request', (request) => requested.push(new URL(request.url()).pathname));
}

const running = turnView('running', { hasReasoning: true, phase: 'reasoning' });
const ended = {
  type: 'turn' as const,
  exchangeId: 'e1',
  turn: turnView('complete', { hasReasoning: true }),
};

async function stream(texts: { readonly reasoning?: string; readonly answer?: string }, size = 7) {
  await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', running)]));
  const { reasoning = '', answer = '' } = texts;
  for (let at = 0; at < Math.max(reasoning.length, answer.length); at += size)
    await chat.send({
      type: 'text',
      turnId: 't1',
      reasoning: reasoning.slice(at, at + size),
      answer: answer.slice(at, at + size),
    });
}

const reasoning = () => chat.page.locator('[data-part="reasoning"]');
const answer = () => chat.page.locator('[data-part="answer"]');
const step = (name: string) => reasoning().getByRole('button', { name });

/** The left and right edges of the text of an element of the answer, or of a word in it. */
const edges = (selector: string, word = '') =>
  chat.page.evaluate<readonly [number, number]>(`{
    const [one] = document.querySelectorAll('[data-part="answer"] ' + ${JSON.stringify(selector)});
    const range = document.createRange();
    range.selectNodeContents(one);
    const nodes = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (${JSON.stringify(word)} && nodes.nextNode()) {
      const at = nodes.currentNode.data.indexOf(${JSON.stringify(word)});
      if (at < 0) continue;
      range.setStart(nodes.currentNode, at);
      range.setEnd(nodes.currentNode, at + ${word.length});
      break;
    }
    const { left, right } = range.getBoundingClientRect();
    [left, right]
  }`);

describe('Reasoning', () => {
  beforeEach(prepare);

  it('that is arriving has its line from right to left if it begins so', async () => {
    const turn = { ...running, liveLine: 'המשתמש שואל על index.ts, ולכן אני קורא אותו' };
    const surroundings = surroundingsView({ running: true, reasoningInChat: 'collapsed' });
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turn)], { surroundings }));
    const direction = await chat.page.evaluate(
      `getComputedStyle(document.querySelector('.live-line')).direction`,
    );
    assert.equal(direction, 'rtl');
  });

  it('is Markdown in the steps of the tree, and its text is what arrived', async () => {
    const plain = 'First I look at it.\n\nThen I weigh\ntwo ways.\n\nAt last I choose.';
    await stream({ reasoning: plain }, 20);
    assert.equal(
      await reasoning()
        .textContent()
        .then((text) => text?.trim()),
      plain,
    );
    await chat.send(ended);
    assert.equal(await reasoning().textContent(), plain);
    assert.equal(await reasoning().getByRole('button').count(), 3);
  });

  it('has a heading and its paragraph in one step, and renders lists and code', async () => {
    await stream(
      { reasoning: '## Plan\n\nI **read** it.\n\n- one\n- two\n\nThen:\n\n```ts\nlet a;\n```\n' },
      30,
    );
    await chat.send(ended);
    assert.equal(await reasoning().getByRole('button', { name: /^Step/ }).count(), 2);
    const first = chat.page.locator('.step').first();
    assert.equal(await first.locator('h2').innerText(), 'Plan');
    assert.equal(await first.locator('strong').innerText(), 'read');
    assert.equal(await first.locator('li').count(), 2);
    assert.equal(await chat.page.locator('.step').last().locator('pre code').count(), 1);
  });

  it('renders a finished step once, while the next one arrives', async () => {
    await stream({ reasoning: 'First **step**.\n\nSecond' });
    await chat.page.evaluate(`globalThis.first = document.querySelector('.step p')`);
    await chat.send({ type: 'text', turnId: 't1', reasoning: ' step.\n\nThird.', answer: '' }, ended);
    assert.ok(await chat.page.evaluate(`first === document.querySelector('.step p')`));
  });

  it('folds a step to its first line, which lasts while it streams and after a reload', async () => {
    await stream({ reasoning: 'First step.\n\n- with a list\n\nSecond step.\n\nThird' }, 30);
    const list = chat.page.getByText('with a list');
    assert.ok(await list.isVisible());
    await step('Step 1: First step').click();
    assert.equal(await step('Step 1: First step').getAttribute('aria-expanded'), 'false');
    assert.equal(await list.isVisible(), false);
    assert.ok(await chat.page.getByText('First step.').isVisible());
    await chat.send({ type: 'text', turnId: 't1', reasoning: ' step.', answer: 'So.' }, ended);
    assert.equal(await list.isVisible(), false);
    const saved = await chat.page.evaluate<unknown>('getSaved()');
    chat = await openNewPage({}, `globalThis.savedState = ${JSON.stringify(saved)};`);
    const view = exchangeView('e1', 'Why?', 'So.', ended.turn);
    const turn = view.turn && { ...view.turn, reasoning: 'First step.\n\n- with a list\n\nSecond step.' };
    await chat.send(snapshotOf([{ ...view, turn }]));
    assert.equal(await chat.page.getByText('with a list').isVisible(), false);
    assert.ok(await chat.page.getByText('Second step.').isVisible());
  });

  it('has footnotes that lead to the note in their step, which they unfold', async () => {
    await stream({ reasoning: 'First[^1].\n[^1]: One.\n\nSecond[^1].\n[^1]: Two.' }, 30);
    await chat.send(ended);
    await step('Step 2').click();
    const note = reasoning().locator('.footnote').last();
    assert.equal(await note.isVisible(), false);
    await reasoning().getByRole('button', { name: 'Footnote 1' }).last().click();
    assert.match(await note.innerText(), /Two/);
    assert.equal(await note.evaluate((one) => one.matches(':focus')), true);
  });

  it('has one stop for the Tab key, and arrow keys from step to step', async () => {
    await stream({ reasoning: 'One.\n\nTwo.\n\nThree.' }, 30);
    const stops = () =>
      chat.page.evaluate<number>(`document.querySelectorAll('.step-fold[tabindex="0"]').length`);
    assert.equal(await stops(), 1);
    await step('Step 1: One').focus();
    await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('End');
    assert.equal(await step('Step 3: Three').evaluate((one) => one.matches(':focus')), true);
    assert.equal(await stops(), 1);
  });
});

describe('Math', () => {
  beforeEach(prepare);

  it('is typeset as MathML when its block is finished, by a program that is loaded then', async () => {
    await watchNewPage();
    await stream({ answer: 'No math costs $5.\n\n' }, 30);
    await chat.page.waitForTimeout(100);
    assert.deepEqual(
      requested.filter((path) => path.endsWith('math.js')),
      [],
    );
    await stream(
      { answer: 'Let $a_1$ be.\n\n\\[\n\\frac{a}{b}\n\\]\n\nSo $$x$$', reasoning: 'As $b^2$ is.' },
      9,
    );
    await chat.send(ended);
    await answer().locator('math').nth(2).waitFor();
    await reasoning().locator('msup').waitFor();
    assert.equal(await answer().locator('mfrac').count(), 1);
    assert.equal(await answer().locator('[data-math="display"]').count(), 2);
    assert.deepEqual(
      requested.filter((path) => path.endsWith('math.js')),
      ['/math.js'],
    );
    assert.deepEqual(await chat.page.evaluate('refused'), []);
  });

  it('that is selected when its block is finished is typeset when it no longer is', async () => {
    await stream({ answer: 'Let $a_1$ be' }, 30);
    await answer().locator('.math').waitFor();
    await chat.page.evaluate(`getSelection().selectAllChildren(document.querySelector('.answer .math'))`);
    const rest = ' a sum, and $b_1$ another.\n\nSo';
    await chat.send({ type: 'text', turnId: 't1', reasoning: '', answer: rest }, ended);
    await answer().locator('math').first().waitFor();
    assert.equal(await chat.page.evaluate<string>('getSelection().toString()'), 'a_1');
    assert.equal(await answer().locator('math').count(), 1);
    await chat.page.evaluate('getSelection().removeAllRanges()');
    await answer().locator('math').nth(1).waitFor();
  });

  it('is copied as it is written, and so are tasks and footnotes; other text as the browser copies it', async () => {
    await chat.send(
      snapshotOf([
        exchangeView(
          'e1',
          'Why?',
          'So $x^2$ is $$y_1$$ here.\n\n- [x] one\n- [ ] *two*\n\nIt costs 5[^a].\n\n[^a]: Or 6.\n\n```ts\nlet a;\n```\n',
          ended.turn,
        ),
      ]),
    );
    await answer().locator('math').nth(1).waitFor();
    /** What is copied of the nodes from one to another. */
    const copied = (from: string, to: string) =>
      chat.page.evaluate<{ text: string; html: string; isOurs: boolean }>(`(() => {
        const range = document.createRange();
        range.setStartBefore(document.querySelector('${from}'));
        range.setEndAfter(document.querySelector('${to}'));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
        document.querySelector('.answer').dispatchEvent(event);
        const [text, html] = ['text/plain', 'text/html'].map((type) => event.clipboardData.getData(type));
        return { text, html, isOurs: event.defaultPrevented };
      })()`);
    const all = await copied('.answer p', '.answer .code');
    assert.equal(
      all.text.trim(),
      'So $x^2$ is $$y_1$$ here.\n\n[x] one\n[ ] two\n\nIt costs 5[^a].\n\n[^a]: Or 6.\nlet a;',
    );
    assert.match(all.html, /<msup>.*<em>two<\/em>/s);
    const part = await copied('.answer .math mi', '.answer .math ~ .math');
    assert.equal(part.text, '$x^2$ is $$y_1$$');
    assert.equal((await copied('.footnote-ref', '.footnote-ref')).text, '[^a]');
    assert.equal((await copied('.answer .code', '.answer .code')).isOurs, false);
    assert.equal(await chat.page.locator('.math msup').count(), 1);
  });

  it('that no program can read stays as it is written', async () => {
    await stream({ answer: 'Let $\\frac{a$ and $\\nosuchcommand$ and $b$ be.' }, 60);
    await chat.send(ended);
    await answer().locator('math').first().waitFor();
    assert.match((await answer().textContent()) ?? '', /\\frac\{a and \\nosuchcommand and/);
  });

  const HOSTILE = [
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/a.png}',
    '\\htmlId{a}{x}',
    '\\class{message}{x}',
    '\\style{position:fixed}{x}',
    '\\data{code=copy}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\color{red;background:url(https://example.com)}x',
    '\\def\\a{\\a\\a}\\a',
    '\\rule{1000em}{1000em}',
    '</span><script>alert(1)</script>',
  ];

  it('can do nothing but show formulas', async () => {
    await watchNewPage();
    await chat.send(
      snapshotOf([exchangeView('e1', 'Why?', HOSTILE.map((tex) => `$${tex}$`).join('\n\n'), ended.turn)]),
    );
    await answer().locator('math').first().waitFor();
    // What would be loaded or run is loaded or run by then.
    await chat.page.waitForTimeout(500);
    const wrong = await chat.page.evaluate<string[]>(`[...document.querySelectorAll('.math *')]
      .filter((one) => !/^m/.test(one.localName) || [...one.attributes].some(({ name }) => /^on|href|src|style|^id$|^data/.test(name)))
      .map(({ outerHTML }) => outerHTML)`);
    assert.deepEqual(wrong, []);
    assert.deepEqual(await chat.page.evaluate('refused'), []);
    assert.deepEqual(
      requested.filter((path) => !/math\.js|codicon/.test(path)),
      [],
    );
    const tallest = await chat.page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('.math')].map((one) => one.getBoundingClientRect().height))`,
    );
    assert.ok(tallest < 600, `${tallest} pixels`);
  });
});

describe('An answer', () => {
  beforeEach(prepare);

  it('keeps what the renderer says about direction, keyboards, levels, and numbers', async () => {
    const text = '# One\n\nשלום\n\n3. three\n\n|a|\n|-|\n|b|\n\n```ts\nlet a;\n```\n';
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', text, ended.turn)]));
    const attributeOf = (selector: string, name: string) =>
      answer().locator(selector).first().getAttribute(name);
    assert.equal(await attributeOf('h1', 'aria-level'), '4');
    assert.equal(await attributeOf('p', 'dir'), 'auto');
    assert.equal(await attributeOf('ol', 'start'), '3');
    assert.equal(await attributeOf('.table-box', 'tabindex'), '0');
    assert.equal(await attributeOf('pre', 'tabindex'), '0');
    assert.equal(await attributeOf('button', 'type'), 'button');
  });

  it('is laid out from right to left where its text is, and its code from left to right', async () => {
    const text =
      '- [x] משימה\n\n> ציטוט\n\n| עמודה | שנייה |\n|---|---|\n| א | b c |\n\nטקסט `call()`.\n\n```js\nconst שם = "ערך"; // הערה\n```\n';
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', text, ended.turn)]));
    await answer().locator('code span').first().waitFor();
    const [, endOfTask] = await edges('li.task', 'משימה');
    const box = await answer().locator('.task-box').boundingBox();
    assert.ok(box && box.x >= endOfTask, 'the box of a task is beside its text');
    const border = await answer()
      .locator('blockquote')
      .evaluate((one) => Math.round(one.clientLeft));
    assert.equal(border, 0, 'the line of a quotation is at its right');
    assert.ok((await edges('th:nth-child(1)'))[0] > (await edges('th:nth-child(2)'))[1], 'columns');
    const [call] = await edges('p code', 'call');
    assert.ok(call < (await edges('p code', '()'))[0], 'inline code');
    const [name, value, comment] = await Promise.all(['שם', 'ערך', 'הערה'].map((word) => edges('pre', word)));
    assert.ok(name && value && comment && name[0] < value[0] && value[0] < comment[0], 'code');
  });

  it('in JSON has each name before its value in its text as well, whatever their direction', async () => {
    const view = { state: 'fits', name: 'JSON', summary: '', errors: [], repairable: false } as const;
    const turn = { ...ended.turn, structured: { ...view, brokenAt: undefined } };
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', '{"שם": "ערך"}', turn)]));
    await answer().getByRole('button', { name: 'Text' }).click();
    await answer().locator('.json-text span').first().waitFor();
    const [name, value] = await Promise.all([edges('.json-text', 'שם'), edges('.json-text', 'ערך')]);
    assert.ok(name[1] < value[0], `${name} ${value}`);
  });

  it('adds to code that is still open, which keeps its nodes and what is selected in it', async () => {
    await stream({ answer: 'So:\n\n```ts\nconst <a> = 1;\n' }, 50);
    await answer().locator('code').waitFor();
    await chat.page.evaluate(`globalThis.text = document.querySelector('[data-part="answer"] code').firstChild;
      getSelection().setBaseAndExtent(text, 0, text, 5)`);
    const more = ['let', ' b', ' = `\n', '`', ';\n  ', 'c()', ';\n'];
    for (const added of more) await chat.send({ type: 'text', turnId: 't1', reasoning: '', answer: added });
    await chat.page.locator('code', { hasText: 'c();' }).waitFor();
    assert.ok(
      await chat.page.evaluate(`text === document.querySelector('[data-part="answer"] code').firstChild`),
    );
    assert.equal(await chat.page.evaluate('String(getSelection())'), 'const');
    const code = `const <a> = 1;\n${more.join('')}`;
    assert.equal(await answer().locator('code').textContent(), code);
    await chat.send({ type: 'text', turnId: 't1', reasoning: '', answer: '```\n\nDone.' }, ended);
    assert.equal(await answer().locator('code').textContent(), code);
    await answer().getByText('Done.').waitFor();
  });

  it('has footnotes that lead to their note, and boxes of tasks', async () => {
    await stream({ answer: 'Text[^1].\n\n- [x] one\n- [ ] two\n\n[^1]: The note.\n' }, 8);
    await chat.send(ended);
    await answer().getByRole('button', { name: 'Footnote 1' }).click();
    const note = answer().getByRole('note', { name: 'Footnote 1' });
    assert.match(await note.innerText(), /The note\./);
    assert.equal(await note.evaluate((one) => one.matches(':focus')), true);
    assert.equal(await answer().getByRole('img', { name: 'Done', exact: true }).count(), 1);
    assert.equal(await answer().getByRole('img', { name: 'Not done' }).count(), 1);
  });
});

describe('The name of a symbol', () => {
  // What a page has asked about, and knows, stays.
  beforeEach(watchNewPage);

  const link = (name: string) => answer().getByRole('link', { name, exact: true });
  /** What the page has asked the host to find. */
  const asked = async () =>
    (await chat.posted()).filter(({ type }) => type === 'find-paths' || type === 'find-symbols');
  /** The same, when it has asked for this name. */
  const askedFor = async (name: string) => {
    await isTrue(
      chat.page,
      `posted.some(({ message }) => [message.paths, message.names].flat().includes('${name}'))`,
    );
    return asked();
  };
  const symbols = (existing: readonly string[], missing: readonly string[] = []) =>
    chat.send({ type: 'symbols', existing, missing });

  const EVERYWHERE = `# Of \`formatPrice\`

> \`Invoice.total\` sums up.

- first \`formatPrice()\`

| name |
|---|
| \`Invoice::count\` |

\`src/sum.ts\`, \`npm test\`, \`const\`, \`id\`, [\`oldTotal\`](src/sum.ts), \`\`\`formatTax\`\`\`

\`\`\`ts
formatCode();
\`\`\`
`;

  it('is a link in headings, quotes, lists, and tables, if the editor knows it', async () => {
    await stream({ answer: EVERYWHERE }, 40);
    await chat.send(ended);
    const first = await askedFor('formatTax');
    const paths = first.flatMap((one) => (one.type === 'find-paths' ? one.paths : []));
    const names = first.flatMap((one) => (one.type === 'find-symbols' ? one.names : []));
    assert.deepEqual(
      [paths, names],
      [
        ['Invoice.total', 'src/sum.ts'],
        ['formatPrice', 'Invoice.count', 'formatTax'],
      ],
    );
    await chat.send({ type: 'paths', existing: ['src/sum.ts'], missing: ['Invoice.total'] });
    assert.deepEqual(await askedFor('Invoice.total'), [{ type: 'find-symbols', names: ['Invoice.total'] }]);
    const before = await answer().textContent();
    await symbols(['formatPrice', 'Invoice.total', 'Invoice.count'], ['formatTax']);
    assert.deepEqual(await answer().getByRole('link').allInnerTexts(), [
      'formatPrice',
      'Invoice.total',
      'formatPrice()',
      'Invoice::count',
      'src/sum.ts',
      'oldTotal',
    ]);
    assert.equal(await answer().textContent(), before, 'the text stays');
    await chat.page.evaluate(`for (const name of ['textLink', 'textPreformat'])
      document.documentElement.style.setProperty('--vscode-' + name + '-foreground', name === 'textLink' ? 'blue' : 'red')`);
    const colors = await chat.page.evaluate(
      `[...new Set([...document.querySelectorAll('.answer a > code')].map((code) => getComputedStyle(code).color))]`,
    );
    assert.deepEqual(colors, ['rgb(0, 0, 255)'], 'in the color of links');
    assert.equal(await answer().locator('h1 a > code').innerText(), 'formatPrice');
    await link('Invoice::count').click();
    await link('oldTotal').click();
    await link('formatPrice()').focus();
    await chat.page.keyboard.press('Enter');
    const opened = (await chat.posted()).filter(({ type }) => type.startsWith('open-'));
    assert.deepEqual(opened, [
      { type: 'open-symbol', name: 'Invoice.count' },
      { type: 'open-path', path: 'src/sum.ts' },
      { type: 'open-symbol', name: 'formatPrice' },
    ]);
  });

  it('is asked about when its block is finished, once, and again on a page that was reloaded', async () => {
    await stream({ answer: 'In `formatPrice` it is' }, 3);
    assert.deepEqual(await asked(), []);
    await chat.send({
      type: 'text',
      turnId: 't1',
      reasoning: '',
      answer: '.\n\nAlso `formatPrice()`.\n\nNext',
    });
    const question = { type: 'find-symbols', names: ['formatPrice'] } as const;
    assert.deepEqual(await askedFor('formatPrice'), [question]);
    await symbols(['formatPrice']);
    await chat.send(ended);
    assert.equal(await answer().getByRole('link').count(), 2);
    assert.deepEqual(await asked(), []);
    await chat.close();
    chat = await openNewPage();
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', 'In `formatPrice`.', turnView('complete'))]));
    assert.deepEqual(await askedFor('formatPrice'), [question]);
  });

  it('is found by a search of the conversation, and stays selected', async () => {
    await stream({ answer: 'Both in `formatPrice` and `formatTax`.' }, 30);
    await chat.send(ended);
    await askedFor('formatTax');
    const selection = () => chat.page.evaluate<string>('getSelection().toString()');
    await chat.page.evaluate(
      `getSelection().selectAllChildren([...document.querySelectorAll('[data-part=answer] code')][1])`,
    );
    await symbols(['formatPrice', 'formatTax']);
    assert.equal(await selection(), 'formatTax');
    assert.equal(await link('formatPrice').count(), 1);
    assert.equal(await link('formatTax').count(), 0);
    await chat.page.evaluate('getSelection().removeAllRanges()');
    await link('formatTax').waitFor();
    await chat.send({ type: 'open-find' });
    await chat.page.keyboard.type('matPrice and');
    const place = { exchangeId: 'e1', part: 'answer', occurrence: 0 } as const;
    await chat.send({ type: 'found', words: 'matPrice and', places: [place] });
    await isTrue(
      chat.page,
      `[...CSS.highlights.values()].some((marks) => [...marks].some((range) => String(range) === 'matPrice and'))`,
    );
  });

  it('is asked about again when the user comes back to the page, not each time', async () => {
    await stream({ answer: 'In `formatPrice`.' }, 30);
    await chat.send(ended);
    const question = { type: 'find-symbols', names: ['formatPrice'] } as const;
    assert.deepEqual(await askedFor('formatPrice'), [question]);
    const comeBack = async () => {
      await chat.page.evaluate(`document.documentElement.dispatchEvent(new Event('pointerenter'))`);
      await symbols([], ['formatPrice']);
    };
    await comeBack();
    assert.deepEqual(await asked(), []);
    await chat.page.evaluate(`(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 6000;
    })()`);
    await comeBack();
    assert.deepEqual(await askedFor('formatPrice'), [question]);
    await symbols(['formatPrice']);
    assert.equal(await link('formatPrice').count(), 1);
  });

  it('is not asked about without end', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `\`name${index}\``).join(' ');
    await chat.send(snapshotOf([exchangeView('e1', 'Why?', many, turnView('complete'))]));
    const [question, ...more] = await askedFor('name0');
    assert.equal(question?.type === 'find-symbols' && question.names.length, 100);
    assert.deepEqual(more, []);
  });
});

describe('Hosts with other letters', () => {
  beforeEach(prepare);

  it('are links to what is looked up, and shown as they were written', async () => {
    const hosts = ['münchen.example', 'xn--mnchen-3ya.example', '例子.example', 'MÜNCHEN.example'];
    await stream({ answer: hosts.map((host) => `http://${host}/ä`).join('\n\n') }, 400);
    await chat.send(ended);
    const links = answer().locator('a[href]');
    assert.deepEqual(
      await links.allTextContents(),
      hosts.map((host) => `http://${host}/ä`),
    );
    assert.deepEqual(
      await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      [
        'xn--mnchen-3ya.example',
        'xn--mnchen-3ya.example',
        'xn--fsqu00a.example',
        'xn--mnchen-3ya.example',
      ].map((host) => `http://${host}/%C3%A4`),
    );
  });
});

describe('Named characters', () => {
  beforeEach(watchNewPage);

  it('are those of Markdown, read by Chromium instead of from a table', async () => {
    const names =
      'amp lt gt quot nbsp copy AMP Dcaron HilbertSpace ClockwiseContourIntegral ngE acE fjlig semi NewLine Tab zwnj shy unknown constructor'.split(
        ' ',
      );
    const texts = [
      ...names.map((name) => `a&${name};b`),
      'a&copy b',
      'a&ampx;b',
      'a&notit;b',
      '&lt;script&gt;&lt;/textarea&gt;<b>',
      '[a](https://example.com/?a=1&copy=2&auml;)',
      'a&#35;&#0;&#x1F600;&#xD800;b',
    ];
    await stream({ answer: texts.join('\n\n') }, 400);
    await chat.send(ended);
    const shown = await answer().locator('p').allTextContents();
    const page = new MarkdownIt();
    const expected = texts.map((text) =>
      page
        .parseInline(text, {})
        .flatMap(({ children }) => children ?? [])
        .map(({ content }) => content)
        .join(''),
    );
    assert.deepEqual(shown, expected);
    assert.deepEqual(await chat.page.evaluate('refused'), []);
    assert.equal(
      await answer().locator('a[href]').getAttribute('href'),
      'https://example.com/?a=1&copy=2%C3%A4',
    );
  });
});
