import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLinesBefore } from '../../../src/service/linesBefore.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

describe('A line of text in a stream', () => {
  it('is searched in time in proportion to the text, whatever repeats in it', () => {
    const search = (length: number) => {
      const line = 'a'.repeat(length);
      const text = `data: ${'a'.repeat(2 * length)}\n\n${line}\n`;
      return () => {
        const lines = createLinesBefore();
        lines.read(text, 'data:');
        assert.equal(lines.isData(line), false);
      };
    };
    assert.ok(growthOf(search, (run) => run(), 20_000) < LINEAR);
  });
});
