/** Probes of the emulator, on both routes, in its scenarios, and cut off at every place. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { estimateRequest } from '../../../src/conversation/usage/estimate.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { CHECKS, resultOf } from '../../../src/probe/probe.ts';
import { toProbePlan } from '../../../src/probe/probePlan.ts';
import { estimateProbe, runProbe } from '../../../src/probe/runProbe.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Transport } from '../../../src/service/transport.ts';
import type { Route } from '../../../src/service/types.ts';
import { startForeignService } from '../../foreign/service.ts';
import { reasoning, turnOf, WINDOW_ENDED } from '../conversation/turns.ts';
import { bytesOf, NEVER } from '../service/wire.ts';
import { probe, routeTo, verdictsOf } from './probing.ts';

const ALL_YES = Object.fromEntries(CHECKS.map((check) => [check, 'yes']));
/** No keep-alive is seen where none is needed. */
const GOOD = { ...ALL_YES, 'keep-alives': 'unclear in-some' };

describe('A probe', () => {
  const emulators: Partial<Record<'direct' | 'gateway', Emulator>> = {};
  before(async () => {
    for (const route of ['direct', 'gateway'] as const)
      emulators[route] = await startEmulator({
        port: 0,
        route,
        key: 'a-key',
        tokensPerSecond: Number.POSITIVE_INFINITY,
      });
  });
  after(() => Promise.all(Object.values(emulators).map((emulator) => emulator?.close())));
  const through = (scenario = '', kind: 'direct' | 'gateway' = 'direct') =>
    routeTo(`${emulators[kind]?.url}${scenario === '' ? '' : `/s/${scenario}`}`, kind);

  it('finds that the direct route does everything', async () => {
    const { probe: found, end, recorded } = await probe(through());
    assert.deepEqual(end, { by: 'done' });
    assert.deepEqual(verdictsOf(found), GOOD);
    assert.deepEqual(resultOf(found, 'reasoning')?.seen.values, ['reasoning_content']);
    const [cached = 0, of = 0] = (resultOf(found, 'caching')?.seen.values ?? []).map(Number);
    assert.ok(cached >= 1280 && cached <= of, `${cached} of ${of}`);
    assert.deepEqual(resultOf(found, 'parallel-tools')?.seen.values, ['2']);
    assert.equal(recorded.length, 13);
    assert.equal(found.requests, 14);
  });

  it('finds that a gateway ignores the effort', async () => {
    const { probe: found } = await probe(through('', 'gateway'));
    assert.deepEqual(verdictsOf(found), { ...GOOD, effort: 'no efforts' });
  });

  const FINDINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'drops-tools': { tools: 'no dropped', 'parallel-tools': 'no dropped' },
    'drops-images': { images: 'no dropped' },
    'drops-format': { json: 'no other-form', schema: 'no other-form' },
    'drops-budget': { budget: 'no spent' },
    'drops-cache': { caching: 'no cached' },
    'small-ceiling': { ceiling: 'no refused' },
    'refuses-schema': { schema: 'no refused' },
    'refuses-effort': { effort: 'no refused' },
    'effort-ignored': { effort: 'no efforts' },
    substitute: { model: 'no as-is' },
    'no-model': { model: 'unclear not-reported' },
    // Calls without reasoning are refused, and then go back as text.
    'no-reasoning': { reasoning: 'no nothing' },
    'renamed-reasoning': {},
    'think-tags': {},
    comments: { 'keep-alives': 'yes' },
    'tools-stop': { tools: 'unclear as-is', json: 'unclear answered', schema: 'unclear answered' },
    'drops-much': {
      model: 'no as-is',
      caching: 'no cached',
      tools: 'no dropped',
      'parallel-tools': 'no dropped',
      images: 'no dropped',
      json: 'no other-form',
      schema: 'no other-form',
      effort: 'no efforts',
    },
    'image-arrays': {},
  };
  for (const [scenario, differs] of Object.entries(FINDINGS)) {
    it(`finds what ${scenario} does`, async () => {
      const { probe: found, end } = await probe(through(scenario));
      assert.deepEqual(end, { by: 'done' });
      assert.deepEqual(verdictsOf(found), { ...GOOD, ...differs });
    });
  }

  it('breaks no rule of the strict service, and claims nothing about tools that are not called', async () => {
    for (const kind of ['direct', 'gateway'] as const) {
      const service = await startForeignService({ route: kind, key: 'a-key', pace: 0 });
      const { probe: found, end } = await probe(routeTo(service.url, kind));
      await service.close();
      // A low effort on a gateway is sent to see whether it is ignored.
      const others = service.violations.filter((line) => kind === 'direct' || !line.includes('(Q15)'));
      assert.deepEqual([end, others], [{ by: 'done' }, []]);
      // It calls tools only if it is told to, doesn't count them, and reasons with every effort alike.
      const tools = 'unclear answered';
      assert.deepEqual(verdictsOf(found), { ...GOOD, tools, 'parallel-tools': tools, effort: 'no efforts' });
    }
  });

  it('finds the name of renamed reasoning', async () => {
    for (const [scenario, name] of [
      ['renamed-reasoning', 'reasoning'],
      ['reasoning-details', 'reasoning_details'],
      ['think-tags', 'tags'],
    ] as const) {
      const { probe: found } = await probe(through(scenario));
      assert.deepEqual(resultOf(found, 'reasoning')?.seen.values, [name]);
    }
  });

  it('claims nothing without usage that only usage could show', async () => {
    for (const scenario of ['no-usage', 'zero-usage']) {
      const { probe: found } = await probe(through(scenario));
      assert.equal(found.cost, undefined, scenario);
      const { usage, caching, images, tools, effort } = verdictsOf(found);
      assert.equal(usage, 'no not-reported', scenario);
      assert.deepEqual([caching?.split(' ')[0], images], ['unclear', 'unclear answered'], scenario);
      assert.deepEqual([tools, effort], ['yes', 'yes'], scenario);
    }
  });

  it('costs nothing for what the route refused, and the rest is known', async () => {
    for (const scenario of ['refuses-schema', 'small-ceiling']) {
      const { probe: found, spent } = await probe(through(scenario));
      assert.ok(spent > 0 && Math.abs((found.cost ?? 0) - spent) < 1e-9, `${scenario}: ${found.cost}`);
    }
  });

  it('stops answers that are long enough, so that a route that writes much costs little', async () => {
    const { probe: found, end, recorded } = await probe(through('long-answer'));
    assert.deepEqual(end, { by: 'done' });
    for (const { answer, outcome } of recorded)
      assert.ok(outcome === 'stopped' ? answer.length < 34_000 : answer.length < 32_000, `${answer.length}`);
    const { tools, images, budget, ceiling } = verdictsOf(found);
    assert.deepEqual([images, budget, ceiling], ['unclear failed', 'yes', 'yes'], tools);
    assert.ok(recorded.some(({ outcome }) => outcome === 'stopped'));
  });

  it('records every request as spend, near what was said before', async () => {
    const route = through();
    const { probe: found, spent } = await probe(route);
    const inputCostOf = (content: { readonly request: object }) => {
      const built = buildRequest({
        messages: [],
        ...content.request,
        model: route.model,
      });
      return built.ok ? estimateRequest(built.request, undefined, DEFAULT_PRICES).inputCost : 0;
    };
    const { cost, requests } = estimateProbe(toProbePlan('0'), inputCostOf, DEFAULT_PRICES.output);
    assert.equal(requests, found.requests);
    assert.ok(found.cost !== undefined && Math.abs(found.cost - spent) < 1e-9);
    assert.ok(spent > 0 && spent < cost * 2 && cost < 0.2, `${spent} of about ${cost}`);
  });

  describe('that is cut off', () => {
    it('keeps what was found, and sends nothing more, wherever the user stops it', async () => {
      for (const where of ['model', 'caching', 'tools', 'effort', 'ceiling'] as const) {
        const stop = new AbortController();
        const done: string[] = [];
        const {
          probe: found,
          end,
          recorded,
        } = await probe(through(), {
          signal: stop.signal,
          onStep(about) {
            if (about === where) stop.abort();
            else done.push(about);
          },
        });
        assert.deepEqual(end, { by: 'user' }, where);
        const names = found.results.map(({ check }) => check);
        for (const about of done) assert.ok(names.includes(about as 'tools'), `${where}: ${about}`);
        assert.equal(found.results.length === 0, where === 'model');
        assert.equal(recorded.length, found.requests - (done.includes('tools') ? 1 : 0), where);
      }
    });

    it('says nothing about what only later requests may show: reasoning and keep-alives', async () => {
      const stop = new AbortController();
      const onStep = (about: string) => about === 'tools' && stop.abort();
      const { probe: found } = await probe(through('no-reasoning'), { signal: stop.signal, onStep });
      assert.deepEqual(
        found.results.map(({ check }) => check),
        ['model', 'usage', 'caching'],
      );
    });

    it('ends in the middle of an answer, whose cost is recorded', async () => {
      const stop = new AbortController();
      const steps: string[] = [];
      const { end, recorded } = await probe(through('slow-reasoning'), {
        signal: stop.signal,
        onStep(about) {
          steps.push(about);
          setTimeout(() => stop.abort(), 100);
        },
      });
      assert.deepEqual([end, steps], [{ by: 'user' }, ['model']]);
      assert.deepEqual(
        recorded.map(({ outcome }) => outcome),
        ['stopped'],
      );
    });

    it('counts the request that the user stopped, whose cost is not known', async () => {
      const stop = new AbortController();
      let requests = 0;
      const {
        probe: found,
        end,
        recorded,
      } = await probe(through(), {
        signal: stop.signal,
        async transport(request) {
          if (++requests < 4) return nodeTransport(request);
          setTimeout(() => stop.abort(), 100);
          const url = request.url.replace('/v1/', '/s/slow-reasoning/v1/');
          return nodeTransport({ ...request, url });
        },
      });
      assert.deepEqual([end, recorded.at(-1)?.outcome], [{ by: 'user' }, 'stopped']);
      assert.deepEqual([found.requests, found.cost], [4, undefined]);
    });

    it('ends with its window, and claims nothing from the answer that was interrupted', async () => {
      const turn = turnOf([reasoning('Hm.'), WINDOW_ENDED]);
      let asked = 0;
      const { probe: found, end } = await runProbe(toProbePlan('a'), {
        async ask() {
          asked += 1;
          return { ok: true, probeTurn: { turn, keepAlives: 0, cut: false } };
        },
        onStep: () => undefined,
        now: () => 0,
        model: 'svc-k3',
        costOf: () => undefined,
        signal: NEVER,
      });
      assert.deepEqual([asked, end, found.results, found.cost], [1, { by: 'user' }, [], undefined]);
    });

    it('sends nothing without a key', async () => {
      const {
        probe: found,
        end,
        recorded,
      } = await probe(through(), {
        key: () => ({ found: false, why: 'none' }),
      });
      assert.equal(end.by === 'refusal' && end.refusal.kind, 'no-key');
      assert.deepEqual([found.results, recorded], [[], []]);
    });

    it('ends with the first answer when the key is refused, and with the first failure that lasts', async () => {
      const { probe: none, end } = await probe(through('401'));
      assert.equal(end.by === 'failure' && end.failure.kind, 'bad-key');
      assert.deepEqual([none.results, none.requests], [[], 1]);
      for (const [status, kind] of [
        [401, 'bad-key'],
        [429, 'rate-limited'],
      ] as const) {
        let requests = 0;
        const { probe: found, end: later } = await probe(through(), {
          async transport(request) {
            requests++;
            if (requests <= 3) return nodeTransport(request);
            const body = JSON.stringify({ error: { message: 'No.' } });
            return { status, headers: { 'retry-after': '600' }, body: bytesOf(body) };
          },
        });
        assert.equal(later.by === 'failure' && later.failure.kind, kind);
        assert.equal(requests, 4);
        assert.deepEqual(Object.keys(verdictsOf(found)), ['model', 'reasoning', 'usage', 'caching']);
      }
    });

    it('goes on after one failure that may pass, and ends after the second', async () => {
      const breaking = (which: (request: number) => boolean) => {
        let requests = 0;
        return {
          async transport(request: Parameters<Transport>[0]) {
            if (which(++requests)) throw new Error('socket hang up');
            return nodeTransport(request);
          },
        };
      };
      const once = await probe(
        through(),
        breaking((request) => request === 6),
      );
      assert.deepEqual(once.end, { by: 'done' });
      assert.deepEqual(verdictsOf(once.probe), { ...GOOD, images: 'unclear failed' });
      const twice = await probe(
        through(),
        breaking((request) => request >= 6),
      );
      assert.equal(twice.end.by, 'failure');
      assert.ok(!('schema' in verdictsOf(twice.probe)));
    });

    it('ends when the route is removed, renamed, or leads elsewhere', async () => {
      const moved = { ...through('drops-tools'), name: 'r' };
      for (const next of [
        undefined,
        moved,
        { ...through(), model: 'other' },
        { ...through(), kind: 'gateway' as const },
        { ...through(), network: { proxy: 'none' } },
      ]) {
        let now: Route | undefined = through();
        const {
          probe: found,
          end,
          recorded,
        } = await probe(through(), {
          named: () => now,
          onStep(about) {
            if (about === 'tools') now = next;
          },
        });
        assert.deepEqual(end, { by: 'moved' });
        assert.equal(recorded.length, 3);
        assert.ok(!('tools' in verdictsOf(found)));
      }
    });

    it('asks about the daily cap like any request, and ends when the user declines', async () => {
      let asked = 0;
      const declined = await probe(through(), {
        settings: { dailyCap: 0.01 },
        async confirm() {
          asked++;
          return false;
        },
      });
      assert.equal(declined.end.by === 'refusal' && declined.end.refusal.kind, 'over-cap');
      assert.ok(declined.spent < 0.03 && declined.probe.results.length > 0, `${declined.spent}`);
      assert.equal(asked, 1);
      const agreed = await probe(through(), { settings: { dailyCap: 0.01 }, confirm: async () => true });
      assert.deepEqual(agreed.end, { by: 'done' });
    });
  });
});
