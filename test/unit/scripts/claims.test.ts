import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { oneAtATime } from '../../../scripts/lib/claims.mjs';

const claims = new URL('../../../scripts/lib/claims.mjs', import.meta.url).href;

describe('What only one process may do at a time', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-claims-'));
    file = join(folder, 'installing.pid');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is done by a second process after the first one has ended it', async () => {
    const log = join(folder, 'log');
    const script = `
      import { appendFileSync } from 'node:fs';
      import { oneAtATime } from '${claims}';
      await oneAtATime(${JSON.stringify(file)}, async () => {
        appendFileSync(${JSON.stringify(log)}, 'begin ');
        await new Promise((resolve) => setTimeout(resolve, 100));
        appendFileSync(${JSON.stringify(log)}, 'end ');
      });`;
    const ended = [1, 2, 3].map(
      () =>
        new Promise((resolve) =>
          spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).once(
            'close',
            resolve,
          ),
        ),
    );
    assert.deepEqual(await Promise.all(ended), [0, 0, 0]);
    assert.equal(readFileSync(log, 'utf8'), 'begin end '.repeat(3));
  });

  it('is done although a process that was to do it was killed', async () => {
    writeFileSync(file, String(spawnSync(process.execPath, ['--version']).pid));
    assert.equal(await oneAtATime(file, async () => 'done'), 'done');
  });

  it('can be done again after it has failed', async () => {
    const fail = () => Promise.reject(new Error('no network'));
    await assert.rejects(oneAtATime(file, fail), /no network/);
    assert.equal(await oneAtATime(file, async () => 'done'), 'done');
  });
});
