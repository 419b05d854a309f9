/**
 * The whole product, live in the real workbench: an answer of 400 KB that comes as 57,000 deltas in one burst. From the
 * click on Send to the last text in the panel, beside the same markdown put into a page whole, once, in the same run
 * (design/speed.md). The processor time of the extension host is read from /proc, so on Linux only.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import markdownIt from 'markdown-it';
import { answerEnded, sendQuestion } from '../support/chatDriver.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const ANSWER_CHARACTERS = 400_000;
const DELTAS = 57_000;
const RUNS = Number(process.env['RUNS'] ?? 3);
const MARK = 'The very last words.';

/** Prose, lists, a table and a fence, over and over, as long answers are. */
function makeAnswer(): string {
  const part = (n: number) =>
    [
      `## Part ${n}`,
      'A paragraph with **strong words**, `code` and a [link](https://example.com), long enough to wrap in a side bar.',
      ...[1, 2, 3].map((i) => `${i}. Item ${i} of part ${n}, with a few words`),
      '',
      '| name | value |\n|---|---|\n| one | 1 |\n| two | 2 |',
      '',
      `\`\`\`ts\nexport function part${n}(x: number): number {\n  return x * ${n};\n}\n\`\`\``,
      '',
    ].join('\n');
  let text = '';
  for (let n = 1; text.length < ANSWER_CHARACTERS; n++) text += `${part(n)}\n`;
  return `${text}\n${MARK}\n`;
}

function toEvents(answer: string): string {
  const size = Math.ceil(answer.length / DELTAS);
  const event = (delta: object, reason: string | null = null, usage: object | null = null) =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'svc-k3', choices: [{ index: 0, delta, finish_reason: reason }], usage })}\n\n`;
  let events = event({ role: 'assistant', reasoning_content: 'Think.' });
  for (let at = 0; at < answer.length; at += size) events += event({ content: answer.slice(at, at + size) });
  const usage = { prompt_tokens: 10, completion_tokens: 100_000, total_tokens: 100_010 };
  return `${events}${event({}, 'stop', usage)}data: [DONE]\n\n`;
}

/** CPU seconds, user and system, of the extension hosts that run below this process. */
async function hostSeconds(): Promise<number> {
  let ticks = 0;
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes('--type=extensionHost')) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks / 100;
}

/** The floor: the final HTML of the answer put into a page of the panel's width, laid out once. */
async function floor(workbench: Workbench, answer: string): Promise<number> {
  const page = await workbench.page.context().browser()?.newPage();
  if (page === undefined) return Number.NaN;
  const html = JSON.stringify(markdownIt().render(answer));
  // As text, because the types of a page are not those of the host, where this file is checked.
  const ms = await page.evaluate<number>(`(async () => {
    const text = ${html};
    const begun = performance.now();
    const box = document.createElement('div');
    box.style.width = '300px';
    box.innerHTML = text;
    document.body.append(box);
    box.getBoundingClientRect();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - begun;
  })()`);
  await page.close();
  return ms;
}

interface Sample {
  readonly ms: number;
  readonly hostMs: number;
  readonly floorMs: number;
  readonly heapMb: number;
}

async function measure(workbench: Workbench, answer: string): Promise<Sample> {
  await workbench.runCommand('K3: New Conversation');
  const chat = await workbench.chat();
  await chat.locator('article').first().waitFor({ state: 'detached' });
  const hostBefore = await hostSeconds();
  const begun = performance.now();
  await sendQuestion(chat, 'All of it, please');
  await chat.getByText(MARK).waitFor({ state: 'attached', timeout: 120_000 });
  const ms = performance.now() - begun;
  await answerEnded(chat, 120_000);
  const hostMs = ((await hostSeconds()) - hostBefore) * 1000;
  const shown = await chat.locator('[data-part="answer"]').last().textContent();
  if ((shown?.length ?? 0) < ANSWER_CHARACTERS / 2)
    throw new Error(`only ${shown?.length} characters are shown`);
  const heap = await chat.evaluate(() =>
    'memory' in performance
      ? (performance.memory as { readonly usedJSHeapSize: number }).usedJSHeapSize / 1024 / 1024
      : Number.NaN,
  );
  return { ms, hostMs, floorMs: await floor(workbench, answer), heapMb: heap };
}

const median = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

const answer = makeAnswer();
const events = toEvents(answer);
const server = createServer((request, response: ServerResponse) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const workbench = await startWorkbench({
  env: { K3_API_KEY: 'bench' },
  settings: {
    'k3.routes': { burst: { kind: 'direct', baseUrl: `http://127.0.0.1:${port}/v1` } },
    'k3.route': 'burst',
  },
});
try {
  await workbench.runCommand('K3: Focus Chat');
  await workbench.chat();
  const samples: Sample[] = [];
  for (let run = 0; run < RUNS; run++) samples.push(await measure(workbench, answer));
  const of = (key: keyof Sample) => median(samples.map((sample) => sample[key]));
  console.log(
    `${answer.length} characters in ${DELTAS} deltas, ${(events.length / 1e6).toFixed(1)} MB; median of ${RUNS}`,
  );
  console.log(`send → last words shown  ${of('ms').toFixed(0)} ms`);
  console.log(`whole at once (floor)    ${of('floorMs').toFixed(0)} ms`);
  console.log(`ratio                    ${(of('ms') / of('floorMs')).toFixed(2)}`);
  console.log(`extension host CPU       ${of('hostMs').toFixed(0)} ms`);
  console.log(`webview heap             ${of('heapMb').toFixed(0)} MB`);
} finally {
  await workbench.dispose();
  server.close();
}
