/**
 * The complete product in the real workbench while an answer arrives at 50, 200, and 500 tokens a second: the time from the
 * write of the service until a token is painted, and the processor time of the extension host, of the window with the
 * Reasoning view and the status bar, and of the page, which has a process of its own as in the desktop editor. The floor is an
 * extension that posts each text to a page that appends it (`test/fixtures/floor`), in the same window, alternately with K3 Chat.
 * `RUNS=1` is quick, `RATES=200` measures one rate. Only on Linux.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { answerEnded, sendQuestion } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';
import { type Case, report, writeFigures } from './figures.ts';
import { processes, sumOf } from './processes.ts';

const RUNS = Number(process.env['RUNS'] ?? 3);
const RATES = (process.env['RATES'] ?? '50,200,500').split(',').map(Number);
const SECONDS = 10;
/** More tokens a second than the extension reads. */
const AT_ONCE = 10_000;
/** The editor works for some seconds after a click. */
const SETTLED_MS = 3000;
const FLOOR = 'floor extension';
const K3 = 'K3';
const IDLE = 'nothing';

const wallNow = () => performance.timeOrigin + performance.now();

/** The time at which the service wrote each token of the running stream, in milliseconds of the wall clock. */
let written: number[] = [];
let rate = 0;
let over: (() => void) | undefined;

/** Each token has its number. The first half is reasoning, in steps; the second the answer, in paragraphs. */
function tokenOf(at: number): string {
  const number = ` w${String(at).padStart(5, '0')}`;
  return at % 40 === 39 ? `${number}.\n\n` : number;
}

function eventOf(delta: object, finish: string | null = null, usage: object | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'svc-k3', choices, usage })}\n\n`;
}

async function stream(response: ServerResponse): Promise<void> {
  const count = rate * SECONDS;
  const began = performance.now();
  for (let at = 0; at < count; at++) {
    const early = began + (at * 1000) / rate - performance.now();
    if (early > 0.5) await pause(early);
    const text = tokenOf(at);
    written.push(wallNow());
    response.write(eventOf(at < count / 2 ? { reasoning_content: text } : { content: text }));
  }
  over?.();
  response.write(eventOf({}, 'stop'));
  const usage = { prompt_tokens: 10, completion_tokens: count, total_tokens: count + 10 };
  response.end(`${eventOf({}, null, usage)}data: [DONE]\n\n`);
}

/**
 * Records when the number of the last token on the page has changed, after each frame is painted. A string, because this
 * file is type-checked with the types of Node.
 */
const watch = (selector: string) => `(() => {
  const seen = globalThis.seenTokens = [];
  const channel = new MessageChannel();
  let last = -1;
  const endOf = (element) => {
    let text = '';
    for (let node = element; node; ) {
      while (node.lastChild) node = node.lastChild;
      text = (node.nodeType === 3 ? node.data : '') + text;
      if (text.length > 200) break;
      while (node && node !== element && !node.previousSibling) node = node.parentNode;
      node = node === element ? null : node?.previousSibling;
    }
    return text;
  };
  channel.port1.onmessage = () => {
    let number = -1;
    for (const element of document.querySelectorAll(${JSON.stringify(selector)}))
      number = Math.max(number, ...[...endOf(element).matchAll(/w(\\d{5})/g)].map((found) => Number(found[1])));
    if (number > last) seen.push([number, performance.timeOrigin + performance.now()]);
    last = Math.max(last, number);
  };
  const frame = () => {
    if (globalThis.seenTokens !== seen) return;
    channel.port2.postMessage(0);
    requestAnimationFrame(frame);
  };
  frame();
})()`;

interface Sample {
  /** The delay of each token, in milliseconds. */
  readonly latencies: readonly number[];
  /** Percent of a core. */
  readonly host: number;
  readonly window: number;
  readonly page: number;
}

/** The process of the window. The others are those of the pages of extensions. */
let windowPid: string | undefined;

/** Processor time of the extension host, the window, and the pages, in milliseconds. */
async function cpuTimes(): Promise<Readonly<Record<'host' | 'window' | 'page', number>>> {
  const renderers = await processes('renderer');
  // Before the first page, only the window has worked.
  windowPid ??= renderers.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]?.pid;
  return {
    host: sumOf(await processes('extensionHost'), 'cpuMs'),
    window: sumOf(
      renderers.filter(({ pid }) => pid === windowPid),
      'cpuMs',
    ),
    page: sumOf(
      renderers.filter(({ pid }) => pid !== windowPid),
      'cpuMs',
    ),
  };
}

async function measure(
  frame: Frame | undefined,
  selector: string,
  start: () => Promise<void>,
): Promise<Sample> {
  if (frame !== undefined) await frame.evaluate(watch(selector));
  written = [];
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  await start();
  const before = await cpuTimes();
  const began = performance.now();
  await ended;
  const after = await cpuTimes();
  const percent = 100 / (performance.now() - began);
  const last = written.length - 1;
  const seen = frame === undefined ? [] : await seenUntil(frame, last);
  const latencies = written.flatMap((at, token) => {
    const shown = seen.find(([number]) => number >= token);
    return shown === undefined ? [] : [shown[1] - at];
  });
  return {
    latencies,
    host: (after.host - before.host) * percent,
    window: (after.window - before.window) * percent,
    page: (after.page - before.page) * percent,
  };
}

/** The last painted token at each time. If painting can't keep up, the last token is painted late. */
async function seenUntil(frame: Frame, last: number): Promise<ReadonlyArray<readonly [number, number]>> {
  for (;;) {
    const seen = await frame.evaluate<ReadonlyArray<readonly [number, number]>>('globalThis.seenTokens');
    if ((seen.at(-1)?.[0] ?? -1) >= last) return seen;
    await pause(200);
  }
}

/** Waits for the page of the floor extension. */
async function floorFrame(page: Page): Promise<Frame> {
  await page.locator('.activitybar .action-label[aria-label^="Floor"]').click();
  for (;;) {
    for (const frame of page.frames())
      if (
        await frame
          .locator('[aria-label="Floor"]')
          .isVisible()
          .catch(() => false)
      )
        return frame;
    await page.waitForTimeout(100);
  }
}

const measureFloor = async (workbench: Workbench) => {
  const frame = await floorFrame(workbench.page);
  await pause(SETTLED_MS);
  return measure(frame, '.log', () => workbench.runCommand('Floor: Read'));
};

async function newChat(workbench: Workbench): Promise<Frame> {
  await workbench.runCommand('K3: New Conversation');
  const chat = await workbench.chat();
  await chat.locator('article').first().waitFor({ state: 'detached' });
  await pause(SETTLED_MS);
  return chat;
}

async function measureChat(workbench: Workbench): Promise<Sample> {
  const chat = await newChat(workbench);
  const sample = await measure(chat, '[data-part]', () => sendQuestion(chat, 'Go on, please'));
  await answerEnded(chat);
  return sample;
}

/** Bytes of all messages to the page, for each byte of text. Measured separately, because counting takes time in the page. */
async function measureBytes(workbench: Workbench): Promise<number> {
  const chat = await newChat(workbench);
  // The page still shows the previous conversation.
  await chat.evaluate(`{
    removeEventListener('message', globalThis.countBytes);
    globalThis.postedBytes = 0;
    globalThis.countBytes = ({ data }) => { globalThis.postedBytes += JSON.stringify(data).length; };
    addEventListener('message', globalThis.countBytes);
  }`);
  written = [];
  await sendQuestion(chat, 'Go on, please');
  await answerEnded(chat, 60_000);
  const text = written.reduce((sum, _, at) => sum + tokenOf(at).length, 0);
  return (await chat.evaluate<number>('globalThis.postedBytes')) / text;
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;

const server = createServer((request, response) => {
  request.resume();
  response.socket?.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  void stream(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/v1`;
const workbench = await startWorkbench({
  everyFrame: true,
  env: { K3_API_KEY: 'bench', K3_TEST_FLOOR: url },
  searchForKey: false,
  pagesApart: true,
  settings: { 'k3.routes': { paced: { kind: 'direct', baseUrl: url } }, 'k3.route': 'paced' },
  extensions: [fileURLToPath(new URL('../fixtures/floor', import.meta.url))],
});
try {
  await cpuTimes();
  const samples = new Map<string, Map<string, Sample[]>>();
  for (let run = 0; run < RUNS; run++)
    for (const each of RATES) {
      rate = each;
      const of = samples.get(`${rate} a second`) ?? new Map<string, Sample[]>();
      samples.set(`${rate} a second`, of);
      for (const [name, take] of [
        [FLOOR, measureFloor],
        [K3, measureChat],
      ] as const)
        of.set(name, [...(of.get(name) ?? []), await take(workbench)]);
    }
  const idle: Sample[] = [];
  for (let run = 0; run < RUNS; run++)
    idle.push(
      await measure(undefined, '', async () => {
        void pause(SECONDS * 1000).then(() => over?.());
      }),
    );
  const figures: ReadonlyArray<readonly [string, string, (sample: Sample) => number]> = [
    ['painted after, p50', 'ms', ({ latencies }) => percentile(latencies, 0.5)],
    ['painted after, p99', 'ms', ({ latencies }) => percentile(latencies, 0.99)],
    ['extension host', '% of a core', ({ host }) => host],
    ['window', '% of a core', ({ window }) => window],
    ['page', '% of a core', ({ page }) => page],
  ];
  for (const [pace, of] of samples)
    for (const [what, unit, figure] of figures) {
      const cases = [...of].map(([name, all]) => ({ name, samples: all.map(figure) }));
      const nothing = unit === 'ms' ? [] : [{ name: IDLE, samples: idle.map(figure) }];
      report({ part: `${pace}, ${what}`, unit, cases: [...nothing, ...cases], floors: [FLOOR] });
    }
  const posted: Case[] = [];
  for (const each of [...RATES, AT_ONCE]) {
    rate = each;
    posted.push({ name: `${rate} a second`, samples: [await measureBytes(workbench)] });
  }
  report({ part: 'posted to the page', unit: 'bytes a byte of text', cases: posted, floors: [] });
  writeFigures();
} finally {
  await workbench.dispose();
  server.close();
}
