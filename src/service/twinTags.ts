/** Leaves reasoning in tags out of an answer where a field of its own has the same text, as from gateways that give both (R4). */
import { beginningOf, MAX_LEAD_LENGTH, TAGS } from './thinkTags.ts';

export interface TwinTags {
  /** More of the reasoning in its own field. */
  know(text: string): void;
  /** What the next piece of `content` adds to the answer, with what was held back. */
  take(piece: string): string;
  /**
   * What was held back at a finish reason, which can come with each chunk, unless it is the beginning of the same text, which may go on.
   *
   * @param goesOn finish reasons come with text, so this can also be no more than the beginning of a tag
   */
  flush(goesOn?: boolean): string;
}

/**
 * For an answer that has no text yet. Each text is compared once, so that the cost doesn't grow with the square of its length.
 *
 * @param known the reasoning so far
 */
export function createTwinTags(known: string): TwinTags {
  let held = '';
  let isPast = false;
  /** The tags that can end the text, when it is known whether one begins it. */
  let closing: readonly string[] | undefined;
  /** No tag begins it: that was part of the prompt. Without its end, it can be an answer that says the same. */
  let isBare = false;
  /** What has come in the tags and not in the field, and what has come in the field only. White space around both doesn't count. */
  let tagged = '';
  let named = known.trimStart();
  let hasMatched = false;
  /** At the last finish reason, all of it had come in both. What is other behind that is the answer, also without a closing tag. */
  let wasWhole = false;

  const end = (answer: string): string => {
    isPast = true;
    held = '';
    tagged = '';
    named = '';
    return answer;
  };
  const endAsOther = () => end(wasWhole ? tagged : held);
  /** All that has come in the tags has come in the field, but for a beginning of the closing tag. */
  const isSameSoFar = () => {
    const rest = tagged.trim();
    return !isBare && closing !== undefined && beginningOf(closing, rest) === rest.length;
  };

  function match(ends: readonly string[]): string {
    if (!hasMatched) tagged = tagged.trimStart();
    const close = ends.find((tag) => tagged.includes(tag));
    if (close !== undefined) {
      const at = tagged.indexOf(close);
      const hasText = hasMatched || at > 0;
      const isSame = (hasText || !isBare) && tagged.slice(0, at).trimEnd() === named.trimEnd();
      return end(isSame ? tagged.slice(at + close.length) : held);
    }
    const text = tagged.slice(0, tagged.length - beginningOf(ends, tagged)).trimEnd();
    const length = Math.min(text.length, named.length);
    const isOther = text.slice(0, length) !== named.slice(0, length);
    // The field can come behind the tags.
    if (isOther || text.length - length > (isBare ? 0 : MAX_LEAD_LENGTH)) return endAsOther();
    hasMatched ||= length > 0;
    tagged = tagged.slice(length);
    named = named.slice(length);
    return '';
  }

  return {
    know(text) {
      if (isPast) return;
      wasWhole &&= text === '';
      // Only the first text is trimmed, because that would copy all of them each time.
      named = named === '' && !hasMatched ? text.trimStart() : named + text;
    },
    take(piece) {
      if (isPast) return piece;
      held += piece;
      tagged += piece;
      if (closing !== undefined) return match(closing);
      const body = held.trimStart();
      const tag = TAGS.find(({ open }) => body.startsWith(open));
      if (tag === undefined) {
        const mayBegin = held.length <= MAX_LEAD_LENGTH && TAGS.some(({ open }) => open.startsWith(body));
        if (mayBegin) return '';
        isBare = true;
        closing = TAGS.map(({ close }) => close);
        return match(closing);
      }
      closing = [tag.close];
      tagged = body.slice(tag.open.length);
      return match(closing);
    },
    flush(goesOn = false) {
      if (isPast) return '';
      // Behind the whole text, it is the answer unless a closing tag follows.
      const isSame = isSameSoFar() || (wasWhole && goesOn);
      if (hasMatched ? !isSame : !goesOn || !(isSame || closing === undefined)) return endAsOther();
      wasWhole = hasMatched && named.trim() === '';
      return '';
    },
  };
}
