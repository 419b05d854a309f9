import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import { buildSync } from 'esbuild';
import { after, describe, it } from 'mocha';
import { readImageHeader } from '../../../../src/conversation/images/imageHeader.ts';
import { IMAGE_LIMITS, type ImageLimits } from '../../../../src/conversation/images/imagePlan.ts';
import { createImageScaler, type ExaminedImage } from '../../../../src/editor/images/imageScaler.ts';
import {
  animatedPng,
  animatedWebp,
  extendedWebp,
  makeGif,
  makeGrayPng,
  makePng,
  pngWithOrientation,
  withOrientation,
} from '../../../support/pictures.ts';

const folder = mkdtempSync(join(tmpdir(), 'k3-codecs-'));
/** One file, as in the package: each image has its own thread, which would read all modules again. */
const worker = pathToFileURL(join(folder, 'imageWorker.mjs'));
buildSync({
  entryPoints: [fileURLToPath(new URL('../../../../src/editor/images/imageWorker.ts', import.meta.url))],
  outfile: fileURLToPath(worker),
  bundle: true,
  platform: 'node',
  format: 'esm',
  // For libraries that are CommonJS.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
/** A file of a library, compressed as in the package. */
function library(path: string): string {
  const compressed = join(folder, `${basename(path)}.br`);
  const bytes = readFileSync(new URL(`../../../../node_modules/@jsquash/${path}`, import.meta.url));
  writeFileSync(compressed, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }));
  return compressed;
}
const codecs = {
  jpeg: library('jpeg/codec/dec/mozjpeg_dec.wasm'),
  webp: library('webp/codec/dec/webp_dec.wasm'),
  resize: library('resize/lib/resize/pkg/squoosh_resize_bg.wasm'),
};
after(() => rmSync(folder, { recursive: true, force: true }));
const log = { warn: () => undefined };
const scaler = createImageScaler({ worker, codecs, log });
const examine = (bytes: Uint8Array, limits: ImageLimits = IMAGE_LIMITS) =>
  scaler.examine(bytes, limits, new AbortController().signal);

/** A tenth of the limits, for images that are a hundredth. */
const FEW_PIXELS: ImageLimits = { ...IMAGE_LIMITS, edge: 200 };

const toBytes = (address: string) => Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');

function headerOf(examined: ExaminedImage, part: 'url' | 'thumbnail' = 'url') {
  assert.ok(examined.ok, JSON.stringify(examined));
  const header = readImageHeader(toBytes(examined[part]));
  assert.ok(header);
  return header;
}

function pixelsOf(examined: ExaminedImage): Uint8Array {
  return PhotonImage.new_from_byteslice(toBytes(examined.ok ? examined.url : '')).get_raw_pixels();
}

const refusalOf = (examined: ExaminedImage) => (examined.ok ? undefined : examined.refusal.kind);

/** 8 × 8 pixels of one color, as Pillow writes them. */
const CMYK_JPEG =
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwBQNzxGPDJQRkFGWlVQX3jIgnhubnj1r7mRyP///////////////////////////////////////////////////8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAME/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwC0AFb/2Q==';

describe('An image that is sent', () => {
  it('is unchanged when it is within the limits, whatever its type', async () => {
    const png = makePng(40, 30);
    const made = PhotonImage.new_from_byteslice(png);
    for (const bytes of [png, made.get_bytes_jpeg(90), made.get_bytes_webp(), makeGif(1), makeGif(3)]) {
      const examined = await examine(bytes);
      assert.ok(examined.ok, JSON.stringify(examined));
      assert.deepEqual(toBytes(examined.url), Buffer.from(bytes));
      assert.equal(examined.scaling, undefined);
    }
  });

  it('has the trailer of a GIF also if the file does not', async () => {
    const examined = await examine(makeGif(2).subarray(0, -1));
    assert.ok(examined.ok, JSON.stringify(examined));
    assert.deepEqual(toBytes(examined.url), makeGif(2));
  });

  it('has a thumbnail', async () => {
    const { width, height } = headerOf(await examine(makePng(400, 200)), 'thumbnail');
    assert.deepEqual([width, height], [96, 48]);
  });

  it('is scaled from 40 megapixels to 2,000 pixels without blocking the calling thread', async () => {
    // A long strip, because the result costs as well.
    const bytes = makeGrayPng(40_000, 1000);
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    const examined = await examine(bytes);
    clearInterval(ticking);
    assert.ok(examined.ok, JSON.stringify(examined));
    assert.deepEqual(examined.scaling, {
      from: { width: 40_000, height: 1000, bytes: bytes.byteLength },
      to: { width: 2000, height: 50, bytes: toBytes(examined.url).byteLength },
      stilled: false,
    });
    const header = headerOf(examined);
    assert.deepEqual([header.type, header.width, header.height], ['png', 2000, 50]);
    // A blocked thread would hardly tick, however slow the machine is.
    assert.ok(ticks > 10, `${ticks} ticks`);
  });

  it('stays a PNG with transparency when it is small enough', async () => {
    const examined = await examine(makePng(300, 30, { opacity: 128 }), FEW_PIXELS);
    const picture = PhotonImage.new_from_byteslice(toBytes(examined.ok ? examined.url : ''));
    assert.equal(headerOf(examined).type, 'png');
    assert.equal(picture.get_raw_pixels()[3], 128);
  });

  it('becomes a JPEG on white, with the highest quality that fits, when a PNG is too large', async () => {
    const limits = { edge: 2000, bytes: 50_000 };
    const examined = await examine(makePng(300, 300, { opacity: 0, noise: true }), limits);
    assert.equal(headerOf(examined).type, 'jpeg');
    const bytes = toBytes(examined.ok ? examined.url : '');
    assert.ok(bytes.byteLength <= limits.bytes);
    assert.ok((PhotonImage.new_from_byteslice(bytes).get_raw_pixels()[0] ?? 0) > 250, 'white');
  });

  it('is scaled down further when it is too large with the lowest quality', async () => {
    const limits = { edge: 2000, bytes: 2500 };
    const examined = await examine(makePng(150, 150, { noise: true }), limits);
    const header = headerOf(examined);
    assert.ok(header.width < 150 && toBytes(examined.ok ? examined.url : '').byteLength <= limits.bytes);
  });

  it('is rotated upright when it is scaled', async () => {
    const jpeg = PhotonImage.new_from_byteslice(makePng(300, 100)).get_bytes_jpeg(90);
    const examined = await examine(withOrientation(jpeg, 6), FEW_PIXELS);
    const { width, height, orientation } = headerOf(examined);
    assert.deepEqual([width, height, orientation], [67, 200, 1]);
    assert.deepEqual(
      examined.ok && [examined.scaling?.from.width, examined.scaling?.from.height],
      [100, 300],
    );
  });

  it('is rotated upright when it is a PNG or WebP', async () => {
    const png = makePng(300, 100);
    const webp = PhotonImage.new_from_byteslice(png).get_bytes_webp();
    for (const bytes of [
      pngWithOrientation(png, 6),
      extendedWebp(webp, { width: 300, height: 100, orientation: 6 }),
    ]) {
      const { width, height, orientation, type } = headerOf(await examine(bytes, FEW_PIXELS));
      assert.deepEqual([width, height, orientation], [67, 200, 1], type);
    }
  });

  it('loses its animation when it is a PNG that is scaled, which is reported', async () => {
    const examined = await examine(animatedPng(makePng(300, 10), 3), FEW_PIXELS);
    assert.equal(examined.ok && examined.scaling?.stilled, true);
    assert.equal(headerOf(examined).animated, false);
  });

  it('may be followed by data that a program has appended to it', async () => {
    const bytes = Buffer.concat([makePng(30, 10), Buffer.from('tool: 7')]);
    const examined = await examine(bytes);
    assert.deepEqual(toBytes(examined.ok ? examined.url : ''), bytes);
  });

  it('keeps its animation when it is a PNG within the limits', async () => {
    const bytes = animatedPng(makePng(30, 10), 3);
    const examined = await examine(bytes);
    assert.deepEqual(toBytes(examined.ok ? examined.url : ''), bytes);
  });
});

describe('An image that is scaled', () => {
  it('is the first frame of an animated WebP, with its transparency', async () => {
    const frame = PhotonImage.new_from_byteslice(makePng(300, 30, { opacity: 128 })).get_bytes_webp();
    const bytes = animatedWebp(frame, { width: 300, height: 30, frames: 2 });
    const examined = await examine(bytes, { edge: 150, bytes: 100_000 });
    assert.equal(examined.ok && examined.scaling?.stilled, true);
    const { width, height, animated } = headerOf(examined);
    assert.deepEqual([width, height, animated], [150, 15, false]);
    assert.equal(pixelsOf(examined)[3], 128);
  });

  it('shows the same picture whatever its type', async () => {
    const made = PhotonImage.new_from_byteslice(makePng(400, 200));
    for (const bytes of [makePng(400, 200), made.get_bytes_jpeg(95), made.get_bytes_webp()]) {
      const pixels = pixelsOf(await examine(bytes, { edge: 100, bytes: 100_000 }));
      // A row of the picture goes from dark to bright in red.
      const reds = [0, 25, 50, 75, 99].map((x) => pixels[(25 * 100 + x) * 4] ?? -1);
      for (const [i, expected] of [1, 65, 128, 192, 254].entries())
        assert.ok(Math.abs((reds[i] ?? 0) - expected) < 8, `${reds}`);
    }
  });
});

describe('An image that is not sent', () => {
  it('is damaged: truncated or with changed bytes', async () => {
    const png = makePng(200, 200, { noise: true });
    const picture = PhotonImage.new_from_byteslice(png);
    const jpeg = picture.get_bytes_jpeg(90);
    const webp = picture.get_bytes_webp();
    const damaged = png.map((byte, i) => (i > 5000 && i < 5100 ? byte ^ 0x5a : byte));
    const cut = [png, jpeg, webp, makeGif(3)].map((bytes) => bytes.subarray(0, bytes.byteLength - 20));
    for (const bytes of [damaged, ...cut, png.subarray(0, 20), jpeg.subarray(0, 4)])
      assert.equal(refusalOf(await examine(bytes)), 'damaged');
  });

  it('has more than 100 megapixels according to its header', async () => {
    const bomb = makePng(1, 1);
    bomb.writeUInt32BE(50_000, 16);
    bomb.writeUInt32BE(50_000, 20);
    assert.equal(refusalOf(await examine(bomb)), 'too-many-pixels');
  });

  it('is a JPEG of a kind that the decoder doesn’t take, with its size in its header: of CMYK colors, 12 bits, or lossless', async () => {
    const cmyk = Buffer.from(CMYK_JPEG, 'base64');
    const frame = cmyk.indexOf(Buffer.from([0xff, 0xc0]));
    const [bits12, lossless] = [Buffer.from(cmyk), Buffer.from(cmyk)];
    bits12[frame + 9] = 3;
    bits12[frame + 4] = 12;
    lossless[frame + 9] = 3;
    lossless[frame + 1] = 0xc3;
    for (const bytes of [cmyk, bits12, lossless])
      assert.deepEqual(await examine(bytes), {
        ok: false,
        refusal: { kind: 'other-type', type: 'JPEG (CMYK…)' },
      });
  });

  it('has an unsupported type', async () => {
    const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>');
    assert.deepEqual(await examine(svg), { ok: false, refusal: { kind: 'other-type', type: 'SVG' } });
  });

  it('takes too long; the next one is still checked', async () => {
    const hurried = createImageScaler({ worker, codecs, log, timeoutMs: 1 });
    const { signal } = new AbortController();
    assert.equal(refusalOf(await hurried.examine(makePng(9, 9), IMAGE_LIMITS, signal)), 'scaling-failed');
    assert.ok((await examine(makePng(9, 9))).ok);
  });

  it('ends the worker', async () => {
    const broken = createImageScaler({
      worker: new URL('data:text/javascript,process.exit(3)'),
      codecs,
      log,
    });
    const { signal } = new AbortController();
    assert.equal(refusalOf(await broken.examine(makePng(9, 9), IMAGE_LIMITS, signal)), 'scaling-failed');
  });

  it('is canceled while it waits or is being scaled', async () => {
    const control = new AbortController();
    const both = [1, 2].map(() => scaler.examine(makePng(9, 9), IMAGE_LIMITS, control.signal));
    control.abort();
    assert.deepEqual((await Promise.all(both)).map(refusalOf), ['cancelled', 'cancelled']);
  });
});
