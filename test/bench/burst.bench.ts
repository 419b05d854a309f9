/**
 * The complete product in the real workbench: an answer of 400 KB in 57,000 deltas in one burst, from the first byte
 * that the service writes to the last words in the panel. The same run measures the lower bounds: the same bytes read
 * by node:http, the text of the answer set in a page of the same size, and the finished HTML set there at once. Peers
 * were measured in the same way (docs/performance.md). `RUNS=1` is quick. Only on Linux.
 */
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import markdownIt from 'markdown-it';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { answerEnded, sendQuestion } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';
import { makeAnswer } from './answerText.ts';
import { processes, sumOf } from './processes.ts';

const ANSWER_CHARACTERS = 400_000;
const DELTAS = 57_000;
const RUNS = Number(process.env['RUNS'] ?? 3);
const GIVE_UP_MS = 120_000;
const MARK = 'The very last words.';

function toEvents(answer: string): string {
  const event = (delta: object, reason: string | null = null, usage: object | null = null) =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'svc-k3', choices: [{ index: 0, delta, finish_reason: reason }], usage })}\n\n`;
  let events = event({ role: 'assistant', reasoning_content: 'Think.' });
  const cut = (n: number) => Math.floor((answer.length * n) / DELTAS);
  for (let n = 0; n < DELTAS; n++) events += event({ content: answer.slice(cut(n), cut(n + 1)) });
  const usage = { prompt_tokens: 10, completion_tokens: 100_000, total_tokens: 100_010 };
  return `${events}${event({}, 'stop', usage)}data: [DONE]\n\n`;
}

/** Measures the time until node:http has read all bytes. */
function readRaw(url: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    get(url, async (response) => {
      let bytes = 0;
      for await (const part of response) bytes += part.length;
      resolve(bytes > 0 ? performance.now() - begun : Number.NaN);
    }).on('error', reject);
  });
}

/** Measures the time until a page of the panel's size shows this content, set at once with `how`. */
async function show(page: Page, how: 'innerHTML' | 'textContent', content: string): Promise<number> {
  // As a string, because this file is type-checked with the types of Node, not of a page.
  return page.evaluate<number>(`(async () => {
    const content = ${JSON.stringify(content)};
    const box = document.createElement('div');
    box.style = 'width: 300px; white-space: ${how === 'textContent' ? 'pre-wrap' : 'normal'}';
    document.body.replaceChildren(box);
    const begun = performance.now();
    box.${how} = content;
    box.getBoundingClientRect();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - begun;
  })()`);
}

async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

/** The session of the panel's process, or of the window's process if both share one. */
const sessionOf = (page: Page, chat: Frame) =>
  page
    .context()
    .newCDPSession(chat)
    .catch(() => page.context().newCDPSession(page));

/**
 * Resolves when the last words are laid out in the answer. Only checks the end, because searching all text would slow
 * the page down.
 */
async function lastWords(chat: Frame): Promise<number> {
  const shown = chat.evaluate(`new Promise((resolve) => {
    const look = () => {
      const answer = [...document.querySelectorAll('[data-part="answer"]')].at(-1);
      const tail = answer?.querySelector('.answer-tail');
      const end = tail?.textContent || tail?.previousElementSibling?.lastElementChild?.textContent;
      if (end?.includes(${JSON.stringify(MARK)}) && answer.getBoundingClientRect().height > 0) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
  const timer = new AbortController();
  const tooLate = delay(GIVE_UP_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`the last words are not shown after ${GIVE_UP_MS} ms`);
  });
  await Promise.race([shown, tooLate]);
  timer.abort();
  return performance.now();
}

interface Sample {
  /** From the first byte that the service wrote. */
  readonly byteMs: number;
  /** From the click on Send. */
  readonly sendMs: number;
  readonly hostMs: number;
  readonly rendererMs: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly readMs: number;
  readonly textMs: number;
  readonly htmlMs: number;
}

async function measure(workbench: Workbench, answer: string, url: string): Promise<Sample> {
  await workbench.runCommand('K3: New Conversation');
  const chat = await workbench.chat();
  await chat.locator('article').first().waitFor({ state: 'detached' });
  const cdp = await sessionOf(workbench.page, chat);
  const heapBefore = await heapOf(cdp);
  const hostBefore = await processes('extensionHost');
  const rendererBefore = await processes('renderer');
  const begun = performance.now();
  const [ended] = await Promise.all([lastWords(chat), sendQuestion(chat, 'All of it, please')]);
  const from = firstByteAt;
  await answerEnded(chat, 120_000);
  const hostMs = sumOf(await processes('extensionHost'), 'cpuMs') - sumOf(hostBefore, 'cpuMs');
  const rendererAfter = await processes('renderer');
  const shown = await chat.locator('[data-part="answer"]').last().textContent();
  if ((shown?.length ?? 0) < ANSWER_CHARACTERS / 2)
    throw new Error(`only ${shown?.length} characters are shown`);
  const heapMb = (await heapOf(cdp)) - heapBefore;
  await cdp.detach();
  const page = await workbench.page.context().browser()?.newPage();
  if (page === undefined) throw new Error('the browser is gone');
  const readMs = await readRaw(url);
  const textMs = await show(page, 'textContent', answer);
  const htmlMs = await show(page, 'innerHTML', markdownIt().render(answer));
  await page.close();
  return {
    byteMs: ended - from,
    sendMs: ended - begun,
    hostMs,
    rendererMs: sumOf(rendererAfter, 'cpuMs') - sumOf(rendererBefore, 'cpuMs'),
    heapMb,
    residentMb: sumOf(rendererAfter, 'residentMb') - sumOf(rendererBefore, 'residentMb'),
    readMs,
    textMs,
    htmlMs,
  };
}

const median = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

const answer = `${makeAnswer(ANSWER_CHARACTERS)}${MARK}\n`;
const events = Buffer.from(toEvents(answer));
let firstByteAt = 0;
const server = createServer((request, response: ServerResponse) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  firstByteAt = performance.now();
  response.end(events);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/v1`;
const workbench = await startWorkbench({
  everyFrame: true,
  env: { K3_API_KEY: 'bench' },
  searchForKey: false,
  settings: { 'k3.routes': { burst: { kind: 'direct', baseUrl: url } }, 'k3.route': 'burst' },
});
try {
  await workbench.runCommand('K3: Focus Chat');
  await workbench.chat();
  const samples: Sample[] = [];
  for (let run = 0; run < RUNS; run++) samples.push(await measure(workbench, answer, url));
  const of = (key: keyof Sample) => median(samples.map((sample) => sample[key]));
  const floor = of('readMs') + of('textMs');
  console.log(
    `${answer.length} characters in ${DELTAS} deltas, ${(events.length / 1e6).toFixed(1)} MB; medians of ${RUNS}`,
  );
  const say = (label: string, figure: string) => console.log(label.padEnd(44) + figure.padStart(10));
  const ms = (figure: number) => `${figure.toFixed(0)} ms`;
  say('first byte → last words shown', ms(of('byteMs')));
  say('click on Send → last words shown', ms(of('sendMs')));
  say('bytes read by node:http, text put raw (floor)', ms(floor));
  say('× floor', (of('byteMs') / floor).toFixed(2));
  say('finished HTML put at once', ms(of('htmlMs')));
  say('× finished HTML', (of('byteMs') / of('htmlMs')).toFixed(2));
  say('CPU of the extension host', ms(of('hostMs')));
  say('CPU of the renderers', ms(of('rendererMs')));
  say('heap kept in the renderer, collected', `${of('heapMb').toFixed(1)} MB`);
  say('growth of the renderers, resident', `${of('residentMb').toFixed(0)} MB`);
} finally {
  await workbench.dispose();
  server.close();
}
