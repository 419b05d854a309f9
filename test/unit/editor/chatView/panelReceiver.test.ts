import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HostMessage } from '../../../../src/panel/hostMessages.ts';
import { commands, window } from '../../../support/editorStub.ts';
import { openPanel, type PlayedPanel } from '../../../support/windows/panel.ts';
import { openSide, openWorld, type World } from '../../../support/windows/world.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { atFirstUse } = await withEditorStub(() => import('../../../../src/editor/base/atFirstUse.ts'));

describe('A page that sends a message', () => {
  let folder: string;
  let world: World;
  let played: PlayedPanel;
  let received: HostMessage[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'k3-receiver-'));
    world = await openWorld(folder, 1);
    received = [];
    const [first] = world.windows;
    assert.ok(first);
    const { id } = first.conversations.current();
    played = openPanel(first, world.clock, id, (message) => received.push(message));
    played.say({ message: { type: 'ready' } });
    played.say({ message: { type: 'send', text: 'Why?' }, seen: 1 });
    await world.clock.settle();
  });
  afterEach(async () => {
    played.panel.dispose();
    for (const window of world.windows) window.kill();
    world.clock.restore();
    await rm(folder, { recursive: true, force: true });
  });

  const taken = () => received.filter(({ type }) => type === 'taken');
  const ready = (seen?: number) => played.say({ message: { type: 'ready' }, seen });

  it('is told once more that it was taken if it has missed that, after the snapshot', () => {
    const [first, ...others] = taken();
    assert.deepEqual([first?.type, others], ['taken', []]);
    ready((first?.seq ?? 0) - 1);
    assert.equal(taken().length, 2);
    assert.equal(received.at(-1)?.type, 'taken');
    // That one is lost as well.
    ready((first?.seq ?? 0) - 1);
    assert.equal(taken().length, 3);
    ready(received.at(-1)?.seq);
    assert.equal(taken().length, 3);
  });

  it('is not told so when it is a new one, whose box has the draft', () => {
    ready();
    assert.equal(taken().length, 1);
    const last = received.at(-1);
    assert.equal(last?.type === 'snapshot' && last.panel.draft, '');
  });

  it('keeps what the user was writing when that is an earlier message, whether it is sent, refused, or on its way', async () => {
    const [window] = world.windows;
    assert.ok(window);
    const { id } = window.conversations.current();
    world.service.requests.at(-1)?.finish('complete');
    await world.clock.settle();
    const again = { type: 'send', text: 'Why?', draft: 'Half a dr' };
    const draft = () => window.composers.of(id).draft;
    played.say({ message: { type: 'draft', text: 'Half a dr' } });
    window.lack('route');
    played.say({ message: again });
    await world.clock.settle();
    assert.notEqual(window.composers.of(id).refusal, undefined);
    assert.equal(draft(), 'Half a dr', 'it was refused');
    window.lack('nothing');
    window.hold();
    played.say({ message: again });
    await world.clock.settle();
    assert.equal(draft(), 'Half a dr', 'a page that is loaded again has it');
    window.letGo();
    await world.clock.settle();
    assert.deepEqual([world.service.requests.length, draft()], [2, 'Half a dr']);
  });

  it('keeps what the user was writing beside an earlier message that was changed, whether that is refused or sent', async () => {
    const [window] = world.windows;
    assert.ok(window);
    const draft = () => window.composers.of(window.conversations.current().id).draft;
    world.service.requests.at(-1)?.finish('complete');
    await world.clock.settle();
    const message = { type: 'send', text: 'Why not?', draft: 'Why not?\nHalf', rest: 'Half' };
    window.lack('key');
    played.say({ message });
    await world.clock.settle();
    assert.equal(draft(), 'Why not?\nHalf');
    window.lack('nothing');
    played.say({ message });
    await world.clock.settle();
    assert.equal(draft(), 'Half');
    const sent = received.findLast(({ type }) => type === 'draft');
    assert.equal(sent?.type === 'draft' && sent.text, 'Half');
  });

  it('leaves what was written since in the box, if the message has waited on the page', async () => {
    const [window] = world.windows;
    assert.ok(window);
    const draft = () => window.composers.of(window.conversations.current().id).draft;
    for (const [since, left] of [
      ['Something else', 'Something else'],
      ['Why not?', ''],
    ] as const) {
      world.service.requests.at(-1)?.finish('complete');
      await world.clock.settle();
      const { length } = world.service.requests;
      played.say({ message: { type: 'draft', text: since } });
      played.say({ message: { type: 'send', text: 'Why not?', isLate: true } });
      await world.clock.settle();
      assert.deepEqual([world.service.requests.length, draft()], [length + 1, left]);
    }
  });

  it('gets the last question of the conversation to edit if it names none, as one that has an earlier part of it', async () => {
    for (const text of ['And?', 'So?']) {
      world.service.requests.at(-1)?.finish('complete');
      await world.clock.settle();
      played.say({ message: { type: 'send', text } });
      await world.clock.settle();
    }
    world.service.requests.at(-1)?.finish('complete');
    await world.clock.settle();
    played.say({ message: { type: 'action', action: 'edit-question' } });
    await world.clock.settle();
    const edit = received.findLast(({ type }) => type === 'edit');
    assert.equal(edit?.type === 'edit' && edit.editing.text, 'So?');
  });

  it('leads to the fork that it asks for, which is in the side bar: that may be closed, and the page in a tab', async () => {
    const original = { ...commands };
    const ran: unknown[] = [];
    Object.assign(commands, { executeCommand: async (id: string) => void ran.push(id) });
    const [window] = world.windows;
    assert.ok(window);
    const { id, exchanges } = window.conversations.current();
    world.service.requests.at(-1)?.finish('complete');
    await world.clock.settle();
    played.say({ message: { type: 'fork', exchangeId: exchanges[0]?.id } });
    await world.clock.settle();
    Object.assign(commands, original);
    assert.equal(window.conversations.current().forkedFrom, id);
    assert.deepEqual(ran, ['k3.focusChat']);
  });

  it('gets an empty list of prompts when these can’t be read, because an Enter may wait for it', async () => {
    const [window] = world.windows;
    assert.ok(window);
    const { id } = window.conversations.current();
    const failing = async () => Promise.reject(new Error('the disk is gone'));
    const other = openPanel(
      window,
      world.clock,
      id,
      (message) => received.push(message),
      undefined,
      undefined,
      failing,
    );
    other.say({ message: { type: 'ready' } });
    other.say({ message: { type: 'complete', query: 7, sign: '/', text: 'x' } });
    await world.clock.settle();
    other.panel.dispose();
    const found = received.findLast(({ type }) => type === 'choices');
    assert.deepEqual(found?.type === 'choices' && [found.query, found.choices], [7, []]);
  });

  it('keeps an edited question that is being sent while another page edits another one, when the window is reloaded', async () => {
    const [window] = world.windows;
    assert.ok(window);
    const { id } = window.conversations.current();
    for (const text of ['And?', 'So?']) {
      world.service.requests.at(-1)?.finish('complete');
      await world.clock.settle();
      played.say({ message: { type: 'send', text } });
      await world.clock.settle();
    }
    world.service.requests.at(-1)?.finish('complete');
    await world.clock.settle();
    const [, second, third] = window.conversations.get(id)?.exchanges ?? [];
    const other = openPanel(window, world.clock, id, () => undefined);
    other.say({ message: { type: 'ready' } });
    const edit = (exchangeId: string | undefined, text: string) => ({ exchangeId: exchangeId ?? '', text });
    window.hold();
    played.say({ message: { type: 'editing', editing: edit(third?.id, 'So what?') } });
    played.say({ message: { type: 'editing', before: third?.id } });
    played.say({ message: { type: 'edit', ...edit(third?.id, 'So what?') } });
    await world.clock.settle();
    other.say({ message: { type: 'editing', editing: edit(second?.id, 'And then?') } });
    await world.clock.settle();
    other.panel.dispose();
    window.close();
    const next = openSide(world, 0);
    const { editing, draft } = next.composers.of(id);
    assert.deepEqual([editing, draft], [edit(second?.id, 'And then?'), 'So what?']);
    assert.equal(world.service.requests.length, 3);
  });

  it('is told in a notification that the window has to be reloaded, if a file that the button needs is gone', async () => {
    const told: string[] = [];
    const originals = [{ ...commands }, { ...window }] as const;
    const lost = Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });
    const gone = atFirstUse(() => Promise.reject(lost), { warn: () => undefined });
    commands.executeCommand = async () => gone.run(() => undefined);
    const showErrorMessage = async (message: string) => void told.push(message);
    Object.assign(window, { showErrorMessage });
    played.say({ message: { type: 'compare-attempts', turnId: 't1' } });
    await world.clock.settle();
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /Reload the window and try again\.$/);
    Object.assign(commands, originals[0]);
    Object.assign(window, originals[1]);
  });
});
