/** Checks at the end, after any steps. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { toComparable } from '../../../src/history/branches.ts';
import { PRICES } from '../../unit/history/support.ts';
import { USAGE } from '../../unit/service/wire.ts';
import { thaw } from './steps.ts';
import { exchangesOf, isAwake, observe, openSide, pass, type World } from './world.ts';

/** Waits for the end of everything that waits or runs. */
export async function settle(world: World): Promise<void> {
  for (const window of world.windows) {
    thaw(world, window);
    window.killAt(Number.POSITIVE_INFINITY);
    window.letGo();
  }
  await pass(world, 15_000);
  for (let round = 0; round < 60; round++) {
    const running = world.service.requests.filter(
      ({ end, owner }) => end === undefined && isAwake(world)(owner),
    );
    if (running.length === 0) break;
    for (const request of running) request.finish('complete');
    await pass(world, 3000);
  }
  await pass(world, 15_000);
}

export async function checkAll(world: World): Promise<void> {
  await settle(world);
  for (const { name, log } of world.windows) assert.deepEqual(log, [], name);
  // A window that reads a conversation ends the turns of closed windows.
  for (const { conversations } of world.windows) for (const id of world.ids) conversations.get(id);
  await pass(world, 3000);
  checkSameInAll(world);
  checkDeleted(world);
  for (const window of world.windows) if (!window.isDead()) window.close();
  await world.clock.settle();
  const later = openSide(world, 0);
  for (const id of world.ids)
    if (later.conversations.deleted(id) !== undefined) later.conversations.restore(id);
  await pass(world, 3000);
  checkReachable(world);
  later.close();
  checkEnd(world);
}

const sorted = (all: Iterable<string>) => [...all].toSorted();

/** The conversation as it is shown and stored, without data that only this process has. */
const toPlain = (one: Conversation | undefined): unknown =>
  JSON.parse(JSON.stringify(one === undefined ? null : toComparable(one)));

function checkSameInAll(world: World): void {
  for (const id of world.ids) {
    const stored = observe(world, (history) => history.load(id));
    if (stored === undefined || stored.exchanges.length === 0) continue;
    for (const { name, conversations } of world.windows)
      assert.deepEqual(toPlain(conversations.get(id)), toPlain(stored), `${id} in ${name}`);
  }
}

function checkDeleted(world: World): void {
  const stored = observe(world, (history) => history.list());
  for (const { name, conversations } of world.windows) {
    assert.deepEqual(conversations.list(), stored, `the list of ${name}`);
    const listed = new Set(conversations.list().map(({ id }) => id));
    for (const [id, allowed] of world.expected.deleted) {
      if (allowed.length > 1) continue;
      assert.equal(listed.has(id), !allowed[0], `${id} in the list of ${name}`);
      assert.equal(conversations.get(id) === undefined, allowed[0], `${id} in ${name}`);
    }
  }
}

/** Every stored conversation is in the list, or open. */
function checkReachable(world: World): void {
  const [window] = world.windows;
  assert.ok(window);
  const reachable = new Set([
    ...window.conversations.list().map(({ id }) => id),
    window.conversations.current().id,
  ]);
  for (const [id, draft] of world.expected.drafts)
    if (draft !== undefined && draft !== '')
      assert.ok(reachable.has(id), `the draft of ${id} can't be found`);
  for (const [name, id] of world.expected.images) {
    const kept = observe(world, (history) => history.unsent(id).images.some((image) => image.name === name));
    if (kept) assert.ok(reachable.has(id), `the image ${name} of ${id} can't be found`);
  }
}

/** The stored conversations, when no window is open anymore and none is deleted. */
function checkEnd(world: World): void {
  const { all, queues, unsent, drafts, cost } = observe(world, (history) => ({
    all: world.ids.map((id) => history.load(id)).filter((one) => one !== undefined),
    queues: world.ids.flatMap((id) => history.queue(id)),
    unsent: world.ids.flatMap((id) => history.unsent(id).images.map(({ name }) => name)),
    drafts: new Map(world.ids.map((id) => [id, history.draft(id)])),
    cost: history.costSince(0),
  }));
  checkHeaders(world, all);
  checkMessages(
    world,
    all,
    queues.map(({ question }) => question.text),
  );
  checkImages(world, all, [
    ...unsent,
    ...queues.flatMap(({ question }) => question.images.map(({ name }) => name)),
  ]);
  for (const [id, draft] of world.expected.drafts)
    if (draft !== undefined)
      assert.equal(withoutReturned(drafts.get(id), draft, world), draft, `the draft of ${id}`);
  checkTurns(world, all);
  checkSpend(world, all, cost);
}

/**
 * An edited question that was not sent is in the draft when its question isn't shown any more, and a message that was not sent when
 * another one was sent meanwhile.
 */
const withoutReturned = (
  draft: string | undefined,
  wanted: string,
  { expected }: World,
): string | undefined =>
  draft
    ?.split('\n')
    .filter((line) => line === wanted || expected.messages.get(line) !== 'refused')
    .join('\n');

function checkHeaders({ expected }: World, all: readonly Conversation[]): void {
  for (const { id, title, pinned } of all) {
    const titles = expected.titles.get(id);
    if (titles !== undefined) assert.ok(titles.includes(title), `${id} is called ${title}, not ${titles}`);
    const pins = expected.pins.get(id);
    if (pins !== undefined) assert.ok(pins.includes(pinned), `${id} is pinned: ${pinned}`);
  }
}

function checkMessages(world: World, all: readonly Conversation[], queued: readonly string[]): void {
  const { messages, copiedExchanges } = world.expected;
  const asked = all.flatMap(exchangesOf).filter(({ id }) => !copiedExchanges.has(id));
  for (const [text, state] of messages) {
    const places = [
      ...asked.filter(({ question }) => question.text === text).map(() => 'asked'),
      ...queued.filter((one) => one === text).map(() => 'queued'),
    ];
    const told = `${text} (${state}) is ${places.join(' and ') || 'nowhere'}`;
    assert.ok(places.length <= 1, told);
    if (state === 'taken') assert.equal(places.length, 1, told);
    if (state === 'refused' || state === 'withdrawn') assert.equal(places.length, 0, told);
  }
}

function checkImages({ expected }: World, all: readonly Conversation[], unsent: readonly string[]): void {
  const asked = all
    .flatMap(exchangesOf)
    .filter(({ id }) => !expected.copiedExchanges.has(id))
    .flatMap(({ question }) => question.images.map(({ name }) => name));
  for (const [name] of expected.images)
    assert.ok([...asked, ...unsent].includes(name), `the image ${name} is lost`);
}

/** Each request has one turn, with all text that the service sent, and each turn has one end. */
function checkTurns(world: World, all: readonly Conversation[]): void {
  const { copiedTurns } = world.expected;
  const attempts = all
    .flatMap(exchangesOf)
    .flatMap(({ question, attempts }) => attempts.map((turn) => ({ question, turn })));
  for (const { turn } of attempts) {
    assert.ok(turn.outcome !== undefined, `${turn.id} has no end`);
    const copied = copiedTurns.get(turn.id);
    if (copied !== undefined) assert.equal(turn.answer, copied, 'a copied turn');
  }
  const own = attempts.filter(({ turn }) => !copiedTurns.has(turn.id));
  for (const request of world.service.requests) {
    const told = `the answer to request ${request.number} (${request.question}, ${request.end})`;
    const found = own.filter(({ turn }) => turn.answer.startsWith(`r${request.number}.`));
    assert.ok(found.length <= 1, `${told} is there ${found.length} times`);
    const [one] = found;
    if (request.end === 'lost' || request.end === 'unsure') {
      const answer = one?.turn.answer ?? '';
      assert.ok(request.text.startsWith(answer) && answer.startsWith(request.saved), `${told}: ${answer}`);
      if (one !== undefined && request.end === 'lost') assert.equal(one.turn.outcome, 'interrupted', told);
      continue;
    }
    assert.ok(one, `${told} is lost`);
    assert.equal(one.turn.answer, request.text, told);
    assert.equal(one.turn.outcome, OUTCOMES[request.end ?? 'complete'], told);
  }
  for (const text of world.expected.messages.keys()) {
    // A question that is stopped before its request is sent has a turn without a request.
    const turns = own.filter(
      ({ question, turn }) => question.text === text && (turn.outcome !== 'stopped' || turn.answer !== ''),
    ).length;
    const sent = world.service.requests.filter(({ question }) => question === text).length;
    assert.ok(
      turns >= sent && turns - sent <= world.deaths,
      `${text} has ${turns} turns and ${sent} requests`,
    );
  }
}

const OUTCOMES = {
  complete: 'complete',
  cut: 'interrupted',
  stopped: 'stopped',
  lost: 'interrupted',
} as const;

/** The cost of every ended turn is recorded once: the reported cost, or else the estimate of the turn. */
function checkSpend(world: World, all: readonly Conversation[], cost: number): void {
  const { copiedTurns } = world.expected;
  const ended = all.flatMap(exchangesOf).flatMap(({ attempts }) => attempts);
  const own = ended.filter(({ id }) => !copiedTurns.has(id));
  const db = new DatabaseSync(join(world.folder, 'conversations.db'), { readOnly: true });
  const rows = db.prepare('SELECT turn_id, outcome FROM spend').all();
  const estimates = db.prepare('SELECT turn_id, cost FROM estimated_spend').all();
  db.close();
  assert.deepEqual(
    sorted(rows.map((row) => `${row['turn_id']} ${row['outcome']}`)),
    sorted(own.map(({ id, outcome }) => `${id} ${outcome}`)),
    'the account',
  );
  const complete = own.filter(({ outcome }) => outcome === 'complete').length;
  const estimated = own.filter(({ estimatedCost }) => estimatedCost !== undefined);
  assert.deepEqual(
    sorted(estimates.map((row) => `${row['turn_id']} ${row['cost']}`)),
    sorted(estimated.map(({ id, estimatedCost }) => `${id} ${estimatedCost}`)),
    'the estimates',
  );
  const unreported = estimated.reduce((sum, turn) => sum + (turn.estimatedCost ?? 0), 0);
  assert.ok(
    Math.abs(cost - complete * COST - unreported) < 1e-9,
    `the cost of ${complete} answers and ${estimated.length} estimates is ${cost}`,
  );
}

/** USD of one complete answer. */
const COST =
  ((USAGE.prompt_tokens - USAGE.prompt_tokens_details.cached_tokens) * PRICES.input +
    USAGE.prompt_tokens_details.cached_tokens * PRICES.cachedInput +
    USAGE.completion_tokens * PRICES.output) /
  1e6;
