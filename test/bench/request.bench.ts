/**
 * What it costs to send a large question: 4 MB of context in twenty files, and twenty images of 400 KB as they are sent, from
 * the conversation to the last byte that the service has read. The floor is the finished request through `JSON.stringify`
 * and `node:http`; the service runs in another process. CPU time of the process that sends. `RUNS=1` is quick.
 */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Question } from '../../src/conversation/question.ts';
import { toConversationContent } from '../../src/requests/conversationRequest.ts';
import { createTurns } from '../../src/requests/turns.ts';
import { nodeTransport } from '../../src/service/nodeTransport.ts';
import type { ChatRequest, Route } from '../../src/service/types.ts';
import { conversationOf } from '../unit/conversation/turns.ts';
import { SETTINGS } from '../unit/requests/support.ts';
import { COMPLETE } from '../unit/service/wire.ts';
import { makeAnswer } from './answerText.ts';
import { ask } from './child.ts';
import { RUNS, report, writeFigures } from './figures.ts';

const FILES = 20;
const FILE_CHARACTERS = 200_000;
const IMAGES = 20;
const IMAGE_CHARACTERS = 400_000;
const never = new AbortController().signal;

function questionOf(): Question {
  const text = makeAnswer(FILE_CHARACTERS);
  // The bytes behind the name of the format are not read.
  const image = `data:image/png;base64,${'iVBORw0KGgo='.repeat(IMAGE_CHARACTERS / 12)}`;
  return {
    text: 'What is in all of this?',
    images: Array.from({ length: IMAGES }, (_, n) => ({ name: `${n}.png`, url: image })),
    context: Array.from({ length: FILES }, (_, n) => ({
      kind: 'file' as const,
      label: `${n}.md`,
      parts: [{ label: `${n}.md`, language: 'markdown', text }],
    })),
    origin: undefined,
  };
}

function serve(): void {
  const server = createServer(async (incoming, response) => {
    let bytes = 0;
    for await (const part of incoming) bytes += part.length;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-bytes': String(bytes) });
    response.end(COMPLETE);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

/** Sends a finished request, and returns how many bytes the service read. */
function post(origin: string, body: ChatRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/v1/chat/completions`, { method: 'POST' }, (response) => {
      response.resume().on('end', () => resolve(Number(response.headers['x-bytes'])));
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

interface Sample {
  /** In milliseconds. */
  readonly cpu: number;
  readonly wall: number;
}

async function measure(act: () => Promise<unknown>): Promise<Sample> {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await act();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / 1000, wall };
}

async function main(): Promise<void> {
  const server = ask<string>(import.meta.url, ['serve']);
  const origin = await server.reply;
  const route: Route = { name: 'bench', kind: 'direct', root: `${origin}/v1`, origin, model: 'svc-k3' };
  const turns = createTurns({
    settings: () => SETTINGS,
    routes: { named: () => undefined, active: () => ({ route, demoKey: undefined }) },
    keys: { find: async () => ({ found: true, key: 'bench', source: 'stored' }) },
    transports: { for: async () => nodeTransport },
    spentToday: () => 0,
    confirm: async () => true,
    putSpend: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
  });
  const question = questionOf();
  const context = { conversation: conversationOf(), exchange: undefined, question };
  const contentOf = () => toConversationContent(SETTINGS, { ...context, route }, {}, () => undefined);
  const built = turns.build(contentOf(), route, SETTINGS.prices);
  if (!built.ok) throw new Error(JSON.stringify(built));
  const { OpenAI } = await import('openai');
  const peer = new OpenAI({ apiKey: 'bench', baseURL: `${origin}/v1` });
  const stacks: Readonly<Record<string, () => Promise<unknown>>> = {
    'JSON.stringify + node:http': () => post(origin, built.request),
    async K3() {
      const prepared = await turns.prepare(
        { asker: 'conversation', countedAs: undefined, content: contentOf },
        never,
      );
      if (!prepared.ok) throw new Error(JSON.stringify(prepared));
      const turn = await prepared.run({ signal: never, onStep: () => undefined });
      if (turn.outcome !== 'complete') throw new Error(`the turn is ${turn.outcome}`);
    },
    async 'openai, create()'() {
      const stream = await peer.chat.completions.create(built.request as never);
      for await (const _ of stream as unknown as AsyncIterable<unknown>);
    },
  };
  const bytes = await post(origin, built.request);
  console.log(
    `${(bytes / 1e6).toFixed(1)} MB, of which ${FILES} files and ${IMAGES} images; medians of ${RUNS}`,
  );
  const samples = new Map<string, Sample[]>(Object.keys(stacks).map((name) => [name, []]));
  // The first run of each compiles.
  for (let run = -1; run < RUNS; run++)
    for (const [name, act] of Object.entries(stacks)) {
      const sample = await measure(act);
      if (run >= 0) samples.get(name)?.push(sample);
    }
  for (const [what, unit] of [
    ['cpu', 'ms CPU'],
    ['wall', 'ms'],
  ] as const) {
    const cases = [...samples].map(([name, all]) => ({ name, samples: all.map((one) => one[what]) }));
    report({ part: `request, ${what}`, unit, cases, floors: ['JSON.stringify + node:http'] });
  }
  server.stop();
  writeFigures();
}

if (process.argv[2] === 'serve') serve();
else await main();
