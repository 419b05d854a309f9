/** Updates the data in memory when other windows have written to the database. */

import type { Revisions } from './conversationRevisions.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { LoadedConversations } from './loadedConversations.ts';
import type { OpenConversations } from './openConversations.ts';
import type { RemovedConversations } from './removedConversations.ts';
import type { SavedConversations } from './savedConversations.ts';
import type { TurnLeases } from './turnLeases.ts';
import { unfinishedIds } from './unfinished.ts';

/** The changes of other windows, as IDs of conversations. */
export interface Changes {
  /** Whether the list of conversations may have changed. */
  readonly listed: boolean;
  /** Open conversations that were changed, deleted, or restored, and conversations that can be read again, or whose attachments can. */
  readonly changed: readonly string[];
  /** The changed conversations that were deleted. */
  readonly removed: readonly string[];
  /** Conversations with a running turn of this window whose lease another window has now, because this window couldn't write. */
  readonly lost: readonly string[];
}

export interface OtherWindowsDeps {
  readonly history: Pick<History, 'version'> | undefined;
  readonly attempt: Attempt;
  readonly open: OpenConversations;
  readonly removed: RemovedConversations;
  readonly revisions: Revisions;
  readonly leases: TurnLeases;
  readonly saved: SavedConversations;
  readonly loaded: LoadedConversations;
  /** Called before anything is read. Writes drafts and attachments, which otherwise could overwrite later ones. */
  beforePoll(): void;
  /**
   * Called when another window has written. If `replaced` is true, the database is another one, and everything has to be written to
   * it.
   */
  onWritten(replaced: boolean): void;
  /** Tries again to write what couldn't be written. */
  writeDue(): void;
}

/** Creates the function that checks whether another window has written to the database. */
export function createOtherWindows(deps: OtherWindowsDeps): () => Changes {
  const { history, attempt, open, removed, revisions, leases, saved, loaded } = deps;
  const look = () => attempt('looking for changes of other windows', () => history?.version());
  let version = look();
  /** Conversations that weren't read again when another window wrote, because they had unsaved changes here. */
  const overlooked = new Set<string>();

  /** Reads changed conversations again after another window has written. */
  function follow(left: readonly string[], lost: readonly string[]): Changes {
    const gone = dropRemoved(deps);
    const back = removed.dropRestored((id) => revisions.now(id) !== undefined);
    deps.writeDue();
    overlooked.clear();
    for (const { id } of open.all()) if (saved.isUnsaved(id)) overlooked.add(id);
    const changed = [...left, ...renewOutdated(deps), ...gone, ...back];
    return { listed: true, changed, removed: gone, lost };
  }

  return () => {
    const now = look();
    deps.beforePoll();
    const replaced =
      now !== undefined && version !== undefined && now.split('/')[0] !== version.split('/')[0];
    // A replaced database may lack the leases.
    const lost = leases.writeDue(replaced || saved.trouble() !== undefined);
    const left = [...loaded.retryUnread(), ...dropAbandoned(deps)];
    // If the database doesn't answer, it isn't known to be replaced either. Otherwise everything would be written to it.
    const isQuiet = now === undefined || (now === version && [...overlooked].every(saved.isUnsaved));
    if (isQuiet) return { listed: left.length > 0, changed: left, removed: [], lost };
    version = now;
    deps.onWritten(replaced);
    return follow(left, lost);
  };
}

/** Drops the open conversations that another window has deleted, including those with a running turn. */
function dropRemoved({ open, loaded, removed, saved }: OtherWindowsDeps): readonly string[] {
  const found = open.all().filter(({ id }) => loaded.isRemovedElsewhere(id));
  for (const { id } of found) {
    const conversation = open.get(id);
    if (conversation !== undefined) removed.keep(conversation);
    saved.forget(id);
  }
  return found.map(({ id }) => id);
}

/** Drops the open conversations with a turn of a window that no longer runs. Reading them again ends the turn. */
function dropAbandoned({ history, open, leases, saved, loaded }: OtherWindowsDeps): readonly string[] {
  if (history === undefined) return [];
  const found = open
    .all()
    .filter(
      (one) =>
        !leases.isRunning(one.id) &&
        unfinishedIds(one).length > 0 &&
        !saved.isUnsaved(one.id) &&
        leases.holder(one.id) === undefined,
    );
  for (const { id } of found) loaded.outdate(id);
  return found.map(({ id }) => id);
}

/** Reads open conversations again that another window has changed: those with a running turn now, the others when they are needed. */
function renewOutdated({ open, loaded, leases }: OtherWindowsDeps): readonly string[] {
  const changed = open.all().filter(({ id }) => loaded.isOutdated(id));
  for (const one of changed) {
    if (leases.isRunning(one.id)) loaded.loadAgain(one);
    else loaded.outdate(one.id);
  }
  return changed.map(({ id }) => id);
}
