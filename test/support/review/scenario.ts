/** Random documents, and random steps in them. */
import fc from 'fast-check';
import type { Style } from './answers.ts';
import type { LineEnd } from './lines.ts';

/** Numbers of a step are taken modulo the number of choices when it runs, so that the step is valid if other steps are left out. */
export interface AnySplice {
  readonly at: number;
  readonly count: number;
  readonly added: readonly number[];
}

export interface Typing {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

export type Step =
  | { readonly do: 'type' | 'revert'; readonly typing: readonly Typing[] }
  | { readonly do: 'lines'; readonly splice: AnySplice; readonly fromLineEnd: boolean }
  | {
      readonly do: 'format' | 'reload' | 'external' | 'create' | 'vanish';
      readonly splices: readonly AnySplice[];
    }
  | { readonly do: 'undo' | 'redo' | 'ends' | 'endsOutside' | 'trim' | 'save' | 'rename' | 'delete' }
  | {
      readonly do: 'accept' | 'reject';
      readonly which: number;
      readonly all: boolean;
      readonly earlier: boolean;
    }
  | { readonly do: 'restore'; readonly earlier: boolean }
  | { readonly do: 'propose'; readonly splices: readonly AnySplice[]; readonly style: Style };

export interface Scenario {
  /** Whether the file exists at the start. If not, it has no lines. */
  readonly exists: boolean;
  /** Whether no line occurs twice, so that unobserved changes can also be followed. */
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
      do: fc.constantFrom('type' as const, 'revert' as const),
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
      do: fc.constantFrom('format' as const, 'reload' as const, 'external' as const),
      splices: fc.array(splice, { maxLength: 2 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redo' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'ends' as const,
        'endsOutside' as const,
        'trim' as const,
        'save' as const,
        'rename' as const,
        'delete' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('create' as const, 'vanish' as const),
      splices: fc.array(splice, { maxLength: 2 }),
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
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      earlier: fc.oneof(
        { weight: 2, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  { weight: 2, arbitrary: propose },
);

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  exists: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  unique: fc.boolean(),
  lines: fc.oneof(
    { weight: 6, arbitrary: fc.array(fc.nat(40), { maxLength: 9 }) },
    // A single line without a line end doesn't show the line ends of its document.
    { weight: 1, arbitrary: fc.array(fc.nat(40), { minLength: 1, maxLength: 1 }) },
  ),
  lineEnd: fc.constantFrom<LineEnd>('\n', '\r\n'),
  lastEnded: fc.boolean(),
  steps: fc.tuple(propose, fc.array(step, { maxLength: 12 })).map(([first, others]) => [first, ...others]),
});
