/** A whole JSON reply that ends or breaks in the middle of a character (R9). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bytesOf, readBodyOf, sumOf, utf8 } from './wire.ts';

const TEXT = 'Gr\u00fc\u00dfe \u{1f600}\u{1f600} \ufffd end';
/** With each character outside ASCII as it is, and as an escape. */
const escaped = (json: string): string =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const textsOf = async (body: Uint8Array, isBroken: boolean) => {
  const { events } = await readBodyOf(bytesOf(body, ...(isBroken ? [new Error('reset')] : [])));
  const { reasoning, answer } = sumOf(events) as { reasoning: string; answer: string };
  return { reasoning, answer };
};

describe('A whole reply that is cut off in a character', () => {
  for (const name of ['content', 'reasoning_content'])
    it(`R9 has only whole characters of ${name}, wherever it is cut off`, async () => {
      const json = JSON.stringify({ choices: [{ index: 0, message: { [name]: TEXT } }] });
      for (const [whole, isBroken] of [json, escaped(json)].flatMap(
        (one) =>
          [
            [utf8(one), false],
            [utf8(one), true],
          ] as const,
      ))
        for (let end = 1; end < whole.length; end++) {
          const { reasoning, answer } = await textsOf(whole.subarray(0, end), isBroken);
          const found = name === 'content' ? answer : reasoning;
          const at = `${JSON.stringify(found)} at ${end}`;
          assert.ok(TEXT.startsWith(found) && found.isWellFormed(), at);
        }
    });

  it('keeps a replacement character of the service', async () => {
    const begun = utf8('{"choices":[{"message":{"content":"a\ufffd');
    for (const isBroken of [false, true]) assert.equal((await textsOf(begun, isBroken)).answer, 'a\ufffd');
  });

  it('has no text if only a half of its first character arrived', async () => {
    const begun = utf8('{"choices":[{"message":{"reasoning_content":"\\ud83d');
    assert.deepEqual(await textsOf(begun, true), { reasoning: '', answer: '' });
  });

  it('keeps the last character of its reasoning if its answer is cut off in one', async () => {
    const begun = utf8('{"choices":[{"message":{"reasoning_content":"a\u{1f600}","content":"b\\ud83d');
    assert.deepEqual(await textsOf(begun, true), { reasoning: 'a\u{1f600}', answer: 'b' });
  });

  it('keeps half a character that the service sent in a whole text', async () => {
    const begun = utf8('{"choices":[{"message":{"reasoning_content":"a\\ud83d","content":"b');
    assert.deepEqual(await textsOf(begun, true), { reasoning: 'a\ud83d', answer: 'b' });
  });
});
