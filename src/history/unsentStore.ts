/** What is attached in a conversation and not sent yet. Two windows that attach something keep what both have. */
import { type Choices, NOTHING_CHOSEN, NOTHING_UNSENT, type Unsent } from '../conversation/unsent.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { AttemptWrite } from './unwrittenParts.ts';

export interface UnsentStore {
  /** What is not sent yet, besides the text of the draft. Deleted conversations keep it. */
  unsent(id: string): Unsent;
  /** Whether that could not be read when it was needed last. `retryUnread` tries again. */
  isUnsentUnread(id: string): boolean;
  /** Tries again to read what could not be read, and returns the ids of what could be read now. */
  retryUnread(): readonly string[];
  /** Keeps the parts that are given, as this window has them. */
  putUnsent(id: string, parts: Partial<Unsent>): void;
  /** What this or another window chose last, or what is known of it while it can't be read. */
  choices(id: string): Choices;
  /** Another window wrote to the database. */
  refresh(): void;
  /** Whether something could not be written yet. */
  isDue(id: string): boolean;
  /** Writes what could not be written. */
  writeDue(): void;
  /** Says that this window is open, so that no other one takes its edits. */
  renew(): void;
  /** Leaves the edits of this window, which is closing, to the next one. */
  release(): void;
  /** Writes what this window has, because the database is another one. Of what other windows have written, theirs counts. */
  rewrite(): void;
}

export interface UnsentStoreDeps {
  readonly history:
    | Pick<History, 'unsent' | 'choices' | 'putUnsent' | 'renewEdits' | 'releaseEdits'>
    | undefined;
  readonly attempt: Attempt;
  readonly write: AttemptWrite;
  /** Adds the row of a conversation that has no question yet, if it is missing. */
  addRow(id: string): void;
}

/** What this window has, what it had when it last read or wrote, and what has changed since. */
interface Known {
  readonly before: Unsent;
  readonly now: Unsent;
  readonly changes: Partial<Unsent>;
  /** What this window has written. Of the choices, only what no other window can have replaced. */
  readonly own: Partial<Unsent>;
}

const NOTHING: Known = { before: NOTHING_UNSENT, now: NOTHING_UNSENT, changes: {}, own: {} };

export function createUnsentStore(deps: UnsentStoreDeps): UnsentStore {
  const { history, attempt } = deps;
  const known = new Map<string, Known>();
  const unwritten = new Set<string>();
  const unread = new Set<string>();
  const chosen = new Map<string, Choices>();
  /** What was chosen last as far as is known, for as long as it can't be read again. */
  const chosenBefore = new Map<string, Choices>();

  const read = (id: string) => attempt('reading attachments', () => history?.unsent(id));

  /** Another window has written since, or this one. */
  function readAgain(id: string, parts: Partial<Choices> = {}): void {
    const last = chosen.get(id) ?? chosenBefore.get(id) ?? NOTHING_CHOSEN;
    const { preset, leavesOut } = { ...last, ...parts };
    chosenBefore.set(id, { preset, leavesOut });
    chosen.delete(id);
  }

  function write(id: string, { before, now, changes, own }: Known): void {
    const written = deps.write(`attached ${id}`, 'keeping attachments', () => {
      deps.addRow(id);
      history?.putUnsent(id, changes, before);
      return true;
    });
    if (written === true) unwritten.delete(id);
    else unwritten.add(id);
    known.set(id, written === true ? { before: now, now, changes: {}, own } : { before, now, changes, own });
  }

  return {
    unsent(id) {
      const own = unwritten.has(id) || history === undefined ? known.get(id)?.now : undefined;
      if (own !== undefined) return own;
      const stored = read(id);
      if (stored === undefined) {
        if (history !== undefined) unread.add(id);
        // What couldn't be read must not be written back as nothing.
        return NOTHING_UNSENT;
      }
      known.set(id, { ...NOTHING, before: stored, now: stored, own: known.get(id)?.own ?? {} });
      return stored;
    },
    isUnsentUnread: (id) => unread.has(id),
    retryUnread() {
      const found: string[] = [];
      for (const id of unread) {
        // What this window has is written first, and joined with what is there.
        if (unwritten.has(id)) continue;
        if (read(id) === undefined) break;
        unread.delete(id);
        found.push(id);
      }
      return found;
    },
    choices(id) {
      const own = unwritten.has(id) || history === undefined ? known.get(id)?.now : chosen.get(id);
      if (own !== undefined) return { preset: own.preset, leavesOut: own.leavesOut };
      const stored = attempt('reading what is chosen', () => history?.choices(id));
      if (stored === undefined) return chosenBefore.get(id) ?? NOTHING_CHOSEN;
      chosen.set(id, stored);
      return stored;
    },
    refresh() {
      for (const id of [...chosen.keys()]) readAgain(id);
      for (const [id, { own, ...one }] of known) {
        const { preset: _, leavesOut: __, ...others } = own;
        known.set(id, { ...one, own: others });
      }
    },
    putUnsent(id, parts) {
      const { before, now, changes, own } = known.get(id) ?? NOTHING;
      readAgain(id, parts);
      write(id, {
        before,
        now: { ...now, ...parts },
        changes: { ...changes, ...parts },
        own: { ...own, ...parts },
      });
    },
    isDue: (id) => unwritten.has(id),
    writeDue() {
      for (const [id, one] of known) if (unwritten.has(id)) write(id, one);
    },
    renew: () => void attempt('keeping edited questions', () => history?.renewEdits()),
    release: () => void attempt('leaving edited questions to the next window', () => history?.releaseEdits()),
    rewrite() {
      for (const [id, one] of known) {
        const stored = read(id) ?? NOTHING_UNSENT;
        const now = { ...one.now, ...chosen.get(id) };
        write(id, { ...NOTHING, now, changes: { ...missingIn(stored, now), ...one.own }, own: one.own });
      }
      chosen.clear();
    },
  };
}

/** The parts of what a window has that another database lacks. What is attached is joined with what is there. */
function missingIn(stored: Unsent, now: Unsent): Partial<Unsent> {
  const { images, context, editing, otherEdits, preset, leavesOut } = now;
  const isEdited = stored.editing !== undefined || stored.otherEdits.length > 0;
  return {
    images,
    context,
    ...(!isEdited && { editing, otherEdits }),
    ...(stored.preset === undefined && { preset }),
    ...(stored.leavesOut === undefined && { leavesOut }),
  };
}
