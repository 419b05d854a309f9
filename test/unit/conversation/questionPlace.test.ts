import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutTail } from '../../../src/conversation/branches.ts';
import { type Exchange, withExchange } from '../../../src/conversation/conversation.ts';
import { findPlace, isSamePlace } from '../../../src/conversation/questionPlace.ts';
import { withKeptResults } from '../../../src/conversation/requestMessages/keptResults.ts';
import { conversation, exchange } from '../history/support.ts';
import { completeTurn } from './turns.ts';

const of = (id: string): Exchange => exchange(id, id, [{ ...completeTurn(), id: `turn of ${id}` }]);
const two = conversation('c1', [of('e1'), of('e2')]);
/** After another window has edited the second question. */
const edited = withExchange(withoutTail(two, 'e2'), of('e3'));
const plain = {};
const ids = (exchanges: readonly Exchange[] | undefined) => exchanges?.map(({ id }) => id);

describe('The place of a question', () => {
  it('is the end, also after another window has asked one', () => {
    assert.deepEqual(findPlace(two, { kind: 'end' }, plain), { base: two, exchange: undefined });
  });

  it('is right after the answer that it continues, or nowhere', () => {
    const continues = { continues: 'turn of e2' };
    assert.ok(findPlace(two, { kind: 'end' }, continues));
    assert.equal(findPlace(withExchange(two, of('e3')), { kind: 'end' }, continues), undefined);
    assert.equal(findPlace(edited, { kind: 'end' }, continues), undefined);
    const other = { ...of('e2'), attempts: [...of('e2').attempts, completeTurn()], shown: 1 };
    assert.equal(findPlace(withExchange(two, other), { kind: 'end' }, continues), undefined);
  });

  it('is the exchange as it is now, with the attempts of other windows, for another attempt', () => {
    const more = { ...of('e2'), attempts: [...of('e2').attempts, completeTurn()] };
    const placed = findPlace(withExchange(two, more), { kind: 'again', exchangeId: 'e2' }, plain);
    assert.equal(placed?.exchange?.attempts.length, 2);
    assert.equal(findPlace(edited, { kind: 'again', exchangeId: 'e2' }, plain), undefined);
  });

  it('is that of the question that it replaces, while that is shown', () => {
    const placed = findPlace(two, { kind: 'instead', exchangeId: 'e2' }, plain);
    assert.deepEqual([ids(placed?.base.exchanges), placed?.base.branches.length], [['e1'], 1]);
    assert.equal(findPlace(edited, { kind: 'instead', exchangeId: 'e2' }, plain), undefined);
  });

  it('is after an exchange of any branch', () => {
    const placed = findPlace(edited, { kind: 'after', exchangeId: 'e2' }, plain);
    assert.deepEqual(ids(placed?.base.exchanges), ['e1', 'e2']);
  });

  it('is another one for a request when results of tools are sent again meanwhile', () => {
    const placed = { base: two, exchange: undefined };
    const kept = { base: withKeptResults(two, ['e1'], true), exchange: undefined };
    assert.deepEqual([isSamePlace(placed, { ...placed }), isSamePlace(placed, kept)], [true, false]);
  });
});
