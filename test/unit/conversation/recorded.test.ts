import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import type { Outcome, Turn } from '../../../src/conversation/turn.ts';
import { createClient } from '../../../src/service/client.ts';
import { bytesOf, NEVER, REQUEST, ROUTE } from '../service/wire.ts';
import { FACTS } from './turns.ts';

const FOLDER = new URL('../../fixtures/wire/', import.meta.url);

/** Converts bytes to a turn that has ended. */
async function toTurn(...pieces: readonly Uint8Array[]): Promise<Turn> {
  const client = createClient({
    transport: async () => ({ status: 200, headers: {}, body: bytesOf(...pieces) }),
    route: ROUTE,
    key: 'k',
  });
  let turn = createTurn('t', 0, FACTS);
  for await (const step of runTurn({ client, now: () => 0 }, turn, REQUEST, NEVER)) turn = step.turn;
  return turn;
}

const REASONING = 'The user asks in German. „Grüße“ 你好 🙂.';
const ANSWER = 'Grüße, 你好 🙂!';

interface Expected {
  readonly outcome: Outcome;
  readonly notices?: readonly string[];
  readonly answer?: string;
  readonly name?: string;
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  complete: { outcome: 'complete' },
  'complete-crlf-bom-no-space': { outcome: 'complete' },
  'complete-bare-cr': { outcome: 'complete' },
  'keep-alives': { outcome: 'complete' },
  'usage-in-choice-and-again': { outcome: 'complete' },
  'renamed-reasoning': { outcome: 'complete', name: 'reasoning' },
  'think-tags': { outcome: 'complete', name: 'tags' },
  'spent-on-reasoning': { outcome: 'spent-on-reasoning', notices: ['spent-on-reasoning'], answer: '' },
  truncated: { outcome: 'truncated', notices: ['truncated'] },
  'no-done': { outcome: 'interrupted', notices: ['interrupted'] },
  'no-usage': { outcome: 'complete', notices: ['usage-missing'] },
  substituted: { outcome: 'complete', notices: ['model-substituted'] },
  'error-mid-stream': { outcome: 'failed', notices: ['failed'], answer: 'Grüße, ' },
  'tool-calls': { outcome: 'complete', answer: '' },
};

describe('A recorded stream', () => {
  it('has an expected result', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sse'));
    assert.deepEqual(files.map((file) => file.slice(0, -4)).sort(), Object.keys(EXPECTED).sort());
  });

  for (const [file, expected] of Object.entries(EXPECTED)) {
    it(`${file} is ${expected.outcome} and gives the same turn wherever its bytes are split`, async () => {
      const bytes = new Uint8Array(readFileSync(new URL(`${file}.sse`, FOLDER)));
      const whole = await toTurn(bytes);
      assert.equal(whole.outcome, expected.outcome);
      assert.deepEqual(
        toNotices(whole, undefined).map((notice) => notice.code),
        expected.notices ?? [],
      );
      assert.equal(whole.reasoning, REASONING);
      assert.equal(whole.reasoningName, expected.name ?? 'reasoning_content');
      assert.equal(whole.answer, expected.answer ?? ANSWER);
      if (whole.usage !== undefined) assert.equal(whole.usage.totalTokens, 49);
      if (file === 'tool-calls') {
        assert.deepEqual(
          whole.toolCalls.map((call) => [call.id, call.name, call.arguments]),
          [
            ['functions.read:0', 'read', '{"path":"src/ä.ts"}'],
            ['functions.list:1', 'list', '{}'],
          ],
        );
      }
      for (let at = 1; at < bytes.length; at++) {
        assert.deepEqual(await toTurn(bytes.subarray(0, at), bytes.subarray(at)), whole, `cut at ${at}`);
      }
      assert.deepEqual(await toTurn(...Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))), whole);
    });

    it(`${file} keeps every complete event and is not complete if it ends early at any byte`, async () => {
      const bytes = new Uint8Array(readFileSync(new URL(`${file}.sse`, FOLDER)));
      const whole = await toTurn(bytes);
      for (let length = 0; length < bytes.length; length += 7) {
        const part = await toTurn(bytes.subarray(0, length));
        assert.notEqual(part.outcome, undefined);
        // An incomplete tag at the end is text, because it could be text.
        const withoutHalfTag = (text: string) => text.replace(/<\/?[a-z]*$/, '');
        assert.ok(whole.answer.startsWith(withoutHalfTag(part.answer)), `answer after ${length}`);
        assert.ok(whole.reasoning.startsWith(withoutHalfTag(part.reasoning)), `reasoning after ${length}`);
        if (part.outcome === 'complete') assert.notEqual(part.finishReason, undefined);
      }
    });
  }
});
