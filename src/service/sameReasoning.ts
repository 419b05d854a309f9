/** Passes on reasoning once that comes from two sources, such as tags and a field of its own. The source that is ahead counts (R4). */

type Source = 'first' | 'other';

export interface SameReasoning {
  /** Returns the part of a text that isn't known from the other source. */
  take(from: Source, text: string): string;
  /** Whether both sources may have the same reasoning: there was no difference so far, or they began alike. */
  readonly mayBeSame: boolean;
  /** The sources began with different texts. */
  readonly isOther: boolean;
}

/** The maximum number of characters by which one source may be ahead. Most services have only one source. */
const MOST_AHEAD = 64 * 1024;

/** The maximum number of characters with which two different texts begin alike. */
const MOST_ALIKE = 200;

export function createSameReasoning(): SameReasoning {
  let leader: Source = 'first';
  /** The text that the leader has given and the other source hasn't. White space before the text doesn't count. */
  let ahead = '';
  let isFound = false;
  let isOver = false;
  let isOther = false;
  /**
   * The text that was left out at first. It is returned after all if it turns out to be the beginning of another text. Then
   * undefined.
   */
  let leftOut: string | undefined = '';

  const lead = (from: Source, text: string) => {
    leader = from;
    ahead += text;
    isOver ||= ahead.length > MOST_AHEAD;
    if (isOver) ahead = '';
    return text;
  };

  return {
    get mayBeSame() {
      return isFound || !isOver;
    },
    get isOther() {
      return isOther;
    },
    take(from, text) {
      if (isOver) return text;
      if (from === leader) return lead(from, text);
      const own = isFound ? text : text.trimStart();
      if (!isFound) ahead = ahead.trimStart();
      const length = Math.min(own.length, ahead.length);
      if (own.slice(0, length) !== ahead.slice(0, length)) {
        isOver = true;
        isOther = !isFound;
        return (leftOut ?? '') + text;
      }
      isFound ||= length > 0;
      ahead = ahead.slice(length);
      const isSure = leftOut === undefined || leftOut.length > MOST_ALIKE || own.length > length;
      leftOut = isSure ? undefined : leftOut + text;
      return own.length > length ? lead(from, own.slice(length)) : '';
    },
  };
}
