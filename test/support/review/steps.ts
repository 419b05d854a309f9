/** Random documents and steps, and what the model says of each step. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Proposal } from '../../../src/review/proposal.ts';
import { possibleTexts, type Splice, type Style, spliced, writeAnswer } from './answers.ts';
import { type Change, freshLines, type LineEnd, type Lines, startsOf, textOf } from './lines.ts';
import { createReviewModel, type ReviewModel } from './model.ts';

/** The lines that a question was about. */
export interface Asked {
  readonly line: number;
  readonly text: string;
}

type Maybe<T> = T | Promise<T>;

/** A document under review: without an editor, or in one. */
export interface Reviewer {
  text(): string;
  /** The proposals for the document, oldest first. */
  proposals(): readonly Proposal[];
  change(changes: readonly Change[]): Maybe<void>;
  undo(): Maybe<void>;
  redo(): Maybe<void>;
  changeEnds(): Maybe<void>;
  save(): Maybe<void>;
  rename(): Maybe<void>;
  /** Deletes the file, does something, and brings the file back. */
  vanish(meanwhile: () => Promise<void>): Maybe<void>;
  /** Closes and opens everything. The file may have changed in between. */
  reload(changed: string | undefined): Maybe<void>;
  propose(answer: string, asked: Asked | undefined): Maybe<Proposal>;
  accept(id: string, ids: ReadonlySet<string>): Maybe<void>;
  reject(id: string, ids: ReadonlySet<string>): Maybe<void>;
}

/** Numbers of a step are taken modulo what there is when it runs, so that it stays a step when others are left out. */
interface AnySplice {
  readonly at: number;
  readonly count: number;
  readonly added: readonly number[];
}

interface Typing {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

export type Step =
  | { readonly do: 'type'; readonly typing: readonly Typing[] }
  | { readonly do: 'lines'; readonly splice: AnySplice; readonly fromLineEnd: boolean }
  | { readonly do: 'format' | 'reload'; readonly splices: readonly AnySplice[] }
  | { readonly do: 'undo' | 'redo' | 'ends' | 'save' | 'rename' | 'vanish' }
  | {
      readonly do: 'accept' | 'reject';
      readonly which: number;
      readonly all: boolean;
      readonly earlier: boolean;
    }
  | { readonly do: 'propose'; readonly splices: readonly AnySplice[]; readonly style: Style };

export interface Scenario {
  /** Whether no line is there twice, so that also changes that nobody saw can be followed. */
  readonly unique: boolean;
  readonly lines: readonly number[];
  readonly lineEnd: LineEnd;
  readonly lastEnded: boolean;
  readonly steps: readonly Step[];
}

const splice = fc.record({
  at: fc.nat(20),
  count: fc.nat(2),
  added: fc.array(fc.nat(40), { maxLength: 2 }),
});

const typing = fc.record({
  at: fc.nat(60),
  removed: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
  inserted: fc.constantFrom('x', '', '\n', 'y\nz', '}\n', '\nw', '😀', '\r\n', 'a'),
});

const style: fc.Arbitrary<Style> = fc.record({
  form: fc.constantFrom('edits', 'whole', 'code', 'diff'),
  context: fc.nat(2),
  slips: fc.oneof(fc.constant(0), fc.nat(255)),
});

const propose = fc.record({
  do: fc.constant('propose' as const),
  splices: fc.array(splice, { minLength: 1, maxLength: 3 }),
  style,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      typing: fc.array(typing, { minLength: 1, maxLength: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      typing: fc.array(typing, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('lines' as const), splice, fromLineEnd: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('format' as const, 'reload' as const),
      splices: fc.array(splice, { maxLength: 2 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redo' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('ends' as const, 'save' as const, 'rename' as const, 'vanish' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const),
      which: fc.nat(5),
      all: fc.oneof(
        { weight: 3, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      earlier: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  { weight: 2, arbitrary: propose },
);

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  unique: fc.boolean(),
  lines: fc.array(fc.nat(40), { maxLength: 9 }),
  lineEnd: fc.constantFrom<LineEnd>('\n', '\r\n'),
  lastEnded: fc.boolean(),
  steps: fc.tuple(propose, fc.array(step, { maxLength: 12 })).map(([first, others]) => [first, ...others]),
});

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

/** Makes lines of numbers: never two equal ones, or often. */
function createTexts(unique: boolean): (numbers: readonly number[]) => readonly string[] {
  let made = 0;
  return (numbers) =>
    numbers.map((number) => {
      if (!unique) return POOL[number % POOL.length] ?? '';
      made += 1;
      return (AROUND[number % AROUND.length] ?? '').replace('<>', `<${made}>`);
    });
}

/** Runs the steps in a document and in the model, and compares them after each. */
export async function runScenario(
  { unique, lines, lineEnd, lastEnded, steps }: Scenario,
  open: (text: string, lineEnd: LineEnd) => Maybe<Reviewer>,
  stop: () => boolean = () => false,
): Promise<number> {
  const texts = createTexts(unique);
  const text = texts(lines)
    .map((line) => line + lineEnd)
    .join('');
  const start = freshLines(lastEnded ? text : text.slice(0, -lineEnd.length));
  const model = createReviewModel(start, lineEnd, unique);
  const reviewer = await open(model.text(), lineEnd);
  let count = 0;
  for (const one of steps) {
    if (stop()) break;
    await runStep(one, { model, reviewer, texts });
    assert.equal(reviewer.text(), model.text(), 'the text of the document');
    model.check(reviewer.proposals());
    count += 1;
  }
  return count;
}

interface Running {
  readonly model: ReviewModel;
  readonly reviewer: Reviewer;
  readonly texts: (numbers: readonly number[]) => readonly string[];
}

async function runStep(step: Step, running: Running): Promise<void> {
  const { model, reviewer, texts } = running;
  switch (step.do) {
    case 'type': {
      const changes = toChanges(model.text(), model.end(), step.typing);
      if (changes.length === 0) return;
      model.typed(changes);
      return reviewer.change(changes);
    }
    case 'lines': {
      const change = toLineChange(model, toSplices(model.lines(), [step.splice], texts), step.fromLineEnd);
      if (change === undefined) return;
      model.typed([change]);
      return reviewer.change([change]);
    }
    case 'format': {
      const removed = model.text().length;
      const next = spliced(model.lines(), toSplices(model.lines(), step.splices, texts));
      const inserted = textOf(next, model.end());
      if (inserted === model.text()) return;
      model.replaced(next, false);
      return reviewer.change([{ offset: 0, removed, inserted }]);
    }
    case 'reload': {
      const next = spliced(model.lines(), toSplices(model.lines(), step.splices, texts));
      model.replaced(next, true);
      return reviewer.reload(step.splices.length === 0 ? undefined : model.text());
    }
    case 'undo':
    case 'redo': {
      const direction = step.do === 'undo' ? -1 : 1;
      if (!model.canGo(direction)) return;
      model.went(direction);
      return reviewer[step.do]();
    }
    case 'ends':
      if (!model.text().includes('\n')) return;
      model.endsChanged();
      return reviewer.changeEnds();
    case 'save':
      return reviewer.save();
    case 'rename':
      model.forgetHistory();
      return reviewer.rename();
    case 'vanish':
      model.forgetHistory();
      return reviewer.vanish(() => acceptAll(reviewer));
    case 'accept':
    case 'reject':
      return decide(step, running);
    case 'propose':
      return propose_(step, running);
  }
}

/** Accepting must not bring back a deleted file, nor change it later. */
async function acceptAll(reviewer: Reviewer): Promise<void> {
  const proposal = reviewer.proposals().at(-1);
  const ids = proposal?.files[0]?.hunks.map(({ hunk }) => hunk.id) ?? [];
  if (proposal !== undefined && ids.length > 0) await reviewer.accept(proposal.id, new Set(ids));
}

async function decide(
  step: Extract<Step, { do: 'accept' | 'reject' }>,
  { model, reviewer }: Running,
): Promise<void> {
  const all = reviewer.proposals();
  const proposal = step.earlier ? all.at(-2) : all.at(-1);
  const hunks = proposal?.files[0]?.hunks ?? [];
  if (proposal === undefined || hunks.length === 0) return;
  const chosen = step.all ? hunks : [hunks[step.which % hunks.length]];
  const ids = new Set(chosen.flatMap((one) => (one === undefined ? [] : [one.hunk.id])));
  if (step.do === 'accept') model.accepted(proposal, ids);
  else model.rejected(proposal, ids);
  await reviewer[step.do](proposal.id, ids);
}

async function propose_(
  step: Extract<Step, { do: 'propose' }>,
  { model, reviewer, texts }: Running,
): Promise<void> {
  const lines = model.lines();
  const wanted = toSplices(lines, step.splices, texts);
  if (wanted.length === 0) return;
  const { answer, asked, splices, clear } = writeAnswer(lines, model.end(), wanted, step.style);
  const proposal = await reviewer.propose(answer, asked === undefined ? undefined : toAsked(lines, asked));
  const possible = possibleTexts(lines, model.end(), splices);
  const file = proposal.files[0];
  if (clear)
    assert.deepEqual(
      file?.unplaced ?? 'no file',
      [],
      `every change of ${JSON.stringify(answer)} has its place`,
    );
  const complete = file?.unplaced.length === 0 && possible.all;
  model.proposed(proposal, complete ? possible.all : possible.some);
}

function toAsked(lines: Lines, { from, count }: { readonly from: number; readonly count: number }): Asked {
  const text = lines
    .slice(from, from + count)
    .map((line) => `${line.text}${line.ended ? '\n' : ''}`)
    .join('');
  return { line: from, text };
}

/** Changes of lines, from the top, none touching another. */
function toSplices(lines: Lines, wanted: readonly AnySplice[], texts: Running['texts']): readonly Splice[] {
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

/** Typing of complete lines: from the start of a line, or from the end of the one above. */
function toLineChange(
  model: ReviewModel,
  [splice]: readonly Splice[],
  fromLineEnd: boolean,
): Change | undefined {
  if (splice === undefined) return undefined;
  const [lines, end] = [model.lines(), model.end()];
  const starts = startsOf(lines, end);
  const { at, count, added } = splice;
  const [from, to] = [starts[at] ?? 0, starts[at + count] ?? 0];
  const isEnded = lines[at - 1]?.ended ?? false;
  const inserted = added.map((text) => text + end).join('');
  if (!fromLineEnd || !isEnded || count > 0) return { offset: from, removed: to - from, inserted };
  const offset = from - end.length;
  return { offset, removed: 0, inserted: end + inserted.slice(0, -end.length) };
}

/** Changes by character that don't touch each other, nor cut a line end or a character in two. */
function toChanges(text: string, end: LineEnd, wanted: readonly Typing[]): readonly Change[] {
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
