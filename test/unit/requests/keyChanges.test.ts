/** The key is read anew for each request of a turn (docs/service.md, In the editor). */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FoundKey } from '../../../src/requests/credentials.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { COMPLETE, chunkOf, type Reply, ROUTE, scripted, sse, USAGE_CHUNK } from '../service/wire.ts';
import { SETTINGS } from './support.ts';

const CALL = { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{"of":"a"}' } };
const CALLS: Reply = {
  body: sse(chunkOf({ tool_calls: [CALL] }), chunkOf({}, 'tool_calls'), USAGE_CHUNK, '[DONE]'),
};
const stored = (key: string): FoundKey => ({ found: true, key, source: 'stored' });

describe('A key that changes while a turn runs', () => {
  let found: FoundKey | Error;
  let send: ReturnType<typeof scripted>;
  beforeEach(() => {
    found = stored('first-key');
  });

  /** Runs a turn in which `change` takes place while its tool runs. */
  async function runTurn(change: () => void, replies: readonly Reply[] = [CALLS, { body: COMPLETE }]) {
    send = scripted(...replies);
    const turns = createTurns({
      settings: () => SETTINGS,
      routes: { named: () => undefined, active: () => ({ route: ROUTE, demoKey: undefined }) },
      keys: {
        async find() {
          if (found instanceof Error) throw found;
          return found;
        },
      },
      transports: { for: async () => send },
      spentToday: () => 0,
      confirm: async () => true,
      putSpend: () => undefined,
      log: { info: () => undefined, warn: assert.fail },
    });
    const toolbox = toolboxOf(['read'], async () => {
      change();
      return { text: 'read' };
    });
    const { signal } = new AbortController();
    const request = { messages: [{ role: 'user' as const, content: 'Read a.' }] };
    const prepared = await turns.prepare(
      { asker: 'conversation', countedAs: undefined, content: () => ({ request, toolbox }) },
      signal,
    );
    assert.ok(prepared.ok);
    return prepared.run({ signal, onStep: () => undefined });
  }
  const sent = () => send.requests.map(({ headers }) => headers['authorization']);

  it('is used from the next request on when it was set anew', async () => {
    const turn = await runTurn(() => {
      found = stored('second-key');
    });
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual(sent(), ['Bearer first-key', 'Bearer second-key']);
  });

  for (const why of ['none', 'other-origin', 'lost'] as const) {
    it(`ends the turn before the next request when there is none any more (${why}), and keeps what arrived`, async () => {
      const turn = await runTurn(() => {
        found = { found: false, why };
      });
      assert.deepEqual(sent(), ['Bearer first-key']);
      assert.deepEqual([turn.outcome, turn.failure], ['failed', { kind: 'key-removed', details: {} }]);
      assert.equal(turn.rounds.length, 1);
      assert.equal(turn.rounds[0]?.toolCalls[0]?.state, 'done');
    });
  }

  it('is masked in what the service says about the request that had it', async () => {
    const refusal = { status: 401, body: JSON.stringify({ error: { message: 'Bad: second-key' } }) };
    const turn = await runTurn(() => {
      found = stored('second-key');
    }, [CALLS, refusal]);
    assert.equal(turn.failure?.details.serviceMessage, 'Bad: •••');
  });
});
