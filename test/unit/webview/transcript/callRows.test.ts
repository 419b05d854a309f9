import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToolCallView } from '../../../../src/panel/views.ts';
import { rowKeyOf, toCallRows } from '../../../../src/webview/transcript/callRows.ts';

type State = ToolCallView['state'];

const call = (state: State): ToolCallView => ({
  id: state,
  name: 'read_file',
  title: 'Read a.ts',
  arguments: '{}',
  source: undefined,
  approval: undefined,
  state,
  stateLabel: state,
  result: undefined,
  images: [],
  startedAt: undefined,
  seconds: undefined,
});

const round = (answer: string, ...states: readonly State[]) => ({ answer, calls: states.map(call) });

/** The rows as words: texts, states of single calls, and the places of the calls of groups. */
const rowsOf = (...rounds: readonly ReturnType<typeof round>[]) =>
  toCallRows(rounds).map((row) => {
    if (row.kind === 'text') return row.answer;
    if (row.kind === 'call') return row.placed.call.state;
    if (row.kind === 'plan') return row.plan.line;
    return row.calls.map((placed) => `${placed.round}.${placed.index}`).join(' ');
  });

describe('The rows of tool calls', () => {
  it('are one group of all calls that are done, over several rounds', () => {
    assert.deepEqual(rowsOf(round('', 'done', 'done'), round('', 'done')), ['0.0 0.1 1.0']);
  });

  it('are single calls where there is only one in a row', () => {
    assert.deepEqual(rowsOf(round('', 'done')), ['done']);
    assert.deepEqual(rowsOf(round('', 'done'), round('And now:', 'done')), ['done', 'And now:', 'done']);
  });

  for (const state of ['waiting', 'running', 'failed', 'refused', 'not-run'] as const)
    it(`have a call that is ${state} outside of groups, in its place`, () => {
      assert.deepEqual(rowsOf(round('', 'done', 'done', state, 'done', 'done')), [
        '0.0 0.1',
        state,
        '0.3 0.4',
      ]);
    });

  it('have the plan at its place, outside of groups, always with the same key', () => {
    const plan = { line: 'Plan: 1 of 2', items: [] };
    const written = { answer: '', calls: [call('done'), { ...call('done'), plan }, call('done')] };
    assert.deepEqual(rowsOf(round('', 'done'), written), ['0.0 1.0', 'Plan: 1 of 2', 'done']);
    assert.deepEqual(toCallRows([written]).map(rowKeyOf), ['call/0/0', 'plan', 'call/0/2']);
  });

  it('have the text of a round before its calls', () => {
    assert.deepEqual(rowsOf(round('First.', 'done', 'done'), round('Then.', 'running')), [
      'First.',
      '0.0 0.1',
      'Then.',
      'running',
    ]);
  });

  it('are none without calls and text', () => {
    assert.deepEqual(rowsOf(), []);
    assert.deepEqual(rowsOf(round('')), []);
  });
});
