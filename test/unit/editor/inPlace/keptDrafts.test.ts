import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createKeptDrafts, type KeptDrafts } from '../../../../src/editor/inPlace/keptDrafts.ts';
import { renamedUri } from '../../../../src/review/proposals/fileChanges.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';

type Edits = Parameters<ReturnType<typeof createKeptDrafts>['keep']>[0];

/** Workspace state, which a reload keeps. */
function createState(text?: unknown) {
  const values = new Map<string, unknown>([['k3.editDrafts', text]]);
  return {
    get: <T>(key: string) => values.get(key) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

const log = { warn: assert.fail };
const uri = (path: string) => ({ toString: () => `file:///${path}` });
const edit = (path: string, draft: string, ...steps: readonly (readonly [string, string])[]) => ({
  uri: uri(path),
  draft,
  steps: steps.map(([words, kind]) => ({ words, state: { kind } })),
});
const toEdits = (...edits: readonly ReturnType<typeof edit>[]) => edits as unknown as Edits;

/** The window ends with these edits. */
function close(window: KeptDrafts, ...edits: readonly ReturnType<typeof edit>[]): void {
  for (const one of toEdits(...edits)) window.leave(one);
  window.release();
}
const take = (kept: ReturnType<typeof createKeptDrafts>, path: string) => kept.take(uri(path) as never);

describe('What is written for edits and not sent', () => {
  it('is there after a reload, once, with the questions that waited for an answer', () => {
    const state = createState();
    const asked = [
      ['Louder.', 'sent'],
      ['Not that loud.', 'waiting'],
      ['', 'refused'],
    ] as const;
    createKeptDrafts(state, log).keep(toEdits(edit('a', 'And shorter', ...asked), edit('b', 'Softer')));
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, 'a'), take(after, 'a')], ['Not that loud.\n\nAnd shorter', '']);
    assert.equal(take(after, 'c'), '');
    after.keep(toEdits());
    assert.equal(take(createKeptDrafts(state, log), 'b'), 'Softer', 'as long as it isn’t taken');
    assert.equal(take(createKeptDrafts(state, log), 'a'), '');
  });

  it('is not kept when it is sent or ended, nor of more than 20 files', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    kept.keep(toEdits(edit('a', 'Louder')));
    kept.keep(toEdits(edit('a', '', ['Louder', 'sent'])));
    assert.equal(take(createKeptDrafts(state, log), 'a'), '');
    kept.keep(toEdits(...Array.from({ length: 21 }, (_, at) => edit(String(at), 'x'))));
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, '0'), take(after, '20')], ['', 'x']);
  });

  it('is left to the next edit in the file, also after a reload', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    const [asked] = toEdits(edit('a', '', ['Louder', 'refused'], ['Softer', 'sent']));
    assert.ok(asked);
    kept.leave(asked);
    kept.keep(toEdits());
    assert.equal(take(createKeptDrafts(state, log), 'a'), 'Louder');
    assert.deepEqual([take(kept, 'a'), take(kept, 'a')], ['Louder', '']);
  });

  it('is there after a reload with what is written in the file since, in an edit that didn’t take it', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    const [asked] = toEdits(edit('a', 'Louder'));
    assert.ok(asked);
    kept.leave(asked);
    kept.keep(toEdits(edit('a', 'Softer', ['', 'sent']), edit('b', 'Why?')));
    assert.equal(take(createKeptDrafts(state, log), 'a'), 'Louder\n\nSofter');
    kept.keep(toEdits());
    assert.equal(take(createKeptDrafts(state, log), 'a'), 'Louder');
  });

  it('is that of the file under its new name when that, or a folder above it, is renamed', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    const [one, other] = toEdits(edit('old/a', 'Louder'), edit('new/a', 'Softer'));
    assert.ok(one && other);
    kept.leave(one);
    kept.leave(other);
    kept.move((path) => renamedUri(path, 'file:///old', 'file:///new'), toEdits());
    assert.deepEqual(kept.uris(), ['file:///new/a']);
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, 'old/a'), take(after, 'new/a')], ['', 'Softer\n\nLouder']);
  });

  it('is that of the same cells when their notebook was opened again, which counts them anew', () => {
    const state = createState();
    const kept = createKeptDrafts(state, log);
    const [one, other] = toEdits(edit('#W0', 'Louder'), edit('#W1', 'Softer'));
    assert.ok(one && other);
    kept.leave(one);
    kept.leave(other);
    const now = new Map([
      ['file:///#W0', 'file:///#W1'],
      ['file:///#W1', 'file:///#W0'],
    ]);
    kept.move((path) => now.get(path), toEdits());
    const after = createKeptDrafts(state, log);
    assert.deepEqual([take(after, '#W0'), take(after, '#W1')], ['Softer', 'Louder']);
  });

  it('is that of its cell when the window was killed, and the next one counts the cells anew', () => {
    // By their URIs, in their order; the texts are the numbers that they had at first.
    let shown = ['file:///#W2', 'file:///#W0', 'file:///#W1'];
    const cells = {
      markOf: (uri: string) =>
        shown.includes(uri)
          ? { label: `#${shown.indexOf(uri) + 1}`, text: `${shown.indexOf(uri)}` }
          : undefined,
      uriHere: ({ cell }: { cell: { text: string } }) => shown[Number(cell.text)],
    };
    const first = shown;
    for (const isMoved of [false, true]) {
      const state = createState();
      shown = first;
      createKeptDrafts(state, log, cells).keep(toEdits(edit('#W0', 'Louder'), edit('#W1', 'Softer')));
      shown = [];
      createKeptDrafts(state, log, cells).keep(toEdits(edit('b', 'Why?')));
      shown = ['file:///#W0', 'file:///#W1', 'file:///#W2'];
      const after = createKeptDrafts(state, log, cells);
      // As for what else is in these cells.
      const now = new Map(shown.map((uri, at) => [uri, shown[at + 1] ?? '']));
      if (isMoved) after.move((uri) => now.get(uri), toEdits());
      assert.deepEqual(
        ['#W0', '#W1', '#W2', 'b'].map((path) => take(after, path)),
        ['', 'Louder', 'Softer', 'Why?'],
      );
    }
  });

  it('is that of its cell when the notebook of a killed window is renamed before it is opened again', () => {
    let shown: readonly string[] = ['old#W1', 'old#W0'];
    const cells = {
      markOf: (uri: string) =>
        shown.includes(uri.slice(8)) ? { label: `#${shown.indexOf(uri.slice(8)) + 1}`, text: '' } : undefined,
      uriHere: ({ cell }: { cell: { label: string } }) => `file:///${shown[Number(cell.label.slice(1)) - 1]}`,
    };
    const state = createState();
    createKeptDrafts(state, log, cells).keep(toEdits(edit('old#W1', 'Louder'), edit('old#W0', 'Softer')));
    shown = [];
    const renamed = createKeptDrafts(state, log, cells);
    renamed.move((uri) => uri.replace('old', 'new'), toEdits());
    for (const window of [createKeptDrafts(state, log, cells), renamed]) {
      shown = ['new#W0', 'new#W1'];
      assert.deepEqual([take(window, 'new#W0'), take(window, 'new#W1')], ['Louder', 'Softer']);
    }
  });

  it('is nothing if what is stored can’t be read', () => {
    assert.equal(take(createKeptDrafts(createState({ a: 1 }), log), 'a'), '');
  });

  it('is that of two windows after a reload, also for the same file, and without what one has sent', () => {
    const home = mkdtempSync(join(tmpdir(), 'k3-drafts-'));
    const open = sharedWindows(home);
    const [one, other] = [createKeptDrafts(open(), log), createKeptDrafts(open(), log)];
    one.keep(toEdits(edit('a', 'Louder'), edit('b', 'Why?')));
    other.keep(toEdits(edit('a', 'Softer'), edit('c', 'How?')));
    one.keep(toEdits(edit('a', 'Louder!')));
    const after = createKeptDrafts(open(), log);
    assert.deepEqual(
      ['a', 'b', 'c'].map((path) => take(after, path).split('\n\n').toSorted()),
      [['Louder!', 'Softer'], [''], ['How?']],
    );
    removeFolderSync(home);
  });

  describe('in another window that is open', () => {
    const [HERE, GONE] = [process.ppid, 2 ** 30];
    const startOf =
      (open: ReturnType<typeof sharedWindows>) => (own?: number, machine?: string, began?: string) =>
        createKeptDrafts(open(), log, undefined, own, machine, began);
    let home: string;
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'k3-drafts-'));
    });
    afterEach(() => removeFolderSync(home));

    it('stays there, and is taken when that is closed or killed, or may be on another machine', () => {
      const start = startOf(sharedWindows(home));
      const one = start(HERE);
      one.keep(toEdits(edit('a', 'Louder')));
      const other = start();
      assert.equal(take(other, 'a'), '');
      other.keep(toEdits(edit('b', 'Softer')));
      close(one, edit('a', 'Louder!'));
      assert.equal(take(other, 'a'), 'Louder!');
      start(GONE).keep(toEdits(edit('c', 'Why?')));
      start(HERE, 'other machine').keep(toEdits(edit('d', 'How?')));
      assert.deepEqual([take(other, 'c'), take(other, 'd')], ['Why?', 'How?']);
    });

    it('is taken when another process has the number of the one that is gone', function () {
      if (process.platform !== 'linux') this.skip();
      const start = startOf(sharedWindows(home));
      start(HERE).keep(toEdits(edit('a', 'Louder')));
      start(HERE, undefined, '1').keep(toEdits(edit('b', 'Softer')));
      const other = start();
      assert.deepEqual([take(other, 'a'), take(other, 'b')], ['', 'Softer']);
    });

    it('is kept however many files this one has written for', () => {
      const start = startOf(sharedWindows(home));
      const one = start(HERE);
      const edits = (name: string, count: number) =>
        toEdits(...Array.from({ length: count }, (_, at) => edit(`${name}${at}`, 'x')));
      one.keep(edits('a', 20));
      const other = start();
      other.keep(edits('b', 30));
      const left = start().uris();
      assert.deepEqual(
        ['a0', 'a19', 'b9', 'b10', 'b29'].map((path) => left.includes(`file:///${path}`)),
        [true, true, false, true, true],
      );
    });

    it('is renamed with its file by that one, and what is left by one of them, once', () => {
      const start = startOf(sharedWindows(home));
      start(GONE).keep(toEdits(edit('old/b', 'Left'), edit('old/c', 'Taken')));
      const [one, other] = [start(HERE), start()];
      one.keep(toEdits(edit('old/a', 'Louder')));
      assert.equal(take(one, 'old/c'), 'Taken');
      one.keep(toEdits(edit('old/a', 'Louder')));
      for (const [window, edits] of [
        [other, toEdits()],
        [one, toEdits(edit('new/a', 'Louder'))],
      ] as const)
        window.move((path) => renamedUri(path, 'file:///old', 'file:///new'), edits);
      close(one, edit('new/a', 'Louder'));
      const after = start();
      assert.deepEqual(
        ['new/a', 'new/b', 'new/c'].map((path) => take(after, path)),
        ['Louder', 'Left', ''],
      );
    });
  });

  it('is not in another window that began before, once it is sent or changed', () => {
    const home = mkdtempSync(join(tmpdir(), 'k3-drafts-'));
    const open = sharedWindows(home);
    const one = createKeptDrafts(open(), log);
    one.keep(toEdits(edit('a', 'Louder'), edit('b', 'Why')));
    const other = createKeptDrafts(open(), log);
    one.keep(toEdits(edit('a', '', ['Louder', 'sent']), edit('b', 'Why?'), edit('c', 'How?')));
    assert.deepEqual([take(other, 'a'), take(other, 'b')], ['', 'Why?']);
    other.keep(toEdits(edit('b', 'Why?')));
    assert.equal(take(createKeptDrafts(open(), log), 'c'), 'How?', 'what is written there meanwhile is kept');
    removeFolderSync(home);
  });
});
