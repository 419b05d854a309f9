import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { dialectsOf } from '../../../../src/conversation/answerFormats/schemaDialects.ts';

describe('The dialect of a schema', () => {
  const countOf = (address: unknown) => dialectsOf(address).length;

  it('is that of its address, with any protocol and with or without # at the end', () => {
    const place = 'json-schema.org/draft-07/schema';
    for (const address of [`http://${place}`, `https://${place}#`, `HTTP://${place}#`])
      assert.equal(countOf(address), 1, address);
  });

  it('is unknown for any other address, also one with # in the middle', () => {
    for (const address of ['http://json-schema.org/#draft-07/schema', 'http://example.com/', 7])
      assert.equal(countOf(address), 0, String(address));
  });
});
