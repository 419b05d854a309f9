import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'mocha';
import { toRequestSize } from '../../../src/conversation/requestMessages/requestParts.ts';
import { estimateNext, estimateRequest } from '../../../src/conversation/usage/estimate.ts';
import { toMeasure, toTokenRatio, withMeasure } from '../../../src/conversation/usage/tokenRatio.ts';
import { countPrompt, toSegments } from '../../../src/emulator/promptCache.ts';
import { checkCompletion } from '../../../src/emulator/requestRules/checks.ts';
import type { TurnContent } from '../../../src/requests/turnContent.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import type { ChatRequest, FunctionTool, Route } from '../../../src/service/types.ts';
import type { Spending } from '../../../src/spending/dailyCap.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { conversationOf, NO_USAGE } from '../conversation/turns.ts';
import { chunkOf, NEVER, REQUEST, type Reply, ROUTE, scripted, sse, USAGE } from '../service/wire.ts';
import { SETTINGS } from './support.ts';

const reply = (promptTokens: unknown, delta: object = { content: 'Because.' }, model = 'svc-k3'): Reply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: sse(
    { ...chunkOf(delta), model },
    { ...chunkOf({}, 'tool_calls' in delta ? 'tool_calls' : 'stop'), model },
    { id: 'c', model, choices: [], usage: { ...USAGE, prompt_tokens: promptTokens, total_tokens: 1 } },
    '[DONE]',
  ),
});
const CALL = { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{"of":"a"}' } };
const TEXT = 'x'.repeat(40_000);
const OTHER: Route = { ...ROUTE, name: 'other', origin: 'http://127.0.0.1:8' };

describe('What usage shows about the tokens of a route', () => {
  let memory: Map<string, unknown>;
  let asked: Spending[];
  beforeEach(() => {
    memory = new Map();
    asked = [];
  });

  /** A window, which reads the memory that all windows share. */
  function windowWith(
    replies: readonly Reply[],
    { demoKey, dailyCap }: { demoKey?: string; dailyCap?: number } = {},
  ) {
    const send = scripted(...replies);
    const turns = createTurns({
      settings: () => ({ ...SETTINGS, dailyCap }),
      routes: { named: () => undefined, active: () => ({ route: ROUTE, demoKey }) },
      keys: { find: async () => ({ found: true, key: 'sk-test', source: 'stored' }) },
      transports: { for: async () => send },
      spentToday: () => 0,
      async confirm(spending) {
        asked.push(spending);
        return false;
      },
      putSpend: () => undefined,
      memory,
      log: { info: () => undefined, warn: assert.fail },
    });
    const ask = async (more: Partial<TurnContent> = {}) => {
      const content = { request: { messages: [{ role: 'user', content: TEXT }] }, ...more } as const;
      const prepared = await turns.prepare(
        { asker: 'conversation', countedAs: 'a', content: () => content },
        NEVER,
      );
      if (!prepared.ok) return undefined;
      let atEnd: number | undefined;
      await prepared.run({
        signal: NEVER,
        onStep({ turn }) {
          if (turn.outcome !== undefined) atEnd = turns.tokenRatio(ROUTE);
        },
      });
      return atEnd;
    };
    return { turns, ask, ratio: (route = ROUTE) => turns.tokenRatio(route) };
  }

  const isAbout = (ratio: number | undefined, wanted: number) =>
    assert.ok(ratio !== undefined && Math.abs(ratio / wanted - 1) < 0.1, `${ratio}, not ${wanted}`);

  it('is known when the turn ends, after a reload, in other windows, and for that route and model only', async () => {
    const window = windowWith([reply(15_000), reply(15_000)]);
    assert.equal(window.ratio(), 1);
    isAbout(await window.ask(), 1.5);
    isAbout(windowWith([]).ratio(), 1.5);
    assert.equal(window.ratio(OTHER), 1);
    assert.equal(window.ratio({ ...ROUTE, model: 'svc-k4' }), 1);
  });

  it('counts in the estimate for the daily cap', async () => {
    const before = windowWith([], { dailyCap: 0.001 });
    await before.ask();
    await windowWith([reply(15_000)]).ask();
    await before.ask();
    const [first, second] = asked.map(({ inputCost }) => inputCost);
    isAbout((second ?? 0) / (first ?? 1), 1.5);
  });

  it('is measured with the request that the response belongs to', async () => {
    const result = { text: 'r'.repeat(40_000) };
    const toolbox = toolboxOf(['read'], async () => result);
    const window = windowWith([reply(10_000, { tool_calls: [CALL] }), reply(30_000)]);
    const tools = toolbox.definitions.map(
      ({ name, description, parameters }) =>
        ({ type: 'function', function: { name, description, parameters } }) as const,
    );
    // Twice as much text in the second request: 1.5, not 3.
    isAbout(
      await window.ask({ toolbox, request: { messages: [{ role: 'user', content: TEXT }], tools } }),
      1.5,
    );
    const cut = windowWith([
      reply(30_000, { tool_calls: [CALL] }),
      { ...reply(1), body: sse(chunkOf({ content: 'B' })) },
    ]);
    memory.clear();
    isAbout(await cut.ask({ toolbox, request: { messages: [{ role: 'user', content: TEXT }], tools } }), 2.8);
  });

  it('is not learned from another model, wrong figures, or the demo', async () => {
    for (const lie of [0, -1, 1e12, null, 'many', undefined]) await windowWith([reply(lie)]).ask();
    await windowWith([reply(15_000, { content: 'x' }, 'svc-k2')]).ask();
    await windowWith([reply(15_000)], { demoKey: 'sk-demo' }).ask();
    assert.equal(memory.size, 0, JSON.stringify([...memory]));
  });

  it('survives two windows that write in turns, and a damaged memory', async () => {
    const [one, two] = [
      windowWith([reply(15_000), reply(15_000)]),
      windowWith([reply(14_000), reply(16_000)]),
    ];
    for (const window of [one, two, two, one]) await window.ask();
    isAbout(one.ratio(), 1.5);
    assert.equal(one.ratio(), two.ratio());
    for (const damaged of ['x', 7, null, [], { [`${ROUTE.origin} svc-k3`]: { length: 9 } }]) {
      memory.set('k3.tokenRatios', damaged);
      assert.equal(one.ratio(), 1);
      isAbout(await windowWith([reply(15_000)]).ask(), 1.5);
    }
  });

  it('is kept for the 20 routes that were used last', async () => {
    const many = Array.from({ length: 500 }, (_, i) => [`http://h${i} m`, [[1, 1]]]);
    memory.set('k3.tokenRatios', Object.fromEntries(many));
    await windowWith([reply(15_000)]).ask();
    assert.equal(Object.keys(memory.get('k3.tokenRatios') ?? {}).length, 20);
    isAbout(windowWith([]).ratio(), 1.5);
  });
});

/** What the emulator bills for a request. */
function billedFor(request: ChatRequest): number {
  const checked = checkCompletion(JSON.parse(JSON.stringify(request)), {
    route: 'direct',
    replayNames: ['reasoning_content'],
  });
  assert.ok(checked.ok);
  return countPrompt(toSegments(checked.value));
}

describe('The estimate of a first request, against the tokens that the emulator counts', () => {
  const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const TEXTS = [
    'docs/architecture.md',
    'src/requests/turns.ts',
    'package.json',
    'package.nls.zh-cn.json',
    'README.md',
    'src/conversation/runTurn.ts',
  ].map(read);
  const TOOLS: readonly FunctionTool[] = Array.from({ length: 12 }, (_, i) => ({
    type: 'function',
    function: {
      name: `tool_${i}`,
      description: 'Reads a text file of the workspace, with line numbers, and says how many lines it has.',
      parameters: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            description: 'A path relative to the workspace, with / between its parts.',
          },
        },
      },
    },
  }));

  it('is closer with the tools and what was learned', () => {
    let known: Parameters<typeof toTokenRatio>[0] = [];
    const errors = { before: [] as number[], meter: [] as number[], request: [] as number[] };
    for (const text of TEXTS) {
      const request = { ...REQUEST, tools: TOOLS, messages: [{ role: 'user', content: text }] } as const;
      const billed = billedFor(request);
      const errorOf = ({ promptTokens }: { readonly promptTokens: number }) =>
        Math.abs(promptTokens / billed - 1);
      const ratio = toTokenRatio(known);
      const next = (more?: object) => estimateNext(conversationOf(), '', text, 0, DEFAULT_PRICES, more);
      errors.before.push(errorOf(next()));
      errors.meter.push(errorOf(next({ tools: TOOLS, ratio })));
      errors.request.push(errorOf(estimateRequest(request, undefined, DEFAULT_PRICES, ratio)));
      const measure = toMeasure(toRequestSize(request), { ...NO_USAGE, promptTokens: billed });
      if (measure !== undefined) known = withMeasure(known, measure);
    }
    const average = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
    const [before, meter, whole] = [errors.before, errors.meter, errors.request].map(average);
    if (process.env['K3_FIGURES'] !== undefined) console.log(errors, { before, meter, whole });
    assert.ok(
      (before ?? 0) > 0.05 && (meter ?? 1) < 0.05 && (whole ?? 1) < 0.05,
      JSON.stringify({ before, meter, whole }),
    );
  });
});
