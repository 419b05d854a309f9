/**
 * The pages in the pseudo-language, 300 pixels wide: nothing is left in English, and what is 40 % longer still fits.
 * The data of the states has no Latin letters.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import type { Browser } from 'playwright-core';
import { pseudo, pseudoTexts } from '../../scripts/lib/l10n.mjs';
import type { HostMessage } from '../../src/panel/messages.ts';
import { USAGE_WORDS, type UsageData } from '../../src/panel/usage.ts';
import type { CardView, ExchangeView, Surroundings, ToolCallView, TurnView } from '../../src/panel/views.ts';
import { PANEL_WORDS, type PanelWord } from '../../src/panel/words.ts';
import { type ChatPage, openBrowser, openChatPage } from '../support/chatPage.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView, type Unnumbered } from '../support/views.ts';
import { readWords } from '../support/wordsOnPage.ts';

const WIDTH = 300;
const pictures = fileURLToPath(new URL('./screenshots/', import.meta.url));
const words = pseudoTexts(Object.fromEntries(PANEL_WORDS.map((word) => [word, word]))) as Record<
  PanelWord,
  string
>;

let browser: Browser;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await openBrowser();
});
after(() => browser?.close());

const around = (more: Partial<Surroundings> = {}) =>
  surroundingsView({
    route: { name: '路', label: '路', demo: false },
    title: '题',
    effortHint: pseudo('The next request uses the effort of the setting k3.effort.'),
    effort: 'high',
    tools: 12,
    meter: { value: 0.4, max: 1, text: pseudo('Next request: about {0} of {1} tokens') },
    ...more,
  });
const state = (exchanges: readonly ExchangeView[], more: Partial<Surroundings> = {}, panel = {}) =>
  snapshotOf(exchanges, { words, surroundings: around(more), ...panel });
const turn = (outcome: TurnView['outcome'], more: Partial<TurnView> = {}) =>
  turnView(outcome, {
    phaseLabel: pseudo('Waiting for the service to accept the request'),
    accountLine: [pseudo('12,345 tokens'), pseudo('512 cached'), '$0.01'].join(' · '),
    account: [
      { label: pseudo('Time to first reasoning'), value: '21' },
      { label: pseudo('Turns without reported usage'), value: pseudo('not reported') },
    ],
    ...more,
  });
const one = (more: Partial<TurnView> = {}, outcome: TurnView['outcome'] = 'complete') => [
  { ...exchangeView('e1', '问？', '答。', turn(outcome, more)), attempts: 2, versions: 2 },
];
const call = (callState: ToolCallView['state'], more: Partial<ToolCallView> = {}): ToolCallView => ({
  id: callState,
  name: '工具',
  title: pseudo('Read {0}'),
  arguments: '{"1": 2}',
  source: pseudo('An extension with a long name'),
  approval: callState === 'waiting' ? 'a' : undefined,
  state: callState,
  stateLabel: pseudo('Waiting for approval'),
  result: callState === 'done' ? Array.from({ length: 20 }, () => '行').join('\n') : undefined,
  images: [],
  startedAt: callState === 'running' ? Date.now() - 5000 : undefined,
  seconds: callState === 'done' ? 1.2 : undefined,
  ...more,
});
const card: CardView = {
  tone: 'problem',
  title: pseudo('The service didn’t accept the API key'),
  body: [pseudo('Route “{0}” has no API key. Run “K3: Set API Key…” or set the environment variable {0}.')],
  facts: [{ label: pseudo('Reasoning tokens'), value: '1' }],
  actions: [
    { action: 'set-key', label: pseudo('Set API Key…') },
    { action: 'check-connection', label: pseudo('Check Connection') },
    { action: 'retry-larger', label: pseudo('Retry with a larger budget') },
  ],
  serviceWords: '401',
};
const context = [
  {
    kind: 'folder' as const,
    name: '夹',
    size: pseudo('12 files, about 1,200 of at most 50,000 tokens'),
    omitted: [pseudo('ignored by Git')],
    omittedCount: 3,
    changed: pseudo('changed; the current text is sent'),
  },
];
const CHECKS = ['Model', 'Finish', 'Content', 'Usage', 'Parameters'].map((name, at) => ({
  name: pseudo(name),
  passed: at < 3,
  detail: pseudo('not reported'),
}));
const proposal = (more: Partial<TurnView['proposals'][number]> = {}) => ({
  proposalId: 'p',
  uri: 'u',
  file: '文',
  state: 'open' as const,
  summary: pseudo('3 of 5 hunks open'),
  open: 3,
  revises: true,
  unplaced: [{ why: pseudo('Its lines are no longer in the file.'), find: '1', replace: '2' }],
  ...more,
});
const structured = (outcome: 'fits' | 'differs') => ({
  name: '表',
  state: outcome,
  summary: pseudo('Doesn’t match the schema: 12 errors'),
  errors: outcome === 'fits' ? [] : [{ pointer: '/1', message: pseudo('must be of type {0}') }],
  brokenAt: undefined,
  repairable: true,
});
const many = (answer: string, more: Partial<TurnView>) => [
  exchangeView('e1', '问？', answer, turn('complete', more)),
];

type Message = Unnumbered<HostMessage>;
const STATES: Readonly<Record<string, readonly Message[]>> = {
  'no route': [state([], { route: undefined, meter: { value: 0, max: 1, text: '' } })],
  'an empty conversation': [state([])],
  'a banner, and messages that are not shown': [
    state(
      one(),
      {
        banners: [
          {
            text: pseudo('Conversations can’t be saved because the folder can’t be written.'),
            actions: [{ action: 'export', label: pseudo('Export All Conversations…') }],
          },
        ],
      },
      { earlier: 12, later: 3 },
    ),
  ],
  'a request that waits': [
    state(one({ waitUntil: Date.now() + 30_000, phase: 'waiting' }, 'running'), { running: true }),
  ],
  'reasoning that arrives': [
    state(
      one(
        {
          phase: 'reasoning',
          hasReasoning: true,
          reasoningTokens: 1234,
          liveLine: '想',
          startedAt: Date.now() - 60_000,
          lastProgressAt: Date.now() - 50_000,
        },
        'running',
      ),
      { running: true, reasoningInChat: 'collapsed' },
    ),
  ],
  'an answer with its checks': [
    state(
      one({
        hasReasoning: true,
        reasoningTokens: 1234,
        reasoningTokensEstimated: true,
        reasoningSeconds: 75,
        checks: CHECKS,
        parts: 3,
      }),
    ),
  ],
  'a part of an answer': [state(one({ continued: true }))],
  'code, a table, and a footnote': [
    state(many('```\n1\n```\n\n| 1 | 2 |\n|---|---|\n| 3 | 4 |\n\n- [ ] 一\n\n一[^1]\n\n[^1]: 二\n', {})),
  ],
  'a failure': [state(one({ cards: [card, { ...card, tone: 'note' }] }, 'failed'))],
  'tool calls': [
    state(
      one(
        {
          rounds: [
            {
              answer: '',
              calls: [call('waiting'), call('running'), call('done'), call('refused'), call('failed')],
            },
          ],
          toolCalls: [call('not-run')],
        },
        'running',
      ),
      { running: true },
    ),
  ],
  proposals: [
    state(one({ proposals: [proposal(), proposal({ state: 'decided', uri: 'v', revises: false })] })),
  ],
  'a structured answer': [state(many('{"1": [2, {"3": 4}]}', { structured: structured('fits') }))],
  'a structured answer with errors': [
    state(
      many(`{"1": [${Array.from({ length: 400 }, (_, at) => at)}]}`, { structured: structured('differs') }),
    ),
  ],
  'a full message box': [
    state(one(), {
      answerFormat: pseudo('JSON with a schema'),
      queue: [{ id: 'q', text: '再问？' }],
      queuePaused: true,
      attachments: [
        {
          name: '图',
          url: undefined,
          note: pseudo('about 1,200 tokens'),
          detail: pseudo('Scaled'),
          busy: false,
        },
      ],
      rejectedImages: [
        { text: pseudo('The image is a PDF. Attach a screenshot of the page.'), offersFile: true },
      ],
      context,
      refusal: pseudo('No tools can be used. Run “K3: Choose Tools…” and clear some.'),
    }),
  ],
  'a running turn with a queue': [
    state(one({}, 'running'), { running: true, queue: [{ id: 'q', text: '再问？' }] }),
  ],
  'an edited question': [state(one(), {}, { editing: { exchangeId: 'e1', text: '问' } })],
  'a search': [state(one()), { type: 'open-find' }],
  'a deleted conversation': [state(one(), { deleted: true })],
  'a question with images and context': [
    state([
      {
        ...exchangeView('e1', '问'.repeat(2000), '答', turn('complete')),
        question: {
          text: '问'.repeat(2000),
          asked: '改',
          typed: undefined,
          images: [{ name: '图', url: undefined, omitted: true }],
          context,
          origin: '文:1-2',
        },
      },
    ]),
  ],
};

/** Opens everything that is folded, twice, because what opens can have something folded. */
async function unfold({ page }: ChatPage): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    await page.evaluate(`(async () => {
      for (const one of document.querySelectorAll('.log [aria-expanded="false"]')) one.click();
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    })()`);
  }
}

describe('The chat in the pseudo-language, 300 pixels wide', () => {
  for (const [name, messages] of Object.entries(STATES))
    it(`has no English and cuts nothing off: ${name}`, async () => {
      const chat = await openChatPage(browser);
      try {
        await chat.page.setViewportSize({ width: WIDTH, height: 900 });
        await chat.send(...messages);
        await unfold(chat);
        await chat.page.screenshot({ path: `${pictures}pseudo-${name.replaceAll(/[^a-z]+/g, '-')}.png` });
        assert.deepEqual(await readWords(chat.page), { bare: [], cut: [] });
      } finally {
        await chat.close();
      }
    });
});

const sums = {
  turns: 12,
  unreported: 1,
  promptTokens: 123_456,
  cachedTokens: 23_456,
  reasoningTokens: 3456,
  answerTokens: 456,
  cost: 1.234,
};
const USAGE: UsageData = {
  range: 7,
  total: sums,
  days: [{ ...sums, day: '2026-11-22', firstTokenMs: 1234 }],
  routes: [
    { ...sums, route: '路' },
    { ...sums, route: undefined },
  ],
  conversations: [
    { ...sums, conversationId: 'c1', demo: false, title: '题' },
    { ...sums, conversationId: 'c2', demo: false, title: undefined },
    { ...sums, conversationId: 'other-chats', demo: false, title: undefined },
    { ...sums, conversationId: 'c1', demo: true, title: '题' },
  ],
  outcomes: [{ label: pseudo('Complete'), turns: 12 }],
  words: pseudoTexts(Object.fromEntries(USAGE_WORDS.map((word) => [word, word]))) as UsageData['words'],
};

const none = {
  ...sums,
  turns: 0,
  promptTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  answerTokens: 0,
  cost: 0,
};
/** Of someone who has only tried the demo. */
const DEMO_USAGE: UsageData = {
  ...USAGE,
  total: { ...none, unreported: 0 },
  days: [],
  outcomes: [],
  routes: [{ ...sums, unreported: 0, cost: 0, route: undefined }],
  conversations: [{ ...sums, unreported: 0, cost: 0, conversationId: 'c1', demo: true, title: '题' }],
  words: Object.fromEntries(USAGE_WORDS.map((word) => [word, word])) as UsageData['words'],
};

describe('The usage page of the demo', () => {
  it('marks its turns, and names no amount of money', async () => {
    const usage = await openChatPage(browser, {}, '', 'usage');
    try {
      await usage.page.evaluate(`postMessage(${JSON.stringify({ type: 'usage', data: DEMO_USAGE })}, '*')`);
      for (const name of ['By route', 'By conversation']) {
        const row = usage.page.getByRole('table', { name }).getByRole('row').nth(1);
        assert.match(await row.innerText(), /\bDemo\b.*\bNot billed$/s);
      }
      assert.doesNotMatch(await usage.page.locator('body').innerText(), /\$/);
      await usage.page.screenshot({ path: `${pictures}usage-demo.png`, fullPage: true });
    } finally {
      await usage.close();
    }
  });
});

describe('The usage page in the pseudo-language, 300 pixels wide', () => {
  const pages = {
    full: USAGE,
    demo: { ...DEMO_USAGE, words: USAGE.words },
    empty: { ...USAGE, days: [], routes: [] },
  };
  for (const [name, data] of Object.entries(pages))
    it(`has no English and cuts nothing off: ${name}`, async () => {
      const usage = await openChatPage(browser, {}, '', 'usage');
      try {
        await usage.page.setViewportSize({ width: WIDTH, height: 900 });
        await usage.page.evaluate(`postMessage(${JSON.stringify({ type: 'usage', data })}, '*')`);
        await usage.page.locator('h1').waitFor();
        await usage.page.screenshot({ path: `${pictures}pseudo-usage-${name}.png`, fullPage: true });
        // Languages name months, such as in “Nov 22, 2026”.
        const { bare, cut } = await readWords(usage.page);
        assert.deepEqual(
          { bare: bare.filter((text) => text !== 'Nov 22, 2026'), cut },
          { bare: [], cut: [] },
        );
      } finally {
        await usage.close();
      }
    });
});
