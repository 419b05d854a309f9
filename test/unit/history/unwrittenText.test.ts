import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Round } from '../../../src/conversation/turn.ts';
import { unwrittenText } from '../../../src/history/unwrittenText.ts';

const NOTHING = { reasoning: '', answer: '', rounds: [] };
/** Rounds are told apart as objects. */
const round = () => ({}) as Round;

describe('What the database lacks of a running turn', () => {
  it('is what came behind the text that it has', () => {
    const { now } = unwrittenText({ reasoning: 'One', answer: '', rounds: [] }, NOTHING);
    const { appended, rounds } = unwrittenText({ reasoning: 'One, two', answer: 'Three', rounds: [] }, now);
    assert.deepEqual(appended, { reasoning: ', two', answer: 'Three' });
    assert.deepEqual(rounds, []);
  });

  it('is all of the text if some has moved, also when the new text is longer', () => {
    const written = { reasoning: 'One', answer: 'Two', rounds: [] };
    assert.equal(
      unwrittenText({ reasoning: 'One, two, three', answer: '', rounds: [] }, written).appended,
      undefined,
    );
    const all = [round()];
    assert.equal(
      unwrittenText({ reasoning: 'One', answer: 'Two', rounds: all }, written).appended,
      undefined,
    );
  });

  it('is each round that is new or has changed', () => {
    const [first, second, changed] = [round(), round(), round()];
    const written = { ...NOTHING, rounds: [first, second] };
    assert.deepEqual(unwrittenText({ ...NOTHING, rounds: [first, changed] }, written).rounds, [[1, changed]]);
  });

  it('is not half of a character whose other half is still to arrive', () => {
    const { appended, now } = unwrittenText({ ...NOTHING, answer: 'a\ud83d' }, NOTHING);
    assert.equal(appended?.answer, 'a');
    assert.equal(
      unwrittenText({ ...NOTHING, answer: 'a\ud83d\ude00' }, now).appended?.answer,
      '\ud83d\ude00',
    );
  });
});
