import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles, PackageManager } from '@vscode/vsce';
import { after, before, describe, it } from 'mocha';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('The package', function () {
  this.timeout(60_000);
  let folder: string;
  let packaged: readonly string[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'k3-package-'));
    for (const file of ['package.json', 'package.nls.json', '.vscodeignore', 'README.md', 'CHANGELOG.md'])
      copyFileSync(join(root, file), join(folder, file));
    cpSync(join(root, 'media'), join(folder, 'media'), { recursive: true });
    execFileSync(process.execPath, ['esbuild.mjs', `--outdir=${join(folder, 'dist')}`], { cwd: root });
    packaged = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('contains every built file except source maps and the program of the emulator', () => {
    const built = globSync('dist/**/*.*', { cwd: folder });
    const expected = built.filter((file) => !/\.map$|emulatorCli/.test(file));
    assert.ok(expected.length > 10);
    assert.deepEqual(packaged.filter((file) => file.startsWith('dist/')).sort(), expected.sort());
  });

  it('contains the main file of the extension, and no sources', () => {
    assert.ok(packaged.includes('dist/extension.js'));
    assert.deepEqual(
      packaged.filter((file) => /^(src|test|scripts|docs|node_modules)\//.test(file)),
      [],
    );
  });
});
