/** Gives reasoning once that comes from two sources, such as tags and a field of its own, from the one that is ahead (R4). */

type Source = 'first' | 'other';

export interface SameReasoning {
  /** What a text adds to those so far. */
  take(from: Source, text: string): string;
  /** Nothing of the one is other text than that of the other one, or they have begun alike. */
  readonly mayBeSame: boolean;
}

/** How far one of them may be ahead of the other, in characters. Most services have one only. */
const MOST_AHEAD = 64 * 1024;

/** Other texts begin alike with fewer characters. */
const MOST_ALIKE = 200;

export function createSameReasoning(): SameReasoning {
  let leader: Source = 'first';
  /** What the leader has given and the other one hasn't. White space around the text doesn't count. */
  let ahead = '';
  let isFound = false;
  let isOver = false;
  /** What was left out at first: given in the end if it is the beginning of another text. */
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
    take(from, text) {
      if (isOver) return text;
      if (from === leader) return lead(from, text);
      const own = isFound ? text : text.trimStart();
      if (!isFound) ahead = ahead.trimStart();
      const length = Math.min(own.length, ahead.length);
      if (own.slice(0, length) !== ahead.slice(0, length)) {
        isOver = true;
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
