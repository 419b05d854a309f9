import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { toPrefix } from '../../../../src/conversation/requestMessages/prefix.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { PanelViewsDeps } from '../../../../src/editor/chatView/panelViews.ts';
import type { ConversationChange } from '../../../../src/editor/conversations/conversationChange.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import * as stub from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  answer,
  completeTurn,
  DONE,
  failedBy,
  finish,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  usage,
} from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const {
  conversationUri,
  createDismissedProblems,
  createFoundTurns,
  createPanelViews,
  createTurnProblems,
  toStatus,
} = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/chatView/panelViews.ts')),
  ...(await import('../../../../src/editor/conversations/conversationDocument.ts')),
  ...(await import('../../../../src/editor/conversations/foundTurns.ts')),
  ...(await import('../../../../src/editor/problems/dismissedProblems.ts')),
  ...(await import('../../../../src/editor/problems/turnProblems.ts')),
  ...(await import('../../../../src/editor/usage/statusBar.ts')),
}));

const cut = turnOf([answer('Half of an ans'), finish('length'), usage(), DONE, SERVICE_ENDED]);
const asked = (id: string) => conversation(id, [exchange(`e ${id}`, 'Why?', [{ ...cut, id: `t ${id}` }])]);

/** Of one conversation, which is the open one. */
function problemsOf(
  asked: ReturnType<typeof conversation>,
  routes: Partial<Parameters<typeof createTurnProblems>[0]['routes']> = {},
) {
  const never = new stub.EventEmitter<never>().event as never;
  return createTurnProblems({
    conversations: {
      ...{ list: () => [], loaded: () => [asked], current: () => asked, front: () => asked },
      ...{ get: () => asked, revision: () => undefined, find: () => undefined, markSeen: () => undefined },
      onDidChange: never,
    },
    structured: { judged: () => undefined, onDidJudge: never },
    routes: { active: () => undefined, named: () => undefined, onDidChange: never, ...routes },
    dismissed: { has: () => false, add: () => undefined },
  });
}

describe('The problems of a conversation', () => {
  const original = { ...stub.languages };
  const { from } = stub.Uri;
  beforeEach(() => {
    Object.assign(stub.Uri, { from: ({ query }: { query: string }) => new stub.Uri(query) });
    Object.assign(stub.languages, {
      createDiagnosticCollection: () => ({
        set: () => undefined,
        delete: () => undefined,
        dispose: () => undefined,
      }),
    });
  });
  afterEach(() => {
    Object.assign(stub.languages, original);
    Object.assign(stub.Uri, { from });
  });

  it('are there when a tab comes to the front that shows it, as after a reload, beside those of the side bar', () => {
    const all = [asked('side'), asked('tab')];
    const [side = assert.fail(), tab = assert.fail()] = all;
    let front: Conversation = side;
    const changes = new stub.EventEmitter<ConversationChange>();
    const never = new stub.EventEmitter<never>().event as never;
    const problems = createTurnProblems({
      conversations: {
        list: () => [],
        loaded: () => all,
        current: () => side,
        front: () => front,
        get: (id: string) => all.find((one) => one.id === id),
        revision: () => undefined,
        find: () => undefined,
        markSeen: () => undefined,
        onDidChange: changes.event as never,
      },
      structured: { judged: () => undefined, onDidJudge: never },
      routes: { active: () => undefined, named: () => undefined, onDidChange: never },
      dismissed: { has: () => false, add: () => undefined },
    });
    assert.deepEqual(
      [problems.conversationOf('t side'), problems.conversationOf('t tab')],
      ['side', undefined],
    );
    front = tab;
    changes.fire({ type: 'front' });
    assert.deepEqual([problems.conversationOf('t side'), problems.conversationOf('t tab')], ['side', 'tab']);
    problems.dispose();
  });

  it('are there again when the route that failed is the active one again, also if another one was at the start', () => {
    const failed = turnOf([failedBy('bad-key')]);
    const asked = conversation('c1', [exchange('e1', 'Why?', [failed])]);
    const route = (name: string) => ({
      name,
      kind: 'direct',
      root: `https://${name}.example/v1`,
      model: 'svc-k3',
    });
    let active = route('other');
    const switched = new stub.EventEmitter<void>();
    const problems = problemsOf(asked, {
      active: () => ({ route: active as never, demoKey: undefined }),
      onDidChange: switched.event as never,
    });
    const codes = () => problems.on(conversationUri(asked)).map(({ notice }) => notice.code);
    assert.deepEqual(codes(), []);
    active = route(failed.request.routeName);
    switched.fire();
    assert.deepEqual(codes(), ['failed']);
    problems.dispose();
  });

  it('are gone when another window has asked again in a conversation that has left the memory here, or shows another attempt', () => {
    const changes = new stub.EventEmitter<ConversationChange>();
    const never = new stub.EventEmitter<never>().event as never;
    let now = asked('c1');
    let changedAt = 1;
    let revision: number | undefined = 1;
    let reads = 0;
    let loaded = [now];
    const row = { id: 'c1', title: now.title, pinned: false, workspace: undefined, routes: [], cost: 0 };
    const problems = createTurnProblems({
      conversations: {
        ...{ list: () => [{ ...row, unreported: 0, changedAt }], loaded: () => loaded },
        revision: () => revision,
        ...{ current: () => now, front: () => now, find: () => undefined, markSeen: () => undefined },
        get() {
          reads++;
          return now;
        },
        onDidChange: changes.event as never,
      },
      structured: { judged: () => undefined, onDidJudge: never },
      routes: { active: () => undefined, named: () => undefined, onDidChange: never },
      dismissed: { has: () => false, add: () => undefined },
    });
    const count = () => problems.on(conversationUri(now)).length;
    loaded = [];
    const before = reads;
    changes.fire({ type: 'listed' });
    assert.deepEqual([count(), reads], [1, before], 'reading all of them takes long');
    now = conversation('c1', [exchange('e c1', 'Why?', [{ ...completeTurn(), id: 't2' }])]);
    changedAt = 2;
    changes.fire({ type: 'listed' });
    assert.equal(count(), 0);
    // The row in the list is the same when it shows another attempt there.
    now = asked('c1');
    revision = 2;
    changes.fire({ type: 'listed' });
    assert.equal(count(), 1);
    // The database is locked: neither the revision nor the conversation can be read.
    revision = undefined;
    const readsBefore = reads;
    changes.fire({ type: 'listed' });
    assert.equal(count(), 1);
    assert.equal(reads, readsBefore);
    problems.dispose();
  });

  /** Of a turn that was cut off, and answered by another model, in a window with this state of the extension. */
  function windowWith(state: Map<string, unknown>) {
    const turn: Turn = { ...cut, id: 't1', responseModel: 'cheap-1' };
    const asked = conversation('c1', [exchange('e1', 'Why?', [turn])]);
    const never = new stub.EventEmitter<never>().event as never;
    const found = createFoundTurns({
      store: { open: () => [asked], unread: () => [] },
      fire: () => undefined,
    });
    const problems = createTurnProblems({
      conversations: {
        ...{ list: () => [], loaded: () => [asked], current: () => asked, front: () => asked },
        ...{ get: () => asked, revision: () => undefined, ...found, onDidChange: never },
      },
      structured: { judged: () => undefined, onDidJudge: never },
      routes: { active: () => undefined, named: () => undefined, onDidChange: never },
      dismissed: createDismissedProblems(
        { get: (name) => state.get(name), update: async (name, value) => void state.set(name, value) },
        { warn: assert.fail },
      ),
    });
    const spoken = () =>
      toStatus(asked, {
        ...{ prices: DEFAULT_PRICES, routeName: undefined, conversations: [asked], now: 0 },
        ...{ isSeen: found.isSeen, runsElsewhere: () => false, judged: () => undefined },
      })?.spoken ?? '';
    const codes = () => problems.on(conversationUri(asked)).map(({ notice }) => notice.code);
    return { found, problems, spoken, codes };
  }

  it('are dismissed one by one: the status bar warns of the others, and names none that was dismissed', () => {
    const { found, problems, spoken } = windowWith(new Map());
    assert.match(spoken(), /problem: The answer was cut off, Another model answered$/);
    problems.dismiss('t1', 'truncated');
    assert.match(spoken(), /problem: Another model answered$/);
    assert.equal(found.isSeen('t1'), false);
    problems.dismiss('t1', 'model-substituted');
    assert.doesNotMatch(spoken(), /problem/);
    assert.equal(found.isSeen('t1'), true);
    problems.dispose();
  });

  it('are still dismissed after a reload, also in the status bar, and the others are there', () => {
    const state = new Map<string, unknown>();
    const before = windowWith(state);
    before.problems.dismiss('t1', 'truncated');
    before.problems.dispose();
    const after = windowWith(state);
    assert.deepEqual(after.codes(), ['model-substituted']);
    assert.match(after.spoken(), /problem: Another model answered$/);
    after.problems.dismiss('t1', 'model-substituted');
    after.problems.dispose();
    const last = windowWith(state);
    assert.deepEqual(last.codes(), []);
    assert.doesNotMatch(last.spoken(), /problem/);
    last.problems.dispose();
  });

  describe('in two windows', () => {
    restoreAfterEach(stub.window);
    const focus = new stub.EventEmitter<{ readonly focused: boolean }>();

    it('are dismissed in the other one as soon as the user goes there', () => {
      Object.assign(stub.window, { onDidChangeWindowState: focus.event });
      const state = new Map<string, unknown>();
      const [here, there] = [windowWith(state), windowWith(state)];
      here.problems.dismiss('t1', 'truncated');
      focus.fire({ focused: true });
      assert.deepEqual(there.codes(), ['model-substituted']);
      assert.match(there.spoken(), /problem: Another model answered$/);
      here.problems.dispose();
      there.problems.dispose();
    });
  });

  it('say once that less was cached while a route caches nothing, and so do the cards in the chat', () => {
    const turn = (at: number): Turn => ({
      ...completeTurn('So.', { prefix: toPrefix({ model: 'svc-k3', messages: [] }) }),
      ...{ id: `t${at}`, usage: { ...SOME_USAGE, cachedTokens: 0 } },
    });
    const exchanges = [1, 2, 3, 4].map((at) => exchange(`e${at}`, 'Why?', [turn(at)]));
    const asked = conversation('c1', exchanges);
    const problems = problemsOf(asked);
    const told = problems.on(conversationUri(asked)).map(({ turnId, notice }) => [turnId, notice.code]);
    assert.deepEqual(told, [['t2', 'cache-dropped']]);
    problems.dispose();
    const views = createPanelViews({
      conversations: { get: () => asked, isRunning: () => false, holder: () => undefined },
      ...{ proposals: { ofTurn: () => [] }, findings: { placementsOf: () => undefined } },
      ...{ structured: { judged: () => undefined }, tools: { titleOf: () => '' }, approvals: {} },
    } as unknown as PanelViewsDeps);
    const cards = exchanges.map((one) => views.exchange(asked, one).turn?.cards.map(({ title }) => title));
    assert.deepEqual(cards, [[], ['Less of the prompt was cached than before'], [], []]);
  });
});
