/**
 * Parses JSON to a tree of values with their positions. `JSON.parse` reports no positions, loses digits of long
 * numbers, and changes the order of keys that are numbers. Used by the host and the webview.
 */
import { visit } from 'jsonc-parser';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export interface JsonNode {
  readonly kind: JsonKind;
  /** Name or index in the parent; undefined for the root. */
  readonly key: string | number | undefined;
  /** Offsets in the text, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
  readonly children: readonly JsonNode[];
}

/** The first position at which a text isn't valid JSON. Line and column are counted from 1. */
export interface JsonProblem {
  readonly kind: 'unexpected' | 'ends-early' | 'after-the-end' | 'too-deep';
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type JsonText =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly problem: JsonProblem };

/** Maximum depth. Deeper values would exhaust the stack. */
const MAX_LEVELS = 500;

export function readJsonText(text: string): JsonText {
  try {
    return { ok: true, root: readTree(text) };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, problem: placeOf(text, error) };
    throw error;
  }
}

/** Stops the parser at the first error; the library would continue. */
class Stop extends Error {
  readonly kind: JsonProblem['kind'];
  readonly offset: number;
  constructor(kind: JsonProblem['kind'], offset: number) {
    super(kind);
    this.kind = kind;
    this.offset = offset;
  }
}

type Open = JsonNode & { to: number; readonly children: JsonNode[] };

function readTree(text: string): JsonNode {
  const open: Open[] = [];
  let name: string | undefined;
  let root: JsonNode | undefined;

  function add(kind: JsonKind, from: number, to: number): Open {
    const parent = open.at(-1);
    const key = parent?.kind === 'array' ? parent.children.length : name;
    const node = { kind, key: parent && key, from, to, children: [] };
    if (parent === undefined) root = node;
    else parent.children.push(node);
    return node;
  }
  function begin(kind: JsonKind, offset: number): void {
    if (open.length >= MAX_LEVELS) throw new Stop('too-deep', offset);
    open.push(add(kind, offset, offset));
  }
  function end(offset: number, length: number): void {
    const node = open.pop();
    if (node !== undefined) node.to = offset + length;
  }

  visit(
    text,
    {
      onObjectBegin: (offset) => begin('object', offset),
      onArrayBegin: (offset) => begin('array', offset),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (property) => {
        name = property;
      },
      onLiteralValue: (value, offset, length) => void add(kindOf(value), offset, offset + length),
      onError(_, offset, length) {
        const at = text[offset] === '"' ? offset + validLength(text.slice(offset, offset + length)) : offset;
        // The library ends the outermost value before it reports, at the end of the text, that its bracket is missing.
        const isAfter = root !== undefined && open.length === 0 && offset < text.length;
        if (isAfter) throw new Stop('after-the-end', offset);
        throw new Stop(at >= text.length ? 'ends-early' : 'unexpected', at);
      },
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  // There is no value, so there must have been an error.
  return root ?? { kind: 'null', key: undefined, from: 0, to: 0, children: [] };
}

function kindOf(value: unknown): JsonKind {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'null';
}

/** The length of the valid part of a string. The library reports only which string has the error. */
function validLength(source: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON admits none of them in a string.
  for (const match of source.matchAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|([\u0000-\u001f\\])/g))
    if (match[1] !== undefined) return match.index;
  return source.length;
}

function placeOf(text: string, { kind, offset }: Stop): JsonProblem {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { kind, offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
