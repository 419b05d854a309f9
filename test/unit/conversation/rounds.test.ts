import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toChecks } from '../../../src/conversation/outcomes/checks.ts';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import { stepsOf } from '../../../src/conversation/reasoning/outline.ts';
import { toReasoningFacts, toStepText } from '../../../src/conversation/reasoning/steps.ts';
import { toMessageParts } from '../../../src/conversation/requestMessages/prefix.ts';
import { toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import { allReasoning, totalUsageOf } from '../../../src/conversation/rounds.ts';
import { MAX_ROUNDS } from '../../../src/conversation/toolCalls/planCalls.ts';
import { toUsageTotals } from '../../../src/conversation/usage/cost.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { buildRequest } from '../../../src/service/request.ts';
import { REQUEST } from '../service/wire.ts';
import { answering, calling, OF_A, resultsOf, runWith, statesOf, toolboxOf, toolOf } from './toolTurns.ts';
import { chunk, conversationOf, DONE, exchangeOf, finish, SOME_USAGE, usage } from './turns.ts';

describe('A turn with tools', () => {
  it('runs the calls and sends requests until a round has no calls', async () => {
    const toolbox = toolboxOf(['read', 'list']);
    const streams = [
      calling(['read', OF_A, 'x:0'], ['list', '{"of": "b"}', 'y:1']),
      calling(['read', '{"of":"c"}', 'x:0']),
      answering('There.'),
    ];
    const { turn, requests } = await runWith(streams, toolbox);
    assert.equal(turn.outcome, 'complete');
    assert.equal(turn.answer, 'There.');
    assert.deepEqual(statesOf(turn), [['done', 'done'], ['done']]);
    assert.deepEqual(
      toolbox.ran.map(({ id, name }) => [id, name]),
      [
        ['x:0', 'read'],
        ['y:1', 'list'],
        ['x:0', 'read'],
      ],
    );
    assert.equal(requests.length, 3);
    assert.deepEqual(requests[1]?.messages.slice(1), [
      {
        role: 'assistant',
        reasoning_content: 'On to 2 calls.',
        tool_calls: [
          { id: 'x:0', type: 'function', function: { name: 'read', arguments: OF_A } },
          { id: 'y:1', type: 'function', function: { name: 'list', arguments: '{"of": "b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'x:0', content: 'read of a' },
      { role: 'tool', tool_call_id: 'y:1', content: 'list of b' },
    ]);
    for (const [index, request] of requests.entries()) {
      assert.equal('tool_choice' in request, false);
      const before = requests[index - 1];
      if (before === undefined) continue;
      const { messages, ...rest } = request;
      assert.deepEqual({ ...rest, messages: before.messages }, before);
      assert.equal(
        JSON.stringify(messages.slice(0, before.messages.length)),
        JSON.stringify(before.messages),
      );
    }
  });

  it('is stopped if the user refuses another request, with a result for every call', async () => {
    const streams = [calling(['read', OF_A]), answering('x')];
    const { turn, requests } = await runWith(streams, toolboxOf(['read']), {
      mayContinue: async () => false,
    });
    assert.equal(turn.outcome, 'stopped');
    assert.deepEqual(statesOf(turn), [['done']]);
    assert.equal(requests.length, 1);
  });

  it('never runs calls if the stream did not end with the finish reason of tool calls', async () => {
    const whole = calling(['read', OF_A]);
    const cut = whole.slice(0, 3);
    const cases = [
      [[...cut, finish('length')], 'truncated'],
      [cut, 'interrupted'],
      [[...cut, finish('content_filter')], 'filtered'],
      [[...cut, finish('stop')], 'complete'],
      [
        async function* () {
          yield* cut;
          throw new ServiceError('connection-lost');
        },
        'interrupted',
      ],
      [
        async function* () {
          yield* whole.slice(0, 4);
          throw new ServiceError('connection-lost');
        },
        'interrupted',
      ],
    ] as const;
    for (const [stream, outcome] of cases) {
      const toolbox = toolboxOf(['read']);
      const { turn, requests } = await runWith([stream], toolbox);
      assert.equal(turn.outcome, outcome);
      assert.equal(toolbox.ran.length, 0);
      assert.equal(requests.length, 1);
      assert.equal(turn.rounds.length, 0);
      assert.equal(turn.toolCalls[0]?.arguments, OF_A);
    }
  });

  it('runs the calls if the service keeps the stream open behind their finish reason, as after a plain answer', async () => {
    const whole = calling(['read', OF_A]);
    const silentAfter = (events: readonly StreamEvent[]) =>
      async function* () {
        yield* events;
        throw new ServiceError('silent', { phase: 'answering', silentMs: 10_000 });
      };
    const toolbox = toolboxOf(['read']);
    const { turn } = await runWith([silentAfter(whole.slice(0, -1)), answering('There.')], toolbox);
    assert.deepEqual([turn.outcome, turn.answer, statesOf(turn)], ['complete', 'There.', [['done']]]);
    const cut = await runWith([silentAfter(whole.slice(0, 3))], toolbox);
    assert.deepEqual([cut.turn.outcome, toolbox.ran.length], ['stalled', 1]);
  });

  it('runs no call without arguments if its finish reason came with it, as from gateways that send one with each chunk, and nothing shows the end', async () => {
    const tool = { ...toolOf('ping'), parameters: { type: 'object' } };
    const begun = (args: string, finishReason?: string) =>
      chunk({ toolCalls: [{ index: 0, id: 'a', name: 'ping', arguments: args }], finishReason });
    for (const args of ['', '{}']) {
      const alone = { ...toolboxOf([]), definitions: [tool] };
      const cut = await runWith([[begun(args, 'tool_calls')]], alone);
      assert.deepEqual([cut.turn.outcome, alone.ran.length], ['interrupted', 0]);
      // Usage that comes with each chunk shows no end, and neither does usage before the arguments.
      for (const stream of [
        [usage(), begun(args, 'tool_calls'), usage()],
        [begun(args, 'tool_calls'), usage(), begun('{"of"')],
      ]) {
        const toolbox = { ...toolboxOf([]), definitions: [tool] };
        await runWith([stream], toolbox);
        assert.equal(toolbox.ran.length, 0);
      }
      for (const stream of [
        [begun(args, 'tool_calls'), DONE],
        [begun(args, 'tool_calls'), usage()],
        [begun(args), finish('tool_calls')],
        [begun('{"of":1}', 'tool_calls')],
      ]) {
        const toolbox = { ...toolboxOf([]), definitions: [tool] };
        await runWith([stream, answering('There.')], toolbox);
        assert.equal(toolbox.ran.length, 1);
      }
    }
  });

  it('runs no calls that may be those of another choice', async () => {
    const toolbox = toolboxOf(['read']);
    const stream = [
      ...calling(['read', OF_A]).slice(0, 3),
      { type: 'other-choice', hasCalls: true } as const,
    ];
    const mixed = [...stream, finish('tool_calls'), usage(), DONE];
    const { turn } = await runWith([mixed, answering('There.')], toolbox);
    assert.equal(toolbox.ran.length, 0);
    assert.deepEqual(statesOf(turn), [['not-run']]);
  });

  it('runs no call twice if the service began its response again in the same stream', async () => {
    const again = { type: 'begun-again' } as const;
    for (const [first, id] of [
      [OF_A, 'y:1'],
      // Cut off, and without ids the rest of it would be that of the second one.
      ['{"of":', 'y:1'],
      ['{"of":', ''],
    ] as const) {
      const toolbox = toolboxOf(['read']);
      const stream = [
        ...calling(['read', first, id && 'x:0']).slice(0, 3),
        again,
        { ...again, hasCalls: true } as const,
        ...calling(['read', OF_A, id]).slice(1),
      ];
      const { turn } = await runWith([stream, answering('There.')], toolbox);
      assert.deepEqual([turn.outcome, turn.begunAgain], ['complete', true]);
      assert.deepEqual(statesOf(turn), [['done']]);
      assert.deepEqual(
        toolbox.ran.map(({ arguments: args }) => args),
        [{ of: 'a' }],
      );
    }
  });

  it('runs the calls before an empty beginning behind which no others follow', async () => {
    const toolbox = toolboxOf(['read']);
    const stream = [
      ...calling(['read', OF_A]).slice(0, 3),
      { type: 'begun-again' } as const,
      finish('tool_calls'),
      DONE,
    ];
    await runWith([stream, answering('There.')], toolbox);
    assert.equal(toolbox.ran.length, 1);
  });

  it('ends with a round whose calls may be those of another choice, because the next one would be billed and mostly the same', async () => {
    const toolbox = toolboxOf(['read']);
    const called = calling(['read', OF_A]);
    const mixed = [
      ...called.slice(0, 3),
      { type: 'other-choice', hasCalls: true } as const,
      ...called.slice(3),
    ];
    for (const earlier of [[], [called]]) {
      const { turn, requests } = await runWith([...earlier, mixed, answering('There.')], toolbox);
      assert.equal(requests.length, earlier.length + 1);
      assert.deepEqual([turn.outcome, turn.rounds.length], ['complete', earlier.length + 1]);
      assert.match(resultsOf(turn)?.at(-1) ?? '', /another choice/);
      assert.deepEqual(
        toNotices(turn, undefined).map(({ code }) => code),
        ['calls-not-run', 'other-choices'],
      );
      const messages = toMessages('', [exchangeOf('q', turn)], { text: 'Continue.', images: [] });
      assert.ok(buildRequest({ model: 'svc-k3', messages }).ok);
    }
  });

  it('runs nothing if no tools were offered', async () => {
    const { turn, requests } = await runWith([calling(['read', OF_A])], undefined);
    assert.equal(requests.length, 1);
    assert.equal(turn.outcome, 'complete');
    assert.equal(turn.rounds.length, 0);
  });

  it('ends after the maximum number of rounds, reports that, and leaves every call with a result', async () => {
    const toolbox = toolboxOf(['read']);
    const { turn, requests } = await runWith([calling(['read', OF_A])], toolbox);
    assert.equal(requests.length, MAX_ROUNDS + 1);
    assert.equal(toolbox.ran.length, MAX_ROUNDS);
    assert.deepEqual(statesOf(turn).at(-1), ['not-run']);
    assert.match(resultsOf(turn)?.[0] ?? '', /limit of 25 rounds/);
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual(
      toNotices(turn, undefined).map(({ code }) => code),
      ['rounds-spent'],
    );
    const built = buildRequest({
      model: 'svc-k3',
      messages: toMessages('', [exchangeOf('q', turn)], { text: 'Continue.', images: [] }),
    });
    assert.ok(built.ok);
  });

  it('runs no call of a stream that ended like a plain answer, and reports that', async () => {
    const toolbox = toolboxOf(['read']);
    const stream = calling(['read', OF_A]).filter(
      (event) => event.type !== 'chunk' || event.chunk.finishReason === undefined,
    );
    const { turn, requests } = await runWith([[...stream, finish('stop')]], toolbox);
    assert.equal(toolbox.ran.length, 0);
    assert.equal(requests.length, 1);
    assert.deepEqual(
      toNotices(turn, undefined).map(({ code }) => code),
      ['calls-not-run'],
    );
  });

  it('sends no content beside calls if the model wrote only white space', async () => {
    for (const [written, content] of [
      ['\n\n', undefined],
      ['\nLet me look.', '\nLet me look.'],
    ] as const) {
      const stream = [chunk({ answer: written }), ...calling(['read', OF_A])];
      const { requests } = await runWith([stream, answering('x')], toolboxOf(['read']));
      const message = requests[1]?.messages[1];
      assert.deepEqual([message?.content, 'content' in (message ?? {})], [content, content !== undefined]);
    }
  });

  it('omits images of older turns that the service does not accept', async () => {
    const images = [{ type: 'image/svg+xml', base64: 'PHN2Zz4=' }];
    const toolbox = toolboxOf(['see'], async () => ({ text: 'A picture.', images }));
    const { turn, requests } = await runWith([calling(['see', OF_A]), answering('x')], toolbox);
    assert.equal(turn.outcome, 'complete');
    assert.equal(requests[1]?.messages.at(-1)?.role, 'tool');
  });

  it('sends images of tools in a user message after all results', async () => {
    const image = { type: 'image/png', base64: 'iVBORw0KGgo=' };
    const toolbox = toolboxOf(['see'], async ({ id }) => ({
      text: 'A picture.',
      ...(id === 'id_0' && { images: [image] }),
    }));
    const { requests } = await runWith([calling(['see', OF_A], ['see', OF_A]), answering('x')], toolbox);
    const messages = requests[1]?.messages ?? [];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool', 'user'],
    );
    assert.match(JSON.stringify(messages.at(-1)), /data:image\/png;base64,iVBORw0KGgo=/);
    assert.ok(buildRequest({ model: 'm', messages }).ok);
  });
});

describe('The rounds of a turn', () => {
  const streams = [calling(['read', OF_A]), calling(['read', OF_A]), answering('There.')];
  const run = () => runWith(streams, toolboxOf(['read']));

  it('share one check, so that each schema is compiled once', async () => {
    assert.equal((await run()).checks, 1);
    assert.equal((await runWith([answering('There.')], toolboxOf(['read']))).checks, 0);
  });

  it('are sent back in later turns with the same bytes', async () => {
    const { turn, requests } = await run();
    const again = toMessages('', [exchangeOf('Why?', turn)], { text: 'And?', images: [] });
    const last = requests.at(-1)?.messages ?? [];
    assert.equal(JSON.stringify(again.slice(0, last.length)), JSON.stringify(last));
    assert.deepEqual(again.at(-2), {
      role: 'assistant',
      content: 'There.',
      reasoning_content: 'Now I know.',
    });
  });

  it('are all included in usage, cost, checks, and prefix', async () => {
    const { turn, requests } = await run();
    assert.equal(totalUsageOf(turn)?.totalTokens, 3 * (SOME_USAGE.totalTokens ?? 0));
    const account = toUsageTotals(conversationOf(exchangeOf('q', turn)), {
      input: 1,
      cachedInput: 1,
      output: 1,
    });
    assert.equal(account.totalTokens, 6150);
    assert.equal(account.turns, 1);
    assert.ok(toChecks(turn).every(({ passed }) => passed));
    // The test's turn started without the parts of its first request.
    const added = requests.at(-1)?.messages.slice(REQUEST.messages.length) ?? [];
    assert.equal(turn.request.prefix, toMessageParts(added));
  });

  it('are checked together: another model or missing usage in any of them counts', async () => {
    const other = [
      chunk({ model: 'other' }),
      ...calling(['read', OF_A]).filter((one) => one !== streams[0]?.[4]),
    ];
    const first = other.map((event) =>
      event.type === 'chunk'
        ? { ...event, chunk: { ...event.chunk, model: 'other', usage: undefined } }
        : event,
    );
    const { turn } = await runWith([first, answering('x')], toolboxOf(['read']));
    assert.deepEqual(
      toNotices(turn, undefined).map(({ code }) => code),
      ['model-substituted', 'usage-missing'],
    );
    assert.deepEqual(
      toChecks(turn)
        .filter(({ passed }) => !passed)
        .map(({ name }) => name),
      ['model', 'usage'],
    );
  });

  it('share one outline with the steps of all of them', async () => {
    const { turn } = await run();
    assert.equal(allReasoning(turn), 'On to 1 calls.\n\nOn to 1 calls.\n\nNow I know.');
    assert.deepEqual(
      stepsOf(turn.outline).map(({ title, line }) => [title, line]),
      [
        ['On to 1 calls', 0],
        ['On to 1 calls', 2],
        ['Now I know', 4],
      ],
    );
    assert.equal(toStepText(turn, 2, 100), 'Now I know.');
    assert.equal(toReasoningFacts(turn).tokens, 120);
  });

  it('are kept if a later request fails', async () => {
    const { turn } = await runWith(
      [
        calling(['read', OF_A]),
        async function* () {
          yield { type: 'try', tries: 1 } as const;
          throw new ServiceError('server-failed', { status: 500 });
        },
      ],
      toolboxOf(['read']),
    );
    assert.equal(turn.outcome, 'failed');
    assert.deepEqual(statesOf(turn), [['done']]);
    const next = toMessages('', [exchangeOf('q', turn)], { text: 'And?', images: [] });
    assert.deepEqual(
      next.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
  });
});
