import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HostMessage } from '../../../../src/panel/hostMessages.ts';
import type { ExchangeView, ToolCallView } from '../../../../src/panel/views.ts';
import { foldPanel, type Panel } from '../../../../src/webview/chat/state.ts';
import { exchangeView, panelState, turnView } from '../../../support/views.ts';

const turn = (id: string) => turnView('running', { id });
const exchange = (id: string): ExchangeView => ({
  ...exchangeView(id, 'Why?', '', turnView('running')),
  turn: { ...turn(`turn-${id}`), reasoning: '', answer: '' },
});
const panel = panelState([exchange('a')]);
const snapshot: HostMessage = { type: 'snapshot', seq: 1, panel };

function fold(...messages: HostMessage[]): Panel | 'resync' {
  return messages.reduce<Panel | 'resync' | undefined>((state, message) => {
    const next = state === 'resync' ? state : foldPanel(state, message);
    return next === 'outdated' ? state : typeof next === 'string' ? next : next.state;
  }, undefined) as Panel | 'resync';
}

const callView = (more: Partial<ToolCallView> = {}): ToolCallView => ({
  id: 'c1',
  name: 'read_file',
  title: 'Read a',
  arguments: '{}',
  source: undefined,
  approval: undefined,
  state: 'done',
  stateLabel: 'done',
  result: undefined,
  images: [],
  startedAt: undefined,
  seconds: 1,
  ...more,
});

describe('The panel’s state', () => {
  it('appends the text of deltas to the turn', () => {
    const text = (seq: number, reasoning: string, answer: string): HostMessage => ({
      type: 'text',
      seq,
      turnId: 'turn-a',
      reasoning,
      answer,
    });
    const state = fold(snapshot, text(2, 'Hm', ''), text(3, 'm.', 'Be'), text(4, '', 'cause.'));
    assert.ok(state !== 'resync');
    assert.equal(state.panel.exchanges[0]?.turn?.reasoning, 'Hmm.');
    assert.equal(state.panel.exchanges[0]?.turn?.answer, 'Because.');
  });

  it('keeps the text when the rest of a turn changes', () => {
    const state = fold(
      snapshot,
      { type: 'text', seq: 2, turnId: 'turn-a', reasoning: 'Hm', answer: 'Yes' },
      { type: 'turn', seq: 3, turn: { ...turn('turn-a'), outcome: 'complete' } },
    );
    assert.ok(state !== 'resync');
    assert.equal(state.panel.exchanges[0]?.turn?.outcome, 'complete');
    assert.equal(state.panel.exchanges[0]?.turn?.answer, 'Yes');
  });

  it('keeps the texts of calls that are not repeated', () => {
    const done = callView({ arguments: '{"path":"a"}', result: 'long', images: ['data:'] });
    const calls = (...all: readonly ToolCallView[]) => [{ answer: '', calls: all }];
    const kept = { ...done, arguments: '', result: undefined, images: [], kept: true } as const;
    const next = callView({ id: 'c2', result: 'other' });
    const state = fold(
      snapshot,
      { type: 'turn', seq: 2, turn: { ...turn('turn-a'), rounds: calls(done) } },
      { type: 'turn', seq: 3, turn: { ...turn('turn-a'), rounds: calls(kept, next) } },
      {
        type: 'turn',
        seq: 4,
        turn: { ...turn('turn-a'), rounds: calls({ ...kept, stateLabel: 'kept' }, next) },
      },
    );
    assert.ok(state !== 'resync');
    assert.deepEqual(state.panel.exchanges[0]?.turn?.rounds, calls({ ...done, stateLabel: 'kept' }, next));
  });

  it('asks for a snapshot when a message was lost', () => {
    assert.equal(fold(snapshot, { type: 'focus', seq: 3 }), 'resync');
    assert.equal(fold({ type: 'focus', seq: 1 }), 'resync');
  });

  it('does not go back to an earlier snapshot, and takes a message once', () => {
    const later: HostMessage = {
      type: 'snapshot',
      seq: 2,
      panel: panelState([exchange('a'), exchange('b')]),
    };
    const text: HostMessage = { type: 'text', seq: 3, turnId: 'turn-b', reasoning: '', answer: 'Yes' };
    const state = fold(snapshot, later, snapshot, later, text, text, later);
    assert.ok(state !== 'resync');
    assert.deepEqual([state.seq, state.panel.exchanges.map(({ turn }) => turn?.answer)], [3, ['', 'Yes']]);
  });

  it('has the draft that another panel changed', () => {
    const state = fold(snapshot, { type: 'draft', seq: 2, text: 'Half a thought' });
    assert.equal(state !== 'resync' && state.panel.draft, 'Half a thought');
  });

  it('appends a new exchange and replaces a known one', () => {
    const again = { ...exchange('a'), attempts: 2 };
    const state = fold(
      snapshot,
      { type: 'exchange', seq: 2, exchange: exchange('b') },
      { type: 'exchange', seq: 3, exchange: again },
    );
    assert.ok(state !== 'resync');
    assert.deepEqual(
      state.panel.exchanges.map(({ id, attempts }) => [id, attempts]),
      [
        ['a', 2],
        ['b', 1],
      ],
    );
  });
});
