/** Builds the parts of the conversation store, each with what it needs of the others. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Prices } from '../service/prices.ts';
import { createRevisions, type Revisions } from './conversationRevisions.ts';
import { type Attempt, createDatabaseAttempts } from './databaseAttempts.ts';
import type { History } from './history.ts';
import { createListedConversations, type ListedConversations } from './listedConversations.ts';
import { createLoadedConversations, type LoadedConversations } from './loadedConversations.ts';
import { createOpenConversations, type OpenConversations } from './openConversations.ts';
import { type Changes, createOtherWindows } from './otherWindows.ts';
import { createPendingStore, type PendingStore } from './pendingStore.ts';
import { createRemovedConversations, type RemovedConversations } from './removedConversations.ts';
import { createSavedConversations, type SavedConversations } from './savedConversations.ts';
import type { StorageTrouble } from './sqlite.ts';
import { createTurnEnds, type TurnEnds } from './turnEnds.ts';
import { createTurnLeases, type TurnLeases } from './turnLeases.ts';
import { createUnsentStore, type UnsentStore } from './unsentStore.ts';
import { createUnwrittenParts } from './unwrittenParts.ts';

export interface ConversationStoreDeps {
  readonly history: History | undefined;
  prices(): Prices;
  /**
   * Called when a write fails, which is then retried, and when `hasUnsavedText` or whether a conversation is unsaved changes; called
   * with undefined when writing works again.
   */
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
  /** An operation of the database failed and is not retried. Called once for each error until writing works again. */
  onFailure(what: string, error: unknown): void;
}

export interface StoreParts {
  readonly history: History | undefined;
  readonly attempt: Attempt;
  readonly revisions: Revisions;
  readonly open: OpenConversations;
  readonly listed: ListedConversations;
  readonly leases: TurnLeases;
  readonly removed: RemovedConversations;
  readonly saved: SavedConversations;
  readonly loaded: LoadedConversations;
  readonly ends: TurnEnds;
  /** Drafts and queues. */
  readonly pending: PendingStore;
  /** Attachments. */
  readonly attached: UnsentStore;
  /** Why something could not be written yet. */
  trouble(): StorageTrouble | undefined;
  /** Whether a draft, a queue, or something attached could not be written yet. */
  hasUnsavedText(): boolean;
  /** Looks whether another window wrote to the database. */
  poll(): Changes;
  /** Writes ends of turns, deletions, and restorations that could not be written before. */
  writeDue(): void;
}

export function createParts(deps: ConversationStoreDeps): StoreParts {
  const { history, prices } = deps;
  const { attempt, reportAgain } = createDatabaseAttempts(deps.onFailure);
  const unwritten = createUnwrittenParts(attempt, tell);
  const unwrittenText = createUnwrittenParts(attempt, tell);
  const { write } = unwritten;
  const open = createOpenConversations();
  const revisions = createRevisions(history, attempt);
  const listed = createListedConversations(history, attempt);
  const leases = createTurnLeases(history, attempt);
  const ends = createTurnEnds({ history, prices, attempt, write });
  const removed = createRemovedConversations({
    ...{ history, attempt, unwritten },
    isUnsaved: (id) => saved.isUnsaved(id) || lacksRow(id),
  });
  /** Deleting a row that isn't there would succeed, and what isn't sent would be lost. */
  const lacksRow = (id: string) =>
    (pending.isDue(id) || attached.isDue(id)) &&
    attempt('looking for a conversation', () => history?.isKnown([id])) === false;
  const trouble = () => saved.trouble() ?? unwrittenText.trouble() ?? unwritten.trouble();
  const hasUnsavedText = () => unwrittenText.trouble() !== undefined;
  let told = JSON.stringify([undefined, false, false]);
  function tell(error: unknown): void {
    const found = trouble();
    const now = JSON.stringify([found, saved.trouble() !== undefined, hasUnsavedText()]);
    if (now === told) return;
    told = now;
    if (found === undefined) reportAgain();
    deps.onTrouble(found, error);
  }
  function writeDue(): void {
    ends.write();
    if (removed.writeDue()) listed.refreshLate();
  }
  const saved: SavedConversations = createSavedConversations({
    ...{ history, attempt, open, removed, revisions, leases, prices },
    onTrouble(found, error) {
      if (found === undefined) {
        reportAgain();
        writeDue();
        // Also when it is the recorder that has tried again.
        listed.refreshLate();
      }
      tell(error);
    },
    onSaved() {
      if (saved.trouble() === undefined) writeDue();
      listed.refresh();
    },
  });
  const loaded = createLoadedConversations({
    ...{ history, attempt, open, removed, revisions, leases, ends, saved },
  });
  const base = {
    history,
    attempt,
    open,
    revisions,
    listed,
    leases,
    ends,
    removed,
    saved,
    loaded,
    writeDue,
    trouble,
    hasUnsavedText,
  };
  const unsent = { history, attempt, write: unwrittenText.write, addRow: (id: string) => addRow(base, id) };
  const pending: PendingStore = createPendingStore(unsent);
  const attached: UnsentStore = createUnsentStore(unsent);
  return { ...base, pending, attached, poll: createPoll({ ...base, pending, attached }) };
}

function createPoll(parts: Omit<StoreParts, 'poll'>): () => Changes {
  const { history, pending, attached, listed, saved, ends } = parts;
  let wasOpen = history?.isOpen() !== false;
  const look = createOtherWindows({
    ...parts,
    beforePoll() {
      pending.writeDue();
      attached.writeDue();
      const isOpen = history?.isOpen() !== false;
      if (isOpen && !wasOpen) saved.flush();
      wasOpen = isOpen;
      parts.writeDue();
      ends.renewSpend();
      attached.renew();
    },
    onWritten(replaced) {
      listed.refresh();
      ends.refresh();
      if (!replaced) {
        pending.refresh();
        attached.refresh();
        return;
      }
      saved.saveOpen();
      attached.rewrite();
      pending.rewrite();
    },
  });
  return () => {
    const changes = look();
    const read = attached.retryUnread();
    const isListed = listed.retry() || changes.listed || read.length > 0;
    return { ...changes, listed: isListed, changed: [...changes.changed, ...read] };
  };
}

/** A conversation without a question has no row until something of it has to be kept. */
function addRow(
  parts: Pick<StoreParts, 'history' | 'open' | 'removed' | 'listed' | 'revisions'>,
  id: string,
): void {
  const { history, open, removed, listed, revisions } = parts;
  // A deleted one can be restored with it.
  const conversation = open.get(id) ?? removed.get(id);
  if (history === undefined || conversation === undefined || conversation.exchanges.length > 0) return;
  // It is in the list as long as something of it is kept.
  listed.refresh();
  // Another window may have added it, and asked in it.
  if (history.isKnown([id])) return;
  history.putHeader(conversation);
  if (!open.has(id)) history.remove(id);
  revisions.note(id);
}

/** The conversations in memory, also the deleted ones. */
export const allInMemory = ({ open, removed }: StoreParts): readonly Conversation[] => [
  ...open.all(),
  ...removed.all(),
];
