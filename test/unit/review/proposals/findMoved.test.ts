import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findMoved } from '../../../../src/review/proposals/findMoved.ts';

const at = (uri: string, text: string) => ({ uri, text });

describe('A file that another program renamed', () => {
  it('is the new file with the same text', () => {
    assert.deepEqual(findMoved([at('/a', 'one')], [at('/b', 'one'), at('/c', 'two')]), [['/a', '/b']]);
    assert.deepEqual(findMoved([at('/a', 'one')], [at('/b', 'one more')]), []);
    assert.deepEqual(findMoved([at('/a', 'one')], [at('/a', 'one')]), []);
  });

  it('is told from its copies by its name in another folder', () => {
    const copies = [at('/x/a', 'one'), at('/b', 'one')];
    assert.deepEqual(findMoved([at('/a', 'one')], copies), [['/a', '/x/a']]);
    assert.deepEqual(findMoved([at('/a', 'one')], [at('/b', 'one'), at('/c', 'one')]), []);
    assert.deepEqual(findMoved([at('/a', 'one'), at('/b', 'one')], [at('/x/a', 'one'), at('/x/b', 'one')]), [
      ['/a', '/x/a'],
      ['/b', '/x/b'],
    ]);
    assert.deepEqual(findMoved([at('/a', 'one'), at('/b', 'one')], [at('/c', 'one')]), []);
  });

  it('is told from one with the same text elsewhere that is gone as well by its folder, unless that one has the name', () => {
    const gone = [at('/x/a', 'one'), at('/y/a', 'one')];
    assert.deepEqual(findMoved(gone, [at('/x/b', 'one')]), [['/x/a', '/x/b']]);
    assert.deepEqual(findMoved(gone, [at('/b', 'one')]), []);
    assert.deepEqual(findMoved([at('/a', 'one'), at('/x/b', 'one')], [at('/x/a', 'one')]), [['/a', '/x/a']]);
  });

  it('has some text', () => {
    assert.deepEqual(findMoved([at('/a', '')], [at('/b', '')]), []);
  });
});
