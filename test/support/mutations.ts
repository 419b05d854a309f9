/** Damage at random places: in texts, and in JSON. */
import fc from 'fast-check';

/** How to damage JSON. The places are taken modulo the number of places. */
export interface JsonDamage {
  readonly at: number;
  readonly other: number;
  readonly how: 'remove' | 'repeat' | 'swap' | 'value';
  readonly value: unknown;
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  '\ud800',
  '__proto__',
  [],
  {},
  [null],
  { constructor: 1 },
];

export const jsonDamage: fc.Arbitrary<JsonDamage> = fc.record({
  at: fc.nat(10_000),
  other: fc.nat(10_000),
  how: fc.constantFrom('remove' as const, 'repeat' as const, 'swap' as const, 'value' as const),
  value: fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 2 })),
});

interface Slot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function slotsOf(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value as Slot['holder'], key },
    ...slotsOf(inner),
  ]);
}

/** A damaged copy of a JSON value. */
export function damageJson(value: unknown, { at, other, how, value: odd }: JsonDamage): unknown {
  const root = { copy: structuredClone(value) };
  const slots = slotsOf(root);
  const slot = slots[at % slots.length];
  const second = slots[other % slots.length];
  if (slot === undefined || second === undefined) return odd;
  const get = ({ holder, key }: Slot) => (holder as Record<string, unknown>)[key];
  const set = ({ holder, key }: Slot, next: unknown) => {
    (holder as Record<string, unknown>)[key] = next;
  };
  const before = get(slot);
  if (how === 'value') set(slot, odd);
  else if (how === 'swap') {
    const copies = [structuredClone(get(second)), structuredClone(before)];
    set(slot, copies[0]);
    // The second place is no longer in the value if it was inside the first.
    set(second, copies[1]);
  } else if (Array.isArray(slot.holder))
    slot.holder.splice(Number(slot.key), how === 'remove' ? 1 : 0, ...(how === 'remove' ? [] : [before]));
  else if (how === 'remove') delete slot.holder[slot.key];
  else set(slot, [before, before]);
  return root.copy;
}

/** Replaces some characters of a text by others. Places are taken modulo its length. */
export interface TextDamage {
  readonly at: number;
  readonly length: number;
  readonly insert: string;
}

export const textDamage: fc.Arbitrary<TextDamage> = fc.record({
  at: fc.nat(100_000),
  length: fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(300), fc.constant(1_000_000)),
  insert: fc.oneof(
    fc.constantFrom(
      '',
      '\n',
      '\n\n',
      '\r',
      'data: ',
      'data: {}',
      '{"error":{"message":"x"}}',
      '"',
      '}',
      '\u0000',
    ),
    fc.string({ maxLength: 8 }),
  ),
});

export function damageText(text: string, { at, length, insert }: TextDamage): { text: string; from: number } {
  const from = at % (text.length + 1);
  return { text: text.slice(0, from) + insert + text.slice(from + length), from };
}

/** The number of runs, and the first random number if it is given: `RUNS=` and `SEED=`. */
export function runsOf(short: number): { numRuns: number; seed?: number } {
  const seed = process.env['SEED'];
  return {
    numRuns: Number(process.env['RUNS'] ?? short),
    ...(seed !== undefined && { seed: Number(seed) }),
  };
}
