import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { QueuedQuestion } from '../../../src/conversation/queue.ts';
import { createPendingStore } from '../../../src/history/pendingStore.ts';

/** A window on a database with a draft, which can't be read at first. */
function lockedWindow(stored: string) {
  const database = { draft: stored, queue: [] as readonly QueuedQuestion[], isLocked: true };
  const checked = <Value>(body: () => Value): Value => {
    if (database.isLocked) throw new Error('locked');
    return body();
  };
  function attempt<Result>(_: string, run: () => Result): Result | undefined {
    try {
      return run();
    } catch {
      return undefined;
    }
  }
  const pending = createPendingStore({
    history: {
      draft: () => checked(() => database.draft),
      putDraft: (_, draft) =>
        checked(() => {
          database.draft = draft;
          return true;
        }),
      queue: () => checked(() => database.queue),
      changeQueue: (_, toNext) => checked(() => (database.queue = toNext(database.queue))),
    },
    attempt,
    write: (_, what, body) => attempt(what, body),
    addRow: () => undefined,
  });
  return { database, pending };
}

describe('A draft that could not be read when its conversation was opened', () => {
  it('is kept before what was typed meanwhile', () => {
    const { database, pending } = lockedWindow('Half an hour of writing');
    assert.equal(pending.draft('c1'), '');
    pending.putDraft('c1', 'x');
    pending.putDraft('c1', 'xy');
    assert.equal(pending.draft('c1'), 'xy');
    database.isLocked = false;
    pending.writeDue();
    assert.equal(database.draft, 'Half an hour of writing\nxy');
    assert.equal(pending.draft('c1'), database.draft);
    pending.putDraft('c1', 'Something else');
    assert.equal(database.draft, 'Something else');
  });

  it('is kept as it is if what was typed meanwhile was deleted or sent', () => {
    const { database, pending } = lockedWindow('Half an hour of writing');
    pending.putDraft('c1', 'x');
    pending.putDraft('c1', '');
    database.isLocked = false;
    pending.writeDue();
    assert.equal(database.draft, 'Half an hour of writing');
  });

  it('is kept as well if the database was replaced meanwhile', () => {
    const { database, pending } = lockedWindow('Half an hour of writing');
    pending.putDraft('c1', 'x');
    database.isLocked = false;
    pending.rewrite();
    assert.equal(database.draft, 'Half an hour of writing\nx');
  });

  it('is replaced by what was typed if it was read before', () => {
    const { database, pending } = lockedWindow('Half');
    database.isLocked = false;
    assert.equal(pending.draft('c1'), 'Half');
    pending.refresh();
    database.isLocked = true;
    pending.putDraft('c1', 'Half an hour');
    database.isLocked = false;
    pending.writeDue();
    assert.equal(database.draft, 'Half an hour');
  });
});
