/**
 * Markers: `[[name]]` or `[[name:argument]]` in the last user message. Several can be combined. Those in
 * `refusing` replace the answer of the model, those in `changing` change it.
 */
import { clipped, type Fields, isFields, type Json } from './json.ts';
import type { ReasoningName, ToolCall } from './memory.ts';
import {
  badKey,
  errorAs200,
  type ForeignRoute,
  filtered,
  noBalance,
  noCapacity,
  page,
  type Refusal,
  rateLimited,
  redirected,
  unknownModelDirect,
  unknownModelGateway,
} from './refusals.ts';
import { type Reply, sample } from './reply.ts';

export type Marker = { name: string; argument: string };

type Instead = {
  route: ForeignRoute;
  model: string;
  argument: string;
  /** How often these messages have failed already. */
  tries: number;
  /** The address that must never be requested. */
  elsewhere: string;
};

/**
 * Seconds that the first 429 asks a client to wait. The second has no time, so the client uses its own
 * backoff.
 */
const retryAfter = 2;

const refusing: Record<string, (instead: Instead) => Refusal | undefined> = {
  '401': ({ route }) => badKey(route),
  '404-direct': ({ model }) => unknownModelDirect(model),
  '404-gateway': ({ model }) => unknownModelGateway(model),
  '429-twice': ({ route, tries }) =>
    [rateLimited(route, retryAfter, retryAfter * 1000), rateLimited(route, undefined, 1000)][tries],
  '429-always': ({ route }) => rateLimited(route, undefined, 500),
  balance: ({ route }) => noBalance(route),
  '503-once': ({ tries }) => (tries === 0 ? noCapacity() : undefined),
  'html-200': () => page(),
  'error-200': ({ argument }) => errorAs200(argument === 'flat'),
  redirect: ({ argument, elsewhere }) => redirected(Number(argument) || 302, elsewhere),
  filtered: ({ route, argument }) => (argument === 'finish' ? undefined : filtered(route)),
};

type Asked = { argument: string; body: Fields; ref: string };

function half(text: string): string {
  return clipped(text, Math.floor(Array.from(text).length / 2));
}

/** Everything up to the middle of the answer, or of the reasoning, without a proper end. */
function broken(reply: Reply, argument: string): Partial<Reply> {
  const early = argument === 'reasoning';
  return {
    ...(early ? { reasoning: half(reply.reasoning), answer: '' } : { answer: half(reply.answer) }),
    finish: undefined,
    usage: 'none',
    done: false,
  };
}

function renamed(argument: string): ReasoningName {
  const names: ReasoningName[] = ['reasoning', 'reasoning_details', 'think', 'both'];
  return names.find((name) => name === argument) ?? 'reasoning';
}

function parametersOf({ parameters }: Fields): Fields {
  return isFields(parameters) ? parameters : {};
}

/**
 * A call of an offered function. `wanted` is empty or the name of a function, with arguments after a space.
 */
function callOf(tool: Json | undefined, wanted: string, index: number, ref: string): ToolCall {
  const made = isFields(tool) && isFields(tool['function']) ? tool['function'] : {};
  const [, named, given] = /^(\S+)(?:\s+([\s\S]+))?$/.exec(wanted) ?? [];
  const name = named ?? String(made['name']);
  return {
    id: `functions.${name}:${index}/${ref}`,
    name,
    arguments: given ?? JSON.stringify(sample({ ...parametersOf(made), type: 'object' }, ref)),
  };
}

/** The loop ends after a tool has answered. Then the plain answer follows. Several calls may have a line each. */
function called(count: number, { argument, body, ref }: Asked): Partial<Reply> {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const last = messages.at(-1);
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  if (tools.length === 0 || (isFields(last) && last['role'] === 'tool')) {
    return {};
  }
  const indices = Array.from({ length: count }, (_, index) => index);
  const lines = argument.split('\n');
  const wanted = (index: number) => lines[index % lines.length] ?? '';
  const calls = indices.map((index) => callOf(tools[index % tools.length], wanted(index), index, ref));
  return { answer: '', finish: 'tool_calls', calls };
}

function lastIs(messages: Json[], role: string): number {
  return messages.findLastIndex((message) => isFields(message) && message['role'] === role);
}

/**
 * Two calls per round, until the requested number of rounds since the last user message is reached. After the number may
 * follow what `callOf` takes.
 */
function calledInRounds({ argument, body, ref }: Asked, answer: string): Partial<Reply> {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  const since = messages.slice(lastIs(messages, 'user') + 1);
  const done = since.filter((message) => isFields(message) && message['role'] === 'assistant').length;
  const [, rounds, wanted = ''] = /^(\d*)\s*(.*)$/s.exec(argument) ?? [];
  if (tools.length === 0 || done >= (Number(rounds) || 3)) {
    return {};
  }
  const calls = [0, 1].map((index) => callOf(tools[(done + index) % tools.length], wanted, index, ref));
  // Some rounds have text next to the calls; the others have no content.
  return { answer: done % 2 === 1 ? half(answer) : '', finish: 'tool_calls', calls };
}

const changing: Record<string, (reply: Reply, asked: Asked) => Partial<Reply>> = {
  'budget-spent': () => ({ answer: '', finish: 'length' }),
  cut: (reply) => ({ answer: half(reply.answer), finish: 'length' }),
  nothing: () => ({ answer: '' }),
  /** Exactly the argument, for example JSON that a format asks for. */
  answers: (_, { argument }) => ({ answer: argument }),
  'other-model': (_, { argument }) => ({ model: argument || 'thrifty-mini-2' }),
  'renamed-reasoning': (_, { argument }) => ({ reasoningName: renamed(argument) }),
  'no-usage': () => ({ usage: 'none' }),
  'zero-usage': () => ({ usage: 'zero' }),
  'no-done': (reply, { argument }) => (argument === 'early' ? broken(reply, '') : { done: false }),
  dropped: (reply, { argument }) => ({ ...broken(reply, argument), ending: 'destroy' }),
  'error-mid-stream': (reply, { argument }) => ({
    ...broken(reply, ''),
    ending: argument === 'event' ? 'error event' : 'error',
  }),
  filtered: (reply) => ({ answer: half(reply.answer), finish: 'content_filter' }),
  'tool-calls': (_, asked) => called(1, asked),
  'two-calls': (_, asked) => called(2, asked),
  'tool-rounds': (reply, asked) => calledInRounds(asked, reply.answer),
  'calls-then-length': (_, asked) => ({ ...called(2, asked), finish: 'length' }),
  'calls-then-cut': (_, asked) => ({
    ...called(2, asked),
    finish: undefined,
    usage: 'none',
    done: false,
  }),
  'calls-then-dropped': (_, asked) => ({
    ...called(2, asked),
    finish: undefined,
    usage: 'none',
    done: false,
    ending: 'destroy',
  }),
  'slow-first': (_, { argument }) => ({ firstPause: Number(argument) || 3000 }),
  'keep-alive': () => ({ comments: true }),
  'empty-choices': () => ({ emptyChoices: true }),
  'usage-in-choice': (_, { argument }) => ({ usage: argument === 'twice' ? 'twice' : 'choice' }),
  'null-deltas': () => ({ nulls: true }),
  'single-bytes': (reply) => ({
    reasoning: ofSeveralBytes(reply.reasoning),
    framing: { eol: '\r\n', space: true, bom: true, single: true },
  }),
  'bare-cr': (reply) => ({ framing: { ...reply.framing, eol: '\r' } }),
  'no-space': (reply) => ({ framing: { ...reply.framing, space: false } }),
};

/** The paragraphs that have characters of several bytes. A write for each byte of the others would show nothing more. */
const ofSeveralBytes = (text: string) =>
  text
    .split('\n\n')
    .filter((paragraph) => /[^\0-\x7f]/.test(paragraph))
    .join('\n\n');

/** The names of all markers, in alphabetical order. */
export const markerNames: string[] = [
  ...new Set([...Object.keys(refusing), ...Object.keys(changing)]),
].sort();

export function markersIn(text: string): Marker[] {
  const found = text.matchAll(/\[\[([a-z0-9-]+)(?::([\s\S]*?))?\]\]/g);
  return [...found].map(([, name = '', argument = '']) => ({ name, argument }));
}

/** The first refusal that the markers request, if any. */
export function refusalBy(markers: Marker[], instead: Omit<Instead, 'argument'>): Refusal | undefined {
  for (const { name, argument } of markers) {
    const refusal = refusing[name]?.({ ...instead, argument });
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

export function changedBy(markers: Marker[], reply: Reply, asked: Omit<Asked, 'argument'>): Reply {
  let changed = reply;
  for (const { name, argument } of markers) {
    changed = Object.assign({}, changed, changing[name]?.(changed, { ...asked, argument }));
  }
  return changed;
}
