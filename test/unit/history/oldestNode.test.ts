import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { ensureNode, OLDEST_NODE } from '../../../scripts/lib/node24.mjs';
import { makeFolder } from './support.ts';

const SCRIPT = fileURLToPath(new URL('../../support/oldestNode.ts', import.meta.url));

/** What the process printed. */
let results: Readonly<Record<string, unknown>> = {};

describe('The Node of the oldest editor', () => {
  before(async function () {
    // Getting it from the registry can take minutes, once.
    this.timeout(600_000);
    const node = await ensureNode(OLDEST_NODE);
    const args = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
    const { stdout } = await promisify(execFile)(node, [...args, SCRIPT, await makeFolder()]);
    results = JSON.parse(stdout);
  });

  it('runs the store, and none of its reads and writes fails', () => {
    assert.equal(results['version'], OLDEST_NODE);
    assert.deepEqual(results['failures'], []);
  });

  it('reads a conversation again and finds its words, Chinese, and emoji', () => {
    assert.deepEqual(results['stored'], {
      answer: 'With a script. 用脚本。',
      draft: 'A draft',
      list: ['c1'],
      found: [1, 1, 1],
    });
  });

  it('adds up what was spent before a reload, and knows which conversations were permanently deleted', () => {
    assert.deepEqual(results['spent'], { isSame: true, estimated: 0.5, purged: ['c2'], routes: [3] });
  });

  it('keeps the text behind U+0000: after a reload, when it is written again, and in a copied database', () => {
    const zero = '前 \0 behind 后面';
    const kept = {
      list: 2,
      title: zero,
      texts: [zero, zero, zero, zero, zero],
      // The question and two answers.
      found: Array(3).fill('前 \0 behind \u0002后面\u0003'),
    };
    assert.deepEqual(results['zeros'], { reloaded: kept, written: kept, copied: kept });
  });

  it('finds Chinese again after the pages of its index were damaged', () => {
    assert.deepEqual(results['damaged'], [3, 3]);
  });
});

describe('The statements of the database', () => {
  it('have no parameters with numbers, which the Node of the oldest editor cannot bind', async () => {
    const folder = fileURLToPath(new URL('../../../src/history/', import.meta.url));
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(names.map((name) => readFile(folder + name, 'utf8')));
    assert.ok(names.length > 40, `${names.length} files`);
    assert.deepEqual(
      names.filter((_, index) => /[\s(,=]\?\d/.test(texts[index] ?? '')),
      [],
    );
  });
});
