/** The search for a key that has leaked finds it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CANARY, occurrencesOf } from '../support/canary.ts';

describe('A key that must not be found', () => {
  const found = (text: string | Buffer) => occurrencesOf(Buffer.from(text as string), CANARY);

  it('is found in plain text, UTF-16, addresses, and hexadecimal', () => {
    assert.ok(found(`{"key":"${CANARY}"}`).includes('plain'));
    assert.ok(found(Buffer.from(`a${CANARY}`, 'utf16le')).includes('UTF-16'));
    assert.ok(found(`?key=${encodeURIComponent(CANARY)}&`).includes('percent-encoded'));
    assert.ok(found(Buffer.from(Buffer.from(`Bearer ${CANARY}`).toString('hex'))).includes('hexadecimal'));
  });

  for (const before of ['', 'a', 'ab', 'abc', 'Bearer ', '{"key":"'])
    for (const encoding of ['base64', 'base64url'] as const)
      it(`is found in ${encoding} after “${before}”`, () => {
        const encoded = Buffer.from(`${before}${CANARY}"} and more`).toString(encoding);
        assert.notDeepEqual(found(`x${encoded}`), []);
      });

  it('is found when any of its bytes is the first one of another page', () => {
    for (let at = 1; at < CANARY.length; at++)
      assert.notDeepEqual(found(`${CANARY.slice(0, at)}${'\0'.repeat(64)}${CANARY.slice(at)}`), []);
  });

  it('is not found where it is not', () => assert.deepEqual(found('sk-canary and other keys: sk-1'), []));
});
