import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const root = new URL('../../../../', import.meta.url).pathname;

describe('Notifications', () => {
  it('are shown in one place only, which removes links from their text', () => {
    const files = globSync('src/**/*.ts', { cwd: root });
    assert.ok(files.length > 200);
    const raw = files.filter((file) =>
      /\bshow(Information|Warning|Error)Message\b/.test(readFileSync(`${root}${file}`, 'utf8')),
    );
    assert.deepEqual(
      raw.map((file) => file.replaceAll('\\', '/')),
      ['src/editor/base/notifications.ts'],
    );
  });
});
