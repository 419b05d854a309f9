import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { createClient } from '../../../src/service/client.ts';
import { damageJson, damageText, jsonDamage, runsOf, textDamage } from '../../support/mutations.ts';
import { FACTS } from '../conversation/turns.ts';
import { bytesOf, NEVER, REQUEST, ROUTE, utf8, WIDE_LIMITS } from './wire.ts';

const FOLDER = new URL('../../fixtures/wire/', import.meta.url);
const STREAMS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sse'))
  .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }));

/** A stream with damage, and the number of its characters that are as they were. */
const damaged = fc
  .tuple(fc.constantFrom(...STREAMS), fc.oneof(textDamage, fc.tuple(fc.nat(1000), jsonDamage)))
  .map(([{ name, text }, damage]) => {
    if (!Array.isArray(damage)) return { name, original: text, ...damageText(text, damage) };
    const [which, change] = damage;
    const lines = [...text.matchAll(/data: ?(\{[^\r\n]*)/g)];
    const line = lines[which % lines.length];
    const json = line?.[1] ?? '';
    const from = (line?.index ?? 0) + (line?.[0].length ?? 0) - json.length;
    const next = JSON.stringify(damageJson(JSON.parse(json), change)) ?? '';
    return { name, original: text, from, text: text.slice(0, from) + next + text.slice(from + json.length) };
  });

async function run(pieces: readonly Uint8Array[]): Promise<Turn> {
  const client = createClient({
    transport: async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: bytesOf(...pieces),
    }),
    route: ROUTE,
    key: 'sk-test',
    limits: WIDE_LIMITS,
  });
  let turn = createTurn('t', 0, FACTS);
  let ends = 0;
  for await (const step of runTurn({ client, now: () => 0 }, turn, REQUEST, NEVER)) {
    turn = step.turn;
    if (turn.outcome !== undefined && step.before.outcome === undefined) ends++;
  }
  assert.equal(ends, 1, 'one outcome');
  return turn;
}

/** What a simple reader finds in the events that ended before the damage. */
function readSimply(text: string): { reasoning: string; answer: string } {
  const found = { reasoning: '', answer: '' };
  const events = text
    .replace(/^\ufeff/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .slice(0, -1);
  for (const event of events) {
    for (const line of event.split(/\r\n|\n|\r/)) {
      const data = /^data: ?(\{.*)$/.exec(line)?.[1];
      const delta = data === undefined ? undefined : JSON.parse(data).choices?.[0]?.delta;
      found.answer += delta?.content ?? '';
      found.reasoning += delta?.reasoning_content ?? delta?.reasoning ?? '';
    }
  }
  return found;
}

/** Without what depends on when something arrived, or quotes only the first read. */
const toPlain = ({ outcome, reasoning, answer, rounds, failure, finishReason, damagedEvents }: Turn) => ({
  ...{ outcome, reasoning, answer, rounds, finishReason, damagedEvents },
  failure: failure?.kind,
});

describe('A damaged stream', () => {
  it('has one outcome, the same for each cutting of its bytes, and all text from before the damage', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, fc.array(fc.nat(4000), { maxLength: 6 }), async (stream, cuts) => {
        const bytes = utf8(stream.text);
        const whole = await run([bytes]);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)];
        const pieces = places.map((from, index) => bytes.subarray(from, places[index + 1] ?? bytes.length));
        assert.deepEqual(toPlain(await run(pieces)), toPlain(whole));
        // Tags in the answer tell later that it was reasoning.
        if (stream.name.startsWith('think-tags')) return;
        const before = readSimply(stream.original.slice(0, stream.from));
        const shown = (part: 'reasoning' | 'answer') =>
          [...whole.rounds, whole].map((one) => one[part]).join('');
        assert.ok(shown('reasoning').startsWith(before.reasoning), 'reasoning from before the damage');
        assert.ok(shown('answer').startsWith(before.answer), 'answer from before the damage');
      }),
      runsOf(100),
    );
  }).timeout(3_600_000);
});
