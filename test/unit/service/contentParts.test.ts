import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mayNeedContentParts, toContentParts } from '../../../src/service/contentParts.ts';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors.ts';
import type { Message } from '../../../src/service/types.ts';

const image = { type: 'image_url', image_url: { url: 'ms://f1' } } as const;
const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
const MIXED: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'assistant', reasoning_content: 'I look.', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'a wall' },
  { role: 'assistant', content: '<think>so</think>A wall.', reasoning_details: [] },
  { role: 'user', content: [image, { type: 'text', text: 'And?' }] },
];
const TEXT: readonly Message[] = [{ role: 'user', content: 'Why?' }];

describe('Q5 Content as arrays', () => {
  it('has the same text, in every message with a content, and the same order of fields', () => {
    assert.equal(
      JSON.stringify(toContentParts(MIXED)),
      JSON.stringify([
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        MIXED[1],
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'a wall' }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: '<think>so</think>A wall.' }],
          reasoning_details: [],
        },
        MIXED[4],
      ]),
    );
  });

  it('is the same object when there is no image or no string, so that it can be sent again and again', () => {
    assert.equal(toContentParts(TEXT), TEXT);
    const parts = toContentParts(MIXED);
    assert.equal(toContentParts(parts), parts);
  });

  it('may be needed after an invalid request with an image and a string, and after no other failure', () => {
    const mayAfter = (kind: ServiceErrorKind, status: number, messages = MIXED) =>
      mayNeedContentParts(new ServiceError(kind, { status }), messages);
    assert.ok(mayAfter('invalid-request', 400));
    assert.ok(mayAfter('invalid-request', 422));
    assert.equal(mayAfter('invalid-request', 400, TEXT), false);
    assert.equal(mayAfter('invalid-request', 400, toContentParts(MIXED)), false);
    // The answer began, and may have been billed.
    assert.equal(mayAfter('invalid-request', 200), false);
    for (const kind of ['too-large', 'filtered', 'context-overflow', 'bad-key', 'rate-limited'] as const)
      assert.equal(mayAfter(kind, 400), false, kind);
    assert.equal(mayNeedContentParts(new Error('invalid'), MIXED), false);
  });
});
