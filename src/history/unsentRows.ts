/** What is not sent yet, besides the text of the draft, in the database. */
import * as v from 'valibot';
import {
  type Choices,
  type Editing,
  mergeUnsent,
  NOTHING_UNSENT,
  type Unsent,
} from '../conversation/unsent.ts';
import { parseJson } from '../service/json.ts';
import { type Decoder, decode, describeWrong, type Fields } from '../validation/decode.ts';
import { LEASE_MS, type LeaseDeps } from './leaseRows.ts';
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
  /** Says that this window is open, which has other edits. To be called more often than every `LEASE_MS` / 2. */
  renewEdits(): void;
  /** Leaves the other edits of this window, which is closing, to the one that opens their conversation next. */
  releaseEdits(): void;
}

const editing: Decoder<Editing> = v.object({
  exchangeId: v.string(),
  text: v.string(),
} satisfies Fields<Editing>);

/** An edit beside `editing`, and whose it is: another window that opens the conversation must not take it. */
interface OtherEdit extends Editing {
  /** Empty when its window was closed. */
  readonly window: string;
  readonly pid: number;
  /** Until when the window is sure to be open, in epoch milliseconds. Earlier versions didn't write it. */
  readonly until?: number;
}

const otherEdit: Decoder<OtherEdit> = v.object({
  exchangeId: v.string(),
  text: v.string(),
  window: v.string(),
  pid: v.number(),
  until: v.exactOptional(v.number()),
} satisfies Fields<OtherEdit>);

const isSameEdit = (one: Editing, other: Editing): boolean =>
  one.exchangeId === other.exchangeId && one.text === other.text;

export function createUnsentRows(
  db: Database,
  onWrong: OnWrong,
  { window, pid, now, isAlive, isHere }: Omit<LeaseDeps, 'place'>,
): UnsentRows {
  const rows = db.prepare('SELECT part, record FROM unsent WHERE conversation_id = ?');
  const chosenRows = db.prepare(
    "SELECT part, record FROM unsent WHERE conversation_id = ? AND part IN ('preset', 'leavesOut')",
  );
  const put = db.prepare(
    `INSERT INTO unsent (conversation_id, part, record) VALUES (?, ?, ?)
     ON CONFLICT (conversation_id, part) DO UPDATE SET record = excluded.record`,
  );
  const edited = db.prepare("SELECT conversation_id, record FROM unsent WHERE part = 'otherEdits'");
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

  /** Whether this window may have written other edits since it is open. */
  let hasEdits = false;

  const isDue = ({ until = 0 }: OtherEdit): boolean => {
    const ms = until - now();
    return ms <= LEASE_MS / 2 || ms > LEASE_MS;
  };

  function isLeft(one: OtherEdit): boolean {
    if (one.window === '' || !isAlive(one.pid)) return true;
    // After a restart of the machine or of a container, this process can have the number of the one that was killed.
    if (one.pid === pid && !isHere(one.window)) return true;
    // So can any other process. Far ahead, it was written before the clock was set back.
    const ms = one.until === undefined ? LEASE_MS : one.until - now();
    return ms <= 0 || ms > LEASE_MS;
  }

  const otherEditsIn = (records: ReadonlyMap<string, string>): readonly OtherEdit[] =>
    listOf(records, 'otherEdits').flatMap((one) => read(otherEdit, 'another edited question', one));

  const otherEditsOf = ({ record }: Readonly<Record<string, unknown>>): readonly OtherEdit[] =>
    otherEditsIn(new Map([['otherEdits', String(record)]]));

  function unsent(conversationId: string): Unsent {
    const records = recordsOf(conversationId);
    const edited = records.get('editing');
    return {
      images: listOf(records, 'images').flatMap((one) => read(attachedImage, 'an attached image', one)),
      context: listOf(records, 'context').flatMap((one) => read(contextItem, 'attached context', one)),
      editing: edited === undefined ? undefined : read(editing, 'an edited question', parseJson(edited))[0],
      otherEdits: otherEditsIn(records)
        .filter((one) => one.window === window || isLeft(one))
        .map(({ exchangeId, text }) => ({ exchangeId, text })),
      ...toChoices(records),
    };
  }

  /** The parts with what another window has changed. */
  function merged(conversationId: string, parts: Partial<Unsent>, before: Unsent): Partial<Unsent> {
    const records = recordsOf(conversationId);
    // Images can be large, so they are only read when another window wrote.
    if (MERGED.every((part) => !(part in parts) || records.get(part) === toRecord(before[part])))
      return parts;
    const stored = unsent(conversationId);
    return mergeUnsent(before, { ...before, ...parts }, stored);
  }

  /** Those of this window, beside those of other windows that it doesn't have. */
  function toOtherEdits(conversationId: string, own: readonly Editing[], before: readonly Editing[]) {
    const others = otherEditsIn(recordsOf(conversationId)).filter(
      (one) => one.window !== window && !before.some((had) => isSameEdit(had, one)),
    );
    hasEdits ||= own.length > 0;
    return [...others, ...own.map((one) => ({ ...one, window, pid, until: now() + LEASE_MS }))];
  }

  /** Changes the other edits of this window, in all conversations. */
  function changeEdits(change: (one: OtherEdit) => OtherEdit): void {
    for (const { conversation_id: id, record } of edited.all()) {
      const edits = otherEditsOf({ record });
      const next = edits.map((one) => (one.window === window ? change(one) : one));
      if (next.some((one, n) => one !== edits[n])) put.run(String(id), 'otherEdits', JSON.stringify(next));
    }
  }

  return {
    unsent,
    choices: (conversationId) => toChoices(recordsOf(conversationId, chosenRows)),
    putUnsent: (conversationId, parts, before) =>
      transact(db, () => {
        const next = before === undefined ? parts : merged(conversationId, parts, before);
        for (const part of PARTS) {
          if (!(part in parts)) continue;
          const record = toRecord(
            part === 'otherEdits'
              ? toOtherEdits(conversationId, next.otherEdits ?? [], before?.otherEdits ?? [])
              : next[part],
          );
          if (record === undefined) drop.run(conversationId, part);
          else put.run(conversationId, part, record);
        }
      }),
    renewEdits() {
      if (!hasEdits) return;
      const own = edited
        .all()
        .flatMap(otherEditsOf)
        .filter((one) => one.window === window);
      hasEdits = own.length > 0;
      if (!own.some(isDue)) return;
      transact(db, () => changeEdits((one) => (isDue(one) ? { ...one, until: now() + LEASE_MS } : one)));
    },
    releaseEdits: () => transact(db, () => changeEdits((one) => ({ ...one, window: '' }))),
  };
}

/** Undefined for an empty part, which has no row. */
const toRecord = (value: unknown): string | undefined =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : JSON.stringify(value);

const PARTS = Object.keys(NOTHING_UNSENT) as readonly (keyof Unsent)[];
/** Those that another window may have changed. */
const MERGED = PARTS.filter((part) => part !== 'otherEdits');
