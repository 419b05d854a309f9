import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refuseCalls } from '../../../../src/conversation/toolCalls/planCalls.ts';
import type { ToolCallDelta } from '../../../../src/service/types.ts';
import { answering, calling, OF_A, resultsOf, runWith, statesOf, toolboxOf } from '../toolTurns.ts';
import { chunk } from '../turns.ts';

/** The stream of a response with calls in these deltas, each in a chunk of its own. */
const streaming = (...deltas: readonly Partial<ToolCallDelta>[]) => {
  const whole = calling();
  const none = { index: undefined, id: undefined, name: undefined, arguments: '' };
  const chunks = deltas.map((delta) => chunk({ toolCalls: [{ ...none, ...delta }] }));
  return [...whole.slice(0, 2), ...chunks, ...whole.slice(3)];
};

describe('Planning the calls of a round', () => {
  it('tells the model what cannot run: unknown names, broken arguments, arguments that do not match the schema', async () => {
    const toolbox = toolboxOf(['read']);
    const calls = calling(
      ['write', OF_A],
      ['read', '{"of":'],
      ['read', '[]'],
      ['read', '{"of":1}'],
      ['read', OF_A],
    );
    const { turn, requests } = await runWith([calls, answering('x')], toolbox);
    assert.equal(toolbox.ran.length, 1);
    assert.deepEqual(statesOf(turn), [['failed', 'failed', 'failed', 'failed', 'done']]);
    const results = resultsOf(turn) ?? [];
    assert.match(results[0] ?? '', /no tool with the name "write"/);
    assert.match(results[1] ?? '', /not a JSON object/);
    assert.match(results[2] ?? '', /not a JSON object/);
    assert.match(results[3] ?? '', /of must be string/);
    assert.equal(requests[1]?.messages.filter(({ role }) => role === 'tool').length, 5);
  });

  it('never runs calls with arguments that are nested too deeply to be shown before they are approved', async () => {
    const toolbox = toolboxOf(['read']);
    const deep = `{"of":"a","in":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { turn } = await runWith([calling(['read', deep], ['read', OF_A]), answering('x')], toolbox);
    assert.deepEqual(statesOf(turn), [['failed', 'done']]);
    assert.match(resultsOf(turn)?.[0] ?? '', /nested too deeply/);
  });

  it('keeps the title of a tool of others with each call, so that it is the same when its server doesn’t run', async () => {
    const toolbox = { ...toolboxOf(['read', 'mcp_ops_echo']), titles: new Map([['mcp_ops_echo', 'Echo']]) };
    const calls = calling(['mcp_ops_echo', OF_A], ['mcp_ops_echo', '[]'], ['read', OF_A]);
    const { turn, requests } = await runWith([calls, answering('x')], toolbox);
    assert.deepEqual(
      turn.rounds[0]?.toolCalls.map(({ toolTitle }) => toolTitle),
      ['Echo', 'Echo', undefined],
    );
    assert.doesNotMatch(JSON.stringify(requests), /toolTitle/);
  });

  it('never runs calls if a part of the stream could not be read: it may have been part of the arguments', async () => {
    const whole = calling(['read', '{"of":"a'], ['read', OF_A]);
    const streams = [[...whole.slice(0, 3), { type: 'damaged' } as const, ...whole.slice(3)], answering('x')];
    const toolbox = toolboxOf(['read']);
    const { turn, requests } = await runWith(streams, toolbox);
    assert.deepEqual(toolbox.ran, []);
    assert.deepEqual(statesOf(turn), [['not-run', 'not-run']]);
    assert.match(JSON.stringify(requests[1]?.messages.at(-1)), /could not be read/);
  });

  it('never runs calls next to one without a name, because its arguments may belong to them', async () => {
    const toolbox = toolboxOf(['read']);
    const { turn } = await runWith([calling(['read', OF_A], ['', '{"of":"b"}']), answering('x')], toolbox);
    assert.deepEqual(toolbox.ran, []);
    assert.deepEqual(statesOf(turn), [['not-run', 'not-run']]);
  });

  for (const [what, first, others] of [
    ['with an index', { index: 0, id: 'a' }, { index: 0 }],
    ['with an index and the id again', { index: 0, id: 'a' }, { index: 0, id: 'a' }],
    ['with an index and an empty id', { index: 0, id: 'a' }, { index: 0, id: '' }],
    ['with the id only', { id: 'a' }, { id: 'a' }],
    ['with neither behind the first one', { id: 'a' }, {}],
  ] as const)
    it(`runs the tool whose name came in pieces, ${what}`, async () => {
      const toolbox = toolboxOf(['read', 'mcp_ops_list_issues']);
      const { turn, requests } = await runWith(
        [
          streaming(
            { ...first, name: 'mcp_ops_' },
            { ...others, name: 'list_issu' },
            { ...others, name: 'es' },
            { ...others, arguments: '{"of":' },
            { ...others, arguments: '"a"}' },
            { index: 1, id: 'b', name: 'read', arguments: OF_A },
          ),
          answering('x'),
        ],
        toolbox,
      );
      assert.deepEqual(
        toolbox.ran.map(({ id, name }) => [id, name]),
        [
          ['a', 'mcp_ops_list_issues'],
          ['b', 'read'],
        ],
      );
      assert.deepEqual(statesOf(turn), [['done', 'done']]);
      assert.equal(requests[1]?.messages.filter(({ role }) => role === 'tool').length, 2);
    });

  it('joins no names of tools, nor such that are no tool together, nor calls with arguments or other ids', async () => {
    const toolbox = toolboxOf(['re', 'ad', 'read']);
    const run = async (...deltas: readonly Partial<ToolCallDelta>[]) => {
      const { turn } = await runWith([streaming(...deltas), answering('x')], toolbox);
      return turn.rounds[0]?.toolCalls.map(({ name }) => name);
    };
    const at = { index: 0 };
    assert.deepEqual(await run({ ...at, name: 're' }, { ...at, name: 'ad', arguments: OF_A }), ['re', 'ad']);
    assert.deepEqual(await run({ ...at, name: 'wri' }, { ...at, name: 'te' }), ['wri', 'te']);
    assert.deepEqual(await run({ ...at, name: 'rea', arguments: OF_A }, { ...at, name: 'd' }), ['rea', 'd']);
    assert.deepEqual(await run({ ...at, name: 'rea' }, { index: 1, name: 'd' }), ['rea', 'd']);
    assert.deepEqual(await run({ id: 'a', name: 'rea' }, { id: 'b', name: 'd' }), ['rea', 'd']);
    assert.deepEqual(
      toolbox.ran.map(({ name }) => name),
      ['ad'],
    );
  });

  it('runs calls in the order of their indexes, in whatever order they arrive, unless an index is used twice', async () => {
    const call = (index: number, of: string) => ({
      index,
      id: of,
      name: 'read',
      arguments: `{"of":"${of}"}`,
    });
    const run = async (...deltas: readonly Partial<ToolCallDelta>[]) => {
      const { requests } = await runWith([streaming(...deltas), answering('x')], toolboxOf(['read']));
      return requests[1]?.messages.flatMap((message) =>
        message.role === 'tool' ? [message.tool_call_id] : [],
      );
    };
    assert.deepEqual(await run(call(1, 'b'), call(2, 'c'), call(0, 'a')), ['a', 'b', 'c']);
    assert.deepEqual(await run(call(1, 'b'), call(0, 'a'), call(1, 'c')), ['b', 'a', 'c']);
    const { index: _, ...bare } = call(0, 'a');
    assert.deepEqual(await run(call(1, 'b'), bare), ['b', 'a']);
  });

  it('gives calls without an id a new id, so that their results can refer to it', async () => {
    const { requests } = await runWith(
      [calling(['read', OF_A, '']), calling(['read', OF_A, '']), answering('x')],
      toolboxOf(['read']),
    );
    const ids = requests[2]?.messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []));
    assert.deepEqual(ids, ['call_1_0', 'call_2_0']);
  });

  it('gives every call of a round an id of its own, so that the service accepts the conversation', async () => {
    for (const [given, used] of [
      [
        ['', 'call_1_0'],
        ['call_1_0_1', 'call_1_0'],
      ],
      [
        ['call_1_1', ''],
        ['call_1_1', 'call_1_1_1'],
      ],
      [
        ['call_1_1', '', 'call_1_1_1'],
        ['call_1_1', 'call_1_1_2', 'call_1_1_1'],
      ],
      [
        ['same', 'same'],
        ['same', 'call_1_1'],
      ],
    ] as const) {
      const names = ['read', 'list', 'find'];
      const calls = calling(...given.map((id, index) => [names[index] ?? '', OF_A, id] as const));
      const { requests, turn } = await runWith([calls, answering('x')], toolboxOf(names));
      assert.equal(turn.outcome, 'complete', given.join());
      assert.deepEqual(
        requests[1]?.messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : [])),
        used,
      );
      const drafts = given.map((id) => ({ index: 0, id, name: 'read', arguments: OF_A }));
      assert.deepEqual(
        refuseCalls(drafts, 1, 'Not run.', {}).map(({ id }) => id),
        used,
      );
    }
  });
});
