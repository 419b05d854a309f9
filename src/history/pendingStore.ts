/** Stores unsent text of a conversation, shared by all windows: its draft and its queue. */
import { type QueuedQuestion, withoutQueued } from '../conversation/queue.ts';
import { withTexts } from '../conversation/unsent.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import { createMirror } from './mirror.ts';
import type { AttemptWrite } from './unwrittenParts.ts';

export interface Pending {
  /** The latest draft, written in this window or another. Deleted conversations keep theirs. */
  draft(id: string): string;
  putDraft(id: string, draft: string): void;
  /** The queued questions, the next one first. */
  queue(id: string): readonly QueuedQuestion[];
  /** Adds a question at the end. */
  enqueue(id: string, queued: QueuedQuestion): void;
  /** Removes a question from the queue. Returns false if it is no longer there, so that only one of two windows gets it. */
  dequeue(id: string, queuedId: string): boolean;
  clearQueue(id: string): void;
}

export interface PendingStore extends Pending {
  /** Whether a draft or a queue couldn't be written yet. */
  isDue(id: string): boolean;
  /** Tries again to write what couldn't be written. */
  writeDue(): void;
  /** Reads values again that another window may have written, and tries again to write pending changes. */
  refresh(): void;
  /** Writes the known values, because the database was replaced. */
  rewrite(): void;
}

export interface PendingStoreDeps {
  readonly history: Pick<History, 'draft' | 'putDraft' | 'queue' | 'changeQueue'> | undefined;
  readonly attempt: Attempt;
  readonly write: AttemptWrite;
  /** Adds the row of a conversation that has no question yet, if it is missing. */
  addRow(id: string): void;
}

export function createPendingStore({ history, attempt, write, addRow }: PendingStoreDeps): PendingStore {
  const drafts = createMirror<string>({
    empty: '',
    read: (id) => attempt('reading a draft', () => history?.draft(id)),
    change: (id, toNext) =>
      write(`draft ${id}`, 'keeping a draft', () => {
        addRow(id);
        const draft = toNext(history?.draft(id) ?? '');
        return history?.putDraft(id, draft) ? draft : undefined;
      }),
    setUnseen: (stored, draft) => withTexts(stored, [draft]),
    join: (stored, known, isOwn) => (isOwn || stored === '' ? known : stored),
  });
  const queues = createMirror<readonly QueuedQuestion[]>({
    empty: [],
    read: (id) => attempt('reading the waiting questions', () => history?.queue(id)),
    change: (id, toNext) =>
      write(`queue ${id}`, 'keeping the waiting questions', () => {
        addRow(id);
        return history?.changeQueue(id, toNext);
      }),
    setUnseen: (_, queue) => queue,
    join: (stored, known) => [...stored, ...known.filter((one) => stored.every(({ id }) => id !== one.id))],
  });

  return {
    draft: drafts.get,
    putDraft: drafts.set,
    queue: queues.get,
    enqueue: (id, queued) => queues.change(id, (queue) => [...queue, queued]),
    dequeue(id, queuedId) {
      let found = false;
      queues.change(id, (queue) => {
        found = queue.some((queued) => queued.id === queuedId);
        return withoutQueued(queue, queuedId);
      });
      return found;
    },
    clearQueue: (id) => queues.set(id, []),
    isDue: (id) => drafts.isDue(id) || queues.isDue(id),
    writeDue() {
      drafts.writeDue();
      queues.writeDue();
    },
    refresh() {
      drafts.refresh();
      queues.refresh();
    },
    rewrite() {
      drafts.rewrite();
      queues.rewrite();
    },
  };
}
