import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estimateParts } from '../../../../src/conversation/otherChats/otherParts.ts';
import { data, GIF, result, text } from '../otherTurns.ts';

describe('Parts of a message of another chat', () => {
  it('are estimated by their text and images', () => {
    assert.equal(estimateParts([text('Twelve chars'), data('image/png', GIF)]), 3 + 2000);
    assert.equal(estimateParts([result('a', text('Twelve chars'))]), 3);
  });
});
