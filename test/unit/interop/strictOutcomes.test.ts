/** The outcomes that the strict service brings about, on both routes, and what the reader is told. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import type { Message } from '../../../src/service/types.ts';
import { startForeignService } from '../../foreign/service.ts';
import { toShownTurn } from '../../support/shownTurn.ts';
import { EXPECTED } from '../../support/strictOutcomes.ts';
import { exchangeOf } from '../conversation/turns.ts';
import { askTurn } from './askTurn.ts';

const KEY = 'key-for-this-test';

for (const kind of ['direct', 'gateway'] as const)
  describe(`The outcome of a turn with a strict service, on the route “${kind}”`, () => {
    let service: Awaited<ReturnType<typeof startForeignService>>;
    before(async () => {
      service = await startForeignService({ route: kind, key: KEY, pace: 0 });
    });
    after(() => service.close());

    for (const { marker, outcome, message, requests = 1 } of EXPECTED)
      it(`is ${outcome} with ${marker}`, async () => {
        const earlier = service.requests.length;
        const { turn } = await askTurn({
          url: service.url,
          key: KEY,
          kind,
          messages: `Tell me [[${marker}]]`,
        });
        assert.equal(turn.outcome, outcome, JSON.stringify(turn.failure));
        assert.equal(service.requests.length - earlier, requests);
        const shown = toShownTurn(turn);
        assert.equal(shown.outcome, outcome);
        if (message !== undefined) assert.match(shown.text, message);
      });

    it('R11 R4 is followed by a question with the same bytes before it, including the reasoning', async () => {
      const text = 'What is a good name for a boat?';
      const ask = (messages: readonly Message[]) => askTurn({ url: service.url, key: KEY, kind, messages });
      const { turn } = await ask(toMessages('Be brief.', [], { text, images: [] }));
      const first = service.requests.at(-1)?.text ?? '';
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      assert.ok(turn.reasoning.length > 0 && turn.answer.length > 0);
      const next = { text: 'And for a second one?', images: [] };
      const { turn: another } = await ask(toMessages('Be brief.', [exchangeOf(text, turn)], next));
      assert.equal(another.outcome, 'complete', JSON.stringify(another.failure));
      const second = service.requests.at(-1)?.text ?? '';
      const prefix = first.slice(0, first.indexOf(']', first.indexOf('"messages"')));
      assert.ok(prefix.length > 40 && second.startsWith(prefix), `${prefix}\n${second}`);
      assert.ok(second.includes(`"reasoning_content":${JSON.stringify(turn.reasoning)}`), second);
    });

    it('comes without errors in the requests', () => {
      // The client of this test does not wait before it tries again.
      assert.deepEqual(
        service.violations.filter((line) => !/ms were due \(E6\)$/.test(line)),
        [],
      );
    });
  });
