/** Answers of a server whose bodies end with their connection, as those of HTTP/1.0. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chunkOf, serve, sse } from '../service/wire.ts';
import { askTurn } from './askTurn.ts';

const CALL = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } };

describe('An answer whose body has no length', () => {
  for (const [what, chunks] of [
    ['text arrives', [chunkOf({ content: 'half' })]],
    ['calls arrive', [chunkOf({ content: 'half' }), chunkOf({ tool_calls: [CALL] })]],
  ] as const) {
    it(`E9 is stopped while ${what}, and stalled when nothing more comes, with its text`, async () => {
      const server = await serve((_, response) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\n\r\n${sse(...chunks)}`);
      });
      const stop = new AbortController();
      const stopped = await askTurn({
        url: server.origin,
        messages: 'Why?',
        signal: stop.signal,
        onTurn: ({ answer }) => answer !== '' && stop.abort(),
      });
      const silent = await askTurn({ url: server.origin, messages: 'Why?', silentMs: 100 });
      await server.close();
      assert.deepEqual([stopped.turn.outcome, stopped.turn.answer], ['stopped', 'half']);
      assert.deepEqual([silent.turn.outcome, silent.turn.answer], ['stalled', 'half']);
      assert.equal(silent.turn.failure?.kind, 'silent');
    });
  }
});
