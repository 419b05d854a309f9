/** The key is read anew for each request of a turn (docs/service.md, In the editor). */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FoundKey } from '../../../src/requests/credentials.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import type { Route } from '../../../src/service/types.ts';
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
  /** The route as it is named now, and the names by which its key was looked for. */
  let now: Route;
  let names: string[];
  /** The routes of the settings, and the keys of those that this window hasn't renamed. */
  let all: readonly string[];
  let others: Readonly<Record<string, FoundKey>>;
  let send: ReturnType<typeof scripted>;
  beforeEach(() => {
    [found, now, names] = [stored('first-key'), ROUTE, []];
    [all, others] = [[ROUTE.name, 'second'], {}];
  });

  /** Runs a turn in which `change` takes place while its tool runs. */
  async function runTurn(change: () => void, replies: readonly Reply[] = [CALLS, { body: COMPLETE }]) {
    send = scripted(...replies);
    const turns = createTurns({
      settings: () => SETTINGS,
      routes: {
        named: () => undefined,
        active: () => ({ route: ROUTE, demoKey: undefined }),
        all: () => all.map((name) => ({ ...ROUTE, name })),
      },
      keys: {
        follow: () => () => now,
        async find({ name, origin }) {
          names.push(name);
          assert.equal(origin, ROUTE.origin);
          const other = others[name];
          if (other !== undefined) return other;
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

  it('is not replaced by the key of the environment, which can be that of another account', async () => {
    const turn = await runTurn(() => {
      found = { found: true, key: 'of-the-environment', source: 'environment' };
    });
    assert.deepEqual(
      [turn.outcome, turn.failure?.kind, sent()],
      ['failed', 'key-removed', ['Bearer first-key']],
    );
  });

  it('stays that of the environment, until one is set', async () => {
    found = { found: true, key: 'of-the-environment', source: 'environment' };
    await runTurn(() => undefined);
    assert.deepEqual(sent(), ['Bearer of-the-environment', 'Bearer of-the-environment']);
    await runTurn(() => {
      found = stored('second-key');
    });
    assert.deepEqual(sent(), ['Bearer of-the-environment', 'Bearer second-key']);
  });

  it('is looked for by the name that the route has now', async () => {
    const turn = await runTurn(() => {
      now = { ...ROUTE, name: 'renamed' };
    });
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual([names.at(0), names.at(-1)], [ROUTE.name, 'renamed']);
  });

  it('is the same one under the name that another window has given the route', async () => {
    const turn = await runTurn(() => {
      found = { found: false, why: 'none' };
      [all, others] = [['second', 'renamed'], { renamed: stored('first-key') }];
    });
    assert.equal(turn.outcome, 'complete');
    assert.deepEqual(sent(), ['Bearer first-key', 'Bearer first-key']);
  });

  const removals: Readonly<Record<string, [typeof all, typeof others]>> = {
    'its route has its name still': [[ROUTE.name, 'renamed'], { renamed: stored('first-key') }],
    'the other one was there before': [['second'], { second: stored('first-key') }],
    'the key is another one': [['renamed'], { renamed: stored('second-key') }],
    'the key is that of the environment': [
      ['renamed'],
      { renamed: { found: true, key: 'first-key', source: 'environment' } },
    ],
    'the key is for another address': [['renamed'], { renamed: { found: false, why: 'other-origin' } }],
  };
  for (const [what, [after, keys]] of Object.entries(removals))
    it(`is not that of another route when it was removed: ${what}`, async () => {
      const turn = await runTurn(() => {
        found = { found: false, why: 'none' };
        [all, others] = [after, keys];
      });
      assert.deepEqual([turn.failure?.kind, sent()], ['key-removed', ['Bearer first-key']]);
    });

  it('is masked in what the service says about the request that had it', async () => {
    const refusal = { status: 401, body: JSON.stringify({ error: { message: 'Bad: second-key' } }) };
    const turn = await runTurn(() => {
      found = stored('second-key');
    }, [CALLS, refusal]);
    assert.equal(turn.failure?.details.serviceMessage, 'Bad: •••');
  });
});
