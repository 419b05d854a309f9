/**
 * The cost of the panel in the browser while an answer streams, 2,048 characters per frame, sent as messages of the host to the
 * built page, without a workbench: mixed Markdown of 50, 200, and 400 KB, and huge blocks of 50 KB. For comparison, in pages of
 * the same size: plain text as a lower bound, markdown-it on all text in every frame, and react-markdown, on all text and with
 * memoised blocks. Then the same at 200 tokens a second, after most of the text is shown. Fails if the panel's answer differs
 * from a full rendering. Only ratios are comparable (docs/performance.md). `RUNS=1` is quick, `SIZES=50` measures only this size in
 * KB, `KINDS=fence` only this block, `WAYS=floor,panel` only these displays, `RATES=paced` only the second part. `DIST=` is the
 * folder of another build.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { chromiumSwitches } from '../../scripts/lib/editorServer.mjs';
import { fetched, installPackage } from '../../scripts/lib/fetched.mjs';
import type { HostMessage } from '../../src/panel/hostMessages.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView, type Unnumbered } from '../support/views.ts';
import { median, RUNS, report, writeFigures } from './figures.ts';
import { FIGURES, type FrameRow, PACED_FIGURES, type Sample } from './panelFigures.ts';
import { KINDS, makeText } from './panelTexts.ts';

const SIZES = (process.env['SIZES'] ?? '50,200,400').split(',').map((size) => Number(size) * 1000);
const KINDS_WANTED = (process.env['KINDS'] ?? KINDS.join(',')).split(',');
const HUGE_BLOCK = 50_000;
const CHARACTERS_A_FRAME = 2048;
/** 200 tokens a second, of four characters. */
const PACED_CHARACTERS_A_FRAME = (200 * 4) / 60;
/** The text that arrives at this rate, after the rest of the text: ten seconds. */
const PACED_CHARACTERS = 8000;
const FAST = { first: 0, charactersAFrame: CHARACTERS_A_FRAME };
const RATES = (process.env['RATES'] ?? 'fast,paced').split(',');
const ORIGIN = 'http://panel.test';
const VIEWPORT = { width: 400, height: 800 };
/** The longest text for peers that render all text in each frame; longer texts take them minutes. In characters. */
const MOST_IN_FULL = 200_000;
const ALL_WAYS = [
  { way: 'floor', label: 'plain text' },
  { way: 'panel', label: 'K3' },
  { way: 'full', label: 'markdown-it, all text' },
  { way: 'react-blocks', label: 'react-markdown, memoised blocks' },
  { way: 'react-full', label: 'react-markdown, all text' },
] as const;
const WAYS_WANTED = process.env['WAYS']?.split(',');
const WAYS = ALL_WAYS.filter(({ way }) => WAYS_WANTED?.includes(way) ?? true);
const PEERS = ['marked@17', 'react@19', 'react-dom@19', 'react-markdown@10', 'remark-gfm@4'];

/**
 * The host's messages before, during, and after the text. The panel's `ready` is not received, so that it starts with a
 * snapshot.
 */
function makeHost(): Readonly<Record<'begin' | 'status' | 'end', readonly Unnumbered<HostMessage>[]>> {
  const around = surroundingsView({ reasoningInChat: 'expanded' });
  const exchange = exchangeView('e1', 'All of it, please', '', turnView('running'));
  return {
    begin: [
      snapshotOf([], { surroundings: around }),
      { type: 'exchange', exchange },
      { type: 'surroundings', surroundings: { ...around, running: true } },
    ],
    status: [{ type: 'turn', turn: turnView('running') }],
    end: [
      {
        type: 'turn',
        turn: turnView('complete', { accountLine: '100,000 tokens' }),
      },
      { type: 'surroundings', surroundings: around },
    ],
  };
}

/** The peers are no dependencies of this package. */
const installPeers = () =>
  fetched('bench-react-1', 'Getting react-markdown for the benchmark …', (part) =>
    installPackage(part, ...PEERS),
  );

const dist = process.env['DIST'] ?? fileURLToPath(new URL('../../dist/', import.meta.url));

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./panelPage.mjs', import.meta.url))],
    bundle: true,
    nodePaths: [join(await installPeers(), 'node_modules')],
    define: { 'process.env.NODE_ENV': '"production"' },
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
  const panel = way === 'panel' ? '<script src="/webview.js"></script>' : '';
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

/** How a text arrives: the number of characters at the beginning, and then in each frame. */
interface Rate {
  readonly first: number;
  readonly charactersAFrame: number;
}

async function measure(browser: Browser, way: string, text: string, rate: Rate): Promise<Sample> {
  const page = await openPage(browser, script, way);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(`bench.load(${JSON.stringify(text)}, ${JSON.stringify(makeHost())})`);
  const heapBefore = await heapOf(cdp);
  const before = await metricsOf(cdp);
  const frames = await page.evaluate<readonly FrameRow[]>(
    `bench.stream('${way}', ${rate.charactersAFrame}, ${rate.first})`,
  );
  const after = await metricsOf(cdp);
  const heap = (await heapOf(cdp)) - heapBefore;
  const difference = way === 'panel' ? await page.evaluate<string>('bench.difference()') : undefined;
  await page.context().close();
  const main = ((after.get('TaskDuration') ?? 0) - (before.get('TaskDuration') ?? 0)) * 1000;
  return { main, frames, heap, difference };
}

/** The answer of the panel has to equal a full rendering. */
function failIfDifferent(what: string, samples: readonly Sample[] = []): void {
  const different = samples.find(({ difference }) => difference !== undefined);
  if (different === undefined) return;
  console.error(`${what}: the answer is another one, ${different.difference}`);
  process.exitCode = 1;
}

/** Measures the frames at 200 tokens a second, after all of the text except its end is shown. */
async function measurePaced(kind: string, size: number): Promise<void> {
  const text = makeText(kind, size);
  const rate = { first: text.length - PACED_CHARACTERS, charactersAFrame: PACED_CHARACTERS_A_FRAME };
  const ways = WAYS.filter(({ way }) => !way.includes('full'));
  const samples = new Map<string, Sample[]>(ways.map(({ way }) => [way, []]));
  for (let run = 0; run < RUNS; run++)
    for (const [way, all] of samples) all.push(await measure(browser, way, text, rate));
  failIfDifferent(`${kind}, ${size / 1000} KB, paced`, samples.get('panel'));
  for (const [figure, unit, figureOf] of PACED_FIGURES) {
    const cases = ways.map(({ way, label }) => ({
      name: label,
      samples: (samples.get(way) ?? []).map(({ frames }) => figureOf(frames.filter((row) => row.streaming))),
    }));
    report({
      part: `${kind}, ${size / 1000} KB, 200 tokens a second: ${figure}`,
      unit,
      cases,
      floors: ['plain text'],
    });
  }
}

async function measureText(kind: string, size: number): Promise<void> {
  const text = makeText(kind, size);
  const ways = WAYS.filter(({ way }) => size <= MOST_IN_FULL || !way.includes('full'));
  const samples = new Map<string, Sample[]>(ways.map(({ way }) => [way, []]));
  for (let run = 0; run < RUNS; run++)
    for (const [way, all] of samples) all.push(await measure(browser, way, text, FAST));
  failIfDifferent(`${kind}, ${size / 1000} KB`, samples.get('panel'));
  const floors = ways.filter(({ way }) => way !== 'panel').map(({ label }) => label);
  for (const [figure, unit, figureOf] of FIGURES) {
    const cases = ways.map(({ way, label }) => ({
      name: label,
      samples: (samples.get(way) ?? []).map((sample) => figureOf(sample, size)),
    }));
    const isTotal = figure === 'main thread';
    report({
      part: `${kind}, ${size / 1000} KB: ${figure}`,
      unit,
      cases,
      floors: isTotal ? floors : ['plain text'],
    });
    const panel = cases.find(({ name }) => name === 'K3');
    if (isTotal && panel !== undefined) totals.set(`${kind} ${size}`, median(panel.samples));
  }
}

/** The main thread's time of the panel, by kind and size. */
const totals = new Map<string, number>();
const script = await bundlePage();
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumSwitches });
try {
  console.log(`${CHARACTERS_A_FRAME} characters a frame, Chromium ${browser.version()}, medians of ${RUNS}`);
  if (RATES.includes('fast'))
    for (const kind of KINDS_WANTED)
      for (const size of kind === 'mixed' ? SIZES : [HUGE_BLOCK]) await measureText(kind, size);
  if (RATES.includes('paced'))
    for (const kind of KINDS_WANTED)
      await measurePaced(kind, kind === 'mixed' ? (SIZES.at(-1) ?? HUGE_BLOCK) : HUGE_BLOCK);
  for (const [at, size] of SIZES.entries()) {
    const [before, now] = [SIZES[at - 1], size].map((one) => totals.get(`mixed ${one}`));
    if (before === undefined || now === undefined) continue;
    const exponent = Math.log(now / before) / Math.log(size / (SIZES[at - 1] ?? size));
    console.log(
      `growth from ${(SIZES[at - 1] ?? 0) / 1000} to ${size / 1000} KB: exponent ${exponent.toFixed(2)}`,
    );
  }
} finally {
  await browser.close();
}
writeFigures();
