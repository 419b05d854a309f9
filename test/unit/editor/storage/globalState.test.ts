import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createGlobalState } from '../../../../src/editor/storage/globalState.ts';

type Values = Record<string, unknown>;

const LOG = { warn: assert.fail };

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A memento that stores all values at once, and takes the stored ones back, as the editor's does. */
function editorMemento(before: Values = {}) {
  let shown = { ...before };
  let stored = { ...before };
  let isScheduled: Promise<void> | undefined;
  const memento = {
    get: (name: string) => shown[name],
    keys: () => Object.keys(shown).filter((name) => shown[name] !== undefined),
    update(name: string, value: unknown): Promise<void> {
      shown[name] = value;
      isScheduled ??= wait(1).then(async () => {
        isScheduled = undefined;
        stored = JSON.parse(JSON.stringify(shown));
        const back = { ...stored };
        await wait(4);
        shown = back;
      });
      return isScheduled;
    },
  };
  return {
    memento,
    stored: () => stored,
    /** What another window stores reaches this one. */
    replace(values: Values) {
      stored = { ...values };
      shown = { ...values };
    },
  };
}

/**
 * The mementos of two windows on one storage. Each stores all values as it knows them, and knows only later what the other one
 * has stored.
 */
function twoWindows(before: Values = {}) {
  let stored = { ...before };
  const windows = Array.from({ length: 2 }, () => ({ shown: { ...before } as Values }));
  const mementoOf = (own: { shown: Values }) => ({
    get: (name: string) => own.shown[name],
    keys: () => Object.keys(own.shown),
    async update(name: string, value: unknown): Promise<void> {
      own.shown = { ...own.shown, [name]: value };
      await wait(1);
      stored = JSON.parse(JSON.stringify(own.shown));
      const later = { ...stored };
      void wait(20).then(() => {
        for (const one of windows) if (one !== own) one.shown = later;
      });
    },
  });
  return { states: windows.map((one) => createGlobalState(mementoOf(one), LOG)), stored: () => stored };
}

describe('The global state of two windows that write at once', () => {
  // On a busy machine, the timers of 300 and 500 ms come at once.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Lets half a second pass, one millisecond after another, with what each of them brings about. */
  async function settle(): Promise<void> {
    for (let passed = 0; passed < 500; passed++) {
      mock.timers.tick(1);
      await new Promise(setImmediate);
    }
  }

  async function writtenBy(
    before: Values,
    ...updates: readonly (readonly [window: number, name: string, value: unknown])[]
  ) {
    const { states, stored } = twoWindows(before);
    const updating = updates.map(([window, name, value]) => states[window]?.update(name, value));
    await settle();
    await Promise.all(updating);
    return stored();
  }

  it('has the value of one, although the other one has stored that from before again', async () => {
    const before = { 'k3.keySaved.mine': 'https://k3.test', ratio: 1 };
    const after = await writtenBy(before, [0, 'k3.keySaved.mine', undefined], [1, 'ratio', 2]);
    assert.deepEqual(after, { ratio: 2 });
  });

  it('has no item of a list that one has removed, and each that one of them has added', async () => {
    const before = { allowed: ['revoked', 'kept'] };
    assert.deepEqual(await writtenBy(before, [0, 'allowed', ['kept']], [1, 'other', 1]), {
      allowed: ['kept'],
      other: 1,
    });
    const added = await writtenBy(
      before,
      [0, 'allowed', ['kept']],
      [1, 'allowed', ['revoked', 'kept', 'new']],
    );
    assert.deepEqual(added, { allowed: ['kept', 'new'] });
    const both = await writtenBy({}, [0, 'allowed', ['one']], [1, 'allowed', ['two']]);
    assert.deepEqual(new Set(both['allowed'] as string[]), new Set(['one', 'two']));
  });

  it('has what was changed last in one of them', async () => {
    const { states, stored } = twoWindows({ allowed: ['a', 'b'], flag: 1 });
    const [one] = states;
    const change = async () => {
      await one?.update('allowed', ['b']);
      await one?.update('allowed', ['b', 'a']);
      await one?.update('flag', undefined);
      await one?.update('flag', 1);
    };
    const changing = change();
    await settle();
    await changing;
    assert.deepEqual(stored(), { allowed: ['b', 'a'], flag: 1 });
  });
});

describe('The global state', () => {
  it('keeps what is written while an earlier update is on its way', async () => {
    const editor = editorMemento();
    const state = createGlobalState(editor.memento, LOG);
    const updates: Promise<void>[] = [];
    for (let index = 0; index < 30; index += 1) {
      updates.push(state.update(`name${index % 10}`, { index }));
      if (index % 3 === 0) await wait(index % 7);
    }
    await Promise.all(updates);
    const expected = Object.fromEntries(
      [...Array(10).keys()].map((index) => [`name${index}`, { index: index + 20 }]),
    );
    assert.deepEqual(editor.stored(), expected);
  });

  it('has what was written last at once', async () => {
    const state = createGlobalState(editorMemento({ old: 1, kept: 2 }).memento, LOG);
    const updates = [state.update('new', 'a'), state.update('new', 'b'), state.update('old', undefined)];
    assert.equal(state.get('new'), 'b');
    assert.equal(state.get('old'), undefined);
    assert.deepEqual([...state.keys()].sort(), ['kept', 'new']);
    await Promise.all(updates);
    assert.equal(state.get('new'), 'b');
    assert.deepEqual([...state.keys()].sort(), ['kept', 'new']);
  });

  it('writes a value again that another window has replaced with the state from before', async () => {
    const editor = editorMemento({ other: 1 });
    const state = createGlobalState(editor.memento, LOG);
    const updating = state.update('mine', 1);
    await Promise.resolve();
    editor.replace({ other: 2 });
    await updating;
    assert.deepEqual(editor.stored(), { other: 2, mine: 1 });
  });

  it('rejects when the value is gone each time, and goes on with the next update', async () => {
    const editor = editorMemento();
    const { memento } = editor;
    const losing = {
      ...memento,
      async update(name: string, value: unknown) {
        await memento.update(name, value);
        if (name === 'lost') editor.replace({});
      },
    };
    const state = createGlobalState(losing, LOG);
    const lost = state.update('lost', 1);
    const next = state.update('next', 1);
    await assert.rejects(lost, /the editor didn’t keep the value of lost/);
    await next;
    assert.deepEqual(editor.stored(), { next: 1 });
    assert.equal(state.get('lost'), undefined);
  });

  it('logs that a value that another window has replaced couldn’t be written again', async () => {
    const editor = editorMemento({ mine: 1 });
    const { memento } = editor;
    let isFull = false;
    const update: typeof memento.update = (name, value) =>
      isFull ? Promise.reject(new Error('full')) : memento.update(name, value);
    const logged: string[] = [];
    const state = createGlobalState({ ...memento, update }, { warn: (message) => void logged.push(message) });
    await state.update('mine', 2);
    editor.replace({ mine: 1 });
    isFull = true;
    await wait(500);
    assert.deepEqual(logged, ["couldn't restore mine: Error: full"]);
  });

  it('rejects with the error of the storage', async () => {
    const failing = { ...editorMemento().memento, update: () => Promise.reject(new Error('full')) };
    const state = createGlobalState(failing, LOG);
    await assert.rejects(state.update('a', 1), /full/);
    assert.equal(state.get('a'), undefined);
  });
});
