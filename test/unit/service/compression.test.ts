import assert from 'node:assert/strict';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { decompress } from '../../../src/service/compression.ts';
import { startCpu } from '../../support/growth.ts';
import { bytesOf, collectUntilError } from './wire.ts';

const readAs = (encoding: string, ...parts: readonly (Uint8Array | Error)[]) =>
  collectUntilError(
    decompress({ status: 200, headers: { 'content-encoding': encoding }, body: bytesOf(...parts) }).body,
  );

const read = (...parts: readonly (Uint8Array | Error)[]) => readAs('gzip', ...parts);

/** What the names of formats mean, with everything flushed. */
const FORMATS: Readonly<Record<string, readonly ((text: string) => Buffer)[]>> = {
  gzip: [(text) => gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH })],
  deflate: [
    (text) => deflateSync(text, { finishFlush: constants.Z_SYNC_FLUSH }),
    (text) => deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }),
    (text) => deflateRawSync(text, { strategy: constants.Z_FIXED }),
    (text) => deflateSync(text, { level: 1 }),
  ],
  br: [
    ...[0, 4, 11].map((quality) => (text: string) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      return brotliCompressSync(text, { params, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    }),
    (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 10 } }),
  ],
};

const TEXTS = [
  'data: {"id":"chatcmpl-1","choices":[{"delta":{"content":"é你"}}]}\n\n',
  '{"error":{"message":"m"}}',
  Array.from({ length: 4000 }, (_, i) => `data: piece ${i}\n\n`).join(''),
];

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

  it('is read in every format, however it is divided, with the error of a break after it', async () => {
    const reset = new Error('reset');
    for (const [name, ways] of Object.entries(FORMATS))
      for (const zip of ways)
        for (const text of TEXTS)
          for (const size of text.length > 1000 ? [500] : [1, 100]) {
            const zipped = zip(text);
            const parts: Uint8Array[] = [];
            for (let at = 0; at < zipped.length; at += size) parts.push(zipped.subarray(at, at + size));
            const whole = await readAs(name.toUpperCase(), ...parts);
            assert.equal(Buffer.concat(whole.all).toString(), text, name);
            assert.equal(whole.error, undefined, name);
            const broken = await readAs(`identity, ${name}`, ...parts, reset);
            assert.equal(Buffer.concat(broken.all).toString(), text, name);
            assert.equal(broken.error, reset, name);
          }
  });

  it('is read as gzip without its header, which some gateways remove', async () => {
    for (const text of TEXTS)
      for (const size of [1, 100]) {
        const zipped = gzipSync(text);
        const parts: Uint8Array[] = [];
        for (let at = 0; at < zipped.length; at += size) parts.push(zipped.subarray(at, at + size));
        for (const encoding of ['', 'identity']) {
          const { all, error } = await readAs(encoding, ...parts);
          assert.equal(Buffer.concat(all).toString(), text);
          assert.equal(error, undefined);
        }
      }
  });

  it('gives the first byte of one that isn’t compressed when it arrives', async () => {
    const body = async function* () {
      yield Buffer.from(':');
      await new Promise(() => undefined);
    };
    const { body: read } = decompress({ status: 200, headers: {}, body: body() });
    const first = await read[Symbol.asyncIterator]().next();
    assert.equal(String(first.value), ':');
  });

  it('is a beginning of the text in every format if it is cut off anywhere', async () => {
    for (const [name, ways] of Object.entries(FORMATS))
      for (const zip of ways) {
        const text = TEXTS[0] ?? '';
        const zipped = zip(text);
        for (let at = 0; at < zipped.length; at++) {
          const { all, error } = await readAs(name, zipped.subarray(0, at));
          // So few bytes can look like text.
          if (at >= 16)
            assert.ok(
              text.startsWith(new TextDecoder().decode(Buffer.concat(all)).replace(/\ufffd$/, '')),
              `${name} ${at}`,
            );
          assert.equal(error, undefined, `${name} ${at}`);
        }
      }
  });

  it('stays as it is if only its header says that it is compressed, or in a format that can’t be read', async () => {
    const bodies = [...TEXTS, '\ufeffdata: x\n\n', ': ping\n\n', '[', ''];
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br', ''])
      for (const body of bodies)
        for (const size of body.length > 1000 ? [500] : [1, 100]) {
          const bytes = Buffer.from(body);
          const parts: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
          const { all, error } = await readAs(encoding, ...parts);
          assert.equal(Buffer.concat(all).toString(), body, `${encoding} ${body.slice(0, 20)}`);
          assert.equal(error, undefined);
        }
  });

  it('gives what came before the damage of a damaged one, and then an error', async () => {
    const text = 'a line of text, '.repeat(1000);
    const good = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    const { all, error } = await read(good, Buffer.from('this is no part of a gzip'));
    assert.equal(Buffer.concat(all).toString(), text);
    assert.ok(error instanceof Error);
  });

  it('is not read again for what came before the damage if it is long: that would block the editor', async () => {
    const zipped = gzipSync(Buffer.alloc(64 * 1024 * 1024, ': ping\n\n'), {
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    const cpuOf = async (...parts: readonly Uint8Array[]) => {
      const worked = startCpu();
      const { all } = await read(...parts);
      assert.ok(Buffer.concat(all).length > 60 * 1024 * 1024);
      return worked();
    };
    const whole = await cpuOf(zipped);
    const damaged = await cpuOf(zipped, Buffer.from('this is no part of a gzip'));
    assert.ok(damaged < 4 * whole + 500, `${damaged} ms, ${whole} ms without damage`);
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
