/** The charts of the usage page. The page alone, with its policy, in a browser. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { USAGE_WORDS, type UsageData } from '../../../src/panel/usage.ts';
import { type ChatPage, DRAWN, isTrue, openChatPage, testBrowser } from '../../support/chatPage.ts';
import { savePicture } from '../../support/pagePicture.ts';

const FONT = { 'font-family': 'sans-serif', 'font-size': '13px' };
/** What the editor gives pages in its themes, as far as the charts use it. */
const THEMES = {
  light: {
    ...FONT,
    foreground: '#3b3b3b',
    'editor-background': '#ffffff',
    'widget-border': '#e5e5e5',
    'charts-blue': '#0063d3',
    'charts-green': '#388a34',
    'charts-purple': '#652d90',
    'charts-yellow': '#bf8803',
  },
  dark: {
    ...FONT,
    foreground: '#cccccc',
    'editor-background': '#1f1f1f',
    'widget-border': '#313131',
    'charts-blue': '#59a4f9',
    'charts-green': '#89d185',
    'charts-purple': '#b180d7',
    'charts-yellow': '#cca700',
  },
  contrast: {
    ...FONT,
    foreground: '#ffffff',
    'editor-background': '#000000',
    contrastBorder: '#6fc3df',
    'charts-blue': '#59a4f9',
    'charts-green': '#89d185',
    'charts-purple': '#b180d7',
    'charts-yellow': '#cca700',
  },
};

const day = (date: string, cachedTokens: number, promptTokens: number, cost: number) => ({
  day: date,
  turns: 1,
  unreported: 0,
  promptTokens,
  cachedTokens,
  reasoningTokens: 250_000,
  answerTokens: 50_000,
  cost,
  firstTokenMs: 1200,
});
const DAYS = [day('2026-11-20', 100_000, 300_000, 0.002), day('2026-11-21', 0, 1_000_000, 0.0005)];
const usageOf = (days: UsageData['days']): UsageData => ({
  range: 7,
  total: { ...day('', 100_000, 1_300_000, 0.0025), unreported: 1 },
  days,
  routes: [{ ...day('', 100_000, 1_300_000, 0.0025), route: 'work' }],
  conversations: [
    { ...day('', 100_000, 1_300_000, 0.0025), conversationId: 'c1', title: 'Why?', demo: false },
  ],
  others: { ...day('', 50_000, 300_000, 1.5), conversations: 1200 },
  outcomes: [
    { label: 'Complete', turns: 8 },
    { label: 'Cut off', turns: 0 },
    { label: 'Spent on reasoning', turns: 2 },
  ],
  words: Object.fromEntries(USAGE_WORDS.map((word) => [word, word])) as UsageData['words'],
});
/** As many as the page shows at most, except for all time. */
const NINETY = Array.from({ length: 90 }, (_, at) =>
  day(
    new Date(Date.UTC(2026, 7, 25 + at)).toISOString().slice(0, 10),
    1000 * at,
    2_000_000 + 5000 * at,
    at / 10,
  ),
);

interface Bar {
  readonly title: string;
  readonly x: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

const browser = testBrowser();
let usage: ChatPage;
let problems: string[];

async function open(width: number, days: UsageData['days'], theme: keyof typeof THEMES): Promise<void> {
  usage = await openChatPage(browser(), THEMES[theme], '', 'usage');
  problems = [];
  usage.page.on('console', (message) => problems.push(message.text()));
  await usage.page.setViewportSize({ width, height: 900 });
  await usage.page.evaluate(`document.body.style.background = 'var(--vscode-editor-background)'`);
  await show(days);
}
const applyColors = (theme: keyof typeof THEMES) =>
  usage.page.evaluate(`{
    document.documentElement.removeAttribute('style');
    for (const [name, color] of Object.entries(${JSON.stringify(THEMES[theme])}))
      document.documentElement.style.setProperty('--vscode-' + name, color);
  }`);
const show = (days: UsageData['days']) => showUsage(usageOf(days));
async function showUsage(data: UsageData): Promise<void> {
  const message = JSON.stringify({ type: 'usage', data });
  await usage.page.evaluate(`postMessage(${message}, '*'); ${DRAWN}`);
}
const barsOf = (chart: string) =>
  usage.page.evaluate<Bar[]>(`[...document.querySelectorAll('#${chart} rect')].map((one) => {
    const box = one.getBBox();
    return { title: one.textContent, x: box.x, bottom: box.y + box.height, width: box.width, height: box.height };
  })`);
const near = (value: number, expected: number) =>
  assert.ok(Math.abs(value - expected) < 0.01 * expected, `${value} is not about ${expected}`);

describe('The charts of the usage page', () => {
  before(() => open(900, DAYS, 'dark'));
  after(() => usage?.close());
  // The colors of the test of another theme stay, which no later test reads.
  beforeEach(async () => {
    await usage.page.setViewportSize({ width: 900, height: 900 });
    await show(DAYS);
  });

  it('stack the tokens of a day in proportion, and leave out what is zero', async () => {
    const bars = await barsOf('tokens');
    const unit = (bars.find(({ title }) => title.includes('Cached input'))?.height ?? 0) / 100_000;
    assert.ok(unit > 0);
    const figures = [200_000, 1_000_000, 100_000, 250_000, 250_000, 50_000, 50_000];
    assert.equal(bars.length, figures.length);
    for (const [at, { height }] of bars.entries()) near(height / unit, figures[at] ?? 0);
    const [first] = bars;
    const ofDay = bars.filter(({ x }) => x === first?.x);
    assert.equal(ofDay.length, 4);
    for (const [at, bar] of ofDay.slice(1).entries())
      near(bar.bottom, (ofDay[at]?.bottom ?? 0) - (ofDay[at]?.height ?? 0));
  });

  it('have their lowest lines at one height beside each other, and the turns without usage say what they are', async () => {
    await usage.page.setViewportSize({ width: 1100, height: 900 });
    const [tokens, cost] = await Promise.all(
      ['tokens', 'cost'].map((chart) => usage.page.locator(`#${chart}`).boundingBox()),
    );
    assert.ok(tokens && cost && tokens.x + tokens.width < cost.x, 'beside each other');
    assert.equal(tokens.y + tokens.height, cost.y + cost.height);
    assert.match(await usage.page.locator('.totals').innerText(), /Usage not reported\s+1$/);
  });

  it('are not there while the database is locked, which the page says until it has the usage', async () => {
    const message = JSON.stringify({ type: 'locked', text: 'Another program has locked it.' });
    await usage.page.evaluate(`postMessage(${message}, '*'); ${DRAWN}`);
    assert.equal(await usage.page.locator('#app').innerText(), 'Another program has locked it.');
    await show(DAYS);
    assert.ok((await barsOf('tokens')).length > 0);
  });

  it('are not there without turns that are billed, nor are sums, and the turns of the demo are', async () => {
    const none = { ...day('', 0, 0, 0), turns: 0, reasoningTokens: 0, answerTokens: 0 };
    const { others: _, ...data } = { ...usageOf([]), total: none, outcomes: [] };
    const demo = day('', 0, 1000, 0);
    await showUsage({
      ...data,
      routes: [{ ...demo, route: undefined }],
      conversations: [{ ...demo, conversationId: 'c1', title: 'Why?', demo: true }],
    });
    assert.deepEqual(
      [await usage.page.locator('.totals').count(), await usage.page.locator('.charts').count()],
      [0, 0],
    );
    assert.match(await usage.page.locator('table').first().innerText(), /Demo\s+1\s.*Not billed$/);
  });

  it('are above a table with titles of conversations from right to left if they begin so', async () => {
    const data = usageOf(DAYS);
    const conversations = data.conversations.map((one) => ({ ...one, title: 'מה זה?' }));
    await showUsage({ ...data, conversations });
    const direction = `getComputedStyle(document.querySelector('th .link-button')).direction`;
    assert.equal(await usage.page.evaluate(direction), 'rtl');
  });

  it('are above tables in whose head all words are as strong', async () => {
    const weights = await usage.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('thead th')].map((one) => getComputedStyle(one).fontWeight)`,
    );
    assert.deepEqual([...new Set(weights)], ['600']);
  });

  it('have the same decimals at all lines of an axis', async () => {
    const ticks = await usage.page.evaluate<string[]>(
      `[...document.querySelectorAll('#cost .ct-label.ct-vertical')].map((one) => one.textContent)`,
    );
    const decimals = new Set(ticks.map((tick) => tick.split('.')[1]?.length));
    assert.ok(ticks.length > 2 && decimals.size === 1 && !decimals.has(undefined), ticks.join(' '));
  });

  for (const width of [620, 940, 1300])
    it(`are below figures in two rows of boxes of one height, at ${width} pixels`, async () => {
      await usage.page.setViewportSize({ width, height: 900 });
      const boxes = await usage.page.evaluate<
        readonly (readonly number[])[]
      >(`[...document.querySelectorAll('.totals div')].map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return [top, height];
    })`);
      assert.equal(new Set(boxes.map(([top]) => top)).size, 2, 'rows');
      assert.equal(
        new Set(boxes.map(([, height]) => Math.round(height ?? 0))).size,
        1,
        JSON.stringify(boxes),
      );
    });

  for (const width of [340, 500, 620, 940, 1300])
    it(`are below figures without a hole when there are seven, at ${width} pixels`, async () => {
      const { total, ...data } = usageOf(DAYS);
      await usage.page.setViewportSize({ width, height: 900 });
      await showUsage({ ...data, total: { ...total, unreported: 0 } });
      assert.equal(await usage.page.locator('.totals div').count(), 7);
      const ends = await usage.page.evaluate<readonly number[]>(`{
        const { right } = document.querySelector('.totals').getBoundingClientRect();
        [right, document.querySelector('.totals div:last-child').getBoundingClientRect().right];
      }`);
      near(ends[1] ?? 0, ends[0] ?? 0);
    });

  it('are above a table of conversations that ends with the sum of those that are not listed', async () => {
    const rows = usage.page.getByRole('region', { name: 'By conversation' }).locator('tbody tr');
    assert.equal(await rows.count(), 2);
    const cells = await rows.last().locator('th, td').allInnerTexts();
    assert.deepEqual([cells[0], cells.at(-1)], ['… and 1,200 more', '$1.50']);
  });

  it('say of figures that no service has reported that they are not, and draw no bars for them', async () => {
    const bare = { ...day('2026-11-22', 0, 1000, 0.01), cachedTokens: undefined, reasoningTokens: undefined };
    await show([{ ...bare, answerTokens: undefined }]);
    const row = usage.page.getByRole('table', { name: 'By day' }).getByRole('row').nth(1);
    assert.deepEqual((await row.getByRole('cell').allTextContents()).slice(1, 5), [
      '1,000',
      ...Array(3).fill('Not reported'),
    ]);
    assert.equal((await barsOf('tokens')).length, 1);
  });

  it('are beside costs that are not zero, however small', async () => {
    await show([day('2026-11-22', 0, 10, 0.00003)]);
    const row = usage.page.getByRole('table', { name: 'By day' }).getByRole('row').nth(1);
    assert.equal((await row.getByRole('cell').allTextContents())[5], '< $0.0001');
  });

  it('show cost by day, and outcomes as long as their turns', async () => {
    const [first, second] = await barsOf('cost');
    near(first?.height ?? 0, 4 * (second?.height ?? 0));
    const outcomes = await barsOf('outcomes');
    const [few, many] = outcomes;
    near(many?.width ?? 0, 4 * (few?.width ?? 0));
    assert.ok(many?.title.includes('Complete') && many.bottom < (few?.bottom ?? 0), 'the first is on top');
  });

  it('say in the tooltip of a bar what it stands for, with figures in the display language', async () => {
    assert.equal((await barsOf('tokens'))[0]?.title, 'Nov 20, 2026 · Uncached input · 200,000');
    assert.equal((await barsOf('cost'))[1]?.title, 'Nov 21, 2026 · Cost · $0.0005');
    assert.equal((await barsOf('outcomes'))[0]?.title, 'Spent on reasoning · Turns · 2');
  });

  it('have a legend of what is stacked, and are hidden from screen readers, which have the tables', async () => {
    assert.deepEqual(await usage.page.locator('figure .legend li').allInnerTexts(), [
      'Uncached input',
      'Cached input',
      'Reasoning',
      'Answer',
    ]);
    assert.equal(await usage.page.locator('figure :is(svg, .legend)').count(), 4);
    assert.equal(await usage.page.locator('figure [aria-hidden="true"] :is(svg, .legend)').count(), 4);
    assert.equal(await usage.page.getByRole('table').count(), 4);
  });

  it('take the colors of another theme without being drawn again', async () => {
    const colors = () =>
      usage.page.evaluate<string[]>(`{
        globalThis.drawn ??= document.querySelector('#tokens rect');
        const { fill, stroke } = getComputedStyle(globalThis.drawn);
        const label = getComputedStyle(document.querySelector('#tokens .ct-label')).color;
        [globalThis.drawn.isConnected, fill, stroke, label];
      }`);
    assert.deepEqual(await colors(), [true, 'rgb(204, 167, 0)', 'none', 'rgb(204, 204, 204)']);
    await usage.page.evaluate(`{
      for (const [name, color] of Object.entries(${JSON.stringify({ ...THEMES.contrast, 'charts-yellow': '#010203' })}))
        document.documentElement.style.setProperty('--vscode-' + name, color);
      document.body.classList.add('vscode-high-contrast');
      ${DRAWN};
    }`);
    assert.deepEqual(await colors(), [true, 'rgb(1, 2, 3)', 'rgb(111, 195, 223)', 'rgb(255, 255, 255)']);
  });

  it('fit the page again when its width changes', async () => {
    const [before] = await barsOf('tokens');
    await usage.page.setViewportSize({ width: 340, height: 900 });
    await isTrue(usage.page, `document.querySelector('#tokens rect').getBBox().x < ${before?.x}`);
    const beyond = await usage.page.evaluate<number>(`document.documentElement.scrollWidth - innerWidth`);
    assert.equal(beyond, 0);
  });

  it('do nothing that the content security policy refuses', () => assert.deepEqual(problems, []));

  it('show nothing of the days before when there are none, and show others afterwards', async () => {
    await show([]);
    assert.equal(await usage.page.locator('svg').count(), 0);
    await usage.page.setViewportSize({ width: 700, height: 900 });
    await show(DAYS.slice(0, 1));
    assert.equal((await barsOf('tokens')).length, 4);
    assert.equal(await usage.page.locator('svg').count(), 3);
    assert.deepEqual(problems, []);
  });
});

describe('The button that exports the usage', () => {
  before(() => open(900, DAYS, 'dark'));
  after(() => usage?.close());

  it('opens one dialog by a double click: the editor would show another one behind it', async () => {
    await usage.posted();
    const button = usage.page.getByRole('button', { name: 'Export CSV' });
    await button.dblclick();
    assert.equal((await usage.posted()).length, 1);
    await button.press('Enter');
    assert.equal((await usage.posted()).length, 1);
  });
});

describe('The charts of the usage page with ninety days', () => {
  before(() => open(300, [], 'light'));
  after(() => usage?.close());

  for (const theme of ['light', 'dark', 'contrast'] as const)
    for (const width of [300, 1200])
      it(`keep their labels apart and inside the page: ${theme}, ${width} pixels`, async () => {
        await usage.page.setViewportSize({ width, height: 900 });
        await applyColors(theme);
        // Charts of nothing between them, so that all of these are drawn anew.
        await show([]);
        assert.equal(await usage.page.locator('svg').count(), 0);
        await show(NINETY);
        assert.equal(await usage.page.locator('svg').count(), 3);
        await savePicture(usage.page.locator('.charts'), `usage-${theme}-${width}`);
        const wrong = await usage.page.evaluate<
          string[]
        >(`[...document.querySelectorAll('svg')].flatMap((chart) => {
            const boxes = [...chart.querySelectorAll('.ct-label')].map((one) => {
              const range = document.createRange();
              range.selectNodeContents(one);
              return [one.textContent, range.getBoundingClientRect()];
            });
            const page = chart.getBoundingClientRect();
            return boxes.filter(([, a], at) => a.left < page.left - 20 || a.right > innerWidth || boxes.some(([, b], other) =>
              other !== at && a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)).map(([text]) => text);
          })`);
        assert.deepEqual(wrong, []);
      });
});
