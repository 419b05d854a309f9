import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const root = new URL('../../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

describe('The icon of a tab', () => {
  it('is one for each kind of theme, with a color of its own: an image doesn’t have that of the text', () => {
    for (const theme of ['light', 'dark'])
      assert.match(read(`media/k3-${theme}.svg`), /stroke="#[0-9a-f]{6}"/i, theme);
    const sources = globSync('src/editor/*/*.ts', { cwd: root }).map(read);
    const given = sources.flatMap((source) => source.match(/\b(tab|opened|panel)\.iconPath = [^;]+/g) ?? []);
    assert.equal(given.length, 2, 'the chat and the usage page');
    for (const icon of given) assert.match(icon, /= toTabIcon\(/);
  });
});
