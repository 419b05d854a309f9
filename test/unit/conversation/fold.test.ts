import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn, foldStep, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { startCpu } from '../../support/growth.ts';
import {
  answer,
  chunk,
  completeTurn,
  DONE,
  FACTS,
  failedBy,
  finish,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  USER_ENDED,
  usage,
} from './turns.ts';

describe('Folding a turn', () => {
  it('R7 keeps reasoning and answer separate and unchanged, with the time of the first text of each', () => {
    const turn = turnOf([
      { type: 'try', tries: 1 },
      { type: 'connected' },
      { type: 'headers', requestId: 'r' },
      reasoning('a'),
      reasoning(' b'),
      answer('c'),
      answer('\n d '),
    ]);
    assert.equal(turn.reasoning, 'a b');
    assert.equal(turn.answer, 'c\n d ');
    assert.equal(turn.timings.connected, 20);
    assert.equal(turn.timings.firstReasoning, 40);
    assert.equal(turn.timings.firstAnswer, 60);
    assert.equal(turn.requestId, 'r');
  });

  it('sets the phases of a turn', () => {
    const phases = [
      { type: 'try', tries: 1 },
      { type: 'connected' },
      reasoning('a'),
      answer('b'),
      reasoning('c'),
      SERVICE_ENDED,
    ] as const;
    assert.deepEqual(
      phases.map((_, i) => turnOf(phases.slice(0, i + 1)).phase),
      ['connecting', 'first-byte', 'reasoning', 'answering', 'answering', 'ended'],
    );
  });

  it('E6 sets the pause before a retry with its end, and removes it afterwards', () => {
    const error = new ServiceError('rate-limited', { status: 429 });
    const waiting = turnOf([
      { type: 'try', tries: 1 },
      { type: 'pause', tries: 1, waitMs: 1500, error },
    ]);
    assert.equal(waiting.phase, 'waiting');
    assert.deepEqual(waiting.waiting, {
      tries: 1,
      maxTries: 3,
      waitMs: 1500,
      until: 1_000_000 + 20 + 1500,
      failure: { kind: 'rate-limited', details: { status: 429 } },
    });
    const again = foldTurn(waiting, { at: 1600, event: { type: 'try', tries: 2 } });
    assert.equal(again.waiting, undefined);
    assert.equal(again.tries, 2);
  });

  it('E9 counts keep-alives as activity but not as progress', () => {
    const turn = turnOf([reasoning('a'), { type: 'keep-alive' }, { type: 'keep-alive' }]);
    assert.equal(turn.timings.lastLife, 30);
    assert.equal(turn.timings.lastProgress, 10);
  });

  it('R4 records the first name of reasoning and ignores an empty last delta', () => {
    const turn = turnOf([reasoning('a', 'reasoning'), chunk({ reasoning: { name: 'reasoning', text: '' } })]);
    assert.equal(turn.reasoningName, 'reasoning');
    assert.equal(turn.reasoning, 'a');
  });

  it('R4 moves the text before a lone closing tag to the reasoning, with its outline and time', () => {
    const turn = turnOf([
      answer('Hm.\n\nSo.'),
      { type: 'tag-closed', open: '', close: '</think>', wasReasoning: true },
      answer('Yes.'),
    ]);
    assert.equal(turn.reasoning, 'Hm.\n\nSo.');
    assert.equal(turn.answer, 'Yes.');
    assert.equal(turn.reasoningName, 'tags');
    assert.deepEqual(turn.reasoningTags, { open: '', close: '</think>' });
    assert.equal(turn.outline.finished.length + 1, 2);
    assert.equal(turn.timings.firstReasoning, 10);
    assert.equal(turn.timings.firstAnswer, 30);
  });

  it('R4 keeps the reasoning before it where the response has begun again', () => {
    const turn = turnOf([
      reasoning('One.', 'reasoning_content'),
      answer('Half.'),
      { type: 'begun-again' },
      answer('Two.'),
      { type: 'tag-closed', open: '', close: '</think>', wasReasoning: true },
    ]);
    assert.deepEqual([turn.reasoning, turn.answer], ['One.Half.Two.', '']);
    assert.equal(turn.reasoningName, 'reasoning_content');
    assert.equal(turn.timings.firstReasoning, 10);
  });

  it('R4 keeps the tags unchanged', () => {
    const turn = turnOf([
      reasoning('a', 'tags'),
      { type: 'tag-closed', open: '\n<think>', close: '</think>', wasReasoning: false },
      answer('b'),
    ]);
    assert.deepEqual(turn.reasoningTags, { open: '\n<think>', close: '</think>' });
  });

  it('R4 joins reasoning_details of the same index and type and keeps their other fields', () => {
    const turn = turnOf([
      chunk({ reasoningDetails: [{ type: 'reasoning.text', index: 0, text: 'a' }] }),
      chunk({
        reasoningDetails: [
          { type: 'reasoning.text', index: 0, text: 'b', signature: 's' },
          { type: 'reasoning.encrypted', index: 1, data: 'x' },
        ],
      }),
      chunk({ reasoningDetails: [{ type: 'reasoning.text', index: 0, text: '', signature: null }] }),
    ]);
    assert.deepEqual(turn.reasoningDetails, [
      { type: 'reasoning.text', index: 0, text: 'ab', signature: 's' },
      { type: 'reasoning.encrypted', index: 1, data: 'x' },
    ]);
  });

  it('R4 joins reasoning_details of which only the first or only a later one has the id', () => {
    const piece = (id: object) =>
      chunk({ reasoningDetails: [{ type: 'reasoning.text', index: 0, text: 'a', ...id }] });
    for (const [first, second] of [
      [{ id: 'x' }, {}],
      [{}, { id: 'x' }],
    ] as const) {
      const { reasoningDetails } = turnOf([piece(first), piece(second)]);
      assert.deepEqual(reasoningDetails, [{ type: 'reasoning.text', index: 0, text: 'aa', id: 'x' }]);
    }
    assert.equal(turnOf([piece({ id: 'x' }), piece({ id: 'y' })]).reasoningDetails.length, 2);
  });

  it('R4 joins the text of reasoning_details without an index, however many deltas there are', () => {
    const piece = chunk({ reasoningDetails: [{ type: 'reasoning.text', text: 'a' }] });
    const turn = turnOf([
      ...Array.from({ length: 3000 }, () => piece),
      chunk({ reasoningDetails: [{ type: 'reasoning.text', text: '', signature: 's' }] }),
      piece,
      chunk({ reasoningDetails: [{ type: 'reasoning.encrypted', data: 'x' }] }),
      chunk({ reasoningDetails: [{ type: 'reasoning.encrypted', data: 'y' }] }),
    ]);
    assert.deepEqual(turn.reasoningDetails, [
      { type: 'reasoning.text', text: 'a'.repeat(3000), signature: 's' },
      { type: 'reasoning.text', text: 'a' },
      { type: 'reasoning.encrypted', data: 'x' },
      { type: 'reasoning.encrypted', data: 'y' },
    ]);
  });

  it('Q10 leaves usage undefined if none was reported', () => {
    assert.equal(turnOf([answer('a'), finish('stop'), SERVICE_ENDED]).usage, undefined);
  });

  it('counts damaged events and continues', () => {
    const turn = turnOf([{ type: 'damaged' }, answer('a'), { type: 'damaged' }]);
    assert.equal(turn.damagedEvents, 2);
    assert.equal(turn.answer, 'a');
  });

  it('keeps everything that was received, whatever ended the turn', () => {
    for (const end of [
      SERVICE_ENDED,
      USER_ENDED,
      failedBy('connection-lost'),
      failedBy('silent'),
      failedBy('stream-error'),
    ]) {
      const turn = turnOf([reasoning('r'), answer('a'), usage(), end]);
      assert.equal(turn.reasoning, 'r');
      assert.equal(turn.answer, 'a');
      assert.deepEqual(turn.usage, SOME_USAGE);
      assert.equal(turn.failure, end.failure);
    }
  });

  it('keeps the long silences within a response, and only the first of very many', () => {
    const folded = (...events: readonly (readonly [number, StreamEvent])[]) =>
      events.reduce<Turn>((turn, [at, event]) => foldTurn(turn, { at, event }), createTurn('t1', 0, FACTS));
    const turn = folded(
      // Waiting for the first text is no silence.
      [9000, reasoning('First.')],
      [10_000, reasoning(' Then.')],
      [10_500, { type: 'keep-alive' }],
      [13_000, reasoning(' More.')],
      [15_500, answer('Yes.')],
    );
    assert.deepEqual(turn.silences, [
      { from: 10_000, to: 13_000 },
      { from: 13_000, to: 15_500 },
    ]);
    assert.equal('silences' in folded([9000, reasoning('First.')], [10_000, answer('Yes.')]), false);
    const many = Array.from({ length: 500 }, (_, index) => [index * 3000, answer('.')] as const);
    assert.equal(folded(...many).silences?.length, 100);
  });

  it('does not change a turn that has ended', () => {
    const turn = completeTurn();
    for (const event of [answer('more'), DONE, USER_ENDED, failedBy('silent')]) {
      assert.equal(foldTurn(turn, { at: 999, event }), turn);
    }
  });

  it('does not modify its input', () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
      Object.freeze(value);
      for (const inner of Object.values(value)) freeze(inner);
    };
    let turn = turnOf([]);
    for (const event of [
      reasoning('a\n\nb'),
      chunk({
        toolCalls: [{ index: 0, id: 'a', name: 'f', arguments: '{' }],
        reasoningDetails: [{ index: 0 }],
      }),
      chunk({
        toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: '}' }],
        reasoningDetails: [{ index: 0 }],
      }),
      usage(),
      SERVICE_ENDED,
    ]) {
      freeze(turn);
      turn = foldTurn(turn, { at: 1, event });
    }
    assert.equal(turn.toolCalls[0]?.arguments, '{}');
  });

  it('folds 60,000 deltas, including one long line, in linear time', () => {
    let turn = turnOf([]);
    const worked = startCpu();
    const event = reasoning('word ');
    for (let i = 0; i < 60_000; i++) turn = foldTurn(turn, { at: i, event });
    assert.ok(worked() < 2000, `${worked()} ms`);
    assert.equal(turn.reasoning.length, 300_000);
  });
});

describe('A step of a turn', () => {
  const step = (event: Parameters<typeof turnOf>[0][number], ...before: Parameters<typeof turnOf>[0]) =>
    foldStep(turnOf(before), { at: 100, event });

  it('returns the appended text, separately for reasoning and answer', () => {
    const both = chunk({ answer: 'So', reasoning: { name: 'reasoning', text: 'Hm' } });
    assert.deepEqual(step(both).appended, { reasoning: 'Hm', answer: 'So' });
    assert.deepEqual(step({ type: 'connected' }).appended, { reasoning: '', answer: '' });
  });

  it('has no appended text if text moved from the answer to the reasoning', () => {
    const { turn, appended } = step(
      { type: 'tag-closed', open: '', close: '</think>', wasReasoning: true },
      answer('Hm.'),
    );
    assert.equal(turn.reasoning, 'Hm.');
    assert.equal(appended, undefined);
  });

  it('appends nothing to a turn that has ended', () => {
    const ended = completeTurn();
    const { turn, before, appended } = foldStep(ended, { at: 100, event: answer('more') });
    assert.equal(turn, before);
    assert.deepEqual(appended, { reasoning: '', answer: '' });
  });

  it('is consistent: the text after an event is the text before it plus the appended text', () => {
    let turn = turnOf([]);
    for (const event of [reasoning('a'), answer('b'), reasoning('c'), DONE, SERVICE_ENDED]) {
      const { before, turn: next, appended } = foldStep(turn, { at: 1, event });
      assert.equal(next.reasoning, before.reasoning + appended?.reasoning);
      assert.equal(next.answer, before.answer + appended?.answer);
      turn = next;
    }
  });
});
