/** Tracks which revision of each conversation this window knows, to detect when another window has written it. */
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';

export interface Revisions {
  /** The revision in the database; undefined when the conversation is not there, or can't be read. */
  now(id: string): number | undefined;
  /**
   * Notes that the window knows the conversation as it is in the database.
   *
   * @param before the revision before the conversation was read, because another window may have written meanwhile
   */
  note(id: string, before?: number): void;
  /** Notes that the window has to read the conversation again. */
  outdate(id: string): void;
  /** Whether the window has read or written the conversation. */
  has(id: string): boolean;
  /** Whether no other window has written the conversation since. Also true for a conversation that was never read or written here. */
  isCurrent(id: string): boolean;
  /** Whether another window has written the conversation since. False if the conversation is no longer in the database. */
  isOutdated(id: string): boolean;
  forget(id: string): void;
}

export function createRevisions(history: Pick<History, 'revision'> | undefined, attempt: Attempt): Revisions {
  const known = new Map<string, number | undefined>();
  const now = (id: string) => attempt('looking for changes of other windows', () => history?.revision(id));
  return {
    now,
    note: (id, before = now(id)) => void known.set(id, before),
    outdate: (id) => void known.set(id, undefined),
    has: (id) => known.has(id),
    isCurrent: (id) => !known.has(id) || now(id) === known.get(id),
    isOutdated(id) {
      if (!known.has(id)) return false;
      const revision = now(id);
      return revision !== undefined && revision !== known.get(id);
    },
    forget: (id) => void known.delete(id),
  };
}
