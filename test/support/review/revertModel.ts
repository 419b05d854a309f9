/** Random histories of ten files: proposals of the model, hunks that the user accepts, and text that the user types in between. */
import fc from 'fast-check';

/** A step in a file. Its random numbers are taken modulo the number of choices. */
export type Act =
  /** The model proposes these changes, each of some lines, and the user accepts some of them. */
  | {
      readonly kind: 'propose';
      readonly splices: readonly (readonly [at: number, remove: number, insert: number])[];
      readonly accepts: readonly boolean[];
      readonly isMessage: number;
    }
  | { readonly kind: 'type'; readonly at: number; readonly count: number }
  | { readonly kind: 'delete'; readonly at: number; readonly count: number }
  | { readonly kind: 'touch'; readonly at: number }
  /** The window is closed, and opened again after other acts by hand. */
  | { readonly kind: 'reload' };

const small = fc.nat(40);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('propose' as const),
      splices: fc.array(fc.tuple(small, fc.nat(2), fc.nat(3)), { minLength: 1, maxLength: 4 }),
      accepts: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      isMessage: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      at: small,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      at: small,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('touch' as const), at: small }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reload' as const }) },
);

export interface FileStory {
  readonly lines: number;
  readonly crlf: boolean;
  readonly acts: readonly Act[];
}

/** Ten files, and the message from which on everything is taken back, or which alone is taken back. */
export const stories = fc.record({
  files: fc.array(
    fc.record({
      lines: fc.nat(12),
      crlf: fc.boolean(),
      acts: fc.array(act, { minLength: 2, maxLength: 10 }),
    }),
    { minLength: 10, maxLength: 10 },
  ),
  from: fc.nat(3),
  onlyOne: fc.boolean(),
});
