import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn, foldStep } from '../../../src/conversation/fold.ts';
import { findChangedPart, toMessageParts } from '../../../src/conversation/requestMessages/prefix.ts';
import {
  hasPart,
  LaterPrefix,
  laterPrefix,
  longerPrefix,
  type Prefix,
  wholePrefix,
} from '../../../src/conversation/requestPrefix.ts';
import { FACTS } from './turns.ts';

const part = (text: string) => toMessageParts([{ role: 'user', content: text }]);
const HEAD = 'm0000000t0000000s0000000';

/** The characters that these prefixes keep together. */
function keptBy(prefixes: readonly Prefix[]): number {
  const known = new Set<LaterPrefix>();
  const texts = new Set<string>();
  for (const prefix of prefixes) {
    let one = prefix;
    for (; typeof one !== 'string' && !known.has(one); one = one.before) known.add(one);
    if (typeof one === 'string') texts.add(one);
  }
  return [...known].reduce((sum, { added }) => sum + added.length, [...texts].join('').length);
}

/** The prefixes of so many turns in one conversation, each with a question and an answer. */
function turns(count: number): readonly Prefix[] {
  let [whole, last]: [string, Prefix] = [HEAD, ''];
  return Array.from({ length: count }, (_, n) => {
    last = laterPrefix(last, whole + part(`Question ${n}`));
    whole += part(`Question ${n}`) + part(`Answer ${n}`);
    return last;
  });
}

describe('The prefix of a turn', () => {
  it('keeps only what the turns before it have not, so that the last one of 2,000 takes no more than the 200th', () => {
    assert.equal(keptBy(turns(200)) - keptBy(turns(199)), 16);
    assert.equal(keptBy(turns(2000)) - keptBy(turns(1999)), 16);
  });

  it('is whole when it is read, compared, or written', () => {
    const all = turns(50);
    const parts =
      HEAD + Array.from({ length: 50 }, (_, n) => part(`Question ${n}`) + part(`Answer ${n}`)).join('');
    for (const [n, prefix] of all.entries()) {
      const whole = parts.slice(0, HEAD.length + 16 * n + 8);
      assert.equal(wholePrefix(prefix), whole);
      assert.equal(JSON.stringify({ prefix }), JSON.stringify({ prefix: whole }));
      assert.equal(findChangedPart(prefix, all.at(-1) ?? ''), -1);
      assert.equal(findChangedPart(whole, all.at(-1) ?? ''), -1);
      assert.equal(findChangedPart(all.at(-1) ?? '', prefix), n === 49 ? -1 : 4 + 2 * n);
      assert.equal(hasPart(prefix, part('Question 20')), n >= 20);
    }
  });

  it('has the messages of its rounds, too, which another attempt begins without', () => {
    const [before, asked] = [turns(3).at(-1) ?? '', part('Answer 2') + part('Why?')];
    const first = laterPrefix(before, wholePrefix(before) + asked);
    const withRound = longerPrefix(first, part('A call'));
    assert.equal(wholePrefix(withRound), wholePrefix(before) + asked + part('A call'));
    const again = laterPrefix(withRound, wholePrefix(before) + asked);
    assert.deepEqual(again, new LaterPrefix(before, asked));
  });

  it('shares what it can also after its request was sent in another form', () => {
    const before = turns(50).at(-1) ?? '';
    const begun = createTurn('t', 0, {
      ...FACTS,
      prefix: laterPrefix(before, wholePrefix(before) + part('Answer 49')),
    });
    const prefix = wholePrefix(before) + part('Answer 49, without reasoning');
    const request = {
      model: 'svc-k3',
      messages: [],
      stream: true,
      stream_options: { include_usage: true },
    } as const;
    for (const event of [
      { type: 'other-reasoning', sent: 'none', request, prefix },
      { type: 'calls-as-text', request, prefix },
      { type: 'content-parts', request, prefix, refused: true },
      { type: 'results-omitted', omission: { results: [] }, prefix },
    ] as const) {
      const { turn } = foldStep(begun, { at: 1, event });
      assert.deepEqual(
        turn.request.prefix,
        new LaterPrefix(before, part('Answer 49, without reasoning')),
        event.type,
      );
    }
  });

  it('keeps everything if the request begins with something else', () => {
    const other = `${HEAD.replace('t0', 't1')}${part('Question 0')}`;
    assert.equal(laterPrefix(turns(3).at(-1) ?? '', other), other);
    assert.equal(laterPrefix('', other), other);
  });
});
