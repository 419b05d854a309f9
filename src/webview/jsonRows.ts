/** The visible rows of a JSON tree. */
import type { JsonNode } from '../panel/jsonText.ts';

export interface JsonRow {
  /** JSON pointer (RFC 6901); empty for the root. */
  readonly pointer: string;
  readonly node: JsonNode;
  /** From 1. */
  readonly level: number;
  /** The position among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Whether it is expanded; undefined for a value without children. */
  readonly open: boolean | undefined;
}

/** Values from this level on are collapsed at first; the root is level 1. */
const CLOSED_LEVEL = 3;

export const isOpenAtFirst = (level: number) => level < CLOSED_LEVEL;

/** @param isOpen whether a value is expanded, by the user or by default */
export function toRows(
  root: JsonNode,
  isOpen: (pointer: string, level: number) => boolean,
): readonly JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (node: JsonNode, pointer: string, level: number, position: number, siblings: number) => {
    const { children } = node;
    const open = children.length === 0 ? undefined : isOpen(pointer, level);
    rows.push({ pointer, node, level, position, siblings, open });
    if (open !== true) return;
    for (const [index, child] of children.entries())
      add(child, childPointer(pointer, child), level + 1, index + 1, children.length);
  };
  add(root, '', 1, 1, 1);
  return rows;
}

const childPointer = (pointer: string, { key }: JsonNode) =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The pointers of all ancestors of a value, the root first. */
export function ancestorsOf(pointer: string): readonly string[] {
  const parts = pointer.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The index of the row of a value or of its nearest visible ancestor; -1 only when there are no rows. */
export function nearestRow(rows: readonly JsonRow[], pointer: string): number {
  const places = new Map(rows.map((row, index) => [row.pointer, index]));
  for (const candidate of [pointer, ...ancestorsOf(pointer).toReversed()]) {
    const at = places.get(candidate);
    if (at !== undefined) return at;
  }
  return -1;
}

export type RowStep =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'open' | 'close'; readonly pointer: string };

/** What a key does on a row, as in any tree; undefined when it does nothing. */
export function stepOf(rows: readonly JsonRow[], at: number, key: string): RowStep | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  const last = rows.length - 1;
  switch (key) {
    case 'ArrowDown':
      return { kind: 'go', to: Math.min(at + 1, last) };
    case 'ArrowUp':
      return { kind: 'go', to: Math.max(at - 1, 0) };
    case 'Home':
      return { kind: 'go', to: 0 };
    case 'End':
      return { kind: 'go', to: last };
    case 'ArrowRight':
      if (row.open === undefined) return undefined;
      return row.open ? { kind: 'go', to: at + 1 } : { kind: 'open', pointer: row.pointer };
    case 'ArrowLeft': {
      if (row.open === true) return { kind: 'close', pointer: row.pointer };
      const parent = rows.findLastIndex((other, index) => index < at && other.level < row.level);
      return parent === -1 ? undefined : { kind: 'go', to: parent };
    }
    case 'Enter':
    case ' ':
      if (row.open === undefined) return undefined;
      return { kind: row.open ? 'close' : 'open', pointer: row.pointer };
    default:
      return undefined;
  }
}

/** The first of `most` rows to draw, so that the active row is among them. */
export function windowOf(from: number, active: number, count: number, most: number): number {
  const start = active < from ? active - 20 : active >= from + most ? active - most + 20 : from;
  return Math.max(0, Math.min(start, count - most));
}
