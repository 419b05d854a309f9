import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import { MAX_RESULT } from '../../../../src/conversation/toolCalls/runCalls.ts';
import type { CallState, Turn } from '../../../../src/conversation/turn.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { buildRequest } from '../../../../src/service/request.ts';
import { NEVER } from '../../service/wire.ts';
import { answering, calling, OF_A, resultsOf, runWith, statesOf, toolboxOf } from '../toolTurns.ts';
import { exchangeOf } from '../turns.ts';

describe('Running the calls of a round', () => {
  it('runs the calls of a round in parallel and returns the results in their order', async () => {
    let there = 0;
    const all = createDeferred<void>();
    const toolbox = toolboxOf(['read'], async ({ id }) => {
      if (++there === 3) all.resolve();
      await all.promise;
      await wait(id === 'id_0' ? 20 : 0);
      return { text: id };
    });
    const { requests } = await runWith(
      [calling(['read', OF_A], ['read', OF_A], ['read', OF_A]), answering('x')],
      toolbox,
    );
    const tools = requests[1]?.messages.filter(({ role }) => role === 'tool');
    assert.deepEqual(
      tools?.map(({ content }) => content),
      ['id_0', 'id_1', 'id_2'],
    );
  });

  it('continues if a tool fails, throws, or is refused by the user', async () => {
    const toolbox = toolboxOf(['read'], async ({ id }) => {
      if (id === 'id_0') throw new Error('No such file');
      return id === 'id_1'
        ? { text: 'No.', failed: true }
        : { text: 'Refused.', failed: true, refused: true };
    });
    const { turn } = await runWith(
      [calling(['read', OF_A], ['read', OF_A], ['read', OF_A]), answering('x')],
      toolbox,
    );
    assert.deepEqual(statesOf(turn), [['failed', 'failed', 'refused']]);
    assert.deepEqual(resultsOf(turn), ['No such file', 'No.', 'Refused.']);
    assert.equal(turn.outcome, 'complete');
  });

  it('cuts a result that is too long, with a note', async () => {
    const toolbox = toolboxOf(['read'], async () => ({ text: '😀'.repeat(MAX_RESULT) }));
    const { turn } = await runWith([calling(['read', OF_A]), answering('x')], toolbox);
    const [text = ''] = resultsOf(turn) ?? [];
    assert.ok(text.length < MAX_RESULT + 100 && text.isWellFormed());
    assert.match(text, /\[cut: the first 60000 of 120000 characters\]$/);
    const whole = toolboxOf(['read'], async () => ({ text: 'a'.repeat(MAX_RESULT) }));
    const { turn: fits } = await runWith([calling(['read', OF_A]), answering('x')], whole);
    assert.equal(resultsOf(fits)?.[0]?.length, MAX_RESULT);
  });

  it('tells the model that a tool returned nothing', async () => {
    const toolbox = toolboxOf(['read'], async () => ({ text: '' }));
    const { requests } = await runWith([calling(['read', OF_A]), answering('x')], toolbox);
    assert.deepEqual(requests[1]?.messages.at(-1), {
      role: 'tool',
      tool_call_id: 'id_0',
      content: '[no output]',
    });
  });
});

describe('A result that is only images', () => {
  it('is not said to have no output', async () => {
    const images = [{ type: 'image/png', base64: 'AAAA' }];
    const toolbox = toolboxOf(['read'], async () => ({ text: '', images }));
    const { turn, requests } = await runWith([calling(['read', OF_A]), answering('x')], toolbox);
    assert.deepEqual(resultsOf(turn), ['[only images]']);
    const sent = requests[1]?.messages.slice(-2);
    assert.deepEqual(
      sent?.map(({ role }) => role),
      ['tool', 'user'],
    );
    assert.ok(!JSON.stringify(sent).includes('no output'));
  });
});

describe('Stopping a turn with tools', () => {
  it('runs no call that had not begun, and says so of each', async () => {
    const isLast: readonly ((turn: Turn) => boolean)[] = [
      ({ finishReason }) => finishReason !== undefined,
      ({ sawDone }) => sawDone,
      ({ rounds }) => rounds.length > 0,
    ];
    for (const isNow of isLast) {
      const reader = new AbortController();
      const toolbox = toolboxOf(['read']);
      const { turn } = await runWith([calling(['read', OF_A], ['read', OF_A])], toolbox, {
        signal: reader.signal,
        onTurn: (now) => isNow(now) && reader.abort(),
      });
      assert.equal(turn.outcome, 'stopped');
      assert.deepEqual(toolbox.ran, []);
      assert.deepEqual(statesOf(turn), [['not-run', 'not-run']]);
    }
  });

  for (const [state, ends] of [
    ['running', 'stopped'],
    ['waiting', 'not-run'],
  ] as const) {
    it(`ends a call that is ${state}, whatever the tool does then`, async () => {
      const reader = new AbortController();
      let toolSignal: AbortSignal | undefined;
      const toolbox = toolboxOf(['read'], async ({ id }, signal, onState) => {
        toolSignal = signal;
        if (id === 'id_0') return { text: 'quick' };
        onState?.(state);
        setTimeout(() => reader.abort(), 5);
        return new Promise(() => undefined);
      });
      const { turn, requests } = await runWith([calling(['read', OF_A], ['read', OF_A])], toolbox, {
        signal: reader.signal,
      });
      assert.equal(toolSignal?.aborted, true);
      assert.equal(turn.outcome, 'stopped');
      assert.deepEqual(statesOf(turn), [['done', ends]]);
      assert.equal(requests.length, 1);
      const next = toMessages('', [exchangeOf('q', turn)], { text: 'And?', images: [] });
      assert.deepEqual(
        next.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'tool', 'user'],
      );
      assert.ok(buildRequest({ model: 'm', messages: next }).ok);
    });
  }

  it('ends a call whose tool never returns, tells the model, and continues with the other results', async () => {
    let aborted = false;
    const toolbox = toolboxOf(['read'], ({ id }, signal) => {
      if (id !== 'id_0') return Promise.resolve({ text: 'here' });
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    });
    const streams = [calling(['read', OF_A], ['read', OF_A]), answering('There.')];
    const { turn, requests } = await runWith(streams, toolbox, { maxCallMs: 20 });
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual(statesOf(turn), [['failed', 'done']]);
    const results = requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    assert.match(String(results?.[0]), /^The call was ended: the tool did not return within/);
    assert.equal(results?.[1], 'here');
    assert.equal(aborted, true);
  });

  it('does not count the time in which a call waits for the user', async () => {
    const toolbox = toolboxOf(['read'], async (_, signal, onState) => {
      onState?.('waiting');
      await wait(120);
      onState?.('running');
      signal.throwIfAborted();
      return { text: 'allowed' };
    });
    const { turn } = await runWith([calling(['read', OF_A]), answering('x')], toolbox, { maxCallMs: 60 });
    assert.deepEqual(resultsOf(turn), ['allowed']);
  });

  it('sums up how long a call waits for the user, also when it is asked twice and refused', async () => {
    let clock = 0;
    const toolbox = toolboxOf(['read', 'list'], async ({ name }, _, onState) => {
      if (name === 'list') return { text: 'not asked' };
      clock += 5;
      onState?.('waiting');
      clock += 60;
      onState?.('running');
      clock += 7;
      onState?.('waiting');
      clock += 600;
      return { text: 'no', refused: true };
    });
    const streams = [calling(['read', OF_A], ['list', OF_A]), answering('x')];
    const { turn } = await runWith(streams, toolbox, { now: () => clock });
    const [asked, other] = turn.rounds[0]?.toolCalls ?? [];
    assert.equal(asked?.waitedMs, 660);
    assert.equal(other !== undefined && 'waitedMs' in other, false);
  });

  it('ends only one call if the user stops that call, and continues with the other results', async () => {
    const stopped = new AbortController();
    let toolSignal: AbortSignal | undefined;
    const toolbox = toolboxOf(['read'], async ({ id }, signal) => {
      if (id !== 'id_0') return { text: 'there' };
      toolSignal = signal;
      setTimeout(() => stopped.abort(), 5);
      return new Promise(() => undefined);
    });
    const streams = [calling(['read', OF_A], ['read', OF_A]), answering('So be it.')];
    const { turn, requests } = await runWith(streams, toolbox, {
      stopOf: (callId) => (callId === 'id_0' ? stopped.signal : NEVER),
    });
    assert.equal(toolSignal?.aborted, true);
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual(statesOf(turn), [['stopped', 'done']]);
    assert.deepEqual(requests[1]?.messages.slice(-2), [
      { role: 'tool', tool_call_id: 'id_0', content: 'The user stopped this call before it ended.' },
      { role: 'tool', tool_call_id: 'id_1', content: 'there' },
    ]);
  });

  it('shows a call as waiting for approval, and then as running', async () => {
    const seen: (CallState | undefined)[] = [];
    const toolbox = toolboxOf(['read'], async (_, __, onState) => {
      onState?.('waiting');
      await wait(1);
      onState?.('running');
      await wait(1);
      return { text: 'x' };
    });
    await runWith([calling(['read', OF_A]), answering('x')], toolbox, {
      onTurn: (turn) => {
        const state = turn.rounds[0]?.toolCalls[0]?.state;
        if (state !== seen.at(-1)) seen.push(state);
      },
    });
    assert.deepEqual(seen.slice(-3), ['waiting', 'running', 'done']);
  });
});
