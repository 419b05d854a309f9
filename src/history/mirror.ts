/**
 * A value of each conversation, such as its draft: read from the database once, and changed there. Changes that can't be
 * written are kept in memory, and are made to what is in the database when it can be written again.
 */
export interface Mirror<Value> {
  /** One that can't be read is as it was before another window wrote. */
  get(id: string): Value;
  /** Changes the value as it is in the database now, where another window may have changed it. */
  change(id: string, toNext: (before: Value) => Value): void;
  /** Replaces the value, whatever it is. */
  set(id: string, value: Value): void;
  /** Whether a change could not be written yet. */
  isDue(id: string): boolean;
  /** Makes the changes that could not be written. */
  writeDue(): void;
  /** Another window wrote to the database: what could not be written is tried again, and other values are read again. */
  refresh(): void;
  /** The database is another one: writes what is known to it, beside what another window has written to it already. */
  rewrite(): void;
}

type Change<Value> = (before: Value) => Value;

export interface MirrorDeps<Value> {
  readonly empty: Value;
  /** Undefined when it can't be read. */
  read(id: string): Value | undefined;
  /** Changes the stored value in one transaction and returns it; undefined when it can't be written. */
  change(id: string, toNext: (before: Value) => Value): Value | undefined;
  /**
   * The value in another database than before.
   *
   * @param known the value as this window knows it
   * @param isOwn whether this window wrote it, and no other one has written since
   */
  join(stored: Value, known: Value, isOwn: boolean): Value;
}

/** Changes that are kept of a value that can't be read either. Without a database, it never can. */
const MOST_DUE = 100;

export function createMirror<Value>({ empty, read, change, join }: MirrorDeps<Value>): Mirror<Value> {
  const known = new Map<string, Value>();
  /** The values as they were before another window wrote, for as long as they can't be read. */
  const earlier = new Map<string, Value>();
  /** Of each conversation, what could not be written, in its order. */
  const due = new Map<string, readonly Change<Value>[]>();
  /** The conversations whose value this window has changed since another one wrote. */
  const own = new Set<string>();

  function get(id: string): Value {
    const value = known.get(id) ?? read(id);
    if (value !== undefined) known.set(id, value);
    return value ?? earlier.get(id) ?? empty;
  }

  /** Makes changes to the stored value. On a full disk, another window may have changed what can still be read. */
  function put(id: string, changes: readonly Change<Value>[], last: Change<Value>): void {
    const toNext = (before: Value) => changes.reduce((value, one) => one(value), before);
    const written = change(id, toNext);
    if (written !== undefined) {
      due.delete(id);
      known.set(id, written);
      return;
    }
    const stored = read(id);
    const value = stored === undefined ? last(get(id)) : toNext(stored);
    due.set(id, stored === undefined && changes.length > MOST_DUE ? [() => value] : changes);
    known.set(id, value);
  }

  function set(id: string, value: Value): void {
    own.add(id);
    put(id, [() => value], () => value);
  }

  function writeDue(): void {
    for (const [id, changes] of [...due]) put(id, changes, (value) => value);
  }

  return {
    get,
    change(id, toNext) {
      own.add(id);
      put(id, [...(due.get(id) ?? []), toNext], toNext);
    },
    set,
    isDue: (id) => due.has(id),
    writeDue,
    refresh() {
      const tried = new Set(due.keys());
      writeDue();
      for (const [id, value] of known) {
        if (tried.has(id)) continue;
        earlier.set(id, value);
        known.delete(id);
        own.delete(id);
      }
    },
    rewrite() {
      for (const [id, value] of [...known]) {
        const isOwn = own.has(id);
        const toNext = (stored: Value) => join(stored, value, isOwn);
        put(id, [...(due.get(id) ?? []), toNext], () => value);
      }
    },
  };
}
