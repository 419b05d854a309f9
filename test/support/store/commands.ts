/** Random commands in two windows, and a simple model of the expected state. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { openWindow, type Window } from './window.ts';

/** A turn that was sent. */
interface ModelTurn {
  /** Its text when it ended; undefined while it runs, or if its window was closed before. */
  text: string | undefined;
}

interface ModelConversation {
  title: string;
  deleted: boolean;
  readonly questions: string[];
  readonly turns: Map<string, ModelTurn>;
  /** Ids of the queued questions. */
  queue: string[];
}

export interface Model {
  readonly conversations: Map<string, ModelConversation>;
  /** The turns that ended, whose cost counts. */
  readonly paid: Set<string>;
  /** The queued questions that were sent. */
  readonly sent: Set<string>;
}

export interface Real {
  readonly folder: string;
  readonly windows: [Window, Window];
  readonly frozen: [boolean, boolean];
  /** The clock of both windows, in epoch milliseconds. */
  now: number;
  /** For ids and texts. */
  count: number;
}

type Side = 0 | 1;
const LONGER_THAN_A_LEASE_MS = 60_000;

export function openReal(folder: string): Real {
  const real: Omit<Real, 'windows'> = { folder, frozen: [false, false], now: Date.now(), count: 0 };
  const deps = { folder, now: () => (real as Real).now };
  return Object.assign(real, { windows: [openWindow(deps), openWindow(deps)] as [Window, Window] });
}

/** Time goes by. Windows that are not frozen renew their leases. */
function wait(real: Real): void {
  real.now += LONGER_THAN_A_LEASE_MS;
  for (const side of [0, 1] as const) if (!real.frozen[side]) real.windows[side].renewLeases();
}

interface Picked {
  readonly id: string;
  readonly one: ModelConversation;
  readonly window: Window;
}

type Run = (picked: Picked, model: Model, real: Real, side: Side) => void;

/** Numbers are taken modulo the number of choices when the command runs. */
function command(name: string, run: Run): fc.Arbitrary<fc.Command<Model, Real>> {
  return fc.tuple(fc.constantFrom<Side>(0, 1), fc.nat(5)).map(([side, which]) => ({
    check: () => true,
    run(model, real) {
      if (real.frozen[side]) return;
      const id = [...model.conversations.keys()][which % model.conversations.size] ?? '';
      const one = model.conversations.get(id);
      assert.ok(one);
      run({ id, one, window: real.windows[side] }, model, real, side);
    },
    toString: () => `${name}(window ${side}, conversation ${which})`,
  }));
}

const ask: Run = ({ id, one, window }, _, real) => {
  const turnId = `t${++real.count}`;
  const text = `Question ${real.count}`;
  if (!window.ask(id, { text, turnId })) return;
  assert.equal(one.deleted, false, 'a deleted conversation was asked');
  one.questions.push(text);
  one.turns.set(turnId, { text: undefined });
};

const askAgain: Run = ({ id, one, window }, _, real) => {
  const again = window.store.get(id)?.exchanges.at(-1)?.id;
  const turnId = `t${++real.count}`;
  if (again === undefined || !window.ask(id, { text: '', turnId, again })) return;
  one.turns.set(turnId, { text: undefined });
};

const enqueue: Run = ({ id, one, window }, _, real) => {
  if (window.store.get(id) === undefined) return;
  const queuedId = `q${++real.count}`;
  window.store.enqueue(id, { id: queuedId, question: { text: queuedId, images: [], origin: undefined } });
  one.queue.push(queuedId);
};

const askQueued: Run = ({ id, one, window }, model, real) => {
  const [next] = window.store.queue(id);
  const turnId = `t${++real.count}`;
  if (next === undefined || !window.ask(id, { text: next.question.text, turnId, queuedId: next.id })) return;
  assert.ok(!model.sent.has(next.id), `${next.id} was sent twice`);
  model.sent.add(next.id);
  one.queue = one.queue.filter((queuedId) => queuedId !== next.id);
  one.questions.push(next.question.text);
  one.turns.set(turnId, { text: undefined });
};

const end: Run = ({ id, one, window }, model, real) => {
  const turnId = window.running.get(id)?.turn.id;
  const turn = turnId === undefined ? undefined : one.turns.get(turnId);
  if (turnId === undefined || turn === undefined) return;
  turn.text = `Answer ${++real.count}`;
  model.paid.add(turnId);
  window.end(id, turn.text);
};

const rename: Run = ({ id, one, window }, _, real) => {
  const now = window.store.latest(id);
  if (now === undefined) return;
  one.title = `Title ${++real.count}`;
  window.store.put({ ...now, title: one.title, named: true });
};

const remove: Run = ({ id, one, window }) => {
  if (window.store.get(id) === undefined) return;
  window.store.remove(id);
  one.deleted = true;
};

const restore: Run = ({ id, one, window }) => {
  if (window.store.removed(id) === undefined) return;
  window.store.restore(id);
  one.deleted = false;
};

const importAgain: Run = ({ id, window }, model, real) => {
  const exported = window.store.get(id);
  if (exported === undefined) return;
  const changed: Conversation = { ...structuredClone(exported), title: `Import ${++real.count}` };
  const imported = window.store.putImported(changed, {
    createdAt: real.now,
    newId: () => `new-${++real.count}`,
  });
  assert.equal(imported.isNew, true);
  const copy = window.store.get(imported.id);
  assert.ok(copy);
  assert.deepEqual(questionsOf(copy), questionsOf(changed));
  model.conversations.set(imported.id, {
    title: changed.title,
    deleted: false,
    questions: [...questionsOf(copy)],
    turns: new Map(
      turnsOf(copy).map(({ id: turnId, outcome, answer }) => [
        turnId,
        { text: outcome === 'complete' ? answer : undefined },
      ]),
    ),
    queue: [],
  });
};

const freeze: Run = (_, __, real, side) => {
  real.frozen[side] = true;
  wait(real);
};

const reopen =
  (how: 'kill' | 'close'): Run =>
  ({ window }, _, real, side) => {
    window[how]();
    real.windows[side] = openWindow({ folder: real.folder, now: () => real.now });
    // Both windows are in one process here, which is alive, so the leases of a killed window have to expire.
    if (how === 'kill') wait(real);
  };

const thaw: fc.Arbitrary<fc.Command<Model, Real>> = fc.constantFrom<Side>(0, 1).map((side) => ({
  check: () => true,
  run(_, real) {
    real.frozen[side] = false;
  },
  toString: () => `thaw(window ${side})`,
}));

export const allCommands = [
  command('ask', ask),
  command('ask again', askAgain),
  command('queue', enqueue),
  command('ask queued', askQueued),
  command('text', ({ id, window }) => window.progress(id)),
  command('end', end),
  command('end', end),
  command('rename', rename),
  command('delete', remove),
  command('restore', restore),
  command('import', importAgain),
  command('poll', ({ window }) => void window.store.poll()),
  command('freeze', freeze),
  command('kill', reopen('kill')),
  command('close', reopen('close')),
  thaw,
  thaw,
];

const allExchanges = ({ exchanges, branches }: Conversation) => [
  ...exchanges,
  ...branches.flatMap((branch) => branch.exchanges),
];
export const questionsOf = (one: Conversation) => allExchanges(one).map(({ question }) => question.text);
export const turnsOf = (one: Conversation) => allExchanges(one).flatMap(({ attempts }) => attempts);

/** Waits for running turns, and compares both windows, and a window that is opened later, with the model. */
export function settleAndCompare(model: Model, real: Real, costOfOne: number): void {
  for (const side of [0, 1] as const) {
    real.frozen[side] = false;
    const window = real.windows[side];
    for (const id of [...window.running.keys()]) {
      const one = model.conversations.get(id);
      assert.ok(one);
      end({ id, one, window }, model, real, side);
    }
  }
  for (const { store } of real.windows) {
    store.poll();
    compare(model, store, costOfOne);
  }
  for (const window of real.windows) window.close();
  const later = openWindow({ folder: real.folder, now: () => real.now });
  compare(model, later.store, costOfOne);
  later.close();
}

function compare(model: Model, store: Window['store'], costOfOne: number): void {
  const there = [...model.conversations].filter(([, { deleted }]) => !deleted).map(([id]) => id);
  assert.deepEqual(
    store
      .list()
      .map(({ id }) => id)
      .toSorted(),
    there.toSorted(),
  );
  for (const [id, expected] of model.conversations) {
    const found = store.get(id);
    assert.equal(found === undefined, expected.deleted, id);
    if (found === undefined) continue;
    assert.equal(found.title, expected.title);
    assert.deepEqual(questionsOf(found).toSorted(), expected.questions.toSorted());
    assert.deepEqual(
      turnsOf(found)
        .map((turn) => turn.id)
        .toSorted(),
      [...expected.turns.keys()].toSorted(),
    );
    for (const turn of turnsOf(found)) {
      const text = expected.turns.get(turn.id)?.text;
      assert.equal(turn.outcome, text === undefined ? 'interrupted' : 'complete', `${id} ${turn.id}`);
      if (text !== undefined) assert.equal(turn.answer, text);
    }
    assert.deepEqual(
      store.queue(id).map((queued) => queued.id),
      expected.queue,
    );
  }
  assert.ok(Math.abs(store.costSince(0) - model.paid.size * costOfOne) < 1e-9, 'the cost');
}
