/** Reads and writes unsent parts in the database, besides the text of the draft. */
import * as v from 'valibot';
import { type Choices, mergeAttached, type Unsent } from '../conversation/unsent.ts';
import { parseJson } from '../service/json.ts';
import { type Decoder, decode, describeWrong } from '../validation/decode.ts';
import {
  editsOf,
  lastEdit,
  type OwnedEdit,
  type Owner,
  otherEdit,
  type StoredEdits,
  withEdits,
} from './editRows.ts';
import { isLeaseDue, isWindowRunning, LEASE_MS, type LeaseDeps } from './leaseRows.ts';
import { attachedImage, contextItem } from './questionDecoders.ts';
import type { OnWrong } from './readRecord.ts';
import { type Database, transact } from './sqlite.ts';

export interface UnsentRows {
  /** The unsent parts. `otherEdits` are those of this window, and those of windows that no longer run. */
  unsent(conversationId: string): Unsent;
  /** Only the choices, because images can be large. */
  choices(conversationId: string): Choices;
  /**
   * Writes the given parts. An empty part is deleted.
   *
   * @param before the parts that this window knew before; later changes by another window are kept
   */
  putUnsent(conversationId: string, parts: Partial<Unsent>, before?: Unsent): void;
  /**
   * Renews the edits of this window, so that they don't count as left by a closed one. Must be called more often than every
   * `LEASE_MS` / 2.
   */
  renewEdits(): void;
  /** Releases the edits of this window, which is closing, to the window that opens their conversation next. */
  releaseEdits(): void;
}

export function createUnsentRows(db: Database, onWrong: OnWrong, deps: Omit<LeaseDeps, 'place'>): UnsentRows {
  const { window, pid, now } = deps;
  const rows = db.prepare('SELECT part, record FROM unsent WHERE conversation_id = ?');
  const chosenRows = db.prepare(
    "SELECT part, record FROM unsent WHERE conversation_id = ? AND part IN ('preset', 'leavesOut')",
  );
  const editRows = db.prepare(
    "SELECT part, record FROM unsent WHERE conversation_id = ? AND part IN ('editing', 'otherEdits')",
  );
  const put = db.prepare(
    `INSERT INTO unsent (conversation_id, part, record) VALUES (?, ?, ?)
     ON CONFLICT (conversation_id, part) DO UPDATE SET record = excluded.record`,
  );
  const edited = db.prepare(
    "SELECT DISTINCT conversation_id FROM unsent WHERE part IN ('editing', 'otherEdits')",
  );
  const drop = db.prepare('DELETE FROM unsent WHERE conversation_id = ? AND part = ?');

  function read<Value>(decoder: Decoder<Value>, name: string, value: unknown): readonly Value[] {
    const decoded = decode(decoder, value);
    if (decoded.ok) return [decoded.value];
    onWrong(`${name}: ${describeWrong(decoded.wrong)}`);
    return [];
  }

  const recordsOf = (conversationId: string, from = rows) =>
    new Map(from.all(conversationId).map((row) => [String(row['part']), String(row['record'])] as const));

  function toChoices(records: ReadonlyMap<string, string>): Choices {
    const preset = records.get('preset');
    return {
      preset: preset === undefined ? undefined : read(v.string(), 'a preset', parseJson(preset))[0],
      leavesOut: records.has('leavesOut') || undefined,
    };
  }

  /** The items of a part that is a list. */
  const listOf = (records: ReadonlyMap<string, string>, part: keyof Unsent): readonly unknown[] =>
    records.has(part)
      ? (read(v.array(v.unknown()), `attached ${part}`, parseJson(records.get(part) ?? ''))[0] ?? [])
      : [];

  /** Whether this window may have written edits since it was opened. */
  let hasEdits = false;

  const isDue = ({ until = 0 }: Owner): boolean => isLeaseDue(until, now());

  function isOpen(one: Owner): boolean {
    if (one.window === '' || !isWindowRunning(one.window, one.pid, deps)) return false;
    // Another process can have the process ID of the window.
    return one.until === undefined || deps.isLeased(one.window, one.until);
  }

  function storedEdits(records: ReadonlyMap<string, string>): StoredEdits {
    const last = records.get('editing');
    return {
      editing: last === undefined ? undefined : read(lastEdit, 'an edited question', parseJson(last))[0],
      otherEdits: listOf(records, 'otherEdits').flatMap((one) =>
        read(otherEdit, 'another edited question', one),
      ),
    };
  }

  function unsent(conversationId: string): Unsent {
    const records = recordsOf(conversationId);
    return {
      images: listOf(records, 'images').flatMap((one) => read(attachedImage, 'an attached image', one)),
      context: listOf(records, 'context').flatMap((one) => read(contextItem, 'attached context', one)),
      ...editsOf(storedEdits(records), { window }, isOpen),
      ...toChoices(records),
    };
  }

  /** The parts, merged with changes by another window. */
  function merged(conversationId: string, parts: Partial<Unsent>, before: Unsent): Partial<Unsent> {
    const records = recordsOf(conversationId);
    // Images can be large, so they are only decoded if another window has changed them.
    if (ATTACHED.every((part) => !(part in parts) || records.get(part) === toRecord(before[part])))
      return parts;
    const stored = unsent(conversationId);
    return { ...parts, ...mergeAttached(before, { ...before, ...parts }, stored) };
  }

  function write(conversationId: string, part: keyof Unsent, value: unknown): void {
    const record = toRecord(value);
    if (record === undefined) drop.run(conversationId, part);
    else put.run(conversationId, part, record);
  }

  function writeEdits(conversationId: string, { editing, otherEdits }: StoredEdits): void {
    write(conversationId, 'editing', editing);
    write(conversationId, 'otherEdits', otherEdits);
  }

  /** Changes the edits of this window, in all conversations. */
  function changeEdits(change: (one: OwnedEdit) => OwnedEdit): void {
    const changed = (one: OwnedEdit) => (one.window === window ? change(one) : one);
    transact(db, () => {
      for (const { conversation_id: id } of edited.all()) {
        const stored = storedEdits(recordsOf(String(id), editRows));
        const next = {
          editing: stored.editing && changed(stored.editing),
          otherEdits: stored.otherEdits.map(changed),
        };
        if (allOf(next).some((one, at) => one !== allOf(stored)[at])) writeEdits(String(id), next);
      }
    });
  }

  return {
    unsent,
    choices: (conversationId) => toChoices(recordsOf(conversationId, chosenRows)),
    putUnsent: (conversationId, parts, before) =>
      transact(db, () => {
        const next = before === undefined ? parts : merged(conversationId, parts, before);
        for (const part of PARTS) if (part in parts) write(conversationId, part, next[part]);
        if (!('editing' in parts || 'otherEdits' in parts)) return;
        const stored = storedEdits(recordsOf(conversationId, editRows));
        const owner = { window, pid, until: now() + LEASE_MS };
        writeEdits(conversationId, withEdits(stored, parts, before, owner, isOpen));
        hasEdits = true;
      }),
    renewEdits() {
      if (!hasEdits) return;
      const own = edited
        .all()
        .flatMap((row) => allOf(storedEdits(recordsOf(String(row['conversation_id']), editRows))))
        .filter((one) => one.window === window);
      hasEdits = own.length > 0;
      if (!own.some(isDue)) return;
      const until = now() + LEASE_MS;
      changeEdits((one) => (isDue(one) ? { ...one, until } : one));
    },
    releaseEdits: () => changeEdits((one) => ({ ...one, window: '' })),
  };
}

const allOf = ({ editing, otherEdits }: StoredEdits): readonly OwnedEdit[] =>
  editing === undefined ? otherEdits : [editing, ...otherEdits];

/** The record of a part; undefined for an empty part, which has no row. */
const toRecord = (value: unknown): string | undefined =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : JSON.stringify(value);

/** The parts that are merged with changes by another window. */
const ATTACHED = ['images', 'context'] as const;
/** All parts except the edits, of which each window has its own. */
const PARTS = [...ATTACHED, 'preset', 'leavesOut'] as const;
