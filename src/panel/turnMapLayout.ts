/** The widths of the parts of a map. Parts that are too narrow to be seen are joined. */

/** Parts that are drawn as one. Indexes are counted from 0; `to` is not included. */
export interface MapGroup {
  readonly from: number;
  readonly to: number;
  /** Percent of the row. */
  readonly width: number;
}

/** A part that is narrower than this is joined with its neighbors, until they are wide enough to be pointed at. In pixels. */
const NARROWEST = 2;
const WIDE_ENOUGH = 8;

/**
 * The groups of a row, in its order, whose widths add up to 100. None is narrower than `NARROWEST` if the row has room.
 *
 * @param values above 0
 * @param room the width of the row in pixels
 */
export function layOut(values: readonly number[], room: number): readonly MapGroup[] {
  const sum = values.reduce((total, value) => total + value, 0);
  if (sum <= 0) return [];
  const groups: { from: number; to: number; px: number; isOpen: boolean }[] = [];
  for (const [index, value] of values.entries()) {
    const px = (value / sum) * room;
    const last = groups.at(-1);
    const isNarrow = px < NARROWEST;
    if (last?.isOpen && isNarrow) {
      last.to = index + 1;
      last.px += px;
      last.isOpen = last.px < WIDE_ENOUGH;
    } else groups.push({ from: index, to: index + 1, px, isOpen: isNarrow });
  }
  const widths = groups.map(({ px }) => Math.max(px, NARROWEST));
  const all = widths.reduce((total, width) => total + width, 0);
  return groups.map(({ from, to }, index) => ({ from, to, width: ((widths[index] ?? 0) / all) * 100 }));
}
