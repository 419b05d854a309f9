import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { selections, tabs, terminals } from '../../../support/editorStub.ts';
import { openPanel, type PlayedPanel } from '../../../support/windows/panel.ts';
import type { Window } from '../../../support/windows/window.ts';
import { openWorld, type World } from '../../../support/windows/world.ts';

const isFocus = (type: string) => type.endsWith('focus');

describe('The focus of a chat', () => {
  let folder: string;
  let world: World;
  let played: PlayedPanel;
  let received: string[];
  /**
   * The user chooses in the input that a button has opened, by default, or closes it; what was chosen is still being read.
   */
  let choose: (chosen?: boolean) => void;
  /** Escape was pressed in the input. */
  let escaped: boolean;
  let watching: number;
  /** Closes the input, after which nothing is left to do, or ends what is. */
  let close: () => void;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-focus-'));
    world = await openWorld(folder, 1);
    received = [];
    const [real] = world.windows;
    assert.ok(real);
    const asking = new Promise<void>((resolve) => {
      close = resolve;
    });
    escaped = false;
    watching = 0;
    const window: Window = {
      ...real,
      watchEscape() {
        watching++;
        return { pressed: () => escaped, dispose: () => watching-- };
      },
      intents: {
        perform: real.intents.perform,
        again: real.intents.again,
        receive(_message, _conversationId, _composer, inputClosed = () => assert.fail()) {
          choose = inputClosed;
          return asking.then(() => ({}));
        },
        dispose: () => undefined,
      },
    };
    const { id } = real.conversations.current();
    played = openPanel(window, world.clock, id, ({ type }) => received.push(type));
    say({ type: 'ready' });
    say({ type: 'focus-moved', here: true, byKeyboard: true });
    say({ type: 'attach' });
  });
  afterEach(async () => {
    played.panel.dispose();
    for (const window of world.windows) window.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  const say = (message: object) => played.say({ message });
  const closeInput = async () => {
    close();
    for (let at = 0; at < 10; at++) await Promise.resolve();
  };

  it('comes back when an input is closed that was opened by keyboard', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    await closeInput();
    assert.ok(received.includes('refocus'));
  });

  it('comes back before what was chosen has been read, and not again afterwards', async () => {
    const back = () => received.filter((type) => type === 'refocus').length;
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    choose();
    assert.equal(back(), 1);
    say({ type: 'focus-moved', here: true, byKeyboard: true });
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    await closeInput();
    assert.equal(back(), 1);
  });

  it('stays where it is if the user went to a terminal meanwhile', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    terminals.fire(undefined);
    await closeInput();
    assert.ok(!received.some(isFocus));
  });

  it('comes back from what is chosen to revert, which changes the text under the cursor', async () => {
    await closeInput();
    received.length = 0;
    say({ type: 'revert', turnId: 't1' });
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    selections.fire({ kind: undefined });
    await closeInput();
    assert.deepEqual(received.filter(isFocus), ['refocus']);
  });

  it('stays where it is if the user moved the cursor of an editor meanwhile', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    selections.fire({ kind: 1 });
    await closeInput();
    assert.ok(!received.some(isFocus));
  });

  it('stays where it is if a pointer was used, and nothing was chosen', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: false });
    await closeInput();
    assert.ok(!received.some(isFocus));
  });

  it('goes to the message box if a pointer was used, and the input was closed with Escape', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: false });
    escaped = true;
    await closeInput();
    assert.deepEqual(received.filter(isFocus), ['focus']);
    assert.equal(watching, 0);
  });

  it('stays where it is if the page has it again, and Escape was pressed', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: false });
    escaped = true;
    say({ type: 'focus-moved', here: true, byKeyboard: false });
    await closeInput();
    assert.ok(!received.some(isFocus));
  });

  it('goes to the message box if a pointer was used, and something was chosen', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: false });
    choose();
    await closeInput();
    assert.deepEqual(received.filter(isFocus), ['focus']);
  });

  for (const type of ['pick-effort', 'pick-format', 'pick-preset', 'pick-tools']) {
    it(`goes to the message box from the list of ${type}`, async () => {
      say({ type });
      say({ type: 'focus-moved', here: false, byKeyboard: false });
      choose();
      assert.ok(received.includes('focus'));
      await closeInput();
    });
  }

  for (const message of [
    { type: 'send', text: 'Which boat?' },
    { type: 'edit', exchangeId: 'e1', text: 'Which boat?' },
    { type: 'regenerate', turnId: 't1' },
    { type: 'action', action: 'retry', turnId: 't1' },
    { type: 'action', action: 'continue', turnId: 't1' },
    { type: 'structured', action: 'repair', turnId: 't1' },
  ]) {
    it(`comes back from the input for a key that ${message.action ?? message.type} has opened`, async () => {
      await closeInput();
      received.length = 0;
      say(message);
      say({ type: 'focus-moved', here: false, byKeyboard: true });
      choose(false);
      await closeInput();
      assert.deepEqual(received.filter(isFocus), ['refocus']);
    });

    it(`is not taken from a list that is opened while ${message.action ?? message.type} needs no key`, async () => {
      await closeInput();
      received.length = 0;
      say(message);
      say({ type: 'focus-moved', here: false, byKeyboard: true });
      await closeInput();
      assert.deepEqual(received.filter(isFocus), []);
    });
  }

  for (const message of [
    { type: 'structured', action: 'save', turnId: 't1' },
    { type: 'action', action: 'export', turnId: 't1' },
  ])
    it(`comes back when the file of ${message.action} was chosen, and not when it was opened later`, async () => {
      await closeInput();
      received.length = 0;
      say(message);
      say({ type: 'focus-moved', here: false, byKeyboard: true });
      choose(true);
      say({ type: 'focus-moved', here: true, byKeyboard: true });
      say({ type: 'focus-moved', here: false, byKeyboard: true });
      await closeInput();
      assert.deepEqual(received.filter(isFocus), ['refocus']);
    });

  it('is not given to a page that has it', async () => {
    choose();
    await closeInput();
    assert.ok(!received.some(isFocus));
  });

  it('stays in an editor that an item of the input opens', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    tabs.fire({ opened: [{}], closed: [], changed: [] });
    await closeInput();
    assert.ok(!received.some(isFocus));
  });

  it('stays where it is if the chat was hidden meanwhile, also when it is shown again', async () => {
    say({ type: 'focus-moved', here: false, byKeyboard: true });
    played.panel.setVisible(false);
    await closeInput();
    say({ type: 'ready' });
    assert.ok(received.filter((type) => type === 'snapshot').length === 2);
    assert.ok(!received.includes('refocus'));
  });
});
