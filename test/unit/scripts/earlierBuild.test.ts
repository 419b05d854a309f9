import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isUpToDate, removeEarlierBuild } from '../../../scripts/lib/earlierBuild.mjs';
import { removeFolderSync } from '../../support/removeFolder.ts';

describe('An earlier build', () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'k3-build-'));
  });
  afterEach(() => removeFolderSync(project));

  function folderWith(name: string, ...files: readonly string[]): string {
    const folder = join(project, name);
    mkdirSync(join(folder, 'chunks'), { recursive: true });
    for (const file of files) writeFileSync(join(folder, file), '');
    return folder;
  }

  it('is removed from the folder “dist”, except what it doesn’t build', () => {
    const dist = folderWith('dist', 'extension.js', 'old.css.map', 'old.ttf', 'README.md');
    removeEarlierBuild(dist, project);
    assert.deepEqual(readdirSync(dist), ['README.md']);
  });

  it('is not looked for in another folder, which can have files of others', () => {
    const other = folderWith('other', 'mine.js', 'page.css');
    removeEarlierBuild(other, project);
    assert.deepEqual(readdirSync(other), ['chunks', 'mine.js', 'page.css']);
  });

  it('is up to date until a source of it, in any folder, is newer', () => {
    const dist = folderWith('dist', 'emulatorCli.cjs');
    const src = folderWith('src', 'a.ts', 'chunks/b.ts');
    const isNow = () => isUpToDate(join(dist, 'emulatorCli.cjs'), src);
    const setTime = (seconds: number, ...at: readonly string[]) => utimesSync(join(...at), seconds, seconds);
    setTime(1000, src, 'a.ts');
    setTime(1000, src, 'chunks/b.ts');
    setTime(1001, dist, 'emulatorCli.cjs');
    assert.equal(isNow(), true);
    setTime(1002, src, 'chunks/b.ts');
    assert.equal(isNow(), false);
    assert.equal(isUpToDate(join(dist, 'missing.cjs'), src), false);
  });
});
