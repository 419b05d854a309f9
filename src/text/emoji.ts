/** Finds emoji in a text. An emoji can consist of several characters, with joiners, selectors, and tags. */

export interface EmojiRange {
  /** Offsets in the text, in UTF-16 code units; `to` is the offset after the last character. */
  readonly from: number;
  readonly to: number;
}

/**
 * Created when first needed: creating regular expressions with Unicode properties takes longer than running all modules of the
 * extension.
 */
let expressions: Expressions | undefined;

interface Expressions {
  readonly emoji: RegExp;
  readonly whole: RegExp;
  /** Pictographs with joiners between them, which may not be an emoji. */
  readonly joined: RegExp;
  /** A pictograph that is displayed as text if it has no selector. */
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
 * The emoji of a text, in order. Many keyboards omit the selectors in joined emoji. Without them, the emoji look the same, so
 * they count as well. Joiners between pictographs that aren't an emoji together show nothing, so they aren't part of one.
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

/**
 * Whether it is an emoji after missing selectors are added. Additional selectors aren't allowed: there could be any number, and
 * nobody sees them.
 */
const isEmoji = (joined: string, { whole, textual }: Expressions): boolean =>
  whole.test(joined.replace(textual, '$&\ufe0f'));
