/** Converts Markdown to plain text, for lists, which don't render Markdown. */

// Two asterisks are a mark where a word begins or ends. In `**/*.ts` and `2 ** 3` they aren't.
const OPENING = /(?<![^\s(["“‘«])\*\*(?=[^\s*/])/g;
const CLOSING = /(?<=[^\s*/])\*\*(?![^\s.,:;!?)\]"”’»…])/g;

const FENCE = /^(?:`{3,}|~{3,})/;

/** Stands for code while the marks around it are removed. Texts don't have this character; if one has it, it is kept like code. */
const CODE = '\ue000';

/**
 * A text in one line, with single spaces, and without the marks of code, headings, and bold words. Code itself is unchanged. The
 * text may be an excerpt that has only one mark of a pair.
 */
export function toPlainLine(text: string): string {
  return withoutMarks(text).replace(/\s+/g, ' ').trim();
}

/** The same, but keeps the lines of the text, with their indentation. Code blocks stay as they are, with their fences. */
export function toPlainLines(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const text = line.trimStart();
      const mark = FENCE.exec(text)?.[0] ?? '';
      const info = text.slice(mark.length);
      const begins = mark !== '' && !(mark.startsWith('`') && info.includes('`'));
      if (fence === undefined && !begins)
        return line.slice(0, line.length - text.length) + withoutMarks(text).trim();
      const ends = fence !== undefined && mark.startsWith(fence) && info.trim() === '';
      fence = ends ? undefined : (fence ?? mark);
      return line;
    })
    .join('\n');
}

function withoutMarks(text: string): string {
  const { words, codes } = withoutCode(text);
  const plain = words
    .replace(/^ {0,3}#{1,6} /gm, '')
    .replace(OPENING, '')
    .replace(CLOSING, '');
  let at = 0;
  return plain.replaceAll(CODE, () => codes[at++] ?? '');
}

interface Run {
  readonly start: number;
  readonly end: number;
}

/** The words with `CODE` in place of each piece of code, and without backticks. */
function withoutCode(text: string): { readonly words: string; readonly codes: readonly string[] } {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  const closers = closersOf(runs);
  const codes: string[] = [];
  let words = '';
  let end = 0;
  const addWords = (until: number) => {
    const part = text.slice(end, until);
    for (const _ of part.matchAll(new RegExp(CODE, 'g'))) codes.push(CODE);
    words += part;
  };
  for (const [index, run] of runs.entries()) {
    if (run.start < end) continue;
    addWords(run.start);
    const closer = closers[index];
    if (closer !== undefined) {
      words += CODE;
      codes.push(text.slice(run.end, closer.start));
    }
    end = (closer ?? run).end;
  }
  addWords(text.length);
  return { words, codes };
}

/** For each run of backticks: the next run of the same length, which ends the code that the run begins. */
function closersOf(runs: readonly Run[]): readonly (Run | undefined)[] {
  const next = new Map<number, Run>();
  return runs
    .toReversed()
    .map((run) => {
      const length = run.end - run.start;
      const closer = next.get(length);
      next.set(length, run);
      return closer;
    })
    .toReversed();
}
