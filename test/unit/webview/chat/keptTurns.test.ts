import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ExchangeView } from '../../../../src/panel/views.ts';
import { keptTurns } from '../../../../src/webview/chat/keptTurns.ts';
import { exchangeView, panelState, turnView } from '../../../support/views.ts';

type Turn = NonNullable<ExchangeView['turn']>;

const stateWith = (outcome: Turn['outcome'], more: Partial<Turn> = {}, id = 'turn') => {
  const view = exchangeView('a', 'Why?', '', turnView(outcome, { id }));
  const turn: Turn = { ...turnView(outcome, { id }), reasoning: 'Hm.', answer: 'Because', ...more };
  return panelState([{ ...view, turn }]);
};

const kept = (before: ReturnType<typeof stateWith> | undefined, now: ReturnType<typeof stateWith>) => [
  ...keptTurns(before, now),
];

describe('The turns that a snapshot finds on the page', () => {
  it('are those with the same texts, and those that run and have more', () => {
    assert.deepEqual(kept(stateWith('running'), stateWith('running')), ['turn']);
    assert.deepEqual(kept(stateWith('running'), stateWith('running', { answer: 'Because so' })), ['turn']);
    assert.deepEqual(kept(stateWith('running'), stateWith('complete', { reasoning: 'Hm. So.' })), ['turn']);
    assert.deepEqual(kept(stateWith('complete'), stateWith('complete')), ['turn']);
  });

  it('are none whose text begins in another way, that ended and have more, or that run again', () => {
    assert.deepEqual(kept(undefined, stateWith('running')), []);
    assert.deepEqual(kept(stateWith('running', {}, 'other'), stateWith('running')), []);
    assert.deepEqual(kept(stateWith('running'), stateWith('running', { answer: 'No' })), []);
    assert.deepEqual(kept(stateWith('running'), stateWith('complete', { reasoning: 'Oh.' })), []);
    assert.deepEqual(kept(stateWith('complete'), stateWith('complete', { answer: 'Because so' })), []);
    assert.deepEqual(kept(stateWith('complete'), stateWith('running')), []);
  });

  it('are none whose earlier rounds have other words', () => {
    const round = (answer: string) => ({ rounds: [{ answer, calls: [] }] });
    assert.deepEqual(kept(stateWith('running', round('One.')), stateWith('running', round('One.'))), [
      'turn',
    ]);
    assert.deepEqual(kept(stateWith('running', round('One.')), stateWith('running', round('Two.'))), []);
    assert.deepEqual(kept(stateWith('running', round('One.')), stateWith('running')), []);
  });
});
