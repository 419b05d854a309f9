import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const TESTS = new URL('../', import.meta.url);

/** Its hook closes what tests have opened, and does nothing where none has. */
const ALLOWED = ['unit/history/support.ts'];

describe('A test file', () => {
  it('has no beforeEach or afterEach outside of describe: these would run for the tests of all other files', () => {
    const files = ['unit', 'editor'].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, TESTS), { recursive: true })
        .map((file) => `${folder}/${String(file).replaceAll('\\', '/')}`)
        .filter((file) => file.endsWith('.ts')),
    );
    const found = files.filter((file) =>
      /^(beforeEach|afterEach)\(/m.test(readFileSync(new URL(file, TESTS), 'utf8')),
    );
    assert.deepEqual(found, ALLOWED);
  });
});
