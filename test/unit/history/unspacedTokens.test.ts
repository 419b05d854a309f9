import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toIndexed, toIndexQuery, toTerm } from '../../../src/history/unspacedTokens.ts';

/** All steps at once. */
function indexed(text: string): string | undefined {
  const making = toIndexed(text);
  for (;;) {
    const { done, value } = making.next();
    if (done === true) return value;
  }
}
const query = (text: string, isOpen = true) => {
  const term = toTerm(text, isOpen);
  return term && toIndexQuery([term]);
};

describe('The tokens of a text that doesn’t separate words', () => {
  it('are each character with the next one, the last one alone, and words of other scripts', () => {
    assert.equal(indexed('全文搜索，好。'), '全文 文搜 搜索 索 好');
    assert.equal(indexed('用React写'), '用 react 写');
    assert.equal(indexed('第3章 Crème'), '第 3 章 creme');
    assert.equal(indexed('スーパー'), 'スー ーパ パー ー');
  });

  it('are none without a character of such a script, so that other texts are indexed once', () => {
    for (const text of ['', 'Plain words … “quoted” ✓ → ©', 'Crème brûlée', 'Привет', '、。「」'])
      assert.equal(indexed(text), undefined, text);
  });

  it('are emoji, each with its skin tone and what it is joined with, and two letters of a flag', () => {
    assert.equal(indexed('Done 🙂👍🏽, ❤️ 👩🏽‍💻'), 'done 🙂 👍🏽 ❤ 👩🏽‍💻');
    assert.equal(indexed('🇩🇪🇫🇷'), '🇩🇪 🇫🇷');
    assert.equal(indexed('好🙂'), '好 🙂');
  });

  it('are the same in full and half width, and with voiced marks apart', () => {
    assert.equal(indexed('ｶﾞｲﾄﾞ'), indexed('ガイド'));
    assert.equal(indexed('か\u3099き'), indexed('がき'));
    assert.equal(indexed('漢ＡＢＣ'), indexed('漢abc'));
    assert.equal(indexed('한글'.normalize('NFD')), indexed('한글'));
  });
});

describe('The query for such a text', () => {
  it('has pairs in a row, and one character as the beginning of a pair', () => {
    assert.equal(query('搜索'), '"搜索"');
    assert.equal(query('全文搜'), '"全文 文搜"');
    assert.equal(query('搜'), '"搜"*');
    assert.equal(query('组件use'), '"组件 件 use"*');
    assert.equal(query('组件use', false), '"组件 件 use"');
    assert.equal(query('use件', false), '"use 件"*');
    assert.equal(query('，。'), undefined);
  });

  it('finds any part of a text, and nothing else', () => {
    const character = fc.constantFrom(...'中文字搜ガか');
    const part = fc.array(character, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
    const text = fc.array(fc.oneof(part, fc.constantFrom('，', ' ', 'ab', 'a')), { maxLength: 12 });
    fc.assert(
      fc.property(text, part, (parts, wanted) => {
        const whole = parts.join('');
        assert.equal(isFound(whole, wanted), whole.includes(wanted));
      }),
    );
  });
});

/** As FTS5 finds a phrase, whose last token may be the beginning of a longer one. */
function isFound(text: string, wanted: string): boolean {
  const { tokens, prefix } = toTerm(wanted, true) ?? assert.fail();
  const all = indexed(text)?.split(' ') ?? [];
  return all.some((_, at) =>
    tokens.every((token, index) =>
      prefix && index === tokens.length - 1 ? all[at + index]?.startsWith(token) : all[at + index] === token,
    ),
  );
}
