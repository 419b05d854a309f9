/**
 * The cost of reading a stream: 200,004 events of 215 bytes from a server in another process, in writes of 64 KB. Each
 * stack runs in a new process. The results are medians of CPU time, of which only the ratios are comparable
 * (docs/benchmarks.md). `RUNS=1` is quick.
 */
import { fork } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createParser } from 'eventsource-parser';
import { createTurn } from '../../src/chat/fold.ts';
import { runTurn } from '../../src/chat/run.ts';
import { createClient } from '../../src/service/client.ts';
import { nodeTransport } from '../../src/service/nodeTransport.ts';
import type { ChatRequest, Route } from '../../src/service/types.ts';
import { FACTS } from '../unit/chat/turns.ts';

const EVENTS = 200_004;
const EVENT_BYTES = 215;
const WRITE_BYTES = 64 * 1024;
const RUNS = Number(process.env['RUNS'] ?? 5);

interface Sample {
  /** CPU time in microseconds, user and system. */
  readonly cpu: number;
  readonly ms: number;
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
  return { name: 'bench', kind: 'direct', root: `${origin}/v1`, origin, model: 'svc-k3' };
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

function makeStream(): Buffer {
  const choice = (delta: object, reason: string | null = null) => [
    { index: 0, delta, finish_reason: reason },
  ];
  const text = (i: number) => (i % 40 === 39 ? 'end.\n\n' : ' word7');
  const half = (EVENTS - 4) / 2;
  const events = [
    eventOf(choice({ role: 'assistant', content: '' })),
    ...Array.from({ length: half }, (_, i) => eventOf(choice({ reasoning_content: text(i) }))),
    ...Array.from({ length: half }, (_, i) => eventOf(choice({ content: text(i) }))),
    eventOf(choice({}, 'stop')),
    eventOf([], { usage: { prompt_tokens: 1, completion_tokens: EVENTS, total_tokens: EVENTS + 1 } }),
    'data: [DONE]\n\n',
  ];
  return Buffer.from(events.join(''));
}

function serve(): void {
  const stream = makeStream();
  const pump = (response: ServerResponse, from: number): void => {
    for (let at = from; at < stream.length; at += WRITE_BYTES) {
      if (response.write(stream.subarray(at, at + WRITE_BYTES))) continue;
      response.once('drain', () => pump(response, at + WRITE_BYTES));
      return;
    }
    response.end();
  };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    pump(response, 0);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

const never = new AbortController().signal;

async function bodyFrom(origin: string): Promise<AsyncIterable<Uint8Array>> {
  const url = `${origin}/v1/chat/completions`;
  const { body } = await nodeTransport({ method: 'POST', url, headers: {}, body: '{}', signal: never });
  return body;
}

const STACKS: Readonly<Record<string, (origin: string) => Promise<number>>> = {
  async 'node:http, raw bytes (floor)'(origin) {
    let got = 0;
    for await (const part of await bodyFrom(origin)) got += part.length;
    return got;
  },
  async 'eventsource-parser + JSON.parse'(origin) {
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
  async 'K3, client'(origin) {
    let got = 0;
    const client = createClient({ transport: nodeTransport, route: routeTo(origin), key: 'k' });
    for await (const event of client.stream(REQUEST, never)) {
      if (event.type === 'chunk') got += (event.chunk.reasoning?.text ?? event.chunk.answer).length;
    }
    return got;
  },
  async 'K3, client + run + foldTurn'(origin) {
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
};

async function measure(name: string, origin: string): Promise<void> {
  const stack = STACKS[name];
  if (stack === undefined) throw new Error(`no stack ${name}`);
  const before = process.cpuUsage();
  const began = performance.now();
  const got = await stack(origin);
  const { user, system } = process.cpuUsage(before);
  const sample: Sample = { cpu: user + system, ms: performance.now() - began, got };
  process.send?.(sample, () => process.exit(0));
}

/** Starts a process with this file and these arguments, and waits for its first message. */
function ask<T>(args: readonly string[]): { readonly reply: Promise<T>; stop(): void } {
  const child = fork(new URL(import.meta.url), args, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const reply = new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  return { reply, stop: () => void child.kill() };
}

const median = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

async function main(): Promise<void> {
  const server = ask<string>(['serve']);
  const origin = await server.reply;
  const samples = new Map<string, Sample[]>(Object.keys(STACKS).map((name) => [name, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const [name, all] of samples) {
      try {
        all.push(await ask<Sample>(['measure', name, origin]).reply);
      } catch (error) {
        if (run === 0) console.log(`${name}: not measured, ${error}`);
      }
    }
  }
  server.stop();
  const cpuOf = (name: string) => median((samples.get(name) ?? []).map(({ cpu }) => cpu)) / EVENTS;
  const [floor = '', parser = ''] = Object.keys(STACKS);
  console.log(`${EVENTS} events of ${EVENT_BYTES} bytes, medians of ${RUNS}`);
  console.log(
    `${'stack'.padEnd(36)}${'µs CPU/event'.padStart(14)}${'k events/s'.padStart(12)}${'× floor'.padStart(10)}${'× parser'.padStart(10)}`,
  );
  for (const [name, all] of samples) {
    if (all.length === 0) continue;
    const cpu = cpuOf(name);
    const figures = [
      cpu.toFixed(2).padStart(14),
      (EVENTS / median(all.map(({ ms }) => ms))).toFixed(0).padStart(12),
      (cpu / cpuOf(floor)).toFixed(1).padStart(10),
      (cpu / cpuOf(parser)).toFixed(2).padStart(10),
    ];
    console.log(name.padEnd(36) + figures.join(''));
  }
}

const [role, ...args] = process.argv.slice(2);
if (role === 'serve') serve();
else if (role === 'measure') await measure(args[0] ?? '', args[1] ?? '');
else await main();
