/**
 * The pages in the pseudo-language, 300 pixels wide: nothing is left in English, and what is 40 % longer still fits.
 * The data of the states has no Latin letters.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { languages, pseudo, pseudoTexts } from '../../../scripts/lib/l10n.mjs';
import { fillPlaceholders } from '../../../src/panel/placeholders.ts';
import { USAGE_WORDS, type UsageData } from '../../../src/panel/usage.ts';
import { type ChatPage, DRAWN, openChatPage, testBrowser } from '../../support/chatPage.ts';
import { languageStates, translatorOf } from '../../support/languageStates.ts';
import { savePicture } from '../../support/pagePicture.ts';
import { readWords } from '../../support/wordsOnPage.ts';

const WIDTH = 300;
/** Filled in like real texts, so that values stand within the brackets. */
const STATES = languageStates((english, ...values) => fillPlaceholders(pseudo(english), 'en', values));

const browser = testBrowser();

/** Opens everything that is folded, twice, because what opens can have something folded. */
async function unfold({ page }: ChatPage): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    await page.evaluate(`(async () => {
      for (const one of document.querySelectorAll('.log [aria-expanded="false"]')) one.click();
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    })()`);
  }
}

async function openNarrow(language: string): Promise<ChatPage> {
  const chat = await openChatPage(browser(), {}, '', 'webview', language);
  await chat.page.setViewportSize({ width: WIDTH, height: 900 });
  return chat;
}

describe('The chat in the pseudo-language, 300 pixels wide', () => {
  let chat: ChatPage;
  before(async () => {
    chat = await openNarrow('en');
  });
  after(() => chat?.close());

  for (const [name, messages] of Object.entries(STATES))
    it(`has no English and cuts nothing off: ${name}`, async () => {
      await chat.send(...messages);
      await unfold(chat);
      await savePicture(chat.page, `pseudo-${name.replaceAll(/[^a-z]+/g, '-')}`);
      const { bare, cut } = await readWords(chat.page);
      assert.deepEqual({ bare, cut }, { bare: [], cut: [] });
    });
});

/** The states with the most words of buttons and cards. */
const WORDY = [
  'no route',
  'a banner, and messages that are not shown',
  'an answer with its checks',
  'an answer whose checks all passed',
  'code, a table, and a footnote',
  'a failure',
  'tool calls',
  'proposals',
  'a structured answer with errors',
  'a full message box',
];
/** Their commas are “，” and “、”. */
const FULL_WIDTH: ReadonlySet<string> = new Set(['ja', 'zh-cn']);

describe('The chat in the languages that there are, 300 pixels wide', () => {
  for (const language of languages())
    it(`cuts nothing off, and has the commas of its language: ${language}`, async () => {
      const states = languageStates(translatorOf(language));
      const chat = await openNarrow(language);
      try {
        const found: string[] = [];
        for (const name of WORDY) {
          assert.ok(states[name], name);
          await chat.send(...(states[name] ?? []));
          await unfold(chat);
          const { cut, latinCommas } = await readWords(chat.page);
          found.push(...cut.map((text) => `${name}: ${text}`));
          if (FULL_WIDTH.has(language)) found.push(...latinCommas.map((text) => `${name}: ${text}`));
        }
        assert.deepEqual(found, []);
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

describe('The usage page', () => {
  let usage: ChatPage;
  before(async () => {
    usage = await openChatPage(browser(), {}, '', 'usage');
  });
  after(() => usage?.close());

  const show = async (data: UsageData, width: number) => {
    const { page } = usage;
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(`postMessage(${JSON.stringify({ type: 'usage', data })}, '*'); ${DRAWN}`);
    return page;
  };

  it('marks the turns of the demo, and names no amount of money', async () => {
    const page = await show(DEMO_USAGE, 400);
    for (const name of ['By route', 'By conversation']) {
      const row = page.getByRole('table', { name }).getByRole('row').nth(1);
      assert.match(await row.innerText(), /\bDemo\b.*\bNot billed$/s);
    }
    assert.doesNotMatch(await page.locator('body').innerText(), /\$/);
    await savePicture(page, 'usage-demo', { fullPage: true });
  });

  const pages = {
    full: USAGE,
    demo: { ...DEMO_USAGE, words: USAGE.words },
    empty: { ...USAGE, days: [], routes: [] },
  };
  for (const [name, data] of Object.entries(pages))
    it(`has no English and cuts nothing off in the pseudo-language, 300 pixels wide: ${name}`, async () => {
      const page = await show(data, WIDTH);
      await page.locator('h1').waitFor();
      await savePicture(page, `pseudo-usage-${name}`, { fullPage: true });
      // Languages name months, such as in “Nov 22, 2026”.
      const { bare, cut } = await readWords(page);
      assert.deepEqual({ bare: bare.filter((text) => text !== 'Nov 22, 2026'), cut }, { bare: [], cut: [] });
    });
});
