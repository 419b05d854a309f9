import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { oneAtATime } from '../../../scripts/lib/claims.mjs';
import { inProcessesInStep } from '../../support/processesInStep.ts';

const claims = new URL('../../../scripts/lib/claims.mjs', import.meta.url).href;

describe('What only one process may do at a time', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-claims-'));
    file = join(folder, 'installing.pid');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a module in four processes. `mark(text)` adds to the log; resolves to the log. */
  async function inFourProcesses(body: string) {
    const log = join(folder, 'log');
    await inProcessesInStep(`
      import { appendFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { claim, oneAtATime } from '${claims}';
      const file = ${JSON.stringify(file)};
      const mark = (text) => appendFileSync(${JSON.stringify(log)}, text);
      await allAreHere();
      ${body}`);
    return readFileSync(log, 'utf8');
  }

  it('is done by the next process after one has ended it', async () => {
    const log = await inFourProcesses(`
      await oneAtATime(file, async () => { mark('begin '); await sleep(100); mark('end '); });`);
    assert.equal(log, 'begin end '.repeat(4));
  });

  it('is never done by two processes that look at the same moment', async () => {
    writeFileSync(file, String(spawnSync(process.execPath, ['--version']).pid));
    const log = await inFourProcesses(`
      for (let i = 0; i < 3000; i++) {
        const release = claim(file);
        if (release) { mark('begin '); mark('end '); release(); }
      }`);
    assert.ok(log.length > 0);
    assert.equal(log.replaceAll('begin end ', ''), '');
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
