/** Removes reasoning in tags from an answer if a separate field has the same text. Some gateways send both (R4). */
import { beginningOf, MAX_LEAD_LENGTH, TAGS } from './thinkTags.ts';

export interface TwinTags {
  /** Adds reasoning from the separate field. */
  know(text: string): void;
  /** Returns the text that the next piece of `content` adds to the answer, including text that was held back. */
  take(piece: string): string;
  /**
   * Returns the text that is held back when a finish reason arrives, which can come with each chunk. Text that is the beginning
   * of the same reasoning stays held back, because it may go on.
   *
   * @param goesOn finish reasons come together with text, so text that may be the beginning of a tag stays held back, too
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
  /** The tags that can end the text. Undefined until it is known whether an opening tag begins it. */
  let closing: readonly string[] | undefined;
  /**
   * No opening tag begins the text, because it was part of the prompt. Without a closing tag, the text can be an answer that says
   * the same.
   */
  let isBare = false;
  /**
   * The text that has come in the tags but not in the field, and the text that has come in the field only. White space around
   * them is ignored.
   */
  let tagged = '';
  let named = known.trimStart();
  let hasMatched = false;
  /** At the last finish reason, all of the text had come in both. Different text after it is the answer, also without a closing tag. */
  let wasWhole = false;

  const end = (answer: string): string => {
    isPast = true;
    held = '';
    tagged = '';
    named = '';
    return answer;
  };
  const endAsOther = () => end(wasWhole ? tagged : held);
  /** Whether all text in the tags has come in the field, except the beginning of a closing tag. */
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
    // The field can lag behind the tags.
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
      // Only the first text is trimmed, because trimming copies all of the text each time.
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
      // After the whole reasoning, this text is the answer unless a closing tag follows.
      const isSame = isSameSoFar() || (wasWhole && goesOn);
      if (hasMatched ? !isSame : !goesOn || !(isSame || closing === undefined)) return endAsOther();
      wasWhole = hasMatched && named.trim() === '';
      return '';
    },
  };
}
