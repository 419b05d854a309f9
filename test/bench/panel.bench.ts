/**
 * The cost of the panel in the browser while an answer streams: Markdown of 50, 200, and 400 KB, 2,048 characters per
 * frame, sent as messages of the host to the built page, without a workbench. For comparison, in pages of the same
 * size: the same text as reasoning, a lower bound, the same text appended to one text node, and a peer, markdown-it on all text in every frame.
 * Only ratios are comparable (docs/benchmarks.md). `RUNS=1` is quick.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { chromiumSwitches } from '../../scripts/lib/editorServer.mjs';
import type { HostMessage } from '../../src/panel/messages.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView, type Unnumbered } from '../support/views.ts';
import { makeAnswer } from './answerText.ts';

const SIZES = [50_000, 200_000, 400_000];
const CHARACTERS_A_FRAME = 2048;
const RUNS = Number(process.env['RUNS'] ?? 3);
const FRAME_MS = 1000 / 60;
const ORIGIN = 'http://panel.test';
const VIEWPORT = { width: 400, height: 800 };
const WAYS = [
  { way: 'floor', label: 'plain text (floor)' },
  { way: 'panel', label: 'K3, the panel' },
  { way: 'reasoning', label: 'K3, open reasoning' },
  { way: 'full', label: 'markdown-it in full, each frame' },
] as const;

/** A frame as reported by the page: when it was due, how long its work took, and whether text was still arriving. */
interface FrameRow {
  readonly due: number;
  readonly work: number;
  readonly fed: number;
  readonly streaming: boolean;
}

interface Sample {
  /** Milliseconds of tasks on the main thread, from the first text until the page is idle. */
  readonly main: number;
  readonly frames: readonly FrameRow[];
  /** The increase of the JavaScript heap in bytes, after a garbage collection. */
  readonly heap: number;
  readonly identical: boolean | undefined;
}

/**
 * The host's messages before, during, and after the text. The panel's `ready` is not received, so that it starts with a
 * snapshot.
 */
function makeHost(
  way: string,
): Readonly<Record<'begin' | 'status' | 'end', readonly Unnumbered<HostMessage>[]>> {
  const around = surroundingsView({ reasoningInChat: 'expanded' });
  const more = { hasReasoning: way === 'reasoning' };
  const exchange = exchangeView('e1', 'All of it, please', '', turnView('running', more));
  return {
    begin: [
      snapshotOf([], { surroundings: around }),
      { type: 'exchange', exchange },
      { type: 'surroundings', surroundings: { ...around, running: true } },
    ],
    status: [{ type: 'turn', exchangeId: 'e1', turn: turnView('running', more) }],
    end: [
      {
        type: 'turn',
        exchangeId: 'e1',
        turn: turnView('complete', { ...more, accountLine: '100,000 tokens' }),
      },
      { type: 'surroundings', surroundings: around },
    ],
  };
}

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./panelPage.mjs', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** Opens a page with only the styles, the stub of the editor, and, if it is measured, the panel's script. */
async function openPage(browser: Browser, script: string, way: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const panel = way === 'panel' || way === 'reasoning' ? '<script src="/webview.js"></script>' : '';
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="/webview.css"></head>
<body data-k3="chat"><div id="app"></div><script src="/page.js"></script>${panel}</body></html>`;
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: html });
    else if (pathname === '/page.js') await route.fulfill({ contentType: 'text/javascript', body: script });
    else await route.fulfill({ path: join(dist, pathname) });
  });
  await page.goto(ORIGIN);
  return page;
}

async function metricsOf(cdp: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  return (await metricsOf(cdp)).get('JSHeapUsedSize') ?? Number.NaN;
}

async function measure(browser: Browser, script: string, way: string, text: string): Promise<Sample> {
  const page = await openPage(browser, script, way);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'timeTicks' });
  await page.evaluate(`bench.load(${JSON.stringify(text)}, ${JSON.stringify(makeHost(way))})`);
  const heapBefore = await heapOf(cdp);
  const before = await metricsOf(cdp);
  const frames = await page.evaluate<readonly FrameRow[]>(`bench.stream('${way}', ${CHARACTERS_A_FRAME})`);
  const after = await metricsOf(cdp);
  const heap = (await heapOf(cdp)) - heapBefore;
  const identical = way === 'panel' ? await page.evaluate<boolean>('bench.identical()') : undefined;
  await page.context().close();
  const main = ((after.get('TaskDuration') ?? 0) - (before.get('TaskDuration') ?? 0)) * 1000;
  return { main, frames, heap, identical };
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const median = (figures: readonly number[]) => quantile(figures, 0.5);

/** Counts the display frames that were dropped, and all frames, while text arrived. */
function droppedIn(frames: readonly FrameRow[]): { readonly dropped: number; readonly all: number } {
  const due = frames.filter(({ streaming }) => streaming).map((frame) => frame.due);
  const all = due.slice(1).reduce((sum, at, i) => sum + Math.round((at - (due[i] ?? at)) / FRAME_MS), 1);
  return { dropped: all - due.length, all };
}

/** The work of the frames in the last quarter of the text. */
const lateWork = (frames: readonly FrameRow[], size: number) =>
  frames.filter(({ fed, streaming }) => streaming && fed > size * 0.75).map(({ work }) => work);

function figuresOf(samples: readonly Sample[], size: number) {
  const late = samples.flatMap(({ frames }) => lateWork(frames, size));
  const drops = samples.map(({ frames }) => droppedIn(frames));
  const [drop] = drops.toSorted((a, b) => a.dropped - b.dropped).slice(Math.floor(drops.length / 2));
  return {
    main: median(samples.map(({ main }) => main)),
    dropped: `${drop?.dropped} of ${drop?.all}`,
    p50: median(late),
    p99: quantile(late, 0.99),
    longest: median(samples.map(({ frames }) => Math.max(...frames.map(({ work }) => work)))),
    heap: median(samples.map(({ heap }) => heap)) / 1024 / 1024,
    identical: samples.some(({ identical }) => identical === false)
      ? 'no'
      : samples.every(({ identical }) => identical)
        ? 'yes'
        : '',
  };
}

type Figures = ReturnType<typeof figuresOf>;

const COLUMNS: readonly (readonly [string, number, (figures: Figures, floor: Figures) => string])[] = [
  ['main ms', 10, ({ main }) => main.toFixed(0)],
  ['× floor', 10, ({ main }, floor) => (main / floor.main).toFixed(2)],
  ['dropped', 14, ({ dropped }) => dropped],
  ['late p50', 10, ({ p50 }) => p50.toFixed(1)],
  ['p99', 8, ({ p99 }) => p99.toFixed(1)],
  ['longest', 9, ({ longest }) => longest.toFixed(0)],
  ['heap MB', 9, ({ heap }) => heap.toFixed(1)],
  ['identical', 11, ({ identical }) => identical],
];

const script = await bundlePage();
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
try {
  console.log(
    `${CHARACTERS_A_FRAME} characters a frame, Chromium ${browser.version()}, medians of ${RUNS}; ` +
      'work of frames in ms, late: in the last quarter',
  );
  const totals = new Map<string, number>();
  for (const size of SIZES) {
    const text = makeAnswer(size);
    const rows = new Map<string, Figures>();
    const samples = new Map<string, Sample[]>(WAYS.map(({ way }) => [way, []]));
    for (let run = 0; run < RUNS; run++) {
      for (const [way, all] of samples) all.push(await measure(browser, script, way, text));
    }
    for (const [way, all] of samples) rows.set(way, figuresOf(all, size));
    const floor = rows.get('floor');
    console.log(
      `\n${`${size / 1000} KB`.padEnd(34)}${COLUMNS.map(([head, width]) => head.padStart(width)).join('')}`,
    );
    for (const { way, label } of WAYS) {
      const figures = rows.get(way);
      if (figures === undefined || floor === undefined) continue;
      totals.set(`${way} ${size}`, figures.main);
      console.log(
        label.padEnd(34) + COLUMNS.map(([, width, show]) => show(figures, floor).padStart(width)).join(''),
      );
    }
  }
  console.log('\ngrowth of the cost a character, 200 → 400 KB');
  for (const { way, label } of WAYS) {
    const of = (size: number) => (totals.get(`${way} ${size}`) ?? Number.NaN) / size;
    console.log(`${label.padEnd(34)}${(of(400_000) / of(200_000)).toFixed(2).padStart(10)}`);
  }
} finally {
  await browser.close();
}
