/** Steps of a user, the service, and the machine in the windows. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import type { WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import type { Window } from './window.ts';
import {
  buryRequests,
  exchangesOf,
  isAwake,
  type MessageState,
  noteEnds,
  observe,
  openSide,
  pass,
  type World,
} from './world.ts';

export interface Step {
  readonly do: string;
  readonly side: number;
  /** Chooses a conversation, request, or queued question; taken modulo their number. */
  readonly which: number;
  /** Another choice, for example of an exchange. */
  readonly other: number;
}

interface Turn {
  readonly world: World;
  readonly window: Window;
  readonly side: number;
  readonly id: string;
  readonly step: Step;
}

type Run = (turn: Turn) => Promise<void> | void;

const pick = <Item>(all: readonly Item[], which: number): Item | undefined => all[which % all.length];

const openRequests = (world: World) =>
  world.service.requests.filter(({ end, owner }) => end === undefined && isAwake(world)(owner));

/** Notes a written value. It is the only allowed one now, unless the window died while it wrote. */
function expect<Value>(
  { window, id }: Turn,
  all: Map<string, readonly Value[]>,
  next: Value,
  before: readonly Value[],
) {
  all.set(id, window.isDead() ? [...(all.get(id) ?? before), next] : [next]);
}

/** Whether the page would pass on actions of the user in a conversation. */
const knows = ({ window: { conversations }, id }: Turn) =>
  conversations.get(id) !== undefined || conversations.deleted(id) !== undefined;

const receive = ({ window, world, id }: Turn, message: Exclude<WebviewMessage, { type: 'ready' }>) =>
  world.clock.as(window.name, () =>
    window.intents.receive(
      message as Parameters<Window['intents']['receive']>[0],
      id,
      window.composers.of(id),
    ),
  );

/** Sends a text, and notes where it must be afterwards. */
function sendText(turn: Turn, text: string, send: () => Promise<boolean>): void {
  const { world, window } = turn;
  const { messages } = world.expected;
  messages.set(text, 'pending');
  const note = (state: MessageState) => {
    if (messages.get(text) !== 'withdrawn') messages.set(text, window.isDead() ? 'unsure' : state);
  };
  void send().then(
    (taken) => note(taken ? 'taken' : 'refused'),
    (error: unknown) => (window.isDead() ? note('unsure') : assert.fail(String(error))),
  );
}

const send: Run = (turn) => {
  if (!knows(turn)) return;
  const { world, window, id } = turn;
  const text = `M${++world.count}.`;
  const { drafts } = world.expected;
  drafts.set(id, text);
  // As the panel does.
  world.clock.as(window.name, () => {
    window.composers.of(id).draft = text;
  });
  sendText(turn, text, async () => {
    const { taken = false } = await receive(turn, { type: 'send', text });
    if (taken && drafts.get(id) === text) drafts.set(id, '');
    return taken;
  });
};

const edit: Run = (turn) => {
  const { world, window, id, step } = turn;
  const exchange = pick(window.conversations.get(id)?.exchanges ?? [], step.other);
  if (exchange === undefined) return;
  const text = `E${++world.count}.`;
  sendText(turn, text, async () => {
    const { compose, edit: again } = await receive(turn, { type: 'edit', exchangeId: exchange.id, text });
    return compose === undefined && again === undefined;
  });
};

const type: Run = (turn) => {
  if (!knows(turn)) return;
  const { world, window, id } = turn;
  const text = `D${++world.count}`;
  world.clock.as(window.name, () => {
    window.composers.of(id).draft = text;
  });
  world.expected.drafts.set(id, text);
};

const attach: Run = (turn) => {
  if (!knows(turn)) return;
  const { world, window, id } = turn;
  const name = `image-${++world.count}.png`;
  world.clock.as(window.name, () => {
    const composer = window.composers.of(id);
    composer.attachments = [...composer.attachments, { name, url: `ms://${name}` }];
  });
  world.expected.images.set(name, id);
  world.fresh.push(name);
};

const regenerate: Run = (turn) => {
  const { window, id, step } = turn;
  const exchange = pick(window.conversations.get(id)?.exchanges ?? [], step.other);
  const turnId = exchange?.attempts[exchange.shown]?.id;
  if (turnId !== undefined) void receive(turn, { type: 'regenerate', turnId }).catch(() => undefined);
};

const withdraw =
  (all: boolean): Run =>
  (turn) => {
    const { world, window, id, step } = turn;
    if (!knows(turn)) return;
    const queue = window.conversations.queue(id);
    const one = pick(queue, step.other);
    const stored = observe(world, (history) => history.queue(id));
    const leaving = stored.filter((queued) => all || queued.id === one?.id);
    world.clock.as(window.name, () => {
      if (all) window.conversations.clearQueue(id);
      else if (one !== undefined) window.conversations.dequeue(id, one.id);
    });
    if (!all && one === undefined) return;
    for (const { question } of leaving) {
      world.expected.messages.set(question.text, window.isDead() ? 'unsure' : 'withdrawn');
      for (const { name } of question.images) world.expected.images.delete(name);
    }
  };

const rename: Run = (turn) => {
  const { world, window, id } = turn;
  const before = window.conversations.get(id);
  // A conversation without a question isn't in the list.
  if (before === undefined || before.exchanges.length === 0) return;
  const stored = observe(world, (history) => history.load(id));
  if (stored === undefined) return;
  const title = `T${++world.count}`;
  world.clock.as(window.name, () => window.conversations.rename(id, title));
  // Its title may still be that of its question, which changes when the question is edited.
  if (window.isDead() && !stored.named) world.expected.titles.delete(id);
  else expect(turn, world.expected.titles, title, [stored.title]);
};

const pin: Run = (turn) => {
  const { world, window, id, step } = turn;
  const stored = observe(world, (history) => history.load(id));
  const before = window.conversations.get(id);
  if (before === undefined || before.exchanges.length === 0 || stored === undefined) return;
  const pinned = step.other % 2 === 0;
  world.clock.as(window.name, () => window.conversations.pin(id, pinned));
  expect(turn, world.expected.pins, pinned, [stored.pinned]);
};

const remove: Run = (turn) => {
  const { world, window, id } = turn;
  if ((window.conversations.get(id)?.exchanges.length ?? 0) === 0) return;
  world.clock.as(window.name, () => window.conversations.delete(id));
  expect(turn, world.expected.deleted, true, [false]);
};

const restore: Run = (turn) => {
  const { world, window, id } = turn;
  if (window.conversations.deleted(id) === undefined) return;
  world.clock.as(window.name, () => window.conversations.restore(id));
  expect(turn, world.expected.deleted, false, [true]);
};

function noteCopy({ ids, expected }: World, copy: Conversation): void {
  ids.push(copy.id);
  for (const { id, attempts } of exchangesOf(copy)) {
    expected.copiedExchanges.add(id);
    for (const turn of attempts) expected.copiedTurns.set(turn.id, turn.answer);
  }
}

const fork: Run = (turn) => {
  const { world, window, id, step } = turn;
  const known = window.conversations.get(id);
  const exchange = pick(known?.exchanges ?? [], step.other);
  if (known === undefined || exchange === undefined) return;
  const copy = world.clock.as(window.name, () => window.conversations.fork(id, exchange.id));
  if (copy !== undefined && copy.exchanges.length > 0) noteCopy(world, copy);
};

const exportOne: Run = ({ world, window, id }) => {
  const known = window.conversations.get(id);
  if (known !== undefined && known.exchanges.length > 0) world.files.push(toExport(known, 0));
};

const plain = (one: Conversation) =>
  exchangesOf(one).map(({ question, attempts }) => [question.text, ...attempts.map(({ answer }) => answer)]);

const importOne: Run = ({ world, window, step }) => {
  const file = pick(world.files, step.other);
  const read = file === undefined ? undefined : parseExport(file);
  if (read === undefined) return;
  assert.ok(read.ok);
  const others = () =>
    observe(world, (history) => JSON.stringify(world.ids.map((one) => history.load(one) ?? null)));
  const [conversation] = read.conversations;
  assert.ok(conversation);
  // An import reads the conversation with the same id, which ends the turns of closed windows.
  world.clock.as(window.name, () => window.conversations.get(conversation.id));
  const before = others();
  const { id, isNew } = world.clock.as(window.name, () => window.conversations.addImported(conversation));
  assert.equal(others(), before, 'an import changed another conversation');
  const copy = window.conversations.get(id);
  assert.ok(copy);
  assert.deepEqual(plain(copy), plain(conversation));
  if (isNew) noteCopy(world, copy);
};

const create: Run = ({ world, window }) => {
  const { id } = world.clock.as(window.name, () => window.conversations.create());
  if (!world.ids.includes(id)) world.ids.push(id);
};

const show: Run = (turn) => {
  const { window, id, step } = turn;
  const exchange = pick(window.conversations.get(id)?.exchanges ?? [], step.other);
  if (exchange === undefined) return;
  const version = step.which % 3;
  void receive(turn, { type: 'show-version', exchangeId: exchange.id, version }).catch(() => undefined);
};

const showAttempt: Run = (turn) => {
  const { window, id, step } = turn;
  const exchange = pick(window.conversations.get(id)?.exchanges ?? [], step.other);
  if (exchange === undefined) return;
  void receive(turn, { type: 'show-attempt', exchangeId: exchange.id, attempt: step.which % 3 }).catch(
    () => undefined,
  );
};

/** The user chooses whether results that were left out are sent again. */
const keepResults: Run = ({ world, window, id, step }) => {
  const exchange = pick(window.conversations.get(id)?.exchanges ?? [], step.other);
  if (exchange === undefined) return;
  world.clock.as(window.name, () =>
    window.conversations.keepResults(id, [exchange.id], exchange.question.keepsResults !== true),
  );
};

const omitImage: Run = ({ world, window, id, step }) => {
  const exchange = pick(window.conversations.get(id)?.exchanges ?? [], step.other);
  const [image] = exchange?.question.images ?? [];
  if (exchange === undefined || image === undefined) return;
  world.clock.as(window.name, () =>
    window.conversations.omitImage(id, exchange.id, 0, image.omitted !== true),
  );
};

/** A window was killed, at once or while it wrote. The state of its unsaved data is unsure. */
export function bury(world: World, side: number, how: 'kill' | 'close', isLocked = false): void {
  const window = world.windows[side];
  assert.ok(window);
  buryRequests(world, window.name);
  if (how === 'close') window.close();
  else {
    if (!window.isDead()) window.kill();
    world.deaths++;
    for (const name of world.fresh) world.expected.images.delete(name);
    for (const id of world.ids) if (world.expected.drafts.has(id)) world.expected.drafts.set(id, undefined);
  }
  for (const [text, state] of world.expected.messages)
    if (state === 'pending') world.expected.messages.set(text, 'unsure');
  world.frozen.delete(window.name);
  openSide(world, side, isLocked);
}

/** Another program has locked the database while the window is loaded again, and the user continues in a new conversation. */
const lockedReload: Run = async (turn) => {
  const { world, side } = turn;
  for (const one of world.windows) one.killAt(Number.POSITIVE_INFINITY);
  bury(world, side, 'close', true);
  const window = world.windows[side];
  assert.ok(window);
  const { id } = world.clock.as(window.name, () => window.conversations.create());
  world.ids.push(id);
  for (const run of [send, push, type, attach, send, finish('complete'), pin, send]) {
    await run({ ...turn, window, id });
    await pass(world, 450);
  }
  world.locked.delete(window.name);
  await pass(world, 12_000);
};

const fullDisk: Run = async (turn) => {
  const { world, window } = turn;
  // Data that couldn't be written to a full disk is lost with its window, so no window is killed meanwhile.
  for (const one of world.windows) one.killAt(Number.POSITIVE_INFINITY);
  world.full = true;
  for (const run of [send, rename, push, attach, finish('complete')]) {
    await run(turn);
    await pass(world, 450);
  }
  for (const id of world.ids)
    if (window.conversations.isRunning(id)) world.excused.add(`${window.name} ${id}`);
  world.full = false;
  await pass(world, 12_000);
};

const push: Run = async ({ world, step }) => {
  pick(openRequests(world), step.which)?.push();
  await world.clock.settle();
};

const finish =
  (how: 'complete' | 'cut'): Run =>
  async ({ world, step }) => {
    pick(openRequests(world), step.which)?.finish(how);
    await world.clock.settle();
  };

const RUNS: Readonly<Record<string, Run>> = {
  send,
  type,
  attach,
  edit,
  regenerate,
  rename,
  pin,
  delete: remove,
  restore,
  fork,
  export: exportOne,
  import: importOne,
  create,
  'show version': show,
  'show attempt': showAttempt,
  'keep results': keepResults,
  'omit image': omitImage,
  'remove queued': withdraw(false),
  'clear queue': withdraw(true),
  'send queue': (turn) =>
    knows(turn) ? void receive(turn, { type: 'send-queue' }).catch(() => undefined) : undefined,
  stop: (turn) => (knows(turn) ? void receive(turn, { type: 'stop' }) : undefined),
  open: ({ world, window, id }) => world.clock.as(window.name, () => window.conversations.open(id)),
  hold: ({ window }) => window.hold(),
  'let go': ({ window }) => window.letGo(),
  push,
  complete: finish('complete'),
  cut: finish('cut'),
  'wait 1 s': ({ world }) => pass(world, 1200),
  'wait 3 s': ({ world }) => pass(world, 3000),
  'wait 15 s': ({ world }) => pass(world, 15_000),
  freeze: ({ world, window }) => void world.frozen.add(window.name),
  reload: ({ world, side }) => bury(world, side, 'close'),
  kill: async ({ world, side }) => {
    bury(world, side, 'kill');
    // All windows are in one process here, which is alive, so the leases of a killed window have to expire.
    await pass(world, 15_000);
  },
  'kill at a write': ({ window, step }) => window.killAt(step.other * 2 + step.which),
  'full disk': fullDisk,
  'locked reload': lockedReload,
};

/** The actions that users do most are chosen more often. */
const WEIGHTS: Readonly<Record<string, number>> = { send: 5, push: 3, complete: 4, regenerate: 2, edit: 2 };

/** A step in one of this number of windows. */
export const anyStep = (windows: number): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.oneof(
      ...[...Object.keys(RUNS), 'thaw'].map((name) => ({
        arbitrary: fc.constant(name),
        weight: WEIGHTS[name] ?? 1,
      })),
    ),
    side: fc.nat(windows - 1),
    which: fc.nat(5),
    other: fc.nat(5),
  });

/** Long enough that drafts are saved. */
const BETWEEN_STEPS_MS = 450;

export async function runStep(world: World, step: Step): Promise<void> {
  const window = world.windows[step.side];
  assert.ok(window);
  if (step.do === 'thaw') thaw(world, window);
  else if (!world.frozen.has(window.name)) {
    if (world.ids.length === 0) await create({ world, window, side: step.side, id: '', step });
    await RUNS[step.do]?.({ world, window, side: step.side, id: pick(world.ids, step.which) ?? '', step });
  }
  await world.clock.settle();
  if (step.do !== 'kill at a write') await pass(world, BETWEEN_STEPS_MS);
  // Another window can die while time passes.
  for (let side = findDead(world); side >= 0; side = findDead(world)) {
    bury(world, side, 'kill');
    await pass(world, 15_000);
  }
  world.fresh = [];
  noteEnds(world);
  checkNow(world);
}

const findDead = ({ windows }: World) => windows.findIndex((window) => window.isDead());

export function thaw(world: World, window: Window): void {
  if (!world.frozen.delete(window.name)) return;
  for (const id of world.ids)
    if (window.conversations.isRunning(id)) world.excused.add(`${window.name} ${id}`);
}

/**
 * Whether a turn of this window runs. A conversation that waits for a dialog is only reserved, for ten seconds, and can
 * have a turn of the other window then.
 */
function runsTurn({ service }: World, { name, conversations }: Window, id: string): boolean {
  const one = conversations.isRunning(id) ? conversations.get(id) : undefined;
  const unfinished = (one === undefined ? [] : exchangesOf(one))
    .flatMap(({ attempts }) => attempts)
    .filter(({ outcome }) => outcome === undefined);
  const own = service.requests.filter(({ owner }) => owner === name);
  return unfinished.some(({ answer }) => own.some(({ number }) => answer.startsWith(`r${number}.`)));
}

/** Checks that must hold at every moment. */
function checkNow(world: World): void {
  for (const id of world.ids) {
    const running = world.windows.filter(
      (window) =>
        isAwake(world)(window.name) &&
        runsTurn(world, window, id) &&
        !world.excused.has(`${window.name} ${id}`),
    );
    assert.ok(running.length <= 1, `two windows run a turn in ${id}`);
  }
  for (const { name, log } of world.windows) assert.deepEqual(log, [], name);
}
