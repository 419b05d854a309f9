import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { proposalsSince } from '../../../../src/review/proposals/revertScope.ts';

const made = (turnId: string) => ({ turnId });

describe('The proposals since a message was asked', () => {
  const [one, two, three] = [made('1'), made('2'), made('3')];
  const turns = ['1', '2', '3'];

  it('are its own and those that were made later', () => {
    assert.deepEqual(proposalsSince([one, two, three], [two], turns), [two, three]);
    assert.deepEqual(proposalsSince([one, two], [one], turns), [one, two]);
  });

  it('have those of later messages, also if its own was applied after them', () => {
    assert.deepEqual(proposalsSince([two, one], [one], turns), [two, one]);
  });

  it('have one of an earlier message that was applied after it', () => {
    assert.deepEqual(proposalsSince([two, one], [two], turns), [two, one]);
  });

  it('have no earlier attempt for the same question', () => {
    assert.deepEqual(proposalsSince([one, two], [two], turns), [two]);
  });

  it('begin with its own when its turn is not in the conversation', () => {
    const other = made('other');
    assert.deepEqual(proposalsSince([one, other, two], [other], turns), [other, two]);
    assert.deepEqual(proposalsSince([one], [], turns), []);
  });
});
