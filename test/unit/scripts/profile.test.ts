import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { claimProfile } from '../../../scripts/lib/profile.mjs';

describe('The profile of an editor started from the checkout', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-profile-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is another one while the first editor runs, so that the second does not change its settings', () => {
    const names = ['server', 'server-2', 'server-3'];
    assert.deepEqual(
      names.map(() => claimProfile(folder, 'server').folder),
      names.map((name) => join(folder, name)),
    );
  });

  it('is the first one again after the first editor ended, with the second still running', () => {
    const first = claimProfile(folder, 'server');
    claimProfile(folder, 'server');
    first.release();
    assert.equal(claimProfile(folder, 'server').folder, join(folder, 'server'));
  });

  it('is the first one again after an editor was killed', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    claimProfile(folder, 'server');
    writeFileSync(join(folder, 'server.pid'), String(pid));
    assert.equal(claimProfile(folder, 'server').folder, join(folder, 'server'));
  });

  it('is not taken from an editor that has not written its number yet', () => {
    claimProfile(folder, 'server');
    writeFileSync(join(folder, 'server.pid'), '');
    assert.equal(claimProfile(folder, 'server').folder, join(folder, 'server-2'));
  });
});
