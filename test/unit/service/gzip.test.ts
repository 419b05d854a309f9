import assert from 'node:assert/strict';
import { constants, gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { decompress } from '../../../src/service/gzip.ts';
import { bytesOf, collectUntilError } from './wire.ts';

const read = (...parts: readonly (Uint8Array | Error)[]) =>
  collectUntilError(
    decompress({ status: 200, headers: { 'content-encoding': 'gzip' }, body: bytesOf(...parts) }).body,
  );

describe('A compressed body', () => {
  it('E8 gives everything that had arrived when the stream breaks, and then the error', async () => {
    const text = Array.from({ length: 4000 }, (_, i) => `data: piece ${i}\n\n`).join('');
    const zipped = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    const reset = new Error('reset');
    for (const size of [zipped.length, 1000]) {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < zipped.length; at += size) parts.push(zipped.subarray(at, at + size));
      const { all, error } = await read(...parts, reset);
      assert.equal(Buffer.concat(all).toString(), text);
      assert.equal(error, reset);
    }
  });

  it('gives what came before the damage of a damaged one, and then an error', async () => {
    const text = 'a line of text, '.repeat(1000);
    const good = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    const { all, error } = await read(good, Buffer.from('this is no part of a gzip'));
    assert.equal(Buffer.concat(all).toString(), text);
    assert.ok(error instanceof Error);
  });

  it('gives what came in the same part as the damage, up to the damaged byte', async () => {
    const text = 'data: {"finish_reason":"stop"}\n\n'.repeat(50);
    const good = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    const damage = Buffer.from('ff'.repeat(10), 'hex');
    for (const cut of [1, 15, good.length - 5, good.length]) {
      const { all, error } = await read(good.subarray(0, cut), Buffer.concat([good.subarray(cut), damage]));
      assert.equal(Buffer.concat(all).toString(), text, `cut at ${cut}`);
      assert.ok(error instanceof Error);
    }
  });
});
