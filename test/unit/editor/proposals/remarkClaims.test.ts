import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { inProcessesInStep } from '../../../support/processesInStep.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createRemarkClaims } = await withEditorStub(
  () => import('../../../../src/editor/proposals/remarkClaims.ts'),
);

const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const IDS = Array.from({ length: 1000 }, (_, at) => `r${at}`);

describe('Comments that a window left which has ended', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-claims-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are taken over by one of the windows that do so at the same moment', async () => {
    const [claims, log] = [join(folder, 'claims'), join(folder, 'log')];
    mkdirSync(claims);
    const ended = String(spawnSync(process.execPath, ['--version']).pid);
    for (const id of IDS) writeFileSync(join(claims, createHash('sha256').update(id).digest('hex')), ended);
    await inProcessesInStep(`
      import { appendFileSync } from 'node:fs';
      import { withEditorStub } from ${moduleAt('../../../support/withEditorStub.ts')};
      const { createRemarkClaims } = await withEditorStub(() =>
        import(${moduleAt('../../../../src/editor/proposals/remarkClaims.ts')}));
      const claims = createRemarkClaims(${JSON.stringify(claims)}, { warn(line) { throw new Error(line); } });
      await allAreHere();
      for (const id of ${JSON.stringify(IDS)})
        if (claims.take([id])) appendFileSync(${JSON.stringify(log)}, id + '\\n');
      // What it has taken is free again when it ends.
      await allAreHere();`);
    const taken = readFileSync(log, 'utf8').trim().split('\n');
    assert.deepEqual(taken.toSorted(), IDS.toSorted());
    assert.equal(readdirSync(claims).length, IDS.length);
  });
});

describe('Comments that a window left whose number another process has now', () => {
  it('are free, as in a container that was started again', function () {
    if (process.platform !== 'linux') this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'k3-claims-'));
    const start = (own: number, began?: string) =>
      createRemarkClaims(folder, { warn: assert.fail }, own, 'desk', began);
    start(process.ppid).take(['r1']);
    start(process.ppid, '1').take(['r2']);
    const here = start(process.pid);
    assert.deepEqual([here.of('r1'), here.of('r2'), here.take(['r2'])], ['sending', 'free', true]);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('Comments that a window on another machine sends', () => {
  it('are not free here, where its process can’t be seen', () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-claims-'));
    const warn = assert.fail;
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const there = createRemarkClaims(folder, { warn }, ended, 'server');
    const here = createRemarkClaims(folder, { warn }, process.pid, 'laptop');
    assert.equal(there.take(['r1']), true);
    assert.deepEqual([here.of('r1'), here.take(['r1'])], ['sending', false]);
    // That of this machine has ended.
    const left = createRemarkClaims(folder, { warn }, ended, 'laptop');
    assert.equal(left.take(['r2']), true);
    assert.deepEqual([here.of('r2'), here.take(['r2'])], ['free', true]);
    there.finish(['r1']);
    assert.equal(here.of('r1'), 'done');
    rmSync(folder, { recursive: true, force: true });
  });
});
