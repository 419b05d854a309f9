import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createShortener } from '../../../../src/editor/chatView/shortMessages.ts';
import type { HostMessage, PostedMessage } from '../../../../src/panel/hostMessages.ts';
import type { TurnView } from '../../../../src/panel/views.ts';
import { foldPanel, type Panel } from '../../../../src/webview/chat/state.ts';
import {
  exchangeView,
  panelState,
  surroundingsView,
  toolCallView,
  turnView,
} from '../../../support/views.ts';

/** As the editor posts it: what is undefined is left out. */
const asPosted = <Message>(message: Message): Message => JSON.parse(JSON.stringify(message));

const text = (seq: number, answer: string, reasoning = '', turnId = 't1'): HostMessage => ({
  type: 'text',
  seq,
  turnId,
  reasoning,
  answer,
});
const turn = (seq: number, view: TurnView): HostMessage => ({
  type: 'turn',
  seq,
  turn: view,
});
const shown = (id: string, view: TurnView) => ({
  ...exchangeView(id, 'Why?', '', view),
  turn: { ...view, reasoning: '', answer: '' },
});
const snapshot = (seq: number, ...views: readonly TurnView[]): HostMessage => ({
  type: 'snapshot',
  seq,
  panel: panelState(views.map((view) => shown(`e-${view.id}`, view))),
});

function shortened(...messages: readonly HostMessage[]): readonly PostedMessage[] {
  const shorten = createShortener();
  return messages.map(shorten);
}

/** Folds messages as a page does that gets each of them. */
function fold(messages: readonly PostedMessage[]): Panel {
  let state: Panel | undefined;
  for (const posted of messages.map(asPosted)) {
    const next = foldPanel(state, posted);
    assert.ok(next !== 'resync' && next !== 'outdated', String(next));
    state = next.state;
  }
  assert.ok(state);
  return state;
}

describe('Text that is posted', () => {
  const first = snapshot(1, turnView('running'));

  it('names its turn once, and then has its number and the words only', () => {
    assert.deepEqual(
      shortened(first, text(2, '', 'Hm'), text(3, '', 'm.'), text(4, 'Be'), text(5, 'cause.')),
      [first, text(2, '', 'Hm'), [3, '', 'm.'], [4, 'Be'], [5, 'cause.']],
    );
  });

  it('names its turn again when it is of another one', () => {
    const other = text(3, 'b', '', 't2');
    assert.deepEqual(shortened(first, text(2, 'a'), other, text(4, 'c'))?.slice(2), [other, text(4, 'c')]);
  });

  it('names its turn again after a snapshot, which a new page may have got', () => {
    const again = snapshot(3, turnView('running'));
    assert.deepEqual(shortened(first, text(2, 'a'), again, text(4, 'b')).at(-1), text(4, 'b'));
  });

  it('changes nothing on a page that has missed what it goes on from', () => {
    const state = fold([first]);
    assert.equal(foldPanel(state, [4, 'cause.']), 'resync');
    assert.equal(foldPanel(state, [1, 'cause.']), 'outdated');
    assert.equal(foldPanel(undefined, [1, 'cause.']), 'resync');
  });
});

describe('A turn that is posted', () => {
  const begun = turnView('running', { startedAt: 1, lastProgressAt: 1, waitUntil: 5 });

  it('is whole the first time, and then what has changed', () => {
    const later = { ...begun, liveLine: 'Looking', waitUntil: undefined };
    const messages = shortened(snapshot(1, begun), turn(2, begun), turn(3, later), turn(4, later));
    assert.deepEqual(messages.slice(1), [
      turn(2, begun),
      { type: 'turn-changes', seq: 3, changes: { liveLine: 'Looking' }, unset: ['waitUntil'] },
      { type: 'turn-changes', seq: 4, changes: {} },
    ]);
  });

  for (const [between, message] of Object.entries({
    'a snapshot': snapshot(3, begun),
    'another turn': turn(3, { ...begun, id: 't2' }),
  } satisfies Record<string, HostMessage>))
    it(`is whole after ${between}`, () => {
      const messages = shortened(snapshot(1, begun), turn(2, begun), message, turn(4, begun));
      assert.deepEqual(messages.at(-1), turn(4, begun));
    });
});

describe('Surroundings that are posted', () => {
  it('are what has changed since the last ones, which a snapshot has as well', () => {
    const around = (seq: number, more: Parameters<typeof surroundingsView>[0]): HostMessage => ({
      type: 'surroundings',
      seq,
      surroundings: surroundingsView(more),
    });
    // Each has the time.
    const [first, again] = [snapshot(1), snapshot(4)];
    const messages = shortened(
      first,
      around(2, { running: true, effort: 'low' }),
      around(3, { running: true }),
      again,
      around(5, {}),
    );
    assert.deepEqual(messages, [
      first,
      { type: 'surroundings-changes', seq: 2, changes: { running: true, effort: 'low' } },
      { type: 'surroundings-changes', seq: 3, changes: {}, unset: ['effort'] },
      again,
      { type: 'surroundings-changes', seq: 5, changes: {} },
    ]);
  });
});

const anyCall = fc.record({
  arguments: fc.constantFrom('', '{}'),
  result: fc.constantFrom(undefined, 'r'),
  kept: fc.constantFrom(undefined, true as const),
});

const anyTurn = fc
  .record(
    {
      id: fc.constantFrom('t1', 't2'),
      outcome: fc.constantFrom<TurnView['outcome']>('running', 'complete'),
      liveLine: fc.constantFrom('', 'Looking', 'Found'),
      waitUntil: fc.constantFrom(undefined, 5),
      reasoningTokens: fc.constantFrom(undefined, 0, 7),
      received: fc.constantFrom(undefined, '', 'all of it'),
      cards: fc.constantFrom([], [{ kind: 'note', title: 'Note' }]),
      rounds: fc.array(
        fc.record({ answer: fc.constantFrom('', 'So.'), calls: fc.array(anyCall, { maxLength: 2 }) }),
        {
          maxLength: 2,
        },
      ),
    },
    { requiredKeys: ['id', 'outcome'] },
  )
  .map(({ rounds = [], ...more }) => ({
    ...turnView('running', { startedAt: 1, lastProgressAt: 1 }),
    ...(more as Partial<TurnView>),
    rounds: rounds.map(({ answer, calls }) => ({
      answer,
      calls: calls.map(({ kept, ...call }) => toolCallView({ ...call, ...(kept && { kept }) })),
    })),
  }));

type Unnumbered = (seq: number) => HostMessage;

const anyMessage: fc.Arbitrary<Unnumbered> = fc.oneof(
  {
    weight: 4,
    arbitrary: anyTurn.map(
      (view): Unnumbered =>
        (seq) =>
          turn(seq, view),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'a', '"\n'), fc.constantFrom('', 'b'), fc.constantFrom('t1', 't2', 't3'))
      .map(
        ([answer, thought, id]): Unnumbered =>
          (seq) =>
            text(seq, answer, thought, id),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyTurn, anyTurn).map(
      ([a, b]): Unnumbered =>
        (seq) =>
          snapshot(seq, a, b),
    ),
  },
  {
    weight: 1,
    arbitrary: anyTurn.map(
      (view): Unnumbered =>
        (seq) => ({
          type: 'exchange',
          seq,
          exchange: shown(`e-${view.id}`, view),
        }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ running: fc.boolean(), effort: fc.constantFrom(undefined, 'low', 'high') }).map(
      (more): Unnumbered =>
        (seq) => ({ type: 'surroundings', seq, surroundings: surroundingsView(more) }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Unnumbered>((seq) => ({ type: 'focus', seq })) },
);

describe('A page that gets shortened messages', () => {
  it('shows what it would show with whole ones', () => {
    fc.assert(
      fc.property(anyTurn, fc.array(anyMessage, { maxLength: 30 }), (view, rest) => {
        const messages = [snapshot(1, view), ...rest.map((make, at) => make(at + 2))];
        const { panel } = fold(shortened(...messages));
        // Fields that are undefined are left out of whole messages, and set by shortened ones.
        assert.deepEqual(asPosted(panel), asPosted(fold(messages).panel));
      }),
      { numRuns: 200 },
    );
  });
});
