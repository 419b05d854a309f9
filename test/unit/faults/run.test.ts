import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { untilAborted } from '../../../src/service/abort.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { FAULTS } from '../../faults/all.ts';
import { type Fault, nameOf, type Row, rowsOf } from '../../faults/fault.ts';
import type { Rule } from '../../faults/judge.ts';
import { ownPause } from '../../faults/ownTime.ts';
import { runRows } from '../../faults/run.ts';

/** `npm run faults` plays all rows. These are a few of each kind, none of which waits for a limit. */
const QUICK: readonly string[] = [
  'refused',
  'dns-late',
  'pac-late',
  'kept-connection-closes',
  'tls-plain-http',
  'proxy-403',
  'proxy-hangs-up',
  'reset',
  'fin',
  'end-without-done',
  'tls-broken',
  'status-401',
  'status-503-twice-then-answer',
  '200-empty',
  'gzip-fin',
  'error-object',
  'call-valid-but-cut',
];

/** One row for each phase of a fault. Which route and transport it is changes from row to row. */
const oneInEachPhase = (fault: Fault): readonly Row[] =>
  fault.phases.flatMap((phase, at) => {
    const rows = rowsOf([{ ...fault, phases: [phase] }]);
    return rows.slice((at * 3) % rows.length).slice(0, 1);
  });

const faultNamed = (name: string): Fault =>
  FAULTS.find((fault) => fault.name === name) ?? assert.fail(`there is no fault ${name}`);

describe('A fault', () => {
  it('leaves every turn with one outcome, its text, and one entry in the account (all: npm run faults)', async () => {
    const rows = QUICK.map(faultNamed).flatMap(oneInEachPhase);
    const results = await runRows(rows);
    const wrong = results.flatMap(({ row, violations }) =>
      violations.map(({ rule, says }) => `${nameOf(row)}: ${rule}: ${says}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('is declared for at least 360 rows, with names of its own', () => {
    assert.ok(rowsOf(FAULTS).length >= 360);
    assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length);
  });
});

/** Clients that are broken in one way, and the rule that each breaks. */
const BROKEN: readonly (readonly [name: string, Rule, fault: string, (send: Transport) => Transport])[] = [
  ['loses the last piece', 'lost', 'end-without-done', (send) => withBody(send, withoutLast)],
  ['sends a request twice', 'sent twice', 'fin', sendsTwice],
  ['takes a break for an end', 'outcome', 'fin', (send) => withBody(send, untilBroken)],
  ['leaves a connection open', 'open', 'stall', keepsOpen],
  ['ends late after a stop', 'stop', 'stall', (send) => withBody(send, lateAfterAbort)],
];

describe('The harness', () => {
  for (const [name, rule, fault, breakTransport] of BROKEN)
    it(`fails a client that ${name}`, async () => {
      const rows = rowsOf([{ ...faultNamed(fault), phases: ['answering'] }]).slice(0, 1);
      // A violation is what is expected here, so one that depends on time is not played again.
      const [result = assert.fail()] = await runRows(rows, { breakTransport, tries: 1 });
      const rules = result.violations.map((violation) => violation.rule);
      assert.ok(rules.includes(rule), `${rules.join(', ') || 'no violation'}`);
    });

  it('fails a window that doesn’t record how a turn ended', async () => {
    const rows = rowsOf([{ ...faultNamed('fin'), phases: ['answering'] }]).slice(0, 1);
    const [result = assert.fail()] = await runRows(rows, { forgetsEnds: true });
    assert.ok(result.violations.some(({ rule }) => rule === 'account'));
    assert.equal(result.accountMissing, 2);
  });
});

type Change = (body: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>;

const withBody =
  (send: Transport, change: Change): Transport =>
  async (request) => {
    const response = await send(request);
    return { ...response, body: change(response.body, request.signal) };
  };

/** Holds each piece until the next one, and the last one forever. */
async function* withoutLast(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  for await (const part of body) {
    if (held !== undefined) yield held;
    held = part;
  }
}

async function* untilBroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    // Taken for an end.
  }
}

async function* lateAfterAbort(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    // As the harness counts it: without the time that a busy machine takes from this process.
    if (signal.aborted) await ownPause(300, new AbortController().signal);
  }
}

function sendsTwice(send: Transport): Transport {
  return async (request) => {
    const first = await send(request);
    await send(request);
    return first;
  };
}

/** The turn ends, and nothing of that reaches the request. */
function keepsOpen(send: Transport): Transport {
  return async (request) => {
    const { body, ...response } = await send({ ...request, signal: new AbortController().signal });
    const parts = body[Symbol.asyncIterator]();
    const next = () => untilAborted(parts.next(), request.signal);
    return { ...response, body: { [Symbol.asyncIterator]: () => ({ next }) } };
  };
}
