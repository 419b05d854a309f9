import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Remark, withRenamedFile } from '../../../../src/review/comments/keptRemarks.ts';
import {
  doneOf,
  type SentRemarks,
  settleRemarks,
  withEachSent,
} from '../../../../src/review/comments/sentRemarks.ts';

const REMARK: Remark = {
  id: 'r1',
  uri: 'file:///a.ts',
  startLine: 0,
  endLine: 0,
  quote: 'a',
  text: 'Why?',
  hunk: undefined,
};
const SENT: SentRemarks = new Map([['t1', [REMARK]]]);

describe('Comments that were sent', () => {
  it('are done when their answer is complete', () => {
    const { sent, back, done } = settleRemarks(SENT, { id: 't1', continues: undefined, whole: true });
    assert.deepEqual([sent.size, back, done], [0, [], [REMARK]]);
  });

  it('come back when their answer is cut off, and are done when it is continued to its end', () => {
    const first = settleRemarks(SENT, { id: 't1', continues: undefined, whole: false });
    assert.deepEqual([first.back, first.done], [[REMARK], []]);
    // They are in the editor already, so they do not come back a second time.
    const second = settleRemarks(first.sent, { id: 't2', continues: 't1', whole: false });
    assert.deepEqual([second.back, second.done], [[], []]);
    const third = settleRemarks(second.sent, { id: 't3', continues: 't2', whole: true });
    assert.deepEqual([third.sent.size, third.back, third.done], [0, [], [REMARK]]);
  });

  it('are done also when another attempt for their question is complete', () => {
    const stopped = settleRemarks(SENT, { id: 't1', continues: undefined, attempts: ['t1'], whole: false });
    const again = { continues: undefined, attempts: ['t1', 't2', 't3'] };
    const second = settleRemarks(stopped.sent, { ...again, id: 't2', whole: false });
    assert.deepEqual([second.back, second.done], [[], []], 'they are in the editor already');
    const third = settleRemarks(second.sent, { ...again, id: 't3', whole: true });
    assert.deepEqual([third.sent.size, third.back, third.done], [0, [], [REMARK]]);
  });

  it('stay as they are when another turn ends', () => {
    const { sent, back, done } = settleRemarks(SENT, { id: 't9', continues: 't8', whole: true });
    assert.deepEqual([sent, back, done], [SENT, [], []]);
  });

  it('are done also when their file was renamed after a part of their answer was cut off', () => {
    const cut = settleRemarks(SENT, { id: 't1', continues: undefined, whole: false });
    const again = settleRemarks(cut.sent, { id: 't2', continues: 't1', whole: false });
    const inEditor = withRenamedFile(cut.back, 'file:///a.ts', 'file:///b.ts');
    const renamed = withEachSent(again.sent, (written) =>
      withRenamedFile(written, 'file:///a.ts', 'file:///b.ts'),
    );
    const { sent, done } = settleRemarks(renamed, { id: 't3', continues: 't2', whole: true });
    assert.deepEqual([...sent], []);
    assert.deepEqual(doneOf(inEditor, done), inEditor);
    assert.deepEqual(doneOf([{ ...REMARK, text: 'Why, then?' }], done), [], 'changed since');
  });
});
