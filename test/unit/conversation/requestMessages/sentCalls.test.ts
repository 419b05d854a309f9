import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toSentCall, toSentResult } from '../../../../src/conversation/requestMessages/sentCalls.ts';
import { toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import type { Call } from '../../../../src/conversation/turn.ts';
import { checkMessages } from '../../../../src/emulator/requestRules/checkMessages.ts';
import type { Message } from '../../../../src/service/types.ts';
import { answering, calling, runWith, toolboxOf } from '../toolTurns.ts';
import { exchangeOf } from '../turns.ts';

const call = (more: Partial<Call>): Call => ({
  index: 0,
  id: 'a',
  name: 'read',
  arguments: '{}',
  state: 'done',
  result: { text: 'x' },
  startedAt: 0,
  endedAt: 1,
  ...more,
});
const sent = (more: Partial<Call>) => toSentCall(call(more)).function;

describe('A call that is sent back', () => {
  it('is as the model wrote it', () => {
    const args = '{ "of" : "a" }';
    assert.deepEqual(toSentCall(call({ id: 'read:0', arguments: args })), {
      id: 'read:0',
      type: 'function',
      function: { name: 'read', arguments: args },
    });
    assert.equal(sent({ arguments: args, state: 'failed' }).arguments, args);
  });

  it('has a name that a tool can have', () => {
    assert.equal(sent({ name: '' }).name, 'unnamed');
    assert.equal(sent({ name: 'functions.read file' }).name, 'functions_read_file');
    assert.equal(sent({ name: 'a'.repeat(65) }).name, 'a'.repeat(64));
  });

  it('has an object as its arguments, with what the model wrote', () => {
    for (const state of ['failed', 'not-run'] as const)
      for (const args of ['{"of":', '[1]', 'null', '"a"', '{}{}'])
        assert.deepEqual(JSON.parse(sent({ arguments: args, state }).arguments), { unreadable: args });
    assert.equal(sent({ arguments: ' ' }).arguments, '{}');
  });

  it('has a result that is not blank', () => {
    for (const text of ['', ' \n'])
      assert.equal(toSentResult(call({ result: { text } })).content, '[no output]');
    assert.equal(toSentResult(call({ result: undefined })).content, '[no output]');
    assert.equal(toSentResult(call({ result: { text: ' x\n' } })).content, ' x\n');
  });
});

describe('Calls that could not run', () => {
  const refusals = (messages: readonly Message[] = []) => {
    const checked = checkMessages(JSON.parse(JSON.stringify(messages)), {
      route: 'direct',
      replayNames: ['reasoning_content'],
    });
    return checked.ok ? '' : JSON.stringify(checked);
  };

  for (const [what, ...broken] of [
    ['without a name', '', '{"of":"a"}'],
    ['with a name that no tool can have', 'functions.read', '{"of":"a"}'],
    ['with broken arguments', 'read', '{"of":'],
  ] as const)
    it(`${what} are taken by a service that checks them, in the next round and in the next question`, async () => {
      const { turn, requests } = await runWith([calling(broken), answering('x')], toolboxOf(['read']));
      const next = toMessages('', [exchangeOf('q', turn)], { text: 'Next', images: [] });
      for (const messages of [requests[1]?.messages, next]) {
        assert.equal(refusals(messages), '');
        const [back] =
          messages?.flatMap((one) => (one.role === 'assistant' ? (one.tool_calls ?? []) : [])) ?? [];
        assert.match(back?.function.name ?? '', /^[\w-]{1,64}$/);
        assert.equal(typeof JSON.parse(back?.function.arguments ?? ''), 'object');
      }
      assert.deepEqual(next.slice(0, 3), requests[1]?.messages.with(0, { role: 'user', content: 'q' }));
    });
});
