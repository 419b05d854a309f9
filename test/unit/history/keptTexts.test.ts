/** The text of a turn that goes on after another window has ended it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foldTurn } from '../../../src/conversation/fold.ts';
import type { Round, Turn } from '../../../src/conversation/turn.ts';
import { toLinkedExchanges } from '../../../src/history/branches.ts';
import type { History } from '../../../src/history/history.ts';
import { answering, calling, runWith, toolboxOf } from '../conversation/toolTurns.ts';
import { answer, WINDOW_ENDED } from '../conversation/turns.ts';
import { halfTurn, makeFolder, open, PRICES, withTurn } from './support.ts';

const half = halfTurn();

async function roundOf(text: string): Promise<Round> {
  const [begin, ...rest] = calling(['read', '{"of": "a"}', 'a']);
  assert.ok(begin);
  const toolbox = toolboxOf(['read'], async () => ({ text: 'x' }));
  const { turn } = await runWith([[begin, answer(text), ...rest], answering('There.')], toolbox);
  const [round] = turn.rounds;
  assert.ok(round);
  return round;
}

/** Two windows, of which the second has ended the turn of the first. */
async function prepare(): Promise<{ here: History; there: History; turn: () => Turn | undefined }> {
  const folder = await makeFolder();
  const [here, there] = [open(folder), open(folder, [], 'another window')];
  const one = withTurn(half);
  here.putHeader(one);
  for (const linked of toLinkedExchanges(one.exchanges, one.branches))
    here.putExchange(one.id, linked, PRICES);
  here.putHead(one.id, 'e1');
  here.rewrite(half);
  there.finish('c1', 'e1', foldTurn(half, { at: 10, event: WINDOW_ENDED }), PRICES);
  return { here, there, turn: () => there.load('c1')?.exchanges[0]?.attempts[0] };
}

const textsOf = (turn: Turn | undefined) => turn && [turn.reasoning, turn.answer];

describe('A turn that goes on after another window has ended it', () => {
  it('has text that has moved into a round only there, before and after its end', async () => {
    const { here, turn } = await prepare();
    const round = await roundOf('Half an answer, and a call.');
    here.putRound('c1', half.id, 0, round);
    const going: Turn = { ...half, rounds: [round], reasoning: '', answer: '' };
    here.rewrite(going);
    assert.deepEqual(textsOf(turn()), ['', '']);
    here.append({ ...going, answer: 'The' }, { reasoning: '', answer: 'The' });
    assert.deepEqual(textsOf(turn()), ['', 'The']);
    here.finish('c1', 'e1', { ...going, answer: 'There.', outcome: 'complete' }, PRICES);
    assert.deepEqual(textsOf(turn()), ['', 'There.']);
    assert.equal(turn()?.rounds[0]?.answer, 'Half an answer, and a call.');
  });

  it('has it only there if nothing was kept before its end', async () => {
    const { here, turn } = await prepare();
    const round = await roundOf('Half an answer, and a call.');
    const ended: Turn = { ...half, rounds: [round], reasoning: '', answer: 'There.', outcome: 'complete' };
    here.finish('c1', 'e1', ended, PRICES);
    assert.deepEqual(textsOf(turn()), ['', 'There.']);
  });

  it('keeps its text when the other window saves an end that has none', async () => {
    const { here, there, turn } = await prepare();
    here.append({ ...half, answer: 'Half an answer' }, { reasoning: '', answer: 'wer' });
    const empty: Turn = { ...half, reasoning: '', answer: '' };
    there.finish('c1', 'e1', foldTurn(empty, { at: 10, event: WINDOW_ENDED }), PRICES);
    assert.deepEqual(textsOf(turn()), ['Thinking.', 'Half an answer']);
  });
});
