/** What waits for a drive that doesn’t answer, while its conversation changes in this window or in another one. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { Intents } from '../../../../src/editor/chatView/intents.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import { toAttached } from '../../../../src/editor/context/attachments.ts';
import { untilAborted } from '../../../../src/service/abort.ts';
import { createDeferred, type Deferred } from '../../../../src/service/deferred.ts';
import { createIntents } from '../../../support/windows/rooms.ts';
import { toIntentsDeps, type Window } from '../../../support/windows/window.ts';
import { openSide, openWorld, pass, type World } from '../../../support/windows/world.ts';

const FILE: ContextItem = {
  kind: 'file',
  label: 'a.ts',
  uri: 'file:///slow/a.ts',
  parts: [{ label: 'a.ts', text: 'let a = 1;' }],
};
const FIRST = { text: 'First?', images: [], origin: undefined };
const ABOUT: Question = {
  text: 'About?',
  images: [],
  origin: { uri: 'file:///slow/a.ts', startLine: 0, endLine: 0, text: 'let a;' },
};

let folder: string;
let world: World;
let here: Window;
let there: Window;
let intents: Intents;
/** Resolves when the drive answers. */
let drive: Deferred<void>;
let id: string;
let composer: Composer;

const asHere = <Result>(act: () => Result) => world.clock.as(here.name, act);
const asThere = <Result>(act: () => Result) => world.clock.as(there.name, act);
/** Longer than a window takes to notice what the other one has written. */
const wait = () => pass(world, 3000);

function send(text: string) {
  composer.draft = text;
  return asHere(() => intents.receive({ type: 'send', text }, id, composer));
}

const edit = (exchangeId: string, text: string) =>
  asHere(() => intents.receive({ type: 'edit', exchangeId, text }, id, composer));

async function answer(): Promise<void> {
  await world.clock.settle();
  for (const request of world.service.requests) if (request.end === undefined) request.finish('complete');
  await wait();
}

/** The drive answers, so that what waits for it goes on. */
async function goOn(): Promise<void> {
  drive.resolve();
  await wait();
}

const exchanges = () => here.conversations.get(id)?.exchanges ?? [];
const asked = () => exchanges().map(({ question }) => question.text);
const queued = () => composer.queue.map(({ question }) => question.text);

/** Asks a question about lines of the file. */
async function askAbout(): Promise<{ readonly exchangeId: string; readonly turnId: string }> {
  const result = await asHere(() => here.conversations.ask(id, ABOUT));
  assert.ok(result.ok);
  await answer();
  return { exchangeId: exchanges().at(-1)?.id ?? '', turnId: result.turnId };
}

/** Asks in the other window in place of a question. */
async function askInstead(exchangeId: string): Promise<void> {
  const question = { ...FIRST, text: 'Instead?' };
  assert.ok((await asThere(() => there.conversations.askInstead(id, exchangeId, question))).ok);
  await answer();
}

/** A window in which files are read when the drive answers. */
function createSlowIntents(): Intents {
  const deps = toIntentsDeps(here.conversations, here.composers, assert.fail);
  const contextOf = (of: string) => here.composers.of(of).context;
  return createIntents({
    ...deps,
    renames: {
      since: () => ({
        uriNow: async (uri) => uri,
        async withFilesNow(question) {
          await drive.promise;
          return { ...question, origin: undefined };
        },
      }),
    },
    attaching: {
      ...deps.attaching,
      async collect(of, signal = new AbortController().signal) {
        if (contextOf(of).length > 0) await untilAborted(drive.promise, signal);
        return contextOf(of).map((from) => ({ from, newest: from.item }));
      },
      async refreshAll({ question: { context = [] } }) {
        if (context.length > 0) await drive.promise;
        return context;
      },
    },
  });
}

async function prepare(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'k3-slow-'));
  world = await openWorld(folder, 2);
  const [one = assert.fail(), other = assert.fail()] = world.windows;
  [here, there] = [one, other];
  drive = createDeferred();
  asHere(() => here.intents.dispose());
  intents = asHere(createSlowIntents);
  ({ id } = asHere(() => here.conversations.current()));
  composer = asHere(() => here.composers.of(id));
  await send('First?');
  await answer();
  asThere(() => there.conversations.open(id));
}

async function close(): Promise<void> {
  for (const window of world.windows) window.kill();
  world.clock.restore();
  await rm(folder, { recursive: true, force: true });
}

describe('A message whose file is on a drive that doesn’t answer', () => {
  beforeEach(prepare);
  afterEach(close);

  it('stays in its box with the file when another window deletes the conversation, and is sent once after that is restored', async () => {
    composer.context = [toAttached(FILE)];
    const sending = send('Why?');
    await wait();
    asThere(() => there.conversations.delete(id));
    await wait();
    await goOn();
    assert.deepEqual([await sending, composer.refused, composer.waiting], [{}, { kind: 'gone' }, false]);
    asThere(() => there.conversations.restore(id));
    await wait();
    assert.deepEqual(
      [composer.refusal, composer.draft, composer.context.length, asked()],
      [undefined, 'Why?', 1, ['First?']],
    );
    assert.deepEqual(await send('Why?'), { taken: true });
    assert.deepEqual([asked(), exchanges().at(-1)?.question.context], [['First?', 'Why?'], [FILE]]);
    assert.deepEqual([composer.draft, composer.context], ['', []]);
  });

  it('waits behind an edited question that is asked meanwhile, and is sent with the file after its answer', async () => {
    composer.context = [toAttached(FILE)];
    const sending = send('Why?');
    await wait();
    await edit(exchanges()[0]?.id ?? '', 'First again?');
    await goOn();
    assert.deepEqual([await sending, asked(), queued()], [{ taken: true }, ['First again?'], ['Why?']]);
    await answer();
    assert.deepEqual([asked(), exchanges().at(-1)?.question.context], [['First again?', 'Why?'], [FILE]]);
  });
});

describe('A queued message whose file is on a drive that doesn’t answer', () => {
  beforeEach(async () => {
    await prepare();
    await send('Second?');
    drive.resolve();
    composer.context = [toAttached(FILE)];
    await send('With the file?');
    await send('Without?');
    drive = createDeferred();
    await answer();
    assert.deepEqual([queued(), composer.waiting], [['With the file?', 'Without?'], true]);
  });
  afterEach(close);

  it('is not in the way of the next one when another window removes it', async () => {
    asThere(() => there.conversations.dequeue(id, there.conversations.queue(id)[0]?.id ?? ''));
    await wait();
    assert.deepEqual([asked(), queued()], [['First?', 'Second?', 'Without?'], []]);
  });

  it('is no longer read when another window deletes the conversation, whose queue is paused when it is restored', async () => {
    asThere(() => there.conversations.delete(id));
    await wait();
    asThere(() => there.conversations.restore(id));
    await wait();
    assert.deepEqual(
      [queued(), composer.queuePaused, composer.sendingQueued, composer.waiting],
      [['With the file?', 'Without?'], true, false, false],
    );
    await goOn();
    assert.deepEqual(asked(), ['First?', 'Second?']);
  });
});

describe('An edited question whose lines are on a drive that doesn’t answer', () => {
  beforeEach(prepare);
  afterEach(close);

  it('is in the message box when another window has deleted the conversation', async () => {
    const { exchangeId } = await askAbout();
    const editing = edit(exchangeId, 'About this?');
    await wait();
    asThere(() => there.conversations.delete(id));
    await wait();
    await goOn();
    assert.deepEqual([await editing, composer.sendingEdits], [{ compose: 'About this?' }, []]);
  });

  it('is in the box of the version that another window has asked meanwhile', async () => {
    const { exchangeId } = await askAbout();
    const editing = edit(exchangeId, 'About this?');
    await wait();
    await askInstead(exchangeId);
    await goOn();
    const back = { exchangeId: exchanges().at(-1)?.id, text: 'About this?' };
    assert.deepEqual(await editing, { edit: back, isReturned: true });
    assert.deepEqual([composer.editing, asked()], [back, ['First?', 'Instead?']]);
  });

  it('is in its box after the window was killed, beside what was being written', async () => {
    const { exchangeId } = await askAbout();
    void edit(exchangeId, 'About this?');
    composer.draft = 'And that?';
    await wait();
    here.kill();
    await wait();
    const next = openSide(world, 0);
    const { draft, editing, otherEdits } = world.clock.as(next.name, () => next.composers.of(id));
    assert.deepEqual([draft, editing, otherEdits], ['And that?', { exchangeId, text: 'About this?' }, []]);
  });
});

describe('A question about lines on a drive that doesn’t answer, which is asked again', () => {
  beforeEach(prepare);
  afterEach(close);

  it('is not asked when another window has asked another version of it meanwhile', async () => {
    const { exchangeId, turnId } = await askAbout();
    const again = asHere(() => intents.again(turnId));
    await wait();
    await askInstead(exchangeId);
    await goOn();
    await again;
    assert.deepEqual(
      exchanges().map(({ question, attempts }) => [question.text, attempts.length]),
      [
        ['First?', 1],
        ['Instead?', 1],
      ],
    );
    assert.equal(composer.waiting, false);
  });
});
