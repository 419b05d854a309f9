/**
 * The examples of CommonMark and the attacks of DOMPurify's tests, in the page of the chat as it is shipped, with its policy:
 * whole and streamed, nothing runs, nothing is loaded, and no link leads anywhere but to the web (docs/suites.md).
 *
 * Streamed means in pieces of 9 characters; with `K3_SUITES=all`, by character. `K3_DOMPURIFY` names a later list of attacks.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { after, afterEach, before, beforeEach, type Context, describe, it } from 'mocha';
import type { ExchangeView, ToolCallView } from '../../../src/panel/views.ts';
import { createMarkdown } from '../../../src/webview/text/markdown.ts';
import { type ChatPage, openChatPage, testBrowser } from '../../support/chatPage.ts';
import { COMMONMARK, DOMPURIFY, type MarkdownCase } from '../../support/markdownCases.ts';
import { MARKDOWN_WORDS } from '../../support/markdownWords.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';

const all = process.env['K3_SUITES'] === 'all';
const STEP = all ? 1 : 9;
/** Of the cases that are shown in other places of a text, one of so many is taken. */
const SHARE = all ? 1 : 8;
/** The turns that stream at the same time. */
const BATCH = 100;

const browser = testBrowser();
let script: string;
/** Of all tests, until one fails. */
let chat: ChatPage | undefined;
const pageOf = () => chat ?? assert.fail('The page is opened before a test.');
/** Everything that has left the page since the test began, and what its console says. */
let left: string[] = [];

before(async () => {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('../../support/inertPage.mjs', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
  });
  script = bundle.outputFiles[0]?.text ?? '';
});

async function prepare(): Promise<void> {
  left = [];
  if (chat !== undefined) return;
  chat = await openChatPage(browser(), {}, script);
  await chat.page.route(
    (url) => url.origin !== 'http://panel.test',
    (route) => route.abort(),
  );
  chat.page.on('request', (request) => left.push(request.url()));
  chat.page.on('console', (message) => left.push(message.text()));
  chat.page.on('dialog', (dialog) => {
    left.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
async function close(): Promise<void> {
  await chat?.close();
  chat = undefined;
}
async function closeAfterFailure(this: Context): Promise<void> {
  if (this.currentTest?.state === 'failed') await close();
}
after(close);

const inPage = <Result>(expression: string, value: unknown): Promise<Result> =>
  pageOf().page.evaluate<Result>(`inert.${expression.replace('$', () => JSON.stringify(value))}`);

/**
 * Nothing has run and nothing has left the page, also not later. The policy had nothing to do either, except in a document
 * that the sanitizer makes to read its input.
 */
async function assertQuiet(parses?: 'parses'): Promise<void> {
  // Code is highlighted when the page is idle.
  await pageOf().page.evaluate(
    'new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50)))',
  );
  const isParsing = (what: string) =>
    parses && /^(?:style-src|script-src-attr)|Content Security Policy/.test(what);
  const ran = await inPage<string[]>('ran()', 0);
  assert.deepEqual([...new Set(ran.filter((what) => !isParsing(what)))], []);
  assert.deepEqual(
    left.filter((url) => !isParsing(url) && !/^http:\/\/panel\.test\/(?:codicon\.woff2|math\.js$)/.test(url)),
    [],
  );
}

function batchesOf(cases: readonly MarkdownCase[]): readonly (readonly MarkdownCase[])[] {
  const starts = Array.from({ length: Math.ceil(cases.length / BATCH) }, (_, index) => index * BATCH);
  return starts.map((start) => cases.slice(start, start + BATCH));
}

const running = turnView('running', { hasReasoning: true });

/** Streams these cases into turns of their own, ends the turns, and asserts that nothing is active at any drawing. */
async function assertInert(cases: readonly MarkdownCase[], step: number): Promise<number> {
  let drawings = 0;
  for (const batch of batchesOf(cases)) {
    const texts = batch.map(({ name, text }, index) => ({
      name,
      text,
      turnId: `t${index}`,
      exchangeId: `e${index}`,
    }));
    await inPage(
      'receive($)',
      snapshotOf(texts.map(({ exchangeId }) => exchangeView(exchangeId, 'Why?', '', running))),
    );
    const streamed = await inPage<{ active: string[]; drawings: number }>(`stream($, ${step})`, texts);
    assert.deepEqual(streamed.active.slice(0, 20), []);
    drawings += streamed.drawings;
    const ends = texts.map(({ turnId }) => ({
      type: 'turn',
      turn: { ...turnView('complete', { hasReasoning: true }), id: turnId },
    }));
    await inPage('receiveAll($)', ends);
    await inPage('drawAll()', 0);
    await assertQuiet();
    const active = await inPage<string[]>('activeTurns($)', texts);
    assert.deepEqual(active.slice(0, 20), []);
  }
  return drawings;
}

/** An exchange that shows a text everywhere but in its answer and its reasoning. */
function elsewhere(exchangeId: string, text: string): ExchangeView {
  const call: ToolCallView = {
    id: text,
    name: text,
    title: text,
    source: text,
    arguments: text,
    approval: undefined,
    state: 'done',
    stateLabel: text,
    result: text,
    images: [],
    startedAt: undefined,
    seconds: 1,
  };
  const state = {
    state: 'open',
    summary: text,
    open: 1,
    accepted: 0,
    restorable: false,
    revises: false,
  } as const;
  const unplaced = [{ why: text, find: text, replace: text }];
  const turn = turnView('interrupted', {
    phaseLabel: text,
    liveLine: text,
    accountLine: text,
    account: [{ label: text, value: text }],
    cards: [
      {
        tone: 'problem',
        title: text,
        body: [text],
        facts: [{ label: text, value: text }],
        actions: [],
        serviceWords: text,
      },
    ],
    rounds: [{ answer: '', calls: [call] }],
    toolCalls: [call],
    proposals: [{ proposalId: text, uri: text, file: text, unplaced, displaced: [], ...state }],
    structured: {
      name: text,
      state: 'differs',
      summary: text,
      errors: [{ pointer: '', message: text }],
      brokenAt: undefined,
      repairable: true,
    },
  });
  return exchangeView(exchangeId, text, JSON.stringify({ [text]: text }), turn);
}

const report = (cases: readonly MarkdownCase[], count: number, what: string) =>
  console.log(`      ${cases.length} cases, ${count} ${what}, 0 active`);

for (const [suite, cases] of [
  ['The examples of CommonMark', COMMONMARK],
  ['The attacks of DOMPurify', DOMPURIFY],
] as const)
  describe(suite, () => {
    beforeEach(prepare);
    afterEach(closeAfterFailure);

    it('are inert in the answer and the reasoning, at every drawing while they stream and at the end', async () => {
      report(cases, await assertInert(cases, STEP), 'drawings');
    });

    it('are inert whole, also in a heading, a table, a link, an image, and code', async () => {
      const taken = cases.filter((_, index) => index % SHARE === 0);
      const wrapped = taken.flatMap(({ name, text }) =>
        [
          text,
          `# ${text}`,
          `| a | b |\n|---|---|\n| ${text.replaceAll('\n', ' ')} | x |`,
          `[a](${text})`,
          `[a](<${text}>)`,
          `![${text}](https://example.com/a.png "${text}")`,
          `<${text}>`,
          `\`\`\`${text}\na\n\`\`\``,
          `\`\`\`html\n${text}\n\`\`\``,
          `[a]\n\n[a]: ${text}`,
        ].map((text) => ({ name: `${name} as ${text.slice(0, 12)}`, text })),
      );
      report(taken, await assertInert(wrapped, 100_000), 'drawings');
    });

    it('are inert in everything else that shows text of the model or the service', async () => {
      for (const batch of batchesOf(cases)) {
        const exchanges = batch.map(({ text }, index) => elsewhere(`e${index}`, text));
        await inPage('receive($)', snapshotOf(exchanges));
        await inPage('drawAll()', 0);
        await assertQuiet();
        assert.deepEqual(await inPage('activeElements()', 0), []);
      }
    });
  });

describe('The sanitizer alone', () => {
  beforeEach(prepare);
  afterEach(closeAfterFailure);

  it('leaves nothing active of HTML, whole and cut anywhere', async () => {
    const cases = [...DOMPURIFY, ...COMMONMARK];
    let count = 0;
    for (const batch of batchesOf(cases)) {
      const { active, runs } = await inPage<{ active: string[]; runs: number }>(
        `sanitize($, ${STEP})`,
        batch,
      );
      assert.deepEqual(active.slice(0, 20), []);
      count += runs;
      await assertQuiet('parses');
    }
    report(cases, count, 'runs');
  });

  it('makes the same nodes as without it of all that the renderer creates, whole and cut anywhere', async () => {
    const md = createMarkdown(MARKDOWN_WORDS);
    const cases = [...DOMPURIFY, ...COMMONMARK].map(({ name, text }) => ({ name, text: md.render(text) }));
    let count = 0;
    for (const batch of batchesOf(cases)) {
      const { different, runs } = await inPage<{ different: string[]; runs: number }>(
        `otherThanSanitized($, ${STEP})`,
        batch,
      );
      assert.deepEqual(different.slice(0, 20), []);
      count += runs;
      await assertQuiet('parses');
    }
    report(cases, count, 'runs');
  });
});
