/** Writes changes of a document as a model would: as edits, as code, or as a diff; correctly or with faults. */
import { freshLines, type LineEnd, type Lines, textOf, withSplice } from './lines.ts';

/** Lines that are replaced by others. */
export interface Splice {
  readonly at: number;
  readonly count: number;
  readonly added: readonly string[];
}

/** How an answer is written. */
export interface Style {
  readonly form: 'edits' | 'whole' | 'code' | 'diff';
  /** Lines around a change that are repeated, 0 to 2. */
  readonly context: number;
  /** Bits that say what is left out or wrong. 0 is a correct answer. */
  readonly slips: number;
}

export interface WrittenAnswer {
  readonly answer: string;
  /** The lines of the question. */
  readonly asked: { readonly from: number; readonly count: number } | undefined;
  readonly splices: readonly Splice[];
  /** Whether every change has exactly one place, so that no change may be left out. */
  readonly clear: boolean;
}

const slip = (style: Style, bit: number): boolean => (style.slips & (1 << bit)) !== 0;

/** The document with these changes. The last line keeps its line end, or none. */
export function spliced(lines: Lines, splices: readonly Splice[]): Lines {
  return splices
    .toSorted((a, b) => b.at - a.at)
    .reduce(
      (all, { at, count, added }) =>
        withSplice(all, at, count, freshLines(added.map((line) => `${line}\n`).join(''))),
      lines,
    );
}

export function writeAnswer(
  lines: Lines,
  end: LineEnd,
  splices: readonly Splice[],
  style: Style,
): WrittenAnswer {
  switch (style.form) {
    case 'edits':
      return writeEdits(lines, end, splices, style);
    case 'whole':
      return writeWhole(lines, splices, style);
    case 'code':
      return writeCode(lines, splices, style);
    case 'diff':
      return writeDiff(lines, end, splices, style);
  }
}

const toAnswer = (edits: readonly object[]): string =>
  JSON.stringify({ explanation: 'So.', files: [{ path: 'code.txt', edits }] });

/** Lines as the model writes them: mostly with \n, whatever the file has. */
const joined = (texts: readonly string[], lineEnd: string): string =>
  texts.map((text) => text + lineEnd).join('');

/** The range of a change with its context. */
function around(lines: Lines, { at, count }: Splice, context: number) {
  // An insertion needs a line beside it that shows its place.
  const needed = count === 0 ? Math.max(1, context) : context;
  const from = Math.max(0, at - needed);
  const to = Math.min(lines.length, at + count + (from === at ? needed : context));
  return { from, to };
}

const textsOf = (lines: Lines, from: number, to: number) => lines.slice(from, to).map(({ text }) => text);

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** How often the lines of a range are in the document. */
function countPlaces(lines: Lines, { from, to }: LineRange): number {
  const texts = textsOf(lines, 0, lines.length);
  return texts.filter((_, at) => texts.slice(from, to).every((text, index) => text === texts[at + index]))
    .length;
}

/** Whether the lines of each range are in the document once, and no range touches another. */
function isClear(lines: Lines, ranges: readonly LineRange[]): boolean {
  const once = ranges.every((range) => range.from < range.to && countPlaces(lines, range) === 1);
  const apart = ranges.every(({ from, to }, index) =>
    ranges.every((other, place) => place === index || other.to <= from || to <= other.from),
  );
  return once && apart;
}

/**
 * The intended changes. Two equal edits count as one change, unless the document has their lines twice.
 *
 * @param ranges the ranges of the changes, with their context
 * @param edits the edits as they are written
 */
function withoutSame(
  lines: Lines,
  splices: readonly Splice[],
  ranges: readonly LineRange[],
  edits: readonly unknown[],
): readonly Splice[] {
  const texts = edits.map((edit) => JSON.stringify(edit));
  return splices.filter((_, index) => {
    const count = texts.filter((text) => text === texts[index]).length;
    const range = ranges[index];
    return (
      texts.indexOf(texts[index] ?? '') === index || (range && countPlaces(lines, range) === count) === true
    );
  });
}

/** The lines of a range before and after a change. */
function toEdit(lines: Lines, { from, to }: LineRange, { at, count, added }: Splice) {
  const [before, after] = [textsOf(lines, from, at), textsOf(lines, at + count, to)];
  return [textsOf(lines, from, to), [...before, ...added, ...after]];
}

function writeEdits(lines: Lines, end: LineEnd, splices: readonly Splice[], style: Style): WrittenAnswer {
  const lineEnd = slip(style, 0) ? end : '\n';
  const empty = lines.length === 0;
  const ranges = splices.map((splice) => around(lines, splice, style.context));
  const edits = splices.map((splice, index) => {
    const { from, to } = ranges[index] ?? { from: 0, to: 0 };
    const added = [
      ...textsOf(lines, from, splice.at),
      ...splice.added,
      ...textsOf(lines, splice.at + splice.count, to),
    ];
    const find = joined(textsOf(lines, from, to), lineEnd);
    const replace = joined(added, lineEnd);
    // Replacements by nothing and by an empty line differ only in their line ends.
    const plain = added.length > 0 && added.at(-1) !== '' && textsOf(lines, to - 1, to)[0] !== '';
    const cut = (text: string, bit: number) =>
      plain && !empty && slip(style, bit) ? text.slice(0, -lineEnd.length) : text;
    return { find: cut(find, 1), replace: cut(replace, 2) };
  });
  const clear = (empty && splices.length === 1) || isClear(lines, ranges);
  const meant = withoutSame(lines, splices, ranges, edits);
  return { answer: toAnswer(edits), asked: undefined, splices: meant, clear };
}

function writeWhole(lines: Lines, splices: readonly Splice[], style: Style): WrittenAnswer {
  const texts = textsOf(lines, 0, lines.length);
  const after = [...texts];
  for (const { at, count, added } of splices.toSorted((a, b) => b.at - a.at))
    after.splice(at, count, ...added);
  const [find, replace] = [joined(texts, '\n'), joined(after, '\n')];
  return {
    answer: toAnswer([{ find, replace }]),
    asked: undefined,
    splices,
    clear: style.slips === 0 && find !== '\n',
  };
}

/** A code block replaces the lines of the question. */
function writeCode(lines: Lines, splices: readonly Splice[], style: Style): WrittenAnswer {
  const [first] = splices;
  if (first === undefined) return { answer: '', asked: undefined, splices: [], clear: true };
  const { from, to } = around(lines, first, style.context);
  const texts = [
    ...textsOf(lines, from, first.at),
    ...first.added,
    ...textsOf(lines, first.at + first.count, to),
  ];
  // An empty block stands for an empty line.
  const shown = texts.length === 0 ? [''] : texts;
  const splice = texts.length === 0 ? { ...first, added: [''] } : first;
  return {
    answer: `So:\n\n~~~~~txt\n${joined(shown, '\n')}~~~~~\n`,
    asked: { from, count: to - from },
    splices: [splice],
    clear: lines.length > 0,
  };
}

function writeDiff(lines: Lines, end: LineEnd, splices: readonly Splice[], style: Style): WrittenAnswer {
  const lineEnd = slip(style, 0) ? end : '\n';
  const ordered = splices.toSorted((a, b) => a.at - b.at);
  const ranges = ordered.map((splice) => around(lines, splice, style.context));
  const hunks = ordered.map((splice, index) => {
    const { from, to } = ranges[index] ?? { from: 0, to: 0 };
    const context = (texts: readonly string[]) =>
      texts.map((text) => (text === '' && slip(style, 1) ? '' : ` ${text}`));
    const body = [
      ...context(textsOf(lines, from, splice.at)),
      ...textsOf(lines, splice.at, splice.at + splice.count).map((text) => `-${text}`),
      ...splice.added.map((text) => `+${text}`),
      ...context(textsOf(lines, splice.at + splice.count, to)),
      ...(slip(style, 2) && to === lines.length ? ['\\ No newline at end of file'] : []),
    ];
    const shift = slip(style, 3) ? 7 : 1;
    const removed = to - from + (slip(style, 4) ? 1 : 0);
    const added = to - from - splice.count + splice.added.length;
    const header = slip(style, 5) ? '@@' : `@@ -${from + shift},${removed} +${from + shift},${added} @@`;
    return slip(style, 6) && ordered.length === 1 ? body : [header, ...body];
  });
  const edits = ordered.map((splice, index) => toEdit(lines, ranges[index] ?? { from: 0, to: 0 }, splice));
  const names = slip(style, 7) ? [] : ['--- a/code.txt', '+++ b/code.txt'];
  const code = joined([...names, ...hunks.flat()], lineEnd);
  return {
    answer: `~~~~~diff\n${code}~~~~~\n`,
    asked: { from: 0, count: lines.length },
    splices: withoutSame(lines, ordered, ranges, edits),
    clear: (style.slips & ~0b1000_0101) === 0 && isClear(lines, ranges),
  };
}

export interface PossibleTexts {
  /** The text with all changes of an answer. */
  readonly all: readonly string[];
  /** The texts with some or none of the changes. */
  readonly some: readonly string[];
}

/** The texts that may result from an answer. */
export function possibleTexts(lines: Lines, end: LineEnd, splices: readonly Splice[]): PossibleTexts {
  const subsets = Array.from({ length: 2 ** splices.length }, (_, left) =>
    splices.filter((_, index) => (left & (1 << index)) === 0),
  );
  return {
    all: textsWith(lines, end, splices),
    some: subsets.flatMap((some) => textsWith(lines, end, some)),
  };
}

function textsWith(lines: Lines, end: LineEnd, splices: readonly Splice[]): readonly string[] {
  const text = textOf(spliced(lines, splices), end);
  const cutsLast = splices.some(
    ({ at, count, added }) => count > 0 && added.length === 0 && at + count === lines.length,
  );
  // An empty document has no last line whose line end could be kept.
  if (lines.length === 0) return [text, text.slice(0, -end.length)];
  // Without its last line, a document may end with the line end of the one above.
  const left = splices.reduce((sum, { count, added }) => sum - count + added.length, lines.length);
  return cutsLast && lines.at(-1)?.ended === false && left > 0 ? [text, text + end] : [text];
}

/** The text that an answer proposes for a new file. */
export function newTexts(splices: readonly Splice[]): PossibleTexts {
  const all = [splices.flatMap(({ added }) => added.map((line) => `${line}\n`)).join('')];
  return { all, some: all };
}
