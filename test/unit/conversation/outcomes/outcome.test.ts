import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnEnd } from '../../../../src/conversation/events.ts';
import { toOutcome } from '../../../../src/conversation/outcomes/outcome.ts';
import type { Outcome } from '../../../../src/conversation/turn.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import type { ServiceErrorKind } from '../../../../src/service/errors.ts';
import {
  answer,
  chunk,
  DONE,
  failedBy,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
  USER_ENDED,
  usage,
  WINDOW_ENDED,
} from '../turns.ts';

const call = chunk({ toolCalls: [{ index: 0, id: 'a', name: 'f', arguments: '{}' }] });
const outcomeOf = (events: readonly StreamEvent[], end: TurnEnd = SERVICE_ENDED) =>
  turnOf([...events, end]).outcome;

describe('The outcome of a turn', () => {
  const table: readonly (readonly [string, readonly StreamEvent[], Outcome])[] = [
    [
      'R5 complete if the service stops after an answer',
      [reasoning('r'), answer('a'), finish('stop'), DONE],
      'complete',
    ],
    [
      'R9 complete without [DONE], because there is a finish reason',
      [answer('a'), finish('stop')],
      'complete',
    ],
    [
      'R5 complete with tool calls and no text',
      [reasoning('r'), call, finish('tool_calls'), DONE],
      'complete',
    ],
    ['R5 complete with an unknown finish reason', [answer('a'), finish('eos'), DONE], 'complete'],
    [
      'F1 spent on reasoning: the limit, reasoning, no answer',
      [reasoning('r'), finish('length'), DONE],
      'spent-on-reasoning',
    ],
    [
      'F1 spent on reasoning, with an answer of white space',
      [reasoning('r'), answer('\n\n'), finish('length')],
      'spent-on-reasoning',
    ],
    [
      'F1 spent on reasoning that was not streamed, according to the usage',
      [finish('length'), usage({ completionTokens: 128 })],
      'spent-on-reasoning',
    ],
    [
      'F1 spent on reasoning that was not streamed, according to the total of the usage',
      [finish('length'), usage({ promptTokens: 100, totalTokens: 300 })],
      'spent-on-reasoning',
    ],
    [
      'F7 empty: white space up to the limit, without reasoning',
      [answer(' \n'.repeat(500)), finish('length'), usage({ completionTokens: 1000 })],
      'empty',
    ],
    [
      'F2 truncated if the service stops at its limit',
      [reasoning('r'), answer('a'), finish('length'), DONE],
      'truncated',
    ],
    ['F2 truncated inside a tool call', [reasoning('r'), call, finish('length')], 'truncated'],
    ['F7 empty: stop without an answer or calls', [reasoning('r'), finish('stop'), DONE], 'empty'],
    ['F7 empty: stop with white space', [answer(' \n'), finish('stop')], 'empty'],
    ['F7 empty: the limit without any text', [finish('length')], 'empty'],
    ['F7 empty: the finish reason of tool calls without calls', [finish('tool_calls')], 'empty'],
    ['filtered', [answer('a'), finish('content_filter')], 'filtered'],
    ['R9 interrupted without a finish reason', [reasoning('r'), answer('a')], 'interrupted'],
    ['R9 interrupted without a finish reason, even with [DONE]', [answer('a'), DONE], 'interrupted'],
    ['R9 interrupted if only [DONE] arrived', [DONE], 'interrupted'],
    ['R9 interrupted with calls and no finish reason', [call, DONE], 'interrupted'],
    [
      'interrupted if a gateway sends tool_calls with each call, and ends without [DONE]',
      [call, finish('tool_calls'), call, finish('tool_calls')],
      'interrupted',
    ],
    [
      'complete if a gateway sends tool_calls with each call, and [DONE]',
      [call, finish('tool_calls'), call, finish('tool_calls'), DONE],
      'complete',
    ],
    ['interrupted if a gateway finishes with an error', [answer('a'), finish('error')], 'interrupted'],
  ];
  for (const [name, events, outcome] of table) {
    it(`is ${name}`, () => assert.equal(outcomeOf(events), outcome));
  }

  it('is stopped if the user stopped it, in every phase', () => {
    for (const events of [[], [reasoning('r')], [answer('a')], [call], [answer('a'), finish('stop')]]) {
      assert.equal(outcomeOf(events, USER_ENDED), 'stopped');
    }
  });

  it('E9 is stalled if the service sent nothing for too long, in every phase', () => {
    for (const events of [[], [reasoning('r')], [answer('a')], [call]]) {
      assert.equal(outcomeOf(events, failedBy('silent')), 'stalled');
    }
  });

  it('is interrupted if the connection broke after some text, and failed before that', () => {
    assert.equal(outcomeOf([], failedBy('connection-lost')), 'failed');
    assert.equal(outcomeOf([{ type: 'headers', requestId: 'r' }], failedBy('connection-lost')), 'failed');
    for (const events of [[chunk({})], [reasoning('r')], [answer('a')], [call]]) {
      assert.equal(outcomeOf(events, failedBy('connection-lost')), 'interrupted');
    }
  });

  it('follows the finish reason if the connection breaks or is silent after it', () => {
    for (const kind of ['connection-lost', 'silent'] as const) {
      assert.equal(outcomeOf([answer('a'), finish('stop')], failedBy(kind)), 'complete');
      assert.equal(outcomeOf([answer('a'), finish('length')], failedBy(kind)), 'truncated');
      assert.equal(outcomeOf([reasoning('r'), finish('length')], failedBy(kind)), 'spent-on-reasoning');
    }
  });

  it('is not complete if text came after each finish reason, and the response broke before [DONE]', () => {
    const each = [answer('One '), finish('stop'), answer('two '), finish('stop')];
    assert.equal(outcomeOf(each, failedBy('connection-lost')), 'interrupted');
    assert.equal(outcomeOf(each, failedBy('silent')), 'stalled');
    assert.equal(outcomeOf(each, failedBy('stream-error')), 'failed');
    assert.equal(outcomeOf(each, WINDOW_ENDED), 'interrupted');
    const inOneChunk = ['One ', 'two '].map((text) => chunk({ answer: text, finishReason: 'stop' }));
    assert.equal(outcomeOf(inOneChunk, failedBy('connection-lost')), 'interrupted');
    const calls = [call, finish('stop'), call, finish('stop')];
    assert.equal(outcomeOf(calls, failedBy('connection-lost')), 'interrupted');
  });

  it('is complete if text came after each finish reason, and the response ended', () => {
    const each = [reasoning('r'), finish('stop'), answer('One '), finish('stop')];
    assert.equal(outcomeOf(each), 'complete');
    assert.equal(outcomeOf([...each, DONE], failedBy('connection-lost')), 'complete');
    assert.equal(outcomeOf([...each, DONE], WINDOW_ENDED), 'complete');
  });

  it('is interrupted if the window was closed before the answer or its tool calls were complete', () => {
    for (const events of [[], [reasoning('r')], [answer('a')], [call], [call, finish('tool_calls')]]) {
      const turn = turnOf([...events, WINDOW_ENDED]);
      assert.deepEqual([turn.outcome, turn.windowClosed], ['interrupted', true]);
    }
    const complete = turnOf([answer('a'), finish('stop'), WINDOW_ENDED]);
    assert.deepEqual([complete.outcome, complete.windowClosed], ['complete', undefined]);
    assert.equal(turnOf([answer('a'), SERVICE_ENDED]).windowClosed, undefined);
  });

  it('is filtered if an error says so', () => {
    assert.equal(outcomeOf([answer('a')], failedBy('filtered')), 'filtered');
  });

  it('is failed for every other error', () => {
    const kinds: readonly ServiceErrorKind[] = [
      'bad-key',
      'model-unavailable',
      'model-unknown',
      'access-denied',
      'invalid-request',
      'context-overflow',
      'too-large',
      'rate-limited',
      'overloaded',
      'no-balance',
      'server-failed',
      'redirected',
      'not-found',
      'not-a-completion',
      'unreachable',
      'untrusted-certificate',
      'proxy-refused',
      'unknown',
    ];
    for (const kind of kinds) assert.equal(outcomeOf([], failedBy(kind)), 'failed');
  });

  it('is exactly one for every combination of events and ends', () => {
    const texts = ['', ' \n', 'x'];
    const finishes = [undefined, 'stop', 'length', 'tool_calls', 'content_filter', 'error', 'eos'];
    const ends = [
      SERVICE_ENDED,
      USER_ENDED,
      ...(['connection-lost', 'silent', 'filtered', 'stream-error', 'bad-key'] as const).map(failedBy),
    ];
    for (const said of texts)
      for (const thought of texts)
        for (const calls of [[], [{ index: 0, id: 'a', name: 'f', arguments: '' }]])
          for (const finishReason of finishes)
            for (const end of ends) {
              const turn = {
                ...turnOf([]),
                answer: said,
                reasoning: thought,
                toolCalls: calls,
                finishReason,
              };
              const outcome = toOutcome(turn, end);
              const answered = said.trim() !== '' || calls.length > 0;
              const what = JSON.stringify({ said, thought, calls: calls.length, finishReason, end, outcome });
              if (outcome === 'complete') assert.ok(finishReason !== undefined && answered, what);
              if (outcome === 'truncated') assert.ok(finishReason === 'length' && answered, what);
              if (outcome === 'spent-on-reasoning')
                assert.ok(finishReason === 'length' && !answered && thought !== '', what);
              if (outcome === 'empty') assert.ok(!answered && finishReason !== undefined, what);
              if (outcome === 'stopped') assert.equal(end.by, 'user', what);
              if (outcome === 'failed' || outcome === 'stalled') assert.equal(end.by, 'error', what);
              if (end.by === 'user') assert.equal(outcome, 'stopped', what);
              if (end.by === 'service' && finishReason === undefined)
                assert.equal(outcome, 'interrupted', what);
            }
  });
});
