/**
 * Tests tool loops of other chats with the strict independent service, before and after a window was
 * reloaded.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { toFunctionTools, toServiceMessages } from '../../../src/conversation/otherChats/otherMessages.ts';
import type { OtherMessage } from '../../../src/conversation/otherChats/otherParts.ts';
import { toReplyEnd } from '../../../src/conversation/otherChats/otherReply.ts';
import {
  createReasoningMemory,
  type ReasoningMemory,
} from '../../../src/conversation/otherChats/reasoningMemory.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Message } from '../../../src/service/types.ts';
import { startForeignService } from '../../foreign/service.ts';
import { assistant, result, text, user } from '../conversation/otherTurns.ts';
import { toolOf } from '../conversation/toolTurns.ts';
import { FACTS } from '../conversation/turns.ts';
import { NEVER } from '../service/wire.ts';
import { clientOf } from './strictClient.ts';

const KEY = 'key-for-this-test';
const NAMES = ['list', 'read'];
const TOOLS = NAMES.map((name) => ({ name, description: '', schema: toolOf(name).parameters }));

describe('Other chats with a strict service', () => {
  let service: Awaited<ReturnType<typeof startForeignService>>;

  beforeEach(async () => {
    service = await startForeignService({ route: 'direct', key: KEY, pace: 0 });
  });

  afterEach(() => service.close());

  async function send(messages: readonly Message[]) {
    const client = clientOf(service, KEY);
    const built = buildRequest({
      model: 'svc-k3',
      messages,
      tools: toFunctionTools(TOOLS),
    });
    assert.ok(built.ok);
    let turn = createTurn('t', Date.now(), FACTS);
    const deps = { client, now: () => performance.now() };
    for await (const step of runTurn(deps, turn, built.request, NEVER)) turn = step.turn;
    return turn;
  }

  /** Sends requests and answers calls until there are none. The other chat keeps no reasoning. */
  async function converse(others: readonly OtherMessage[], memory: ReasoningMemory) {
    const kept = [...others];
    let forgotten = 0;
    for (;;) {
      const transcript = toServiceMessages(kept, memory, 'r');
      assert.ok(transcript.ok);
      forgotten = transcript.forgotten;
      const turn = await send(transcript.messages);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      const end = toReplyEnd(turn, new Set(NAMES));
      assert.ok(end.ok);
      memory.remember(transcript.next, turn);
      const calls = end.calls.map((call) => ({ type: 'call', ...call }) as const);
      kept.push(assistant(text(turn.answer), ...calls));
      if (calls.length === 0) return { kept, forgotten };
      kept.push(user(...calls.map(({ id, name }) => result(id, text(`What ${name} gave.`)))));
    }
  }

  for (const name of ['reasoning_content', 'reasoning', 'reasoning_details', 'think', 'both'])
    it(`complete rounds of parallel calls, and further turns, if reasoning has the name ${name}`, async () => {
      const memory = createReasoningMemory();
      const question = user(text(`[[tool-rounds:3]] [[renamed-reasoning:${name}]]`));
      const { kept } = await converse([question], memory);
      const { forgotten } = await converse([...kept, question], memory);
      assert.equal(forgotten, 0);
      assert.equal(service.requests.length, 8);
      assert.deepEqual(service.violations, []);
    });

  it('are answered after the window was reloaded, and continue with calls', async () => {
    const question = user(text('[[tool-rounds:2]]'));
    const { kept } = await converse([question], createReasoningMemory());
    const reloaded = createReasoningMemory();
    const { kept: more, forgotten } = await converse([...kept, question], reloaded);
    assert.equal(forgotten, 2);
    assert.equal((await converse([...more, user(text('And?'))], reloaded)).forgotten, 2);
    const refused = service.requests.filter(({ status }) => status !== 200);
    assert.deepEqual(refused, []);
    // After the reload, each request starts with the previous one.
    const bodies = service.requests.slice(3).map(({ text: body }) => messagesIn(body));
    for (const [at, messages] of bodies.slice(1).entries())
      assert.deepEqual(messages.slice(0, bodies[at]?.length), bodies[at]);
  });

  it('would be refused with calls that lost their reasoning', async () => {
    const turn = await send([
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
    ]);
    assert.equal(turn.outcome, 'failed');
    assert.match(turn.failure?.details.serviceMessage ?? '', /reasoning_content is missing/);
  });
});

function messagesIn(body: string): readonly unknown[] {
  const { messages }: { messages: readonly unknown[] } = JSON.parse(body);
  return messages;
}
