import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('The guards that `npm run guards` turns off', () => {
  it('are in the source, each once', () => {
    const guards: readonly { name: string; file: string; line: string }[] = JSON.parse(
      read('test/support/hostile/guards.json'),
    );
    for (const { name, file, line } of guards) assert.equal(read(file).split(line).length, 2, name);
  });
});
