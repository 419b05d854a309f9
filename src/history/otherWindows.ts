/** What other windows have written: brings what is in memory up to date. */

import type { Revisions } from './conversationRevisions.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { LoadedConversations } from './loadedConversations.ts';
import type { OpenConversations } from './openConversations.ts';
import type { RemovedConversations } from './removedConversations.ts';
import type { SavedConversations } from './savedConversations.ts';
import type { TurnLeases } from './turnLeases.ts';
import { unfinishedIds } from './unfinished.ts';

/** What another window has changed, as ids of conversations. */
export interface Changes {
  /** Whether the list of conversations may be another one. */
  readonly listed: boolean;
  /** Open conversations that it changed, deleted, or restored, and those that could not be read before and can be now, or their attachments. */
  readonly changed: readonly string[];
  /** Those of them that it deleted. */
  readonly removed: readonly string[];
  /** Those with a turn of this window in which it has the lease now, because this window couldn't write. */
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
  /** Called before anything is read: drafts and attachments are written, which could replace later ones. */
  beforePoll(): void;
  /** Another window wrote. With `replaced`, the database is another one, and everything has to be written to it. */
  onWritten(replaced: boolean): void;
  /** Writes what could not be written before. */
  writeDue(): void;
}

/** Returns the function that looks whether another window wrote to the database. */
export function createOtherWindows(deps: OtherWindowsDeps): () => Changes {
  const { history, attempt, open, removed, revisions, leases, saved, loaded } = deps;
  const look = () => attempt('looking for changes of other windows', () => history?.version());
  let version = look();
  /** Conversations that were not read again when another window wrote, because they were not saved here. */
  const overlooked = new Set<string>();

  /** Reads again what changed after a write of another window. */
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
    // Another database may not have the leases.
    const lost = leases.writeDue(replaced || saved.trouble() !== undefined);
    const left = [...loaded.retryUnread(), ...dropAbandoned(deps)];
    // Without an answer, it isn't known to be another database either, to which everything would be written.
    const isQuiet = now === undefined || (now === version && [...overlooked].every(saved.isUnsaved));
    if (isQuiet) return { listed: left.length > 0, changed: left, removed: [], lost };
    version = now;
    deps.onWritten(replaced);
    return follow(left, lost);
  };
}

/** Drops the open conversations that another window deleted, also those in which a turn runs. */
function dropRemoved({ open, loaded, removed, saved }: OtherWindowsDeps): readonly string[] {
  const found = open.all().filter(({ id }) => loaded.isRemovedElsewhere(id));
  for (const { id } of found) {
    const conversation = open.get(id);
    if (conversation !== undefined) removed.keep(conversation);
    saved.forget(id);
  }
  return found.map(({ id }) => id);
}

/**
 * Drops the open conversations with a turn of another window that no longer runs. Reading them again ends the turn.
 */
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

/** Reads the open conversations again that another window changed: those with a running turn now, others when needed. */
function renewOutdated({ open, loaded, leases }: OtherWindowsDeps): readonly string[] {
  const changed = open.all().filter(({ id }) => loaded.isOutdated(id));
  for (const one of changed) {
    if (leases.isRunning(one.id)) loaded.loadAgain(one);
    else loaded.outdate(one.id);
  }
  return changed.map(({ id }) => id);
}
