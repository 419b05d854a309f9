/** A round of tool calls without reasoning, with services that refuse it and with others. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { countParts, toPrefix } from '../../../src/conversation/requestMessages/prefix.ts';
import { toReplay } from '../../../src/conversation/requestMessages/replay.ts';
import { toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import { createCallCheck } from '../../../src/conversation/toolCalls/callCheck.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { checkMessages } from '../../../src/emulator/requestRules/checkMessages.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { ChatRequest, Message } from '../../../src/service/types.ts';
import { NEVER, REQUEST } from '../service/wire.ts';
import { answering, calling, toolboxOf } from './toolTurns.ts';
import { exchangeOf, FACTS } from './turns.ts';

const withReasoning = (of: string) => calling(['read', `{"of":"${of}"}`, of]);
const withoutReasoning = (of: string) =>
  withReasoning(of).filter((event) => event.type !== 'chunk' || event.chunk.reasoning === undefined);
const THREE = [withReasoning('a'), withoutReasoning('b'), withoutReasoning('c'), answering('There.')];

type Service = (messages: readonly Message[]) => ServiceError | undefined;

const refusal = (serviceMessage: string) =>
  new ServiceError('invalid-request', { status: 400, serviceMessage });
/** Checks the messages as the emulator does. */
const strict: Service = (messages) => {
  const wire = JSON.parse(JSON.stringify(messages));
  const checked = checkMessages(wire, { route: 'direct', replayNames: ['reasoning_content'] });
  return checked.ok ? undefined : refusal(JSON.stringify(checked.refusal));
};

async function run(streams: readonly (readonly StreamEvent[])[], service: Service, mayContinue = true) {
  const sent: ChatRequest[] = [];
  const taken: ChatRequest[] = [];
  const client = {
    async *stream(request: ChatRequest) {
      sent.push(request);
      const error = service(request.messages);
      if (error !== undefined) throw error;
      yield { type: 'headers', requestId: undefined } as const;
      yield* streams[taken.push(request) - 1] ?? [];
    },
  };
  const deps = {
    client,
    toolbox: toolboxOf(['read']),
    loadCheck: async () => createCallCheck(),
    now: () => 0,
    mayContinue: async (_: Turn, __: ChatRequest, again: boolean) => !again || mayContinue,
  };
  let turn = createTurn('t1', 0, { ...FACTS, prefix: toPrefix(REQUEST) });
  for await (const step of runTurn(deps, turn, REQUEST, NEVER)) turn = step.turn;
  return { turn, sent, taken };
}

const callsIn = (messages: readonly Message[]) =>
  messages.filter((message) => message.role === 'assistant' && message.tool_calls !== undefined).length;

describe('A round of calls without reasoning', () => {
  it('goes on as calls with a service that takes them', async () => {
    const { turn, sent } = await run(THREE, () => undefined);
    assert.deepEqual([turn.outcome, sent.length, callsIn(sent[3]?.messages ?? [])], ['complete', 4, 3]);
  });

  it('goes on as text with a service that refuses it, which later rounds are at once', async () => {
    const { turn, sent, taken } = await run(THREE, strict);
    assert.deepEqual([turn.outcome, turn.answer, turn.failure], ['complete', 'There.', undefined]);
    assert.equal(sent.length, 5, 'one was refused');
    const last = taken.at(-1)?.messages ?? [];
    assert.equal(callsIn(last), 1);
    for (const path of ['a', 'b', 'c']) assert.equal(JSON.stringify(last).split(`read of ${path}`).length, 2);
    for (const [at, { messages }] of taken.entries())
      assert.deepEqual(messages.slice(0, taken[at - 1]?.messages.length ?? 0), taken[at - 1]?.messages ?? []);
  });

  it('R11 is in the same form in the next question', async () => {
    const { turn, taken } = await run(THREE, strict);
    const earlier = [exchangeOf('Why?', turn)];
    const replay = toReplay(earlier, { name: 'direct', kind: 'direct' });
    const next = toMessages('', earlier, { text: 'And?', images: [] }, replay);
    const last = taken.at(-1)?.messages ?? [];
    assert.deepEqual(next.slice(0, last.length), last);
    assert.equal(turn.request.prefix, toPrefix({ ...REQUEST, messages: last }));
    assert.equal(countParts(turn.request.prefix), last.length + 2);
  });

  it('is refused with the first words if it is refused as text, too, or if they are about something else', async () => {
    const [, ...calls] = THREE;
    let refused = 0;
    const deaf = await run(calls, (messages) =>
      messages.length > 1 ? refusal(`reasoning is missing ${++refused}`) : undefined,
    );
    assert.deepEqual([deaf.sent.length, deaf.turn.outcome], [3, 'failed']);
    assert.equal(deaf.turn.failure?.details.serviceMessage, 'reasoning is missing 1');
    const other = await run(calls, (messages) =>
      messages.length > 1 ? refusal('no such field') : undefined,
    );
    assert.deepEqual([other.sent.length, other.turn.outcome], [2, 'failed']);
  });

  it('is not sent as text if the user does not agree to the cost', async () => {
    const { turn, sent } = await run(THREE, strict, false);
    assert.deepEqual([turn.outcome, sent.length], ['stopped', 3]);
  });
});
