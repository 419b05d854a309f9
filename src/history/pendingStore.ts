/** What the user has written in a conversation and not sent yet: its draft and its queue, one for all windows. */
import { type QueuedQuestion, withoutQueued } from '../conversation/queue.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import { createMirror } from './mirror.ts';
import type { AttemptWrite } from './unwrittenParts.ts';

export interface Pending {
  /** The draft as this or another window wrote it last. Deleted conversations keep theirs. */
  draft(id: string): string;
  putDraft(id: string, draft: string): void;
  /** The queued questions, the next one first. */
  queue(id: string): readonly QueuedQuestion[];
  /** Adds a question at the end. */
  enqueue(id: string, queued: QueuedQuestion): void;
  /** Takes a question from the queue. False when it is not there anymore: of two windows, one gets it. */
  dequeue(id: string, queuedId: string): boolean;
  clearQueue(id: string): void;
}

export interface PendingStore extends Pending {
  /** Whether something could not be written yet. */
  isDue(id: string): boolean;
  /** Writes what could not be written. */
  writeDue(): void;
  /** Reads again what another window may have written, and writes what could not be written. */
  refresh(): void;
  /** Writes what is known, because the database is another one. */
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
