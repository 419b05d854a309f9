import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { AttemptCommandsDeps } from '../../../../src/editor/chatView/attemptCommands.ts';
import type { CheckId } from '../../../../src/probe/probe.ts';
import type { ReasoningEffort, Route } from '../../../../src/service/types.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';
import { ROUTE } from '../../service/wire.ts';

const { createAttemptCommands } = await withEditorStub(
  () => import('../../../../src/editor/chatView/attemptCommands.ts'),
);

const { showQuickPick } = window;
/** Dollar signs and parentheses are valid in an address. */
const POOR = 'https://poor.example/$(zap)';

describe('Ask Again With…', () => {
  const turn = completeTurn();
  const exchange = exchangeOf('Why?', turn);
  const conversation: Conversation = conversationOf(exchange);
  let asked: string[];
  let commands: ReturnType<typeof createAttemptCommands>;
  beforeEach(() => {
    asked = [];
    window.showQuickPick = async () => ({ options: { effort: 'low' } }) as never;
    const deps = {
      conversations: {
        toolboxOf: () => undefined,
        front: () => conversation,
        find: (id: string) => (id === turn.id ? { conversation, exchange, turn } : undefined),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      routes: { active: () => undefined },
      probes: { lackOf: () => undefined, works: () => false },
      again: async (id: string) => void asked.push(id),
    };
    commands = createAttemptCommands(deps as unknown as AttemptCommandsDeps);
  });
  afterEach(() => {
    window.showQuickPick = showQuickPick;
  });
  const run = (...target: unknown[]) => commands['k3.askElsewhere'](...target);

  it('asks the last question by default, and that of a message', async () => {
    await run();
    await run({ webviewSection: 'message', turnId: turn.id });
    assert.deepEqual(asked, [turn.id, turn.id]);
  });

  it('asks no other question when that of a message is gone, for example on another branch', async () => {
    await run({ webviewSection: 'message', turnId: 'gone' });
    assert.deepEqual(asked, []);
  });
});

describe('The routes and efforts of Ask Again With…', () => {
  const { getConfiguration } = workspace;
  afterEach(() => {
    Object.assign(workspace, { getConfiguration });
    window.showQuickPick = showQuickPick;
  });

  interface Shown {
    readonly items: readonly {
      readonly label: string;
      readonly detail?: string;
      readonly description?: string;
    }[];
    readonly placeHolder: string;
  }

  /** What the list has for a turn. */
  async function listFor(
    question: Partial<Question>,
    effort: ReasoningEffort | undefined,
    kind: Route['kind'] = 'direct',
    effortWorks: 'yes' | 'no' | 'unknown' = 'no',
    poor = 'poor',
  ): Promise<Shown> {
    const written = {
      direct: { kind, baseUrl: ROUTE.root },
      [poor]: { kind: 'direct', baseUrl: POOR },
    };
    const values: Readonly<Record<string, unknown>> = { routes: written, route: 'direct' };
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (key: string) => ({ key, globalValue: values[key] }),
      }),
    });
    const turn = completeTurn('a', { effort });
    const asked = exchangeOf('Why?', turn);
    const exchange = { ...asked, question: { ...asked.question, ...question } };
    const conversation = conversationOf(exchange);
    let list: Shown = { items: [], placeHolder: '' };
    Object.assign(window, {
      async showQuickPick(items: Shown['items'], { placeHolder }: Shown) {
        list = { items, placeHolder };
      },
    });
    const deps = {
      conversations: {
        toolboxOf: () => undefined,
        front: () => conversation,
        find: () => ({ conversation, exchange, turn }),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      routes: { active: () => ({ route: { ...ROUTE, kind }, demoKey: undefined }) },
      probes: {
        lackOf: (check: CheckId, route: Pick<Route, 'name' | 'root'>) =>
          route.root === `${POOR}/v1` || (check === 'effort' && effortWorks === 'no')
            ? {
                routeName: route.name,
                result: { check, verdict: 'no', seen: { kind: 'dropped', values: [] }, at: 1 },
              }
            : undefined,
        works: () => effortWorks === 'yes',
      },
      again: async () => assert.fail(),
    };
    await createAttemptCommands(deps as unknown as AttemptCommandsDeps)['k3.askElsewhere']();
    return list;
  }

  /** What is said below each item that lacks something. */
  async function detailsFor(question: Partial<Question>, effort: ReasoningEffort | undefined) {
    const { items } = await listFor(question, effort);
    return items.flatMap(({ label, detail }) =>
      detail === undefined || !detail.startsWith('Route “') ? [] : [`${label}: ${detail}`],
    );
  }
  const words = (details: readonly string[]) =>
    details.map((detail) => detail.replace(/ \(probed on [^)]*\)/g, ''));

  it('say that an effort may be ignored as long as nobody knows whether it works', async () => {
    const unsure = async (works: 'yes' | 'no' | 'unknown') =>
      (await listFor({}, undefined, 'direct', works)).items.flatMap(({ label, description }) =>
        description?.includes('may be ignored') ? [label] : [],
      );
    assert.deepEqual(
      [await unsure('unknown'), await unsure('yes'), await unsure('no')],
      [['high', 'low'], [], []],
    );
  });

  it('say what the route lacks that the question needs', async () => {
    const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
    assert.deepEqual(words(await detailsFor({ images: [image], purpose: 'findings' }, 'low')), [
      'poor: Route “poor” doesn’t accept images. Route “poor” doesn’t follow the answer format JSON with a schema. Route “poor” ignores the effort.',
      'high: Route “direct” ignores the effort.',
    ]);
    assert.deepEqual(words(await detailsFor({ format: { kind: 'json' } }, undefined)), [
      'poor: Route “poor” doesn’t accept tools, so no tools are sent. Route “poor” doesn’t follow the answer format JSON.',
      'high: Route “direct” ignores the effort.',
      'low: Route “direct” ignores the effort.',
    ]);
  });

  it('have no icons of names and addresses of routes', async () => {
    const { items } = await listFor({ purpose: 'findings' }, 'low', 'direct', 'no', '$(bug) poor');
    const route = items.find(({ label }) => label.includes('poor'));
    assert.deepEqual(
      [route?.label, route?.description],
      ['$ (bug) poor', 'direct · https://poor.example/$ (zap)/v1'],
    );
    assert.match(route?.detail ?? '', /^Route “\$ \(bug\) poor” doesn’t follow/);
  });

  it('begin with an effort that is another one, so that Enter doesn’t ask the same again', async () => {
    const efforts = async (...asked: Parameters<typeof listFor>) =>
      (await listFor(...asked)).items
        .map(({ label, description }) => (description === undefined ? label : `${label}: ${description}`))
        .filter((line) => /^(Default|max|high|low)/.test(line));
    assert.deepEqual(await efforts({}, 'max'), ['high', 'low', 'Default: the same as max on a direct route']);
    assert.deepEqual(await efforts({}, undefined), [
      'high',
      'low',
      'max: the same as the default on a direct route',
    ]);
    assert.deepEqual(await efforts({}, 'low'), ['Default', 'max', 'high']);
    assert.deepEqual(await efforts({}, undefined, 'gateway'), ['max', 'high', 'low']);
  });

  it('stand below what the answer was asked with', async () => {
    assert.equal((await listFor({}, undefined)).placeHolder, 'Now: route “direct”, effort default');
    const preset = { name: 'Terse', prompt: 'Be brief.' };
    assert.equal(
      (await listFor({ preset }, 'low')).placeHolder,
      'Now: route “direct”, effort low, preset “Terse”',
    );
  });
});
