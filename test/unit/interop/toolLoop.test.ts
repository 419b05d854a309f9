/**
 * Tests the tool loop with the strict independent service, which answers 400 if reasoning, ids, or order are
 * wrong.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Exchange } from '../../../src/conversation/conversation.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import { toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import { createCallCheck } from '../../../src/conversation/toolCalls/callCheck.ts';
import type { Toolbox } from '../../../src/conversation/toolCalls/tools.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Message } from '../../../src/service/types.ts';
import { startForeignService } from '../../foreign/service.ts';
import { toShownTurn } from '../../support/shownTurn.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { exchangeOf, FACTS } from '../conversation/turns.ts';
import { NEVER } from '../service/wire.ts';
import { clientOf } from './strictClient.ts';

const KEY = 'key-for-this-test';
const NAMES = ['reasoning_content', 'reasoning', 'reasoning_details', 'think', 'both'];

describe('The tool loop with a strict service', () => {
  let service: Awaited<ReturnType<typeof startForeignService>>;

  beforeEach(async () => {
    service = await startForeignService({ route: 'direct', key: KEY, pace: 0 });
  });

  afterEach(() => service.close());

  const client = () => clientOf(service, KEY);

  async function ask(text: string, toolbox: Toolbox, earlier: readonly Exchange[] = []): Promise<Turn> {
    const built = buildRequest({
      model: 'svc-k3',
      messages: toMessages('Be brief.', earlier, { text, images: [] }),
      tools: toolbox.definitions.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    });
    assert.ok(built.ok);
    const deps = {
      client: client(),
      toolbox,
      loadCheck: async () => createCallCheck(),
      now: () => performance.now(),
    };
    let turn = createTurn('t', Date.now(), FACTS);
    for await (const step of runTurn(deps, turn, built.request, NEVER)) turn = step.turn;
    return turn;
  }

  for (const name of NAMES) {
    it(`completes three rounds of parallel calls, and further turns, if reasoning has the name ${name}`, async () => {
      const toolbox = toolboxOf(['list', 'read']);
      const text = `[[tool-rounds:3]] [[renamed-reasoning:${name}]]`;
      const first = await ask(text, toolbox);
      assert.equal(first.outcome, 'complete', JSON.stringify(first.failure));
      assert.equal(first.rounds.length, 3);
      assert.equal(toolbox.ran.length, 6);
      const second = await ask(text, toolbox, [exchangeOf(text, first)]);
      assert.equal(second.outcome, 'complete', JSON.stringify(second.failure));
      assert.equal(service.requests.length, 8);
      assert.deepEqual(service.violations, []);
    });
  }

  for (const ending of ['calls-then-length', 'calls-then-cut', 'calls-then-dropped']) {
    it(`runs nothing after [[${ending}]], although the arguments are valid JSON`, async () => {
      const toolbox = toolboxOf(['list', 'read']);
      const turn = await ask(`[[${ending}]]`, toolbox);
      assert.equal(turn.outcome, ending === 'calls-then-length' ? 'truncated' : 'interrupted');
      assert.equal(turn.toolCalls.length, 2);
      assert.deepEqual(toShownTurn(turn).notRun, ['not-run', 'not-run']);
      for (const call of turn.toolCalls) JSON.parse(call.arguments);
      assert.equal(toolbox.ran.length, 0);
      assert.equal(service.requests.length, 1);
    });
  }

  it('is refused by the service if reasoning, an id, the order, or a result is changed', async () => {
    const toolbox = toolboxOf(['list', 'read']);
    const text = '[[tool-rounds:1]]';
    const turn = await ask(text, toolbox);
    const right = toMessages('Be brief.', [exchangeOf(text, turn)], { text: 'And?', images: [] });
    const [system, user, calling, first, second, answer, next] = right;
    assert.ok(system && user && calling?.role === 'assistant' && first && second && answer && next);
    assert.ok(first.role === 'tool');
    const around = (...loop: readonly Message[]) => [system, user, ...loop, answer, next];
    const wrong: readonly (readonly Message[])[] = [
      around({ ...calling, reasoning_content: 'Something else.' }, first, second),
      around({ role: 'assistant', tool_calls: calling.tool_calls ?? [] }, first, second),
      around({ ...calling, content: '' }, first, second),
      around({ ...calling, tool_calls: (calling.tool_calls ?? []).toReversed() }, second, first),
      around(calling, second, first),
      around(calling, first),
      around(calling, { ...first, tool_call_id: 'other' }, second),
    ];
    for (const messages of wrong) {
      const request = { model: 'svc-k3', messages, stream: true, stream_options: { include_usage: true } };
      const response = await fetch(`${service.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      assert.equal(response.status, 400, JSON.stringify(messages));
      await response.text();
    }
  });
});
