import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  createProposalStore,
  type ReviewPlace,
  toReviewPlace,
} from '../../../../src/editor/proposals/proposalStore.ts';
import { toWindowPlace } from '../../../../src/editor/storage/windowPlace.ts';
import {
  type FileProposal,
  type Proposal,
  withRejected,
  withRestored,
} from '../../../../src/review/proposals/proposal.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { propose } from '../../review/proposals.ts';

const log = { warn: assert.fail } as never;

/** The context of a window, whose state the editor keeps. */
function windowWith(globalStorage: string, storage?: string, state = new Map<string, unknown>()) {
  const toUri = (fsPath: string) => ({ scheme: 'file', fsPath });
  return {
    globalStorageUri: toUri(globalStorage),
    storageUri: storage === undefined ? undefined : toUri(storage),
    workspaceState: {
      get: (key: string) => state.get(key),
      update: async (key: string, value: unknown) => void state.set(key, value),
    },
  } as never;
}

const proposal = (id: string, uri: string): Proposal => ({
  id,
  turnId: 't',
  conversationId: 'c',
  createdAt: 0,
  files: [{ ...propose('a\n', 'b\n'), uri }],
  trouble: undefined,
  revises: undefined,
});

describe('The saved proposals of windows without a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
  });
  afterEach(() => removeFolderSync(folder));

  /** The IDs of the proposals that are loaded when the window is reloaded. */
  const loadedIn = (context: never) =>
    createProposalStore(toReviewPlace(toWindowPlace(context, log)), log, new Set())
      .load()
      .map(({ id }) => id)
      .toSorted();

  function save(context: never, ...all: readonly Proposal[]): void {
    const store = createProposalStore(toReviewPlace(toWindowPlace(context, log)), log, new Set());
    for (const one of all) store.save(one);
    store.dispose();
  }

  it('are those of all of them, except for untitled documents, which each window has its own of', () => {
    const [one, other] = [windowWith(folder), windowWith(folder)];
    save(one, proposal('file', 'file:///a'), proposal('untitled', 'untitled:Untitled-1'));
    assert.deepEqual(loadedIn(one), ['file', 'untitled']);
    assert.deepEqual(loadedIn(other), ['file']);
  });

  it('are those of the folder in a window with one', () => {
    const storage = join(folder, 'storage');
    save(windowWith(folder, storage), proposal('untitled', 'untitled:Untitled-1'));
    assert.deepEqual(loadedIn(windowWith(folder, storage)), ['untitled']);
    assert.deepEqual(loadedIn(windowWith(folder)), []);
  });
});

describe('The saved proposals of a window that gets a second folder', () => {
  it('are those that it had before, when the editor gives it another place for them, and only once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
    const start = (storage: string, state?: Map<string, unknown>) =>
      createProposalStore(
        toReviewPlace(toWindowPlace(windowWith(folder, join(folder, storage), state), log)),
        log,
        new Set(),
      );
    const state = new Map<string, unknown>();
    const idsIn = (store: ReturnType<typeof start>) => [store.load().map(({ id }) => id), store.dispose()][0];
    const alone = start('one', state);
    alone.save(proposal('p', 'file:///a'));
    alone.dispose();
    // The editor takes the state along to the workspace with two folders.
    const both = start('two', state);
    assert.equal(both.load()[0]?.turnId, 't');
    both.save({ ...proposal('p', 'file:///a'), turnId: 'later' });
    both.dispose();
    const again = start('two', state);
    assert.deepEqual(again.load()[0]?.turnId, 'later');
    again.dispose();
    assert.deepEqual([idsIn(start('one', new Map())), idsIn(start('two', new Map()))], [['p'], ['p']]);
    assert.deepEqual(idsIn(start('three', new Map())), []);
    removeFolderSync(folder);
  });
});

describe('The saved proposals of a deleted conversation', () => {
  let folder: string;
  let place: ReviewPlace;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
    place = { folder };
    const store = createProposalStore(place, log, new Set());
    store.save({ ...proposal('undecided', 'file:///a'), conversationId: 'removed' });
    store.save(proposal('other', 'file:///a'));
    store.dispose();
  });
  afterEach(() => removeFolderSync(folder));

  it('are deleted with their texts when it is finally removed, and only they', () => {
    const store = createProposalStore(place, log, new Set(['removed']));
    assert.deepEqual(
      store.load().map(({ id }) => id),
      ['other'],
    );
    assert.deepEqual(readdirSync(folder), ['other.json']);
  });

  it('are deleted also if they are of untitled documents of another window, which may never be opened again', () => {
    const untitled = { ...proposal('untitled', 'untitled:Untitled-1'), conversationId: 'removed' };
    const other = createProposalStore({ folder, window: 'other' }, log, new Set());
    for (const one of [untitled, proposal('kept', 'untitled:Untitled-1')]) other.save(one);
    other.dispose();
    createProposalStore({ folder, window: 'this' }, log, new Set(['removed'])).load();
    assert.deepEqual(readdirSync(folder).toSorted(), ['kept.json', 'other.json']);
  });

  it('are deleted when the window closes, if the database was locked when it opened', () => {
    const purged = new Set<string>();
    const store = createProposalStore(place, log, purged);
    const loaded = store.load();
    assert.equal(loaded.length, 2);
    purged.add('removed');
    for (const one of loaded) store.save(one);
    store.dispose();
    assert.deepEqual(readdirSync(folder), ['other.json']);
  });
});

describe('The saved proposals in a folder that can only be read', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
  });
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
    removeFolderSync(folder);
  });

  function fail(name: 'rmSync' | 'readdirSync'): void {
    mock.method(fs, name, () => {
      throw new Error('EACCES');
    });
    syncBuiltinESMExports();
  }

  for (const [name, expected] of [
    ['rmSync', ['kept']],
    ['readdirSync', []],
  ] as const)
    it(`are loaded as far as they can be, also if ${name} fails`, () => {
      const first = createProposalStore({ folder }, log, new Set());
      first.save(proposal('kept', 'file:///a'));
      first.save({ ...proposal('purged', 'file:///a'), conversationId: 'removed' });
      first.dispose();
      fail(name);
      const warnings: string[] = [];
      const warn = { warn: (line: string) => void warnings.push(line) } as never;
      const store = createProposalStore({ folder }, warn, new Set(['removed']));
      const ids = store.load().map(({ id }) => id);
      store.dispose();
      assert.deepEqual([ids, warnings.length], [expected, 1]);
    });
});

describe('A saved proposal that two windows of a folder have', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
  });
  afterEach(() => removeFolderSync(folder));

  const start = () => createProposalStore({ folder }, log, new Set());
  const change = (one: Proposal | undefined, how: (file: FileProposal) => FileProposal): Proposal => {
    assert.ok(one);
    return { ...one, files: one.files.map(how) };
  };
  const idsOf = ({ hunks }: FileProposal) => new Set(hunks.map(({ hunk }) => hunk.id));
  const reject = (file: FileProposal) => withRejected(file, idsOf(file));
  const typedIn = (file: FileProposal): FileProposal => ({ ...file, text: `${file.text}more\n` });

  it('is rejected also if the other window, which doesn’t know that, follows the text of the file later', () => {
    const one = start();
    const first = proposal('p', 'file:///a');
    one.save(first);
    one.dispose();
    const [here, there] = [start(), start()];
    const [mine, theirs] = [here.load()[0], there.load()[0]];
    here.save(change(mine, reject));
    here.dispose();
    let last = change(theirs, typedIn);
    there.save(last);
    there.dispose();
    last = change(last, typedIn);
    there.save(last);
    there.dispose();
    const after = start();
    const [loaded] = after.load();
    assert.deepEqual(
      loaded?.files.map(({ hunks, text }) => [hunks.map(({ state }) => state), text]),
      [[['rejected'], 'a\nmore\nmore\n']],
    );
    // The window that knows it can put it under review again.
    after.save(change(loaded, withRestored));
    after.dispose();
    assert.deepEqual(
      start()
        .load()[0]
        ?.files.map(({ hunks }) => hunks.map(({ state }) => state)),
      [['open']],
    );
  });

  describe('while one of them rejects it', () => {
    const { readFileSync } = fs;
    afterEach(() => {
      mock.restoreAll();
      syncBuiltinESMExports();
    });
    const onRead = (act: (path: string) => string) => {
      mock.method(fs, 'readFileSync', act);
      syncBuiltinESMExports();
    };
    /** What is rejected there is rejected in its file, also when the other window follows the text later. */
    function assertRejected(there: ReturnType<typeof start>, theirs: Proposal | undefined): void {
      mock.restoreAll();
      syncBuiltinESMExports();
      there.save(change(theirs, typedIn));
      there.dispose();
      assert.equal(start().load()[0]?.files[0]?.hunks[0]?.state, 'rejected');
    }
    let here: ReturnType<typeof start>;
    let mine: Proposal | undefined;
    beforeEach(() => {
      const one = start();
      one.save(proposal('p', 'file:///a'));
      one.dispose();
      here = start();
      [mine] = here.load();
    });
    const rejectHere = () => {
      here.save(change(mine, reject));
      here.flush();
    };

    it('is rejected also if the other one has just read it', () => {
      let isRead = false;
      onRead((path) => {
        const text = readFileSync(path, 'utf8');
        if (!isRead && path.endsWith('p.json')) {
          isRead = true;
          rejectHere();
        }
        return text;
      });
      const there = start();
      const [theirs] = there.load();
      assertRejected(there, theirs);
    });

    it('is rejected also if the other one can’t read it at that moment', () => {
      const there = createProposalStore({ folder }, { warn: () => undefined } as never, new Set());
      const [theirs] = there.load();
      assert.ok(theirs);
      rejectHere();
      onRead(() => {
        throw new Error('EBUSY');
      });
      assert.deepEqual(
        there.changedElsewhere([theirs], (one) => one),
        [],
      );
      assertRejected(there, theirs);
    });

    it('is rejected also if the other one can’t read it when it saves it, which it does later', () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const there = createProposalStore({ folder }, { warn: () => undefined } as never, new Set());
        const last = change(there.load()[0], typedIn);
        rejectHere();
        onRead(() => {
          throw new Error('EBUSY');
        });
        there.save(last);
        mock.timers.tick(1000);
        mock.restoreAll();
        syncBuiltinESMExports();
        for (let seconds = 0; seconds < 10; seconds++) mock.timers.tick(1000);
        const [file] = start().load()[0]?.files ?? [];
        assert.deepEqual([file?.hunks[0]?.state, file?.text], ['rejected', 'a\nmore\n']);
        there.dispose();
      } finally {
        mock.timers.reset();
      }
    });
  });

  it('has what one window has accepted also if the other one, which doesn’t know that, decides another file of it', () => {
    const one = start();
    const [first] = proposal('p', 'file:///a').files;
    assert.ok(first);
    one.save({ ...proposal('p', 'file:///a'), files: [first, { ...first, uri: 'file:///b' }] });
    one.dispose();
    for (const looks of [false, true]) {
      const [here, there] = [start(), start()];
      const [mine, theirs] = [here.load()[0], there.load()[0]];
      assert.ok(mine && theirs);
      const only =
        (uri: string, how: (file: FileProposal) => FileProposal) =>
        (file: FileProposal): FileProposal =>
          file.uri === uri ? how(file) : file;
      const accept = (file: FileProposal): FileProposal => ({
        ...file,
        text: 'b\n',
        hunks: file.hunks.map((hunk) => ({ ...hunk, state: 'accepted' })),
      });
      here.save(change(mine, only('file:///a', accept)));
      here.dispose();
      const known = looks ? there.changedElsewhere([theirs], (stored) => stored)[0] : undefined;
      there.save(change(known ?? theirs, only('file:///b', reject)));
      there.dispose();
      assert.deepEqual(
        start()
          .load()[0]
          ?.files.map(({ text, hunks }) => [text, hunks[0]?.state]),
        [
          ['b\n', 'accepted'],
          ['a\n', 'rejected'],
        ],
        `${looks}`,
      );
    }
  });

  /** The file when one window has changed what both have, and the other one, which doesn’t know that, followed its text later. */
  function typedAfter(saved: Proposal, how: (file: FileProposal) => FileProposal): FileProposal | undefined {
    const one = start();
    one.save(saved);
    one.dispose();
    const [here, there] = [start(), start()];
    const [mine, theirs] = [here.load()[0], there.load()[0]];
    here.save(change(mine, how));
    here.dispose();
    there.save(change(theirs, typedIn));
    there.dispose();
    return start().load()[0]?.files[0];
  }

  it('is under review again also if the other window, which doesn’t know that, follows the text of the file later', () => {
    const file = typedAfter(change(proposal('p', 'file:///a'), reject), withRestored);
    assert.deepEqual([file?.hunks.map(({ state }) => state), file?.text], [['open'], 'a\nmore\n']);
  });

  it('is replaced as well', () => {
    const file = typedAfter(proposal('p', 'file:///a'), (one) => ({ ...one, replacedBy: 'q' }));
    assert.deepEqual([file?.replacedBy, file?.text], ['q', 'a\nmore\n']);
  });
});

describe('Proposals that can’t be saved, as on a full disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
    removeFolderSync(folder);
  });

  it('are saved when it is possible again, also if nothing of them changes any more', () => {
    const warnings: string[] = [];
    const place = join(folder, 'reviews');
    const store = createProposalStore(
      { folder: place },
      { warn: (line: string) => warnings.push(line) } as never,
      new Set(),
    );
    writeFileSync(place, 'no folder can be here');
    store.save(proposal('one', 'file:///a'));
    store.save(proposal('two', 'file:///a'));
    for (let seconds = 0; seconds < 60; seconds++) mock.timers.tick(1000);
    assert.equal(warnings.length, 1, 'the same is logged once');
    rmSync(place);
    for (let seconds = 0; seconds < 60; seconds++) mock.timers.tick(1000);
    assert.deepEqual(readdirSync(place).toSorted(), ['one.json', 'two.json']);
    store.dispose();
  });

  it('keep no other one from being saved', () => {
    const store = createProposalStore({ folder }, { warn: () => undefined } as never, new Set());
    mkdirSync(join(folder, 'one.json'));
    store.save(proposal('one', 'file:///a'));
    store.save(proposal('two', 'file:///a'));
    mock.timers.tick(1000);
    assert.ok(readdirSync(folder).includes('two.json'));
    store.dispose();
  });
});
