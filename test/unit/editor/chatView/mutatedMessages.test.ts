import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodePageMessage } from '../../../../src/editor/chatView/webviewMessages.ts';
import { describeWrong } from '../../../../src/validation/decode.ts';
import { damageJson, jsonDamage, runsOf } from '../../../support/mutations.ts';

const MESSAGES: readonly object[] = [
  { type: 'send', text: 'Hello' },
  { type: 'editing', before: 'e0', editing: { exchangeId: 'e1', text: 'Why not?' } },
  { type: 'attach-images', images: [{ name: 'a.png', size: 3, error: 'It is gone.' }] },
  {
    type: 'attach-context',
    references: [{ kind: 'symbol', uri: 'file:///a', name: 'f', startLine: 0, endLine: 2 }],
  },
  { type: 'tool-decision', approval: 'a1', decision: 'always' },
  { type: 'omit-image', exchangeId: 'e1', index: 0, omits: true },
  { type: 'show-version', exchangeId: 'e1', version: 1 },
  { type: 'action', action: 'retry', turnId: 't1' },
];

const said = fc.oneof(
  fc.anything(),
  fc
    .tuple(fc.constantFrom(...MESSAGES), fc.array(jsonDamage, { minLength: 1, maxLength: 3 }))
    .map(([message, damage]) => damage.reduce<unknown>(damageJson, { message, conversationId: 'c1' })),
);

describe('A damaged message of the page', () => {
  it('is refused with the field that is wrong, or has nothing but what its type says', () => {
    fc.assert(
      fc.property(said, (value) => {
        const decoded = decodePageMessage(value);
        if (!decoded.ok) {
          assert.notEqual(describeWrong(decoded.wrong), '');
          return;
        }
        const { message, conversationId } = decoded.value;
        assert.ok(conversationId === undefined || typeof conversationId === 'string');
        // Decoded again, nothing is taken away: there is nothing that was not checked.
        const again = decodePageMessage({ message, conversationId });
        assert.ok(again.ok);
        assert.deepEqual(again.value.message, message);
      }),
      runsOf(500),
    );
  }).timeout(3_600_000);
});
