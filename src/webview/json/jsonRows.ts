/**
 * The visible rows of a JSON tree. Moving from row to row takes constant time, and expanding or collapsing only goes through arrays of
 * numbers: an answer can have hundreds of thousands of values.
 */
import type { JsonNode } from '../../panel/jsonText.ts';

export interface JsonRow {
  /** The number of its value, counted in the order of the text. */
  readonly value: number;
  readonly node: JsonNode;
  /** From 1. */
  readonly level: number;
  /** The position among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Whether it is expanded; undefined for a value without children. */
  readonly open: boolean | undefined;
}

/** A tree and its expanded values. Values are identified by their number, rows by their index. */
export interface JsonTree {
  readonly rowCount: () => number;
  readonly row: (index: number) => JsonRow | undefined;
  /** The index of the row of a value, or of its nearest visible ancestor. */
  readonly rowOf: (value: number) => number;
  /** The parent of a value; undefined for the root. */
  readonly parentOf: (value: number) => number | undefined;
  /** The value at a JSON pointer (RFC 6901), or its nearest ancestor that exists. */
  readonly find: (pointer: string) => number;
  /** The JSON pointer of a value; empty for the root. */
  readonly pointerOf: (value: number) => string;
  readonly setOpen: (value: number, open: boolean) => void;
}

/** Values from this level on are initially collapsed; the root is level 1. */
const CLOSED_LEVEL = 3;

/** All values in the order of the text, with the data for moving between them. */
interface Values {
  readonly nodes: readonly JsonNode[];
  readonly levels: readonly number[];
  /** From 1. */
  readonly positions: readonly number[];
  /** -1 for the root. */
  readonly parents: readonly number[];
  /** The number of the first value after this value and its descendants. */
  readonly ends: readonly number[];
}

function toValues(root: JsonNode): Values {
  const nodes: JsonNode[] = [];
  const levels: number[] = [];
  const positions: number[] = [];
  const parents: number[] = [];
  const ends: number[] = [];
  const add = (node: JsonNode, level: number, position: number, parent: number) => {
    const value = nodes.push(node) - 1;
    levels.push(level);
    positions.push(position);
    parents.push(parent);
    ends.push(0);
    let next = 1;
    for (const child of node.children) add(child, level + 1, next++, value);
    ends[value] = nodes.length;
  };
  add(root, 1, 1, -1);
  return { nodes, levels, positions, parents, ends };
}

export function createJsonTree(root: JsonNode): JsonTree {
  const { nodes, levels, positions, parents, ends } = toValues(root);
  const open = Uint8Array.from(levels, (level) => (level < CLOSED_LEVEL ? 1 : 0));
  /** The values of the rows, in order; undefined after something was expanded or collapsed. */
  let rows: Int32Array | undefined;
  /** Children by key, for values in which a child was looked up. If several children have the same key, the last one counts. */
  const children = new Map<number, ReadonlyMap<JsonNode['key'], number>>();

  function visible(): Int32Array {
    if (rows !== undefined) return rows;
    const all = new Int32Array(nodes.length);
    let count = 0;
    for (
      let value = 0;
      value < nodes.length;
      value = open[value] === 1 ? value + 1 : (ends[value] ?? value + 1)
    )
      all[count++] = value;
    rows = all.subarray(0, count);
    return rows;
  }

  function childrenOf(value: number): ReadonlyMap<JsonNode['key'], number> {
    const known = children.get(value);
    if (known !== undefined) return known;
    const found = new Map<JsonNode['key'], number>();
    for (let child = value + 1; child < (ends[value] ?? 0); child = ends[child] ?? child + 1)
      found.set(nodes[child]?.key, child);
    children.set(value, found);
    return found;
  }

  function childOf(value: number, part: string): number | undefined {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return childrenOf(value).get(nodes[value]?.kind === 'array' ? Number(name) : name);
  }

  const parentOf = (value: number) => {
    const parent = parents[value] ?? -1;
    return parent === -1 ? undefined : parent;
  };

  return {
    rowCount: () => visible().length,
    row(index) {
      const value = visible()[index];
      const node = value === undefined ? undefined : nodes[value];
      if (value === undefined || node === undefined) return undefined;
      const parent = parentOf(value);
      return {
        value,
        node,
        level: levels[value] ?? 1,
        position: positions[value] ?? 1,
        siblings: parent === undefined ? 1 : (nodes[parent]?.children.length ?? 1),
        open: node.children.length === 0 ? undefined : open[value] === 1,
      };
    },
    rowOf(value) {
      let shown = value;
      for (let above = parentOf(value); above !== undefined; above = parentOf(above))
        if (open[above] !== 1) shown = above;
      return indexOf(visible(), shown);
    },
    parentOf,
    find(pointer) {
      let value = 0;
      for (const part of pointer.split('/').slice(1)) {
        const child = childOf(value, part);
        if (child === undefined) return value;
        value = child;
      }
      return value;
    },
    pointerOf(value) {
      const parts: string[] = [];
      for (let at = value; parents[at] !== -1; at = parents[at] ?? 0)
        parts.push(`/${toPart(nodes[at]?.key)}`);
      return parts.toReversed().join('');
    },
    setOpen(value, isOpen) {
      open[value] = isOpen ? 1 : 0;
      rows = undefined;
    },
  };
}

const toPart = (key: JsonNode['key']) => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** The index of a number among ascending numbers; if it isn't there, the index of the last lower number. */
function indexOf(ascending: Int32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

export type RowStep =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'open' | 'close'; readonly value: number };

/** The action of a key on a row, as in other trees; undefined if the key has none. */
export function rowStepOf(tree: JsonTree, at: number, key: string): RowStep | undefined {
  const row = tree.row(at);
  if (row === undefined) return undefined;
  const last = tree.rowCount() - 1;
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
      return row.open ? { kind: 'go', to: at + 1 } : { kind: 'open', value: row.value };
    case 'ArrowLeft': {
      if (row.open === true) return { kind: 'close', value: row.value };
      const parent = tree.parentOf(row.value);
      return parent === undefined ? undefined : { kind: 'go', to: tree.rowOf(parent) };
    }
    case 'Enter':
    case ' ':
      if (row.open === undefined) return undefined;
      return { kind: row.open ? 'close' : 'open', value: row.value };
    default:
      return undefined;
  }
}

/** The index of the first of `most` rows to draw, so that the active row is one of them. */
export function windowOf(from: number, active: number, count: number, most: number): number {
  const start = active < from ? active - 20 : active >= from + most ? active - most + 20 : from;
  return Math.max(0, Math.min(start, count - most));
}
