import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseProgramArguments } from '../../../src/emulator/arguments.ts';
import { splitText } from '../../../src/emulator/frames.ts';
import { parseImage } from '../../../src/emulator/images.ts';
import { toSegments } from '../../../src/emulator/promptCache.ts';
import { countTokens, truncateToTokens } from '../../../src/emulator/tokens.ts';

describe("The emulator's token count", () => {
  it('is a quarter per ASCII character, rounded up, and one per other character', () => {
    assert.deepEqual(
      ['', 'a', 'abcd', 'abcde', '漢字', '🙂', 'ab漢'].map(countTokens),
      [0, 1, 1, 2, 2, 1, 2],
    );
  });

  it('truncates a text at a number of tokens, but never splits a character', () => {
    assert.equal(truncateToTokens('abcdefgh', 1), 'abcd');
    assert.equal(truncateToTokens('🙂🙂🙂', 2), '🙂🙂');
    assert.equal(truncateToTokens('abc', 0), '');
    const text = 'Some text, 漢字 and 🙂.';
    for (let tokens = 0; tokens < 20; tokens++)
      assert.ok(countTokens(truncateToTokens(text, tokens)) <= tokens);
  });
});

describe('The deltas of a stream', () => {
  it('can be joined to the original text', () => {
    for (const text of ['', ' ', 'a', '  a b\n\nc  ', `${'x'.repeat(100)} y`, '🙂'.repeat(60), '\n\n```\n']) {
      assert.equal(splitText(text).join(''), text);
    }
  });
});

describe('The header of an image', () => {
  const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
    Buffer.concat(
      parts.map((part) => Buffer.from(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    );

  it('has its type and size', () => {
    const gif = bytes('GIF89a', [10, 0, 20, 0]);
    assert.deepEqual(parseImage(gif), { kind: 'GIF', width: 10, height: 20 });
    const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 6, 1, 1]);
    assert.deepEqual(parseImage(jpeg), { kind: 'JPEG', width: 6, height: 5 });
    const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 0, 0, 0, 0, 9], [8, 6, 0, 0, 0]);
    assert.deepEqual(parseImage(png), { kind: 'PNG', width: 256, height: 9 });
    const webp = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0], [99, 0, 0, 49, 0, 0]);
    assert.deepEqual(parseImage(webp), { kind: 'WebP', width: 100, height: 50 });
  });

  it('is recognized when the image is incomplete, but not for other formats', () => {
    assert.deepEqual(parseImage(bytes('GIF87a')), { kind: 'GIF', width: undefined, height: undefined });
    for (const [kind, cut] of [
      ['PNG', bytes('\x89PNG\r\n\x1a\n', [0, 0])],
      ['JPEG', bytes([0xff, 0xd8, 0xff, 0xe0, 0])],
      ['WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBP')],
    ] as const)
      assert.deepEqual(parseImage(cut), { kind, width: undefined, height: undefined });
    for (const other of ['<svg xmlns="', 'BM\0\0\0\0', 'II*\0', '\0\0\0\x20ftypavif', '']) {
      assert.equal(parseImage(bytes(other)), undefined);
    }
  });
});

describe('A prompt that is remembered for its cached tokens', () => {
  it('has a hash in place of each image, of which several can have many megabytes', () => {
    const imageOf = (sign: string) => {
      const url = `data:image/png;base64,${sign.repeat(1_000_000)}`;
      return { type: 'image_url', image_url: { url } };
    };
    const content = [imageOf('A'), imageOf('B'), imageOf('A'), { type: 'text', text: 'What is it?' }];
    const message = {
      role: 'user',
      text: '',
      images: [],
      calls: [],
      raw: { role: 'user', content },
    } as const;
    const segments = toSegments({
      messages: [message],
      tools: [],
      format: { type: 'text' },
      budget: 1,
      effort: undefined,
      stream: true,
      includeUsage: true,
    });
    const [, first, second, third, text] = segments.map((segment) => segment.text);
    assert.equal(text, 'What is it?');
    assert.ok(segments.every((segment) => segment.text.length < 100));
    assert.ok(first === third && first !== second);
  });
});

describe("The emulator's command line", () => {
  it('has defaults for all flags', () => {
    assert.deepEqual(parseProgramArguments([]), {
      ok: true,
      options: { port: 0, route: 'direct', key: 'k3-demo-key', firstTokenDelayMs: 600 },
    });
  });

  it('accepts each flag', () => {
    const parsed = parseProgramArguments([
      '--port',
      '80',
      '--route=gateway',
      '--key',
      'k',
      '--tokens-per-second',
      '5',
    ]);
    assert.deepEqual(parsed, {
      ok: true,
      options: { port: 80, route: 'gateway', key: 'k', firstTokenDelayMs: 600, tokensPerSecond: 5 },
    });
  });

  it('reports the invalid flag', () => {
    const wrong = [
      ['--port', 'x'],
      ['--port', '70000'],
      ['--route', 'sideways'],
      ['--key', ''],
      ['--tokens-per-second', '-1'],
      ['--speed', '3'],
    ];
    for (const args of wrong) {
      const parsed = parseProgramArguments(args);
      assert.ok(!parsed.ok && parsed.problem.includes(args[0] ?? ''), args.join(' '));
    }
    const bare = parseProgramArguments(['--port', '--key']);
    assert.ok(!bare.ok && bare.problem.includes('--port'));
  });
});
