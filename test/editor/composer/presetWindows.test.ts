/** Presets in two windows: the setting changes, or loses a preset, while conversations use it. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { removeFolder } from '../../support/removeFolder.ts';
import { openWindow, type Page, type TestWindow } from '../chatView/window.ts';
import { ended, type Scripted, setForUser, startScripted, streamOf, until } from '../scripted.ts';

const YES = streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]);
const set = (value: unknown) => setForUser('k3', 'presets', value);

describe('A preset that two windows use', () => {
  let scripted: Scripted;
  let folder: string;
  let here: TestWindow;
  let there: TestWindow;
  let id: string;
  let page: Page;
  let other: Page;

  beforeEach(async () => {
    scripted = await startScripted();
    folder = await mkdtemp(join(tmpdir(), 'k3-presets-'));
    await set({ Terse: { prompt: 'Be brief.', effort: 'low' } });
    here = openWindow(scripted, folder, 'project one');
    ({ id } = here.conversations.current());
    page = here.open(id);
    here.composers.of(id).preset = 'Terse';
    // The first message saves the conversation, so that the other window has it.
    await ask(page, 'First?');
    there = openWindow(scripted, folder, 'project two');
    await until(() => there.conversations.get(id)?.exchanges.length === 1);
    other = there.open(id);
    await until(() => other.shown().surroundings.preset?.name === 'Terse');
  });
  afterEach(async () => {
    here.close();
    there.close();
    await scripted.close();
    await removeFolder(folder);
  });
  after(() => set(undefined));

  /** Sends a message, and returns the words and the effort of the request. */
  async function ask(on: Page, text: string): Promise<readonly [string, string | undefined]> {
    const before = scripted.requests.length;
    scripted.will(YES);
    on.type(text);
    on.send();
    await until(() => scripted.requests.length > before && !on.shown().surroundings.running);
    const { messages, reasoning_effort } = JSON.parse(scripted.requests.at(-1)?.body ?? '');
    return [messages.at(-1).content, reasoning_effort];
  }

  const shownPresets = () => [page, other].map((one) => one.shown().surroundings.preset?.detail);

  it('is shown and sent as the setting is now, in both, and stays as it was in what was asked', async () => {
    await set({ Terse: { prompt: 'Use one word.', effort: 'max' } });
    await until(() => shownPresets().every((detail) => detail?.includes('Use one word.')));
    assert.deepEqual(
      [page, other].map((one) => one.shown().surroundings.effort),
      ['max', 'max'],
    );
    assert.deepEqual(await ask(other, 'Second?'), ['Use one word.\n\nSecond?', 'max']);
    await until(() => page.shown().exchanges.length === 2 && !page.shown().surroundings.running);
    assert.deepEqual(await ask(page, 'Third?'), ['Use one word.\n\nThird?', 'max']);
    const [first] = here.conversations.get(id)?.exchanges ?? [];
    assert.equal(first?.question.preset?.prompt, 'Be brief.');
    // The same question again is what was asked.
    scripted.will(YES);
    const again = await here.conversations.askAgain(first?.attempts[0]?.id ?? '');
    assert.ok(again.ok);
    await ended(here.conversations, again.turnId);
    const { messages, reasoning_effort } = JSON.parse(scripted.requests.at(-1)?.body ?? '');
    assert.deepEqual([messages.at(-1).content, reasoning_effort], ['Be brief.\n\nFirst?', 'low']);
  });

  it('that is gone sends nothing in either, says so, and keeps what was written, until another one is chosen', async () => {
    await set({});
    const why = /k3\.presets has no preset “Terse”/;
    await until(() => shownPresets().every((detail) => why.test(detail ?? '')));
    const before = scripted.requests.length;
    for (const one of [page, other]) {
      one.type('Second?');
      one.send();
      await until(() => why.test(one.shown().surroundings.refusal ?? ''));
      assert.equal(one.box(), 'Second?');
    }
    assert.equal(scripted.requests.length, before);
    // It is chosen anew in one window, and the other one has it.
    there.composers.of(id).preset = undefined;
    there.composers.changed(id);
    await until(() => shownPresets().every((detail) => detail === undefined));
    assert.deepEqual(await ask(page, 'Second?'), ['Second?', undefined]);
  });

  it('is there again when the setting has it again', async () => {
    await set({});
    await until(() => shownPresets().every((detail) => /no preset/.test(detail ?? '')));
    await set({ Terse: { prompt: 'Back.' } });
    await until(() => shownPresets().every((detail) => detail?.includes('Back.')));
    assert.deepEqual(await ask(other, 'Second?'), ['Back.\n\nSecond?', undefined]);
  });
});
