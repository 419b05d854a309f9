import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ReplyEnd, toReplyEnd } from '../../../../src/conversation/otherChats/otherReply.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import { answering, calling, runWith, toolboxOf } from '../toolTurns.ts';
import { answer, chunk, finish, reasoning, SERVICE_ENDED, turnOf } from '../turns.ts';

const OFFERED = new Set(['read']);
const called = (args: string, more: { id?: string; name?: string; index?: number } = {}) =>
  chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', ...more, arguments: args }] });
const endOf = (...events: Parameters<typeof turnOf>[0]): ReplyEnd =>
  toReplyEnd(turnOf([...events, SERVICE_ENDED]), OFFERED);
const faultOf = (...events: Parameters<typeof turnOf>[0]) => {
  const end = endOf(...events, finish('tool_calls'));
  return end.ok || end.problem.why !== 'broken-call' ? undefined : end.problem.fault;
};

describe('The reply to another chat', () => {
  it('contains the calls with object arguments after the turn has ended', () => {
    const end = endOf(
      called('{"path":'),
      called('"x"}', { id: '', name: '' }),
      called('', { id: 'b', index: 1 }),
      finish('tool_calls'),
    );
    assert.deepEqual(end, {
      ok: true,
      calls: [
        { id: 'a', name: 'read', input: { path: 'x' } },
        { id: 'b', name: 'read', input: {} },
      ],
    });
  });

  it('contains no call of a turn that was cut off, even if its arguments are valid', () => {
    for (const end of [endOf(called('{"path":"x"}'), finish('length')), endOf(called('{"path":"x"}'))])
      assert.ok(!end.ok && end.problem.why === 'outcome');
  });

  it('contains no call of a turn that ended like a plain answer', () => {
    const end = endOf(answer('So.'), called('{"path":"x"}'), finish('stop'));
    assert.deepEqual(end, { ok: false, problem: { why: 'calls-not-run' } });
  });

  it('is a problem if the turn reached the maximum number of rounds before the answer', async () => {
    const { turn } = await runWith([calling(['read', '{"of":"a"}'])], toolboxOf(['read']));
    assert.deepEqual(toReplyEnd(turn, new Set()), { ok: false, problem: { why: 'rounds-spent' } });
  });

  it('is a problem if another model answered in any round', async () => {
    const streams = [calling(['read', '{"of":"a"}']), answering('So.')];
    const { turn } = await runWith(streams, toolboxOf(['read']));
    assert.ok(toReplyEnd(turn, new Set()).ok);
    const [first, ...more] = turn.rounds;
    assert.ok(first);
    const rounds = [{ ...first, responseModel: 'cheap-1' }, ...more];
    const end = toReplyEnd({ ...turn, rounds }, new Set());
    assert.deepEqual(end, { ok: false, problem: { why: 'model-substituted' } });
  });

  it('contains no broken call and gives the reason', () => {
    assert.equal(faultOf(called('{"path":"x"}')), undefined);
    assert.equal(faultOf(called('{"path"')), 'no-object');
    assert.equal(faultOf(called('[1]')), 'no-object');
    assert.equal(faultOf(called('{}', { name: 'delete' })), 'unknown-name');
    const damaged: StreamEvent = { type: 'damaged' };
    assert.equal(faultOf(damaged, called('{}')), 'damaged');
  });

  it('is a problem if the turn was spent on reasoning, is empty, or was answered by another model', () => {
    const problemOf = (end: ReplyEnd) => (end.ok ? undefined : end.problem);
    assert.deepEqual(problemOf(endOf(reasoning('Hm.'), finish('length'))), {
      why: 'outcome',
      outcome: 'spent-on-reasoning',
    });
    assert.deepEqual(problemOf(endOf(finish('stop'))), { why: 'outcome', outcome: 'empty' });
    assert.equal(problemOf(endOf(answer('So.'), finish('stop'))), undefined);
    const substituted = endOf(answer('So.'), chunk({ model: 'other', finishReason: 'stop' }));
    assert.deepEqual(problemOf(substituted), { why: 'model-substituted' });
  });
});
