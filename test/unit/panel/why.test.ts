import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toStepTexts } from '../../../src/panel/reasoningSteps.ts';
import { termsOf } from '../../../src/panel/terms.ts';
import { createStepIndex } from '../../../src/panel/why.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

const STEPS = [
  'The user asks why the client gives up. Let me look at the code first.',
  'In src/net/client.ts the loop uses `retryLimit`, which is 3 by default, so four requests go out.',
  'The delay doubles each time: 500 ms, then 1,000 ms, then 2,000 ms. That is exponential backoff.',
  'A timeout of 30 s is set on the socket, and it includes the delays. That is the bug.',
  'I should answer with the two changes and a short test.',
];
const index = createStepIndex(STEPS);
const stepsFor = (words: string) => index.rank(words).map(({ index, strength }) => `${index} ${strength}`);

describe('Why?', () => {
  it('finds the step that mentions the words, in whatever form they are written', () => {
    assert.deepEqual(stepsFor('the backoff is exponential'), ['2 strong']);
    assert.deepEqual(stepsFor('RETRY_LIMIT'), ['1 strong']);
    assert.deepEqual(stepsFor('the limit of retries'), ['1 strong']);
    assert.deepEqual(stepsFor('retryLimit'), ['1 strong']);
    assert.deepEqual(stepsFor('src/net/client.ts'), ['1 strong']);
    assert.deepEqual(stepsFor('waits 1000 ms'), ['2 strong']);
    assert.deepEqual(stepsFor('The socket’s timeouts'), ['3 strong']);
  });

  it('finds letters with marks in both of their forms, and knows where they are', () => {
    for (const word of ['Café', 'ÉCOLE', '데이터베이스', 'がぎぐげご'])
      for (const [step, words] of [
        [word.normalize('NFC'), word.normalize('NFD')],
        [word.normalize('NFD'), word.normalize('NFC')],
      ] as const) {
        const text = `Look at ${step} first.`;
        assert.deepEqual(
          createStepIndex(['Other step.', text])
            .rank(words)
            .map(({ index: at, strength }) => [at, strength]),
          [[1, 'strong']],
          word,
        );
        const places = [...termsOf(text)].map(({ start, end }) => text.slice(start, end));
        assert.ok(
          places.some((place) => step.startsWith(place)),
          word,
        );
      }
  });

  it('names a step weak when it has little of the selection', () => {
    const found = stepsFor(
      'The timeout of the socket starts when a request is written to the pool of idle connections',
    );
    assert.deepEqual(found, ['3 weak']);
  });

  it('says nothing rather than to guess', () => {
    for (const words of [
      '',
      '   ',
      'and so it is',
      'Use a circuit breaker instead',
      '😀',
      '…',
      'TLS certificates expire',
    ])
      assert.deepEqual(stepsFor(words), [], words);
  });

  it('leaves out a step that has little of a long selection, and one that has much less than the best', () => {
    const long =
      'socket timeout: certificate pinning, proxy tunnels, cookie jars, redirect chains, cache headers, body';
    assert.deepEqual(stepsFor(long), []);
    const two = createStepIndex([
      'mutex guards cache entries during eviction',
      'eviction of stale mutex',
      'nothing',
    ]);
    assert.deepEqual(
      two.rank('mutex guards cache entries during eviction').map(({ index }) => index),
      [0],
    );
  });

  it('weighs a rare word more than one that is in many steps', () => {
    const many = createStepIndex([
      'the cache is warm',
      'the cache is cold',
      'the cache and the mutex',
      'the cache',
    ]);
    assert.equal(many.rank('cache mutex')[0]?.index, 2);
  });

  it('compares pairs of characters where words are not separated', () => {
    const chinese = createStepIndex([
      '用户想要修复重试逻辑。',
      '超时包括延迟，所以连接被关闭。',
      '最后写一个测试。',
    ]);
    assert.deepEqual(
      chinese.rank('连接在超时后关闭').map(({ index }) => index),
      [1],
    );
    assert.deepEqual(chinese.rank('数据库索引'), []);
    const japanese = createStepIndex(['リトライの回数は三回です。', '接続はタイムアウトで閉じられます。']);
    assert.deepEqual(
      japanese.rank('タイムアウト').map(({ index }) => index),
      [1],
    );
  });

  it('goes by the names alone when the reasoning is in another language', () => {
    assert.deepEqual(stepsFor('retryLimitを確認してください'), ['1 weak']);
    assert.deepEqual(stepsFor('retryLimit // 確認'), ['1 strong']);
    assert.deepEqual(stepsFor('確認してください'), []);
    const long = 'retryLimitの値を確認してから、しばらく時間をおいてもう一度お試しいただくようお願いします';
    assert.deepEqual(stepsFor(long), ['1 weak']);
    const git = createStepIndex(['First, install it.', 'Then log in to GitHub.']);
    assert.equal(git.rank('GitHub認証').at(0)?.index, 1);
  });

  it('puts the same words in the same order first', () => {
    const titles = createStepIndex([
      'error without a line number in read_file, test it',
      'or: number the line in the test of a read_file error, without',
      'so: test read_file error without line number',
    ]);
    assert.equal(titles.rank('Test read_file Error Without Line Number')[0]?.index, 2);
  });

  it('names what is shared, so that it can be marked', () => {
    const [found] = index.rank('exponential backoff, doubled');
    assert.ok(found);
    const words = [...termsOf(STEPS[2] ?? '')]
      .filter(({ key }) => found.shared.has(key))
      .map(({ start, end }) => STEPS[2]?.slice(start, end));
    assert.deepEqual([...new Set(words)], ['doubles', 'exponential', 'backoff']);
  });

  it('finds the places of the answer that came of a step, and no others', () => {
    const places = [
      'The client retries three times.',
      'The socket’s timeout includes the delays.',
      'Nothing else changes.',
    ];
    assert.deepEqual(
      index.placesOf(3, places).map(({ index, strength }) => [index, strength]),
      [[1, 'strong']],
    );
    assert.deepEqual(index.placesOf(4, places), []);
    assert.deepEqual(index.placesOf(99, places), []);
  });
});

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('retryLimit', 'src/a.ts:3', '连接超时', '1,000', 'the', '\n\n', 'Über', 'x'),
      fc.string(),
    ),
    { maxLength: 12 },
  )
  .map((words) => words.join(' '));

describe('Why? of any text', () => {
  it('never throws, finds the same again, and names each step once', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), text, (steps, words) => {
        const found = createStepIndex(steps).rank(words);
        assert.deepEqual(createStepIndex(steps).rank(words), found);
        assert.equal(new Set(found.map(({ index }) => index)).size, found.length);
        for (const { index, shared } of found) assert.ok(index < steps.length && shared.size > 0);
      }),
      { numRuns: 300 },
    );
  });

  it('finds a step by its own words, if it has any', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.nat(), (steps, at) => {
        const step = at % steps.length;
        const words = steps[step] ?? '';
        const found = createStepIndex(steps).rank(words);
        const hasTerms = !termsOf(words).next().done;
        assert.equal(found.length > 0, hasTerms);
        if (hasTerms) assert.equal(found[0]?.strength, 'strong');
      }),
      { numRuns: 300 },
    );
  });

  it('goes both ways: a step has the places that name it', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(text, { maxLength: 6 }), (steps, places) => {
        const index = createStepIndex(steps);
        const forth = places.flatMap((words, place) =>
          index.rank(words).map((one) => `${one.index} ${place}`),
        );
        const back = steps.flatMap((_, step) =>
          index.placesOf(step, places).map((one) => `${step} ${one.index}`),
        );
        assert.deepEqual(back.sort(), forth.sort());
      }),
      { numRuns: 200 },
    );
  });

  it('has terms inside the text, with their words', () => {
    fc.assert(
      fc.property(text, (words) => {
        for (const { key, start, end, weight } of termsOf(words)) {
          assert.ok(start < end && end <= words.length && weight > 0 && weight <= 1 && key !== '');
        }
      }),
      { numRuns: 300 },
    );
  });

  for (const [name, piece] of Object.entries({
    words: 'The retryLimit in src/net/client.ts:12 is 3, so it fails.\n\n',
    'one name': 'aB',
    'joined words': 'a.',
    'letters without spaces': '连接超时',
    capitals: 'ABCD',
    digits: '1,',
  })) {
    it(`takes linear time for ${name}`, () => {
      const growth = growthOf(
        (length) => piece.repeat(length / piece.length),
        (reasoning) => createStepIndex(toStepTexts(reasoning)).rank(reasoning.slice(0, reasoning.length / 2)),
        20_000,
      );
      assert.ok(growth < LINEAR, `${growth}`);
    });
  }
});

/** Words that are in no other step, and are terms as a whole. */
function fillers(count: number, of: string): string {
  const letter = (n: number) => String.fromCharCode(97 + (n % 26));
  return Array.from({ length: count }, (_, n) => `${of}${letter(Math.floor(n / 26))}${letter(n)}`).join(' ');
}

const times = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ');

describe('The figures of docs/why.md', () => {
  const found = (words: string, ...steps: readonly string[]) =>
    createStepIndex(steps)
      .rank(words)
      .map(({ index, strength }) => `${index} ${strength}`);

  it('are 1.2 for how much a term counts that a step has often, and half of the best score for what is found', () => {
    const once = (length: number) => `cat ${fillers(length - 1, 'x')}`;
    assert.deepEqual(found('cat', once(10), times(10, 'cat')), ['1 strong', '0 strong']);
    // At most 2.2 times as much as once.
    assert.deepEqual(found('cat', once(40), times(40, 'cat')), ['1 strong']);
  });

  it('are 0.75 for how much less a term counts in a long step', () => {
    const long = (length: number) =>
      found('cat', `cat ${fillers(9, 'x')}`, `cat ${fillers(length - 1, 'y')}`);
    assert.deepEqual(long(90), ['0 strong', '1 strong']);
    assert.deepEqual(long(100), ['0 strong']);
  });

  it('are a half and a fifth of the selection for what is said', () => {
    const selected = fillers(20, 'x');
    const share = (count: number) =>
      found(selected, selected.split(' ').toReversed().slice(0, count).join(' '), 'nothing');
    assert.deepEqual(share(11), ['0 strong']);
    assert.deepEqual(share(9), ['0 weak']);
    assert.deepEqual(share(5), ['0 weak']);
    assert.deepEqual(share(3), []);
  });

  it('are half of a word for two words beside each other', () => {
    const beside = `cat dog ${fillers(10, 'x')}`;
    const often = (count: number) =>
      `${times(count, 'dog')} ${fillers(12 - 2 * count, 'y')} ${times(count, 'cat')}`.replace(/ +/g, ' ');
    assert.deepEqual(found('cat dog', often(2), beside), ['1 strong', '0 strong']);
    assert.deepEqual(found('cat dog', often(3), beside), ['0 strong', '1 strong']);
  });

  it('are the logarithm of the share of steps that have a term, by which a rare one counts more', () => {
    const common = Array.from(
      { length: 9 },
      (_, n) => `${times(3, 'cat')} ${fillers(2, `${'xyzuvwqjk'[n]}`)}`,
    );
    assert.deepEqual(found('cat dog', ...common, `dog ${fillers(4, 'p')}`), ['9 strong']);
    // A term in all steps still counts a little.
    assert.deepEqual(found('cat', 'cat one', 'cat two').length, 2);
  });
});
