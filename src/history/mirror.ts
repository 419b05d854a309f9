/**
 * A value of each conversation, such as its draft: read from the database once, and changed there. What can't be
 * written is kept in memory.
 */
export interface Mirror<Value> {
  get(id: string): Value;
  /** Changes the value as it is in the database now, where another window may have changed it. */
  change(id: string, toNext: (before: Value) => Value): void;
  /** Writes the values that could not be written. */
  writeDue(): void;
  /**
   * Another window wrote to the database: values are read again when they are needed. Those that could not be written
   * are written again instead.
   */
  refresh(): void;
  /** The database is another one: writes all known values to it. */
  rewrite(): void;
}

export interface MirrorDeps<Value> {
  readonly empty: Value;
  /** Undefined when it can't be read. */
  read(id: string): Value | undefined;
  /** Changes the stored value in one transaction and returns it; undefined when it can't be written. */
  change(id: string, toNext: (before: Value) => Value): Value | undefined;
}

export function createMirror<Value>({ empty, read, change }: MirrorDeps<Value>): Mirror<Value> {
  const known = new Map<string, Value>();
  const unwritten = new Set<string>();

  function get(id: string): Value {
    const value = known.get(id) ?? read(id);
    if (value !== undefined) known.set(id, value);
    return value ?? empty;
  }

  function put(id: string, toNext: (before: Value) => Value): void {
    const kept = unwritten.has(id) ? known.get(id) : undefined;
    const written = change(id, (stored) => toNext(kept ?? stored));
    if (written === undefined) unwritten.add(id);
    else unwritten.delete(id);
    known.set(id, written ?? toNext(get(id)));
  }

  function writeDue(): void {
    for (const [id, value] of known) if (unwritten.has(id)) put(id, () => value);
  }

  return {
    get,
    change: put,
    writeDue,
    refresh() {
      const due = new Set(unwritten);
      writeDue();
      for (const id of known.keys()) if (!due.has(id)) known.delete(id);
    },
    rewrite() {
      for (const [id, value] of known) put(id, () => value);
    },
  };
}
