/**
 * Caches one value of each conversation, such as its draft. The value is read from the database once and changed there. Changes that
 * can't be written are kept in memory, and are applied to the stored value when the database can be written again.
 */
export interface Mirror<Value> {
  /** The value. If it can't be read, its state before another window wrote to the database. */
  get(id: string): Value;
  /** Changes the stored value, which another window may have changed meanwhile. */
  change(id: string, toNext: (before: Value) => Value): void;
  /**
   * Replaces the value, whatever another window has stored. If the stored value could never be read here, the user hasn't seen it, so
   * that `setUnseen` joins both.
   */
  set(id: string, value: Value): void;
  /** Whether a change couldn't be written yet. */
  isDue(id: string): boolean;
  /** Tries again to write the changes that couldn't be written. */
  writeDue(): void;
  /**
   * Called after another window wrote to the database. Tries again to write pending changes, and reads other values again when they
   * are needed.
   */
  refresh(): void;
  /** Called when the database was replaced. Writes the known values to it, joined with those that another window has already written. */
  rewrite(): void;
}

type Change<Value> = (before: Value) => Value;

export interface MirrorDeps<Value> {
  readonly empty: Value;
  /** Undefined when it can't be read. */
  read(id: string): Value | undefined;
  /** Changes the stored value in one transaction and returns it; undefined when it can't be written. */
  change(id: string, toNext: (before: Value) => Value): Value | undefined;
  /** The value to store when one is set instead of a stored one that this window could never read. */
  setUnseen(stored: Value, value: Value): Value;
  /**
   * The value to store after the database was replaced.
   *
   * @param stored the value in the new database
   * @param known the value as this window knows it
   * @param isOwn whether this window wrote the known value, and no other one has written since
   */
  join(stored: Value, known: Value, isOwn: boolean): Value;
}

/** The most pending changes of a value that can't be read either. Without a database, it never can be. */
const MOST_DUE = 100;

export function createMirror<Value>({
  empty,
  read,
  change,
  setUnseen,
  join,
}: MirrorDeps<Value>): Mirror<Value> {
  const known = new Map<string, Value>();
  /** The values before another window wrote to the database, used as long as they can't be read. */
  const earlier = new Map<string, Value>();
  /** The changes of each conversation that couldn't be written, in order. */
  const due = new Map<string, readonly Change<Value>[]>();
  /** The conversations whose value this window has changed since another one wrote. */
  const own = new Set<string>();
  /** The conversations whose value was set here although the stored one could never be read. */
  const unseen = new Set<string>();

  function get(id: string): Value {
    const value = known.get(id) ?? read(id);
    if (value !== undefined) known.set(id, value);
    return value ?? earlier.get(id) ?? empty;
  }

  /**
   * Applies changes to the stored value. If they can't be written, for example on a full disk, they are applied to the value that
   * can still be read, which another window may have changed.
   */
  function put(id: string, changes: readonly Change<Value>[], last: Change<Value>): void {
    const toNext = (before: Value) => changes.reduce((value, one) => one(value), before);
    const written = change(id, toNext);
    if (written !== undefined) {
      due.delete(id);
      unseen.delete(id);
      known.set(id, written);
      return;
    }
    const stored = read(id);
    if (stored !== undefined) unseen.delete(id);
    const value = stored === undefined ? last(get(id)) : toNext(stored);
    due.set(id, stored === undefined && changes.length > MOST_DUE ? [() => value] : changes);
    known.set(id, value);
  }

  function set(id: string, value: Value): void {
    own.add(id);
    if (!known.has(id) && !earlier.has(id) && read(id) === undefined) unseen.add(id);
    const isUnseen = unseen.has(id);
    put(id, [(stored) => (isUnseen ? setUnseen(stored, value) : value)], () => value);
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
        if (unseen.has(id)) {
          put(id, due.get(id) ?? [], () => value);
          continue;
        }
        const isOwn = own.has(id);
        const toNext = (stored: Value) => join(stored, value, isOwn);
        put(id, [...(due.get(id) ?? []), toNext], () => value);
      }
    },
  };
}
