import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { refuseLinked } from '../../../scripts/lib/dependencies.mjs';

describe('The folder in which dependencies are installed', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-dependencies-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('can be missing, or be one of the checkout', async () => {
    await refuseLinked(folder);
    mkdirSync(join(folder, 'node_modules'));
    await refuseLinked(folder);
  });

  it('is refused if it is a link to that of another checkout, which would be emptied', async () => {
    mkdirSync(join(folder, 'other'));
    symlinkSync(join(folder, 'other'), join(folder, 'node_modules'), 'junction');
    await assert.rejects(refuseLinked(folder), /node_modules is a link.*Remove it/);
  });
});
