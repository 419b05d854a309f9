/** The search for a key that has leaked finds it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'mocha';
import { CANARY, occurrencesOf } from '../support/canary.ts';
import { searchFolder } from '../support/keySearch.ts';

describe('A key that must not be found', () => {
  const found = (text: string | Buffer) => occurrencesOf(Buffer.from(text as string), CANARY);

  it('is found in plain text, UTF-16, addresses, and hexadecimal', () => {
    assert.ok(found(`{"key":"${CANARY}"}`).includes('plain'));
    assert.ok(found(Buffer.from(`a${CANARY}`, 'utf16le')).includes('UTF-16'));
    assert.ok(found(`?key=${encodeURIComponent(CANARY)}&`).includes('percent-encoded'));
    assert.ok(found(Buffer.from(Buffer.from(`Bearer ${CANARY}`).toString('hex'))).includes('hexadecimal'));
  });

  for (const before of ['', 'a', 'ab', 'abc', 'Bearer ', '{"key":"'])
    for (const encoding of ['base64', 'base64url'] as const)
      it(`is found in ${encoding} after “${before}”`, () => {
        const encoded = Buffer.from(`${before}${CANARY}"} and more`).toString(encoding);
        assert.notDeepEqual(found(`x${encoded}`), []);
      });

  it('is found when any of its bytes is the first one of another page', () => {
    for (let at = 1; at < CANARY.length; at++)
      assert.notDeepEqual(found(`${CANARY.slice(0, at)}${'\0'.repeat(64)}${CANARY.slice(at)}`), []);
  });

  it('is not found where it is not', () => assert.deepEqual(found('sk-canary and other keys: sk-1'), []));

  it('is found in files and in a database, also while that is in its log, and the file is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-canary-'));
    try {
      mkdirSync(join(folder, 'logs'));
      writeFileSync(join(folder, 'logs/K3.log'), 'nothing');
      assert.deepEqual(await searchFolder(folder), []);
      writeFileSync(join(folder, 'logs/K3.log'), `authorization: Bearer ${CANARY}`);
      const database = new DatabaseSync(join(folder, 'a.db'));
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (text)');
      // Long enough for several pages.
      for (let before = 0; before < 5000; before += 97)
        database.prepare('INSERT INTO t VALUES (?)').run(`${'x'.repeat(before)}${CANARY}${'y'.repeat(5000)}`);
      const places = await searchFolder(folder);
      for (const name of ['logs/K3.log', 'a.db-wal'])
        assert.ok(
          places.some((place) => place.startsWith(`${join(folder, name)} (`)),
          name,
        );
      database.close();
      assert.ok((await searchFolder(folder)).some((place) => place.startsWith(`${join(folder, 'a.db')} (`)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
