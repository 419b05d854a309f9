/** What is attached in a conversation and not sent yet. Two windows that attach something keep what both have. */
import { type Choices, NOTHING_CHOSEN, NOTHING_UNSENT, type Unsent } from '../conversation/unsent.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';

export interface UnsentStore {
  /** What is not sent yet, besides the text of the draft. Deleted conversations keep it. */
  unsent(id: string): Unsent;
  /** Keeps the parts that are given, as this window has them. */
  putUnsent(id: string, parts: Partial<Unsent>): void;
  /** What this or another window chose last. */
  choices(id: string): Choices;
  /** Another window wrote to the database. */
  refresh(): void;
  /** Writes what could not be written. */
  writeDue(): void;
  /** Says that this window is open, so that no other one takes its edits. */
  renew(): void;
  /** Leaves the edits of this window, which is closing, to the next one. */
  release(): void;
  /** Writes everything that is known, because the database is another one. */
  rewrite(): void;
}

export interface UnsentStoreDeps {
  readonly history:
    | Pick<History, 'unsent' | 'choices' | 'putUnsent' | 'renewEdits' | 'releaseEdits'>
    | undefined;
  readonly attempt: Attempt;
  /** Adds the row of a conversation that has no question yet, if it is missing. */
  addRow(id: string): void;
}

/** What this window has, what it had when it last read or wrote, and what has changed since. */
interface Known {
  readonly before: Unsent;
  readonly now: Unsent;
  readonly changes: Partial<Unsent>;
}

const NOTHING: Known = { before: NOTHING_UNSENT, now: NOTHING_UNSENT, changes: {} };

export function createUnsentStore({ history, attempt, addRow }: UnsentStoreDeps): UnsentStore {
  const known = new Map<string, Known>();
  const unwritten = new Set<string>();
  const chosen = new Map<string, Choices>();

  function write(id: string, { before, now, changes }: Known): void {
    const written = attempt('keeping attachments', () => {
      addRow(id);
      history?.putUnsent(id, changes, before);
      return true;
    });
    if (written === true) unwritten.delete(id);
    else unwritten.add(id);
    known.set(id, written === true ? { before: now, now, changes: {} } : { before, now, changes });
  }

  return {
    unsent(id) {
      const own = unwritten.has(id) || history === undefined ? known.get(id)?.now : undefined;
      if (own !== undefined) return own;
      const stored = attempt('reading attachments', () => history?.unsent(id));
      // What couldn't be read must not be written back as nothing.
      if (stored === undefined) return NOTHING_UNSENT;
      known.set(id, { before: stored, now: stored, changes: {} });
      return stored;
    },
    choices(id) {
      const own = unwritten.has(id) || history === undefined ? known.get(id)?.now : chosen.get(id);
      if (own !== undefined) return { preset: own.preset, leavesOut: own.leavesOut };
      const stored = attempt('reading what is chosen', () => history?.choices(id));
      if (stored === undefined) return NOTHING_CHOSEN;
      chosen.set(id, stored);
      return stored;
    },
    refresh: () => chosen.clear(),
    putUnsent(id, parts) {
      const { before, now, changes } = known.get(id) ?? NOTHING;
      chosen.delete(id);
      write(id, { before, now: { ...now, ...parts }, changes: { ...changes, ...parts } });
    },
    writeDue() {
      for (const [id, one] of known) if (unwritten.has(id)) write(id, one);
    },
    renew: () => void attempt('keeping edited questions', () => history?.renewEdits()),
    release: () => void attempt('leaving edited questions to the next window', () => history?.releaseEdits()),
    rewrite() {
      for (const [id, one] of known) {
        const now = { ...one.now, ...chosen.get(id) };
        write(id, { ...NOTHING, now, changes: now });
      }
    },
  };
}
