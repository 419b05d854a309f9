/** Stores unsent attachments, edits, and choices of conversations. If two windows attach something, both attachments are kept. */
import { type Choices, NOTHING_CHOSEN, NOTHING_UNSENT, type Unsent } from '../conversation/unsent.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { AttemptWrite } from './unwrittenParts.ts';

export interface UnsentStore {
  /** The unsent parts, besides the text of the draft. Deleted conversations keep them. */
  unsent(id: string): Unsent;
  /** Whether the last attempt to read them failed. `retryUnread` tries again. */
  isUnsentUnread(id: string): boolean;
  /** Tries again to read unsent parts. Returns the IDs of conversations whose parts can be read now. */
  retryUnread(): readonly string[];
  /** Stores the given parts as this window has them. */
  putUnsent(id: string, parts: Partial<Unsent>): void;
  /** The latest choices of this or another window, or the last known ones while they can't be read. */
  choices(id: string): Choices;
  /** Called after another window wrote to the database. */
  refresh(): void;
  /** Whether something couldn't be written yet. */
  isDue(id: string): boolean;
  /** Tries again to write what couldn't be written. */
  writeDue(): void;
  /** Tells other windows that this one is open, so that they don't take over its edits. */
  renew(): void;
  /** Releases the edits of this window, which is closing, to the next one. */
  release(): void;
  /** Writes the parts of this window, because the database was replaced. Parts that other windows have written there take precedence. */
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

/** The current parts of this window, those when it last read or wrote, and the changes since. */
interface Known {
  readonly before: Unsent;
  readonly now: Unsent;
  readonly changes: Partial<Unsent>;
  /** The parts that this window has written. Choices are only included as long as no other window can have replaced them. */
  readonly own: Partial<Unsent>;
}

const NOTHING: Known = { before: NOTHING_UNSENT, now: NOTHING_UNSENT, changes: {}, own: {} };

export function createUnsentStore(deps: UnsentStoreDeps): UnsentStore {
  const { history, attempt } = deps;
  const known = new Map<string, Known>();
  const unwritten = new Set<string>();
  const unread = new Set<string>();
  const chosen = new Map<string, Choices>();
  /** The last known choices, as long as they can't be read again. */
  const chosenBefore = new Map<string, Choices>();

  const read = (id: string) => attempt('reading attachments', () => history?.unsent(id));

  /** Drops the cached choices, because this or another window has changed them. */
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
        // Not cached: parts that couldn't be read must not be written back as empty.
        return NOTHING_UNSENT;
      }
      known.set(id, { ...NOTHING, before: stored, now: stored, own: known.get(id)?.own ?? {} });
      return stored;
    },
    isUnsentUnread: (id) => unread.has(id),
    retryUnread() {
      const found: string[] = [];
      for (const id of unread) {
        // The parts of this window are written first, and are merged with the stored ones.
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

/** The parts of this window that a new database lacks. Attachments are always included, because they are merged with the stored ones. */
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
