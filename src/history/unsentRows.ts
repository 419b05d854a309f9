/** What is not sent yet, besides the text of the draft, in the database. */
import * as v from 'valibot';
import { type Choices, mergeAttached, type Unsent } from '../conversation/unsent.ts';
import { parseJson } from '../service/json.ts';
import { type Decoder, decode, describeWrong } from '../validation/decode.ts';
import { editsOf, lastEdit, type Owner, otherEdit, type StoredEdits, withEdits } from './editRows.ts';
import type { LeaseDeps } from './leaseRows.ts';
import { attachedImage, contextItem } from './questionDecoders.ts';
import type { OnWrong } from './readRecord.ts';
import { type Database, transact } from './sqlite.ts';

export interface UnsentRows {
  /** `otherEdits` are those of this window, and those that windows left which no longer run. */
  unsent(conversationId: string): Unsent;
  /** Only what is chosen. Images can be large. */
  choices(conversationId: string): Choices;
  /**
   * Writes the parts that are given, and deletes those of them that are empty.
   *
   * @param before what this window had before; what another window has changed since is kept
   */
  putUnsent(conversationId: string, parts: Partial<Unsent>, before?: Unsent): void;
  /** Leaves the other edits of this window, which is closing, to the one that opens their conversation next. */
  releaseEdits(): void;
}

export function createUnsentRows(
  db: Database,
  onWrong: OnWrong,
  { window, pid, isAlive, isHere }: Pick<LeaseDeps, 'window' | 'pid' | 'isAlive' | 'isHere'>,
): UnsentRows {
  const rows = db.prepare('SELECT part, record FROM unsent WHERE conversation_id = ?');
  const chosenRows = db.prepare(
    "SELECT part, record FROM unsent WHERE conversation_id = ? AND part IN ('preset', 'leavesOut')",
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

  /** After a restart of the machine or of a container, this process can have the number of the one that was killed. */
  const isThere = (one: Owner) =>
    one.window !== '' && isAlive(one.pid) && (one.pid !== pid || isHere(one.window));

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
      ...editsOf(storedEdits(records), { window }, isThere),
      ...toChoices(records),
    };
  }

  /** The parts with what another window has changed. */
  function merged(conversationId: string, parts: Partial<Unsent>, before: Unsent): Partial<Unsent> {
    const records = recordsOf(conversationId);
    // Images can be large, so they are only read when another window wrote.
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

  return {
    unsent,
    choices: (conversationId) => toChoices(recordsOf(conversationId, chosenRows)),
    putUnsent: (conversationId, parts, before) =>
      transact(db, () => {
        const next = before === undefined ? parts : merged(conversationId, parts, before);
        for (const part of PARTS) if (part in parts) write(conversationId, part, next[part]);
        if (!('editing' in parts || 'otherEdits' in parts)) return;
        const stored = storedEdits(recordsOf(conversationId));
        writeEdits(conversationId, withEdits(stored, parts, before, { window, pid }, isThere));
      }),
    releaseEdits: () =>
      transact(db, () => {
        const release = <One extends Owner>(one: One): One =>
          one.window === window ? { ...one, window: '' } : one;
        for (const { conversation_id: id } of edited.all()) {
          const { editing, otherEdits } = storedEdits(recordsOf(String(id)));
          if (![editing, ...otherEdits].some((one) => one?.window === window)) continue;
          writeEdits(String(id), {
            editing: editing && release(editing),
            otherEdits: otherEdits.map(release),
          });
        }
      }),
  };
}

/** Undefined for an empty part, which has no row. */
const toRecord = (value: unknown): string | undefined =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : JSON.stringify(value);

/** Those that another window may have changed. */
const ATTACHED = ['images', 'context'] as const;
/** Those besides the edits, which each window has of its own. */
const PARTS = [...ATTACHED, 'preset', 'leavesOut'] as const;
