/** Converts the numbers of a scenario to lines and changes. */
import type { Splice } from './answers.ts';
import { type Change, type LineEnd, type Lines, startsOf } from './lines.ts';
import type { AnySplice, Typing } from './scenario.ts';

/** Lines like those of real files, many of them equal, and some that look like those of a diff. */
const POOL = [
  '}',
  '',
  'a',
  '\treturn x;',
  '  b',
  '😀',
  'e\u0301',
  '--x',
  '++y',
  '@@ -1 +1 @@',
  ' ',
  '-',
  '+',
  '\\',
  '"\'`',
  'ü',
];
const AROUND = ['<>', '<>', '\t<>', '  <>😀', '- <>', '-- <>', '+ <>', '<> ü', '{<>}'];

export type Texts = (numbers: readonly number[]) => readonly string[];

/** Converts numbers to lines, which are either all different or often equal. */
export function createTexts(unique: boolean): Texts {
  let made = 0;
  return (numbers) =>
    numbers.map((number) => {
      if (!unique) return POOL[number % POOL.length] ?? '';
      made += 1;
      return (AROUND[number % AROUND.length] ?? '').replace('<>', `<${made}>`);
    });
}

/** Changes of lines, from the top, none touching another. */
export function toSplices(lines: Lines, wanted: readonly AnySplice[], texts: Texts): readonly Splice[] {
  const made: Splice[] = [];
  for (const { at, count, added } of wanted) {
    const from = at % (lines.length + 1);
    const some = { at: from, count: Math.min(count, lines.length - from), added: texts(added) };
    const same = lines.slice(from, from + some.count).map(({ text }) => text);
    if (JSON.stringify(same) === JSON.stringify(some.added)) continue;
    const meets = made.some((other) => from <= other.at + other.count && other.at <= from + some.count);
    if (!meets) made.push(some);
  }
  return made.sort((a, b) => a.at - b.at);
}

/** Typing of complete lines: from the start of a line, or from the end of the line above. */
export function toLineChange(
  { lines, end }: { readonly lines: Lines; readonly end: LineEnd },
  [splice]: readonly Splice[],
  fromLineEnd: boolean,
): Change | undefined {
  if (splice === undefined) return undefined;
  const starts = startsOf(lines, end);
  const { at, count, added } = splice;
  const [from, to] = [starts[at] ?? 0, starts[at + count] ?? 0];
  const isEnded = lines[at - 1]?.ended ?? false;
  const inserted = added.map((text) => text + end).join('');
  if (!fromLineEnd || !isEnded || count > 0) return { offset: from, removed: to - from, inserted };
  const offset = from - end.length;
  return { offset, removed: 0, inserted: end + inserted.slice(0, -end.length) };
}

/** Changes by character that don't touch each other, and don't split a line end or a character. */
export function toChanges(text: string, end: LineEnd, wanted: readonly Typing[]): readonly Change[] {
  const made: Change[] = [];
  const snap = (offset: number) =>
    /^(\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(text.slice(Math.max(0, offset - 1), offset + 1))
      ? offset - 1
      : offset;
  for (const { at, removed, inserted } of wanted) {
    const offset = snap(at % (text.length + 1));
    const to = snap(Math.min(text.length, offset + removed));
    const change = { offset, removed: Math.max(0, to - offset), inserted: inserted.replace(/\r?\n/g, end) };
    const changes = change.removed > 0 || change.inserted !== '';
    const meets = made.some(
      (other) => offset <= other.offset + other.removed && other.offset <= offset + change.removed,
    );
    if (changes && !meets && text.slice(offset, offset + change.removed) !== change.inserted)
      made.push(change);
  }
  return made;
}

/** The changes of the editor when it saves: it removes white space at the ends of lines, and adds a last line end. */
export function toTrimming(text: string, end: LineEnd): readonly Change[] {
  const trimmed = Array.from(text.matchAll(/[ \t]+(?=\r?\n|$)/g), ({ index, 0: { length } }) => ({
    offset: index,
    removed: length,
    inserted: '',
  }));
  const isEnded = /(?:^|\n)[ \t]*$/.test(text);
  if (isEnded) return trimmed;
  const last = trimmed.at(-1);
  if (last !== undefined && last.offset + last.removed === text.length)
    return [...trimmed.slice(0, -1), { ...last, inserted: end }];
  return [...trimmed, { offset: text.length, removed: 0, inserted: end }];
}
