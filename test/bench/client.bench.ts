/**
 * The CPU time of reading a stream: bytes, events, and a folded turn, compared with raw bytes, a parser, and other clients,
 * from a server in another process. The stacks run alternately, each in a new process. The results are medians, of which
 * only the ratios are comparable (docs/performance.md). `RUNS=1` is quick.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { fetched, installPackage } from '../../scripts/lib/fetched.mjs';
import { createTurn } from '../../src/conversation/fold.ts';
import { runTurn } from '../../src/conversation/runTurn.ts';
import { createClient } from '../../src/service/client.ts';
import { nodeTransport } from '../../src/service/nodeTransport.ts';
import type { ChatRequest, Route } from '../../src/service/types.ts';
import { FACTS } from '../unit/conversation/turns.ts';
import { ask } from './child.ts';
import { RUNS, report, writeFigures } from './figures.ts';

const EVENT_BYTES = 215;
const WRITE_BYTES = 64 * 1024;

/** How the server sends the events. `rate` is in events a second; without one, as fast as they are read. */
const MODES = {
  'large writes': { events: 200_004, writeBytes: WRITE_BYTES, rate: undefined },
  'one event a write': { events: 50_004, writeBytes: 0, rate: undefined },
  '2,000 a second': { events: 12_004, writeBytes: 0, rate: 2000 },
  '200 a second': { events: 604, writeBytes: 0, rate: 200 },
} as const;

type Mode = keyof typeof MODES;

const isMode = (name: string): name is Mode => name in MODES;

interface Sample {
  /** CPU time in microseconds, user and system. */
  readonly cpu: number;
  /** Characters or bytes that were received, to verify that a stack reads everything. */
  readonly got: number;
}

const REQUEST: ChatRequest = {
  model: 'svc-k3',
  messages: [{ role: 'user', content: 'Go.' }],
  stream: true,
  stream_options: { include_usage: true },
};

function routeTo(origin: string): Route {
  return {
    name: 'bench',
    kind: 'direct',
    root: `${origin}/v1`,
    origin: new URL(origin).origin,
    model: 'svc-k3',
  };
}

/** An event of exactly 215 bytes, padded in the fingerprint, which is not read. */
function eventOf(choices: readonly object[], more: object = {}): string {
  const write = (fingerprint: string) => {
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'svc-k3',
      choices,
      ...more,
    };
    return `data: ${JSON.stringify({ ...chunk, system_fingerprint: fingerprint })}\n\n`;
  };
  return write('f'.repeat(Math.max(0, EVENT_BYTES - write('').length)));
}

function makeEvents(count: number): readonly Buffer[] {
  const choice = (delta: object, reason: string | null = null) => [
    { index: 0, delta, finish_reason: reason },
  ];
  const text = (i: number, word: string) => (i % 40 === 39 ? 'end.\n\n' : ` ${word}`);
  const half = (count - 4) / 2;
  // Two texts: an answer that says the same as the reasoning is held back, because it may be reasoning that comes twice.
  const events = [
    eventOf(choice({ role: 'assistant', content: '' })),
    ...Array.from({ length: half }, (_, i) => eventOf(choice({ reasoning_content: text(i, 'think') }))),
    ...Array.from({ length: half }, (_, i) => eventOf(choice({ content: text(i, 'word7') }))),
    eventOf(choice({}, 'stop')),
    eventOf([], { usage: { prompt_tokens: 1, completion_tokens: count, total_tokens: count + 1 } }),
    'data: [DONE]\n\n',
  ];
  return events.map((event) => Buffer.from(event));
}

/** Joins events to writes of at least this size. */
function toWrites(events: readonly Buffer[], bytes: number): readonly Buffer[] {
  if (bytes === 0) return events;
  const whole = Buffer.concat(events);
  return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, i) =>
    whole.subarray(i * bytes, (i + 1) * bytes),
  );
}

async function pump(response: ServerResponse, mode: Mode): Promise<void> {
  const { events, writeBytes, rate } = MODES[mode];
  const began = performance.now();
  for (const [at, part] of toWrites(makeEvents(events), writeBytes).entries()) {
    // A timer can be late; the events that are due are then sent one after the other.
    const early = rate === undefined ? 0 : began + (at * 1000) / rate - performance.now();
    if (early > 1) await pause(early);
    if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

function serve(): void {
  const server = createServer((incoming, response) => {
    incoming.resume();
    const mode = decodeURIComponent(incoming.url?.split('/')[1] ?? '');
    if (!isMode(mode)) throw new Error(`no mode ${mode}`);
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void pump(response, mode);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

const never = new AbortController().signal;

/** The response of `node:http`, read without our code. */
function bodyFrom(origin: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${origin}/v1/chat/completions`, { method: 'POST' }, resolve).on('error', reject).end('{}');
  });
}

const STACKS: Readonly<Record<string, (origin: string) => Promise<number>>> = {
  async 'raw bytes'(origin) {
    let got = 0;
    for await (const part of await bodyFrom(origin)) got += part.length;
    return got;
  },
  async parser(origin) {
    let got = 0;
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ data }) => {
        if (data === '[DONE]') return;
        const delta = JSON.parse(data).choices[0]?.delta;
        got += (delta?.reasoning_content ?? delta?.content ?? '').length;
      },
    });
    for await (const part of await bodyFrom(origin)) parser.feed(decoder.decode(part, { stream: true }));
    return got;
  },
  async 'K3, events'(origin) {
    let got = 0;
    const client = createClient({ transport: nodeTransport, route: routeTo(origin), key: 'k' });
    for await (const event of client.stream(REQUEST, never)) {
      if (event.type === 'chunk') got += (event.chunk.reasoning?.text ?? event.chunk.answer).length;
    }
    return got;
  },
  async 'K3, folded turn'(origin) {
    const client = createClient({ transport: nodeTransport, route: routeTo(origin), key: 'k' });
    let turn = createTurn('t', 0, FACTS);
    const deps = { client, now: () => performance.now() };
    for await (const step of runTurn(deps, turn, REQUEST, never)) turn = step.turn;
    if (turn.outcome !== 'complete') throw new Error(`the turn is ${turn.outcome}`);
    return turn.reasoning.length + turn.answer.length;
  },
  async 'openai, create()'(origin) {
    const { OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'k', baseURL: `${origin}/v1` });
    let got = 0;
    const stream = await client.chat.completions.create({
      model: 'svc-k3',
      messages: [{ role: 'user', content: 'Go.' }],
      stream: true,
    });
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined;
      got += (delta?.reasoning_content ?? delta?.content ?? '').length;
    }
    return got;
  },
  async 'ai + openai-compatible'(origin) {
    const { streamText } = await import('ai');
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({ name: 'k3', apiKey: 'k', baseURL: `${origin}/v1` });
    let got = 0;
    for await (const part of streamText({ model: provider('svc-k3'), prompt: 'Go.' }).fullStream)
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') got += part.text.length;
    return got;
  },
  async 'LangChain, ChatOpenAI'(origin) {
    const { ChatOpenAI } = await importLangChain();
    const configuration = { baseURL: `${origin}/v1` };
    const model = new ChatOpenAI({ apiKey: 'k', model: 'svc-k3', useResponsesApi: false, configuration });
    let got = 0;
    for await (const { content, additional_kwargs } of await model.stream('Go.'))
      got += (content || (additional_kwargs['reasoning_content'] ?? '')).length;
    return got;
  },
};

interface LangChain {
  readonly ChatOpenAI: new (
    options: object,
  ) => {
    stream(
      question: string,
    ): Promise<
      AsyncIterable<{ content: string; additional_kwargs: { readonly reasoning_content?: string } }>
    >;
  };
}

/** Imported by name, because it isn't a dependency of this package. */
async function importLangChain(): Promise<LangChain> {
  const folder = await fetched('bench-langchain-1', 'Getting LangChain for the benchmark …', (part) =>
    installPackage(part, '@langchain/openai@1.6.0', '@langchain/core@1.2.13'),
  );
  return createRequire(join(folder, 'package.json'))('@langchain/openai');
}

/** The modules that a stack loads before it is measured. */
const PEERS: Readonly<Record<string, () => Promise<unknown>>> = {
  'LangChain, ChatOpenAI': importLangChain,
  'openai, create()': () => import('openai'),
  'ai + openai-compatible': () => Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]),
};

/** In CPU time, user and system. */
async function measure(name: string, origin: string): Promise<void> {
  const stack = STACKS[name];
  if (stack === undefined) throw new Error(`no stack ${name}`);
  await PEERS[name]?.();
  const before = process.cpuUsage();
  const got = await stack(origin);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpu: user + system, got } satisfies Sample, () => process.exit(0));
}

/** The characters that a stack has to read; the floor counts bytes. */
function check(name: string, mode: Mode, { got }: Sample): void {
  const texts = (MODES[mode].events - 4) * ' word7'.length;
  const wanted = name === 'raw bytes' ? MODES[mode].events * EVENT_BYTES : texts;
  if (Math.abs(got - wanted) > EVENT_BYTES) throw new Error(`${name} read ${got} of ${wanted}`);
}

async function main(): Promise<void> {
  const server = ask<string>(import.meta.url, ['serve']);
  const origin = await server.reply;
  for (const mode of Object.keys(MODES).filter(isMode)) {
    const samples = new Map<string, number[]>(Object.keys(STACKS).map((name) => [name, []]));
    for (let run = 0; run < RUNS; run++) {
      for (const [name, all] of samples) {
        const sample = await ask<Sample>(import.meta.url, [
          'measure',
          name,
          `${origin}/${encodeURIComponent(mode)}`,
        ]).reply;
        check(name, mode, sample);
        all.push(sample.cpu / MODES[mode].events);
      }
    }
    const cases = [...samples].map(([name, all]) => ({ name, samples: all }));
    report({ part: `client, ${mode}`, unit: 'µs CPU an event', cases, floors: ['raw bytes', 'parser'] });
  }
  server.stop();
  writeFigures();
}

const [role, ...args] = process.argv.slice(2);
if (role === 'serve') serve();
else if (role === 'measure') await measure(args[0] ?? '', args[1] ?? '');
else await main();
