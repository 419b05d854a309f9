/** Creates the parts of the conversation store, and connects them. */
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
   * Called when a write fails, which is then retried, and when `hasUnsavedText` changes, or whether any conversation is unsaved.
   * Called with undefined when writing works again.
   */
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
  /** Called when an operation of the database fails and is not retried. Called once for each kind of error until writing works again. */
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
  /** The reason why something couldn't be written yet. */
  trouble(): StorageTrouble | undefined;
  /** Whether a draft, a queue, or an attachment couldn't be written yet. */
  hasUnsavedText(): boolean;
  /** Checks whether another window has written to the database. */
  poll(): Changes;
  /** Tries again to write ends of turns, deletions, and restorations that couldn't be written. */
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
  /**
   * Whether a conversation with unsent parts has no row yet. Deleting a missing row would succeed, and the unsent parts would be
   * lost.
   */
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
        // Needed here as well, because the recorder may have succeeded by itself.
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

/** Adds the row of a conversation without a question, when something of it has to be stored for the first time. */
function addRow(
  parts: Pick<StoreParts, 'history' | 'open' | 'removed' | 'listed' | 'revisions'>,
  id: string,
): void {
  const { history, open, removed, listed, revisions } = parts;
  // A deleted conversation gets a row, too, so that its unsent parts can be restored with it.
  const conversation = open.get(id) ?? removed.get(id);
  if (history === undefined || conversation === undefined || conversation.exchanges.length > 0) return;
  // The conversation is listed as long as it has stored parts.
  listed.refresh();
  // Another window may have added the conversation and asked in it.
  if (history.isKnown([id])) return;
  history.putHeader(conversation);
  if (!open.has(id)) history.remove(id);
  revisions.note(id);
}

/** The conversations in memory, including deleted ones. */
export const allInMemory = ({ open, removed }: StoreParts): readonly Conversation[] => [
  ...open.all(),
  ...removed.all(),
];
