/** What windows leave that are killed while they write a file. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createProposalStore } from '../../../../src/editor/proposals/proposalStore.ts';
import { createSharedState } from '../../../../src/editor/storage/sharedState.ts';
import { writeWhole } from '../../../../src/editor/storage/wholeFiles.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { mementoOf } from '../../../support/sharedWindows.ts';

describe('A file that a window has begun to write and was killed', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-whole-'));
  });
  afterEach(() => removeFolderSync(home));

  /** In the order of their names. The second one is as old as one that another window is just writing. */
  function leaveIn(folder: string): () => readonly string[] {
    mkdirSync(folder, { recursive: true });
    for (const name of ['1.json.41.new', '1.json.42.new', '1.json.old', '2.new.json']) {
      writeFileSync(join(folder, name), '{}');
      const old = Date.now() / 1000 - 2 * 60 * 60;
      if (name !== '1.json.42.new') utimesSync(join(folder, name), old, old);
    }
    return () => readdirSync(folder).toSorted();
  }
  const KEPT = ['1.json.42.new', '1.json.old', '2.new.json'];

  it('is not written on by a window in another container, whose process can have the same number', () => {
    const [path, theirs] = [join(home, '1.json'), join(home, `1.json.${process.pid}.new`)];
    writeFileSync(theirs, '{');
    writeWhole(path, '{}');
    assert.deepEqual([readFileSync(path, 'utf8'), readFileSync(theirs, 'utf8')], ['{}', '{']);
    assert.deepEqual(readdirSync(home).toSorted(), ['1.json', `1.json.${process.pid}.new`]);
  });

  it('is removed by a later one, with nothing else beside it', () => {
    const [remarks, reviews] = [leaveIn(join(home, 'items', 'k3.remarks')), leaveIn(join(home, 'reviews'))];
    const shared = createSharedStateOf(home);
    shared.dispose();
    createProposalStore(
      { folder: join(home, 'reviews') },
      { warn: () => undefined } as never,
      new Set(),
    ).load();
    assert.deepEqual([remarks(), reviews()], [KEPT, KEPT]);
  });
});

function createSharedStateOf(home: string) {
  const shared = createSharedState({ home }, mementoOf({ state: {} }), { warn: () => undefined });
  shared.get('k3.remarks');
  return shared;
}
