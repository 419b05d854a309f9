/** Streams that are hard to parse: bytes, line ends, fields, and events (docs/service.md, Faults to survive). */

import { encodeEvent, type Frame } from '../frames.ts';
import { type ReplyStep, write } from '../steps.ts';
import { FAULTS, ORDER, type Scenario } from './scenario.ts';
import { firstParagraphs, mapDeltas, withFields, withUnicode } from './scenarioParts.ts';

export const FRAMING_SCENARIOS: readonly Scenario[] = [
  {
    name: 'single-bytes',
    row: FAULTS,
    title: 'One byte a write, with a BOM first and CRLF line ends',
    draft: (draft) => withUnicode(firstParagraphs(draft)),
    encode: (data) => `data: ${data}\r\n\r\n`,
    steps: (steps) => [...byteByByte(steps)],
    tokensPerSecond: Number.POSITIVE_INFINITY,
  },
  {
    name: 'crlf',
    row: FAULTS,
    title: 'CRLF line ends',
    draft: withUnicode,
    encode: (data) => `data: ${data}\r\n\r\n`,
  },
  {
    name: 'split-crlf',
    row: FAULTS,
    title: 'CRLF line ends with the LF always in the next write',
    encode: (data) => `data: ${data}\r\n\r\n`,
    steps: (steps) => steps.flatMap((step) => (step.type === 'write' ? splitAfterCr(step.bytes) : [step])),
  },
  {
    name: 'bare-cr',
    row: FAULTS,
    title: 'Lines end with CR alone',
    draft: withUnicode,
    encode: (data) => `data: ${data}\r\r`,
  },
  {
    name: 'no-space',
    row: FAULTS,
    title: '`data:` without a space after it',
    encode: (data) => `data:${data}\n\n`,
  },
  {
    name: 'comments',
    row: ORDER,
    title: 'Keep-alive comments between the events, and inside them',
    encode: (data) => `: PROCESSING\n\n:\ndata: ${data}\n: still here\n\n`,
  },
  {
    name: 'multi-line',
    row: FAULTS,
    title: 'Each chunk is spread over several data lines',
    encode: (data) =>
      data.startsWith('{')
        ? `${JSON.stringify(JSON.parse(data), null, 1).replace(/^/gm, 'data: ')}\n\n`
        : encodeEvent(data),
  },
  {
    name: 'unknown-fields',
    row: FAULTS,
    title: 'Fields and events that nobody knows, in the chunks and in the stream',
    frames: (frames) =>
      frames.map((frame) =>
        withFields(
          mapDeltas(frame, (delta) => ({ ...delta, mood: 'curious', provider_specific_fields: { a: [1] } })),
          { provider: 'emulator', service_tier: 'demo', system_fingerprint: 'fp_0', x: { y: null } },
        ),
      ),
    encode: (data) =>
      `event: ping\ndata: {"type":"ping"}\n\nid: 7\nretry: 10000\nfoo: bar\nbaz\nevent: message\ndata: ${data}\n\n`,
  },
  {
    name: 'null-fields',
    row: FAULTS,
    title: 'Every field that a chunk does not need is null',
    frames: (frames) =>
      frames.map((frame) =>
        withFields(
          mapDeltas(frame, (delta) => ({
            role: null,
            content: null,
            reasoning_content: null,
            refusal: null,
            tool_calls: null,
            function_call: null,
            ...delta,
          })),
          { usage: frame.chunk['usage'] ?? null, system_fingerprint: null },
        ),
      ),
  },
  {
    name: 'null-delta',
    row: FAULTS,
    title: 'Chunks whose delta is null or missing stand between the others',
    frames: (frames) => frames.flatMap((frame) => [...withoutDelta(frame), frame]),
  },
  {
    name: 'empty-choices',
    row: 'R8',
    title: 'Chunks with empty choices, and with none, stand between the others',
    frames: (frames) =>
      frames.flatMap((frame) => [withChoices(frame, []), withChoices(frame, undefined), frame]),
  },
  {
    name: 'content-parts',
    row: FAULTS,
    title: 'content in deltas and messages is a list of parts',
    fields: (fields) =>
      typeof fields['content'] === 'string'
        ? { ...fields, content: [{ type: 'text', text: fields['content'] }] }
        : fields,
  },
  {
    name: 'broken-chunk',
    row: FAULTS,
    title: 'An event that is no JSON stands between the chunks',
    steps: (steps) =>
      steps.flatMap((step) =>
        step.type === 'write' && step.phase === 'finish'
          ? [write('data: {"id": "chatcmpl-\n\n'), step]
          : [step],
      ),
  },
  {
    name: 'big-line',
    row: FAULTS,
    title: 'A line of 10 MB',
    frames: ([first, ...others]) =>
      first === undefined
        ? []
        : [first, { ...withFields(first, { padding: 'x'.repeat(10_000_000) }) }, ...others],
  },
  {
    name: 'one-write',
    row: FAULTS,
    title: 'The whole stream in one write',
    steps: (steps) => [
      ...steps.filter((step) => step.type === 'head'),
      write(steps.map((step) => (step.type === 'write' ? step.bytes : '')).join('')),
      { type: 'end' },
    ],
  },
];

/** The byte order mark, then each byte of the stream in a separate write. */
function* byteByByte(steps: readonly ReplyStep[]): Generator<ReplyStep> {
  let isFirst = true;
  for (const step of steps) {
    if (step.type !== 'write') {
      yield step;
      continue;
    }
    const bytes = Buffer.from(isFirst ? `\uFEFF${String(step.bytes)}` : String(step.bytes));
    isFirst = false;
    for (const [at] of bytes.entries()) yield write(bytes.subarray(at, at + 1), step.phase);
  }
}

function splitAfterCr(bytes: string | Uint8Array): readonly ReplyStep[] {
  return String(bytes)
    .split(/(?<=\r)/)
    .map((piece) => write(piece));
}

function withoutDelta(frame: Frame): readonly Frame[] {
  if (frame.phase === 'usage') return [];
  const choice = { index: 0, finish_reason: null };
  return [withChoices(frame, [{ ...choice, delta: null }]), withChoices(frame, [choice])];
}

function withChoices(frame: Frame, choices: readonly unknown[] | undefined): Frame {
  const { choices: _choices, usage: _usage, ...head } = frame.chunk;
  return { ...frame, tokens: 0, chunk: choices === undefined ? head : { ...head, choices } };
}
