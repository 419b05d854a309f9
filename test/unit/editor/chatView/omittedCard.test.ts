/** Which results the card of those that are no longer sent lists: the same file once, with their number and all their tokens. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Call, Turn } from '../../../../src/conversation/turn.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';

const { toOmittedCard } = await withEditorStub(
  () => import('../../../../src/editor/chatView/omittedCard.ts'),
);

type Asked = readonly [name: string, args: Readonly<Record<string, unknown>>];

const callOf = ([name, args]: Asked, index: number): Call => ({
  ...{ index, id: `${index}`, name, arguments: JSON.stringify(args), state: 'done' },
  ...{ result: { text: 'So.' }, startedAt: 0, endedAt: 1 },
});

/** A turn with one round, whose results are of 1,000 tokens each and no longer sent. */
function cardOf(...asked: readonly Asked[]) {
  const plain = completeTurn();
  const round = { ...plain, toolCalls: asked.map(callOf), times: { ...plain.roundTimes, endedAt: 1 } };
  const turn: Turn = { ...plain, rounds: [round] };
  const results = asked.map((_, index) => ({ round: 0, index, tokens: 1000 }));
  const card = toOmittedCard(
    turn,
    { fromRound: 1, results },
    {
      turnOf: () => undefined,
      titleOf: ({ name, arguments: json }) => `${name} ${Object.values(JSON.parse(json)).join(' ')}`,
    },
  );
  return card.facts.map(({ label, value }) => `${label}: ${value}`);
}

const lines = (path: string, startLine: number): Asked => ['Read', { path, startLine }];

describe('The card of results that are no longer sent', () => {
  it('lists a call that was made several times once, with the number and all tokens', () => {
    const found: Asked = ['Find', { text: 'tide' }];
    assert.deepEqual(cardOf(found, ['Read', { path: 'a.ts' }], found, found), [
      'Find tide (3): about 3K tokens',
      'Read a.ts: about 1K tokens',
    ]);
  });

  it('lists a file once, whatever lines of it were read', () => {
    assert.deepEqual(cardOf(lines('tide.ts', 1), lines('b.ts', 5), lines('tide.ts', 400)), [
      'Read tide.ts (2): about 2K tokens',
      'Read b.ts 5: about 1K tokens',
    ]);
    const ten = Array.from({ length: 10 }, (_, at) => lines('tide.ts', at));
    assert.deepEqual(cardOf(...ten), ['Read tide.ts (10): about 10K tokens']);
  });

  it('keeps other tools, other files, and arguments that are no path apart', () => {
    assert.deepEqual(
      cardOf(
        ['Read', { path: 'a.ts' }],
        ['List', { path: 'a.ts' }],
        ['Read', { path: 7 }],
        ['Read', { path: 8 }],
      ),
      [
        'Read a.ts: about 1K tokens',
        'List a.ts: about 1K tokens',
        'Read 7: about 1K tokens',
        'Read 8: about 1K tokens',
      ],
    );
  });

  it('says how many results are not listed', () => {
    const many = Array.from({ length: 12 }, (_, at) => lines(`${at}.ts`, 1));
    const shown = cardOf(...many, lines('11.ts', 2));
    assert.deepEqual([shown.length, shown.at(-1)], [11, '… and 3 more: ']);
  });
});
