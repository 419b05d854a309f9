/** Where emoji are in a text, which consist of several characters with joiners, selectors, and tags. */

export interface EmojiRange {
  /** Offsets in the text; `to` is behind the last character. */
  readonly from: number;
  readonly to: number;
}

/** Made when first needed, because expressions of Unicode properties take longer than running all modules of the extension. */
let expressions: Expressions | undefined;

interface Expressions {
  readonly emoji: RegExp;
  readonly whole: RegExp;
  /** Pictures with joiners between them, which need not be an emoji. */
  readonly joined: RegExp;
  /** A picture that is text without a selector. */
  readonly textual: RegExp;
}

const toExpressions = (): Expressions => ({
  emoji: /\p{RGI_Emoji}/gv,
  whole: /^\p{RGI_Emoji}$/v,
  joined:
    /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)+/gu,
  textual: /(?!\p{Emoji_Presentation})\p{Extended_Pictographic}(?![\ufe0f\u{1f3fb}-\u{1f3ff}])/gu,
});

/**
 * The emoji of a text, in order. Many keyboards leave the selectors out of those that are joined, and they look the same, so these
 * are emoji as well. Joiners between pictures that make no emoji together show nothing.
 */
export function findEmoji(text: string): readonly EmojiRange[] {
  expressions ??= toExpressions();
  const { emoji, joined } = expressions;
  const found: EmojiRange[] = [];
  const add = (part: string, start: number) => {
    for (const { index, 0: match } of part.matchAll(emoji))
      found.push({ from: start + index, to: start + index + match.length });
  };
  let at = 0;
  for (const { index, 0: match } of text.matchAll(joined)) {
    add(text.slice(at, index), at);
    at = index + match.length;
    if (isEmoji(match, expressions)) found.push({ from: index, to: at });
    else add(match, index);
  }
  add(text.slice(at), at);
  return found;
}

/** With the selectors that are missing. More than Unicode lists it with could be any number of them, which nobody sees. */
const isEmoji = (joined: string, { whole, textual }: Expressions): boolean =>
  whole.test(joined.replace(textual, '$&\ufe0f'));
