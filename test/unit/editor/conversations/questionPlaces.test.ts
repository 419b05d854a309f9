import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createQuestions } from '../../../../src/editor/conversations/questionPlaces.ts';
import type { PlacedQuestion } from '../../../../src/editor/conversations/turnStart.ts';
import { refuse } from '../../../../src/requests/refusal.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';

describe('A question that is asked again', () => {
  const preset = { name: 'Plan', tools: ['read_file'] };
  const plain = { ...completeTurn(), id: 't1' };
  const planned = { ...plain, id: 't2', request: { ...plain.request, preset } };
  const exchange = exchangeOf('e1', plain, planned);
  const asked: PlacedQuestion[] = [];
  const { askAgain } = createQuestions(
    async (question) => {
      asked.push(question);
      return refuse({ kind: 'running' });
    },
    (id) => {
      const turn = exchange.attempts.find((one) => one.id === id);
      return turn && { conversation: conversationOf(exchange), exchange, turn };
    },
  );
  const optionsOf = async (...about: Parameters<typeof askAgain>) => {
    await askAgain(...about);
    return asked.at(-1)?.options;
  };

  it('has the preset of the attempt, which may allow fewer tools than the question', async () => {
    assert.deepEqual(await optionsOf('t1'), {});
    assert.deepEqual(await optionsOf('t2'), { preset });
    assert.deepEqual(await optionsOf('t2', { routeName: 'work' }), { preset, routeName: 'work' });
  });

  it('has another preset, or none, if the user chooses so', async () => {
    assert.deepEqual(await optionsOf('t2', { preset: 'none' }), { preset: 'none' });
    const other = { name: 'Ask' };
    assert.deepEqual(await optionsOf('t2', { preset: other }), { preset: other });
  });

  it('is refused as one whose conversation is gone when another window has deleted that', async () => {
    assert.deepEqual(await askAgain('t9'), { ok: false, refusal: { kind: 'gone' } });
  });
});
