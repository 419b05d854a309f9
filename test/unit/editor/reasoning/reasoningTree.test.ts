import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FormatVerdict } from '../../../../src/conversation/answerFormats/answerFormat.ts';
import type { CallState, Turn } from '../../../../src/conversation/turn.ts';
import type { ConversationChange } from '../../../../src/editor/conversations/conversationChange.ts';
import * as stub from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  completeTurn,
  conversationOf,
  exchangeOf,
  failedBy,
  SERVICE_ENDED,
  turnOf,
  USER_ENDED,
  WINDOW_ENDED,
} from '../../conversation/turns.ts';

const { createReasoningTree } = await withEditorStub(
  () => import('../../../../src/editor/reasoning/reasoningTree.ts'),
);

const NO_ROUTE = {
  active: () => undefined,
  named: () => undefined,
  onDidChange: new stub.EventEmitter<void>().event as never,
};
const UNJUDGED = { judged: () => undefined, onDidJudge: new stub.EventEmitter<string>().event as never };

describe('The row of a turn in the Reasoning view is refreshed', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Shows these states of a turn one after the other, and returns what was refreshed for the last one. */
  function refreshedFor(...turns: readonly Turn[]): readonly unknown[] {
    let shown = turns[0] ?? turnOf([]);
    const changes = new stub.EventEmitter<ConversationChange>();
    const found = () => {
      const exchange = exchangeOf('Why?', shown);
      return { conversation: conversationOf(exchange), exchange, turn: shown };
    };
    const tree = createReasoningTree({
      conversations: {
        front: () => found().conversation,
        find: found,
        loaded: () => [],
        isRunning: () => true,
        holder: () => undefined,
        onDidChange: changes.event as never,
      },
      routes: NO_ROUTE,
      structured: UNJUDGED,
    });
    let refreshed: unknown[] = [];
    tree.onDidChangeTreeData?.((node) => refreshed.push(node));
    for (const turn of turns) {
      shown = turn;
      refreshed = [];
      const { conversation, exchange } = found();
      changes.fire({ type: 'turn', conversationId: conversation.id, exchangeId: exchange.id, turn } as never);
      mock.timers.tick(250);
    }
    tree.dispose();
    return refreshed;
  }

  const started = turnOf([]);
  const ROW = [{ kind: 'turn', turnId: started.id }];

  for (const [name, end] of Object.entries({
    'fails before anything arrives': failedBy('unreachable'),
    'is stopped': USER_ENDED,
    'is interrupted': WINDOW_ENDED,
    'ends without anything': SERVICE_ENDED,
  }))
    it(`when it ${name}`, () => {
      assert.deepEqual(refreshedFor(started, turnOf([end])), ROW);
    });

  const calling = (...states: readonly CallState[]): Turn => ({
    ...started,
    phase: 'calling',
    rounds: [{ toolCalls: states.map((state) => ({ state })) } as never],
  });

  it('when a call waits for approval, and when it doesn’t any more', () => {
    assert.deepEqual(refreshedFor(calling('running', 'running'), calling('waiting', 'running')), ROW);
    assert.deepEqual(refreshedFor(calling('waiting', 'running'), calling('waiting', 'waiting')), ROW);
    assert.deepEqual(refreshedFor(calling('waiting', 'running'), calling('running', 'running')), ROW);
  });

  it('and not when nothing of it has changed', () => {
    assert.deepEqual(refreshedFor(calling('waiting'), calling('waiting')), []);
  });
});

describe('A conversation of 120 turns in the Reasoning view', () => {
  const COUNT = 120;
  const asked = { ...turnOf([]), id: 'asked again' };
  const exchanges = Array.from({ length: COUNT }, (_, at) => ({
    ...exchangeOf(`Question ${at}`, { ...turnOf([USER_ENDED]), id: `t${at}` }),
    id: `e${at}`,
  }));
  const changes = new stub.EventEmitter<ConversationChange>();
  const make = () =>
    createReasoningTree({
      conversations: {
        front: () => ({ ...conversationOf(exchanges[0] ?? assert.fail()), exchanges: shown }),
        find: (id: string) =>
          id === asked.id ? ({ conversation: {}, exchange: {}, turn: asked } as never) : undefined,
        loaded: () => [],
        isRunning: () => false,
        holder: () => undefined,
        onDidChange: changes.event as never,
      },
      routes: NO_ROUTE,
      structured: UNJUDGED,
    });
  let tree: ReturnType<typeof make>;
  let refreshed: unknown[];
  let shown: typeof exchanges;

  beforeEach(() => {
    shown = exchanges;
    tree = make();
    refreshed = [];
    tree.onDidChangeTreeData?.((node) => refreshed.push(node));
  });
  afterEach(() => tree.dispose());

  const turn = (at: number) => ({ kind: 'turn', turnId: `t${at}` });

  it('lists the last 50, below a row that lists earlier ones', async () => {
    const rows = await tree.getChildren();
    assert.deepEqual([rows.length, rows[0], rows[1]], [51, { kind: 'earlier', count: 70 }, turn(70)]);
    const { command } = tree.getTreeItem({ kind: 'earlier', count: 4950 });
    assert.equal(command?.title, 'Show earlier messages (4,950)');
    tree.showEarlier();
    const all = await tree.getChildren();
    assert.deepEqual([all.length, all[0], refreshed], [COUNT, turn(0), [undefined]]);
  });

  it('lists the turn of a step that is revealed, and those after it', async () => {
    tree.list('t100', 0);
    assert.deepEqual(refreshed, []);
    assert.deepEqual(tree.list('t30', 2), { kind: 'step', turnId: 't30', index: 2 });
    assert.deepEqual(refreshed, [undefined]);
    const rows = await tree.getChildren();
    assert.deepEqual([rows.length, rows[0], rows[1]], [91, { kind: 'earlier', count: 30 }, turn(30)]);
  });

  it('lists an early turn that runs, because its question was asked again', async () => {
    shown = exchanges.map((one) => (one.id === 'e30' ? { ...one, attempts: [...one.attempts, asked] } : one));
    changes.fire({
      type: 'turn',
      conversationId: conversationOf(exchanges[0] ?? assert.fail()).id,
      exchangeId: 'e30',
      turn: asked,
    } as never);
    await eventually(() => assert.deepEqual(refreshed, [undefined]));
    const rows = await tree.getChildren();
    assert.ok(rows.some((row) => row.kind === 'turn' && row.turnId === asked.id));
  });

  it('draws all rows again once when a turn starts, and only those of a question that has another version shown', async () => {
    const show = (at: number) => {
      const exchange = shown[at] ?? assert.fail();
      const { id } = conversationOf(exchange);
      changes.fire({ type: 'exchange', conversationId: id, exchange });
    };
    let started = 0;
    tree.onDidStartTurn(() => started++);
    await tree.getChildren();
    shown = exchanges.map((one) =>
      one.id === 'e110' ? { ...one, attempts: [...one.attempts, asked] } : one,
    );
    show(110);
    assert.deepEqual([refreshed, started], [[undefined], 1]);
    await tree.getChildren();
    refreshed.length = 0;
    show(110);
    assert.deepEqual([refreshed, started], [[[turn(110), { kind: 'turn', turnId: asked.id }]], 1]);
  });

  it('lists the last 50 again when another conversation was opened meanwhile', async () => {
    tree.showEarlier();
    changes.fire({ type: 'opened', conversationId: 'c1' } as never);
    assert.equal((await tree.getChildren()).length, 51);
  });
});

describe('The row of one of several attempts in the Reasoning view', () => {
  it('has a long question without half an emoji at its end', () => {
    const [one, other] = [completeTurn('1'), { ...completeTurn('2'), id: 't2' }];
    const exchange = exchangeOf('Only herons 🐦🐦', one, other);
    const never = new stub.EventEmitter<never>().event as never;
    const tree = createReasoningTree({
      conversations: {
        front: () => conversationOf(exchange),
        find: () => ({ conversation: conversationOf(exchange), exchange, turn: other }),
        ...{ loaded: () => [], isRunning: () => false, holder: () => undefined, onDidChange: never },
      },
      routes: NO_ROUTE,
      structured: UNJUDGED,
    });
    const { label } = tree.getTreeItem({ kind: 'turn', turnId: other.id });
    assert.equal(label, 'Only herons… (attempt 2)');
    tree.dispose();
  });
});

describe('The row of an answer in JSON in the Reasoning view', () => {
  it('warns when the answer doesn’t match its format, as Problems and the status bar do', () => {
    const turn = completeTurn('[1]');
    const exchange = exchangeOf('As an object?', turn);
    const never = new stub.EventEmitter<never>().event as never;
    const judged = new stub.EventEmitter<string>();
    let verdict: FormatVerdict | undefined;
    const tree = createReasoningTree({
      conversations: {
        front: () => conversationOf(exchange),
        find: () => ({ conversation: conversationOf(exchange), exchange, turn }),
        ...{ loaded: () => [], isRunning: () => false, holder: () => undefined, onDidChange: never },
      },
      routes: NO_ROUTE,
      structured: {
        judged: () => ({ format: { kind: 'json' }, verdict }),
        onDidJudge: judged.event as never,
      },
    });
    const node = { kind: 'turn', turnId: turn.id } as const;
    const icon = () => tree.getTreeItem(node).iconPath;
    const named = (id: string) => new stub.ThemeIcon(id);
    const refreshed: unknown[] = [];
    tree.onDidChangeTreeData?.((changed) => refreshed.push(changed));
    assert.deepEqual(icon(), named('comment'));
    verdict = { kind: 'not-json' };
    judged.fire(turn.id);
    assert.deepEqual(refreshed, [node]);
    assert.deepEqual(icon(), named('warning'));
    tree.dispose();
  });
});

describe('The row of a failed turn in the Reasoning view', () => {
  const failed: Turn = { ...turnOf([failedBy('bad-key')]), id: 'failed' };
  const { routeName } = failed.request;
  const other = { name: 'other', kind: 'direct', root: 'https://other.example/v1' };
  const own = { ...other, name: routeName };

  it('has an error icon until its cause is gone, as Problems and the status bar have', () => {
    const changes = new stub.EventEmitter<ConversationChange>();
    const switched = new stub.EventEmitter<void>();
    let exchanges = [exchangeOf('Why?', failed)];
    let active = own;
    const conversation = () => ({ ...conversationOf(exchangeOf('Why?', failed)), exchanges });
    const tree = createReasoningTree({
      conversations: {
        front: conversation,
        loaded: () => [conversation()],
        find: (id) => {
          const exchange = exchanges.find(({ attempts }) => attempts.some((one) => one.id === id));
          return exchange && { conversation: conversation(), exchange, turn: failed };
        },
        isRunning: () => false,
        holder: () => undefined,
        onDidChange: changes.event as never,
      },
      routes: {
        active: () => ({ route: active as never, demoKey: undefined }),
        named: () => undefined,
        onDidChange: switched.event as never,
      },
      structured: UNJUDGED,
    });
    const node = { kind: 'turn', turnId: failed.id } as const;
    const icon = () => tree.getTreeItem(node).iconPath;
    const error = icon();
    const idle = new stub.ThemeIcon('comment');
    assert.notDeepEqual(error, idle);
    const refreshed: unknown[] = [];
    tree.onDidChangeTreeData?.((changed) => refreshed.push(changed));
    active = other;
    switched.fire();
    assert.deepEqual([icon(), refreshed], [idle, [[node]]]);
    active = own;
    switched.fire();
    assert.deepEqual(icon(), error);
    refreshed.length = 0;
    const answered = { ...completeTurn('Because.'), id: 'later', startedAt: failed.startedAt + 1 };
    const later = { ...exchangeOf('And now?', answered), id: 'e2' };
    exchanges = [...exchanges, later];
    changes.fire({ type: 'turn', conversationId: 'another', exchangeId: 'e2', turn: answered } as never);
    assert.deepEqual([icon(), refreshed], [idle, [[node]]]);
    tree.dispose();
  });
});
