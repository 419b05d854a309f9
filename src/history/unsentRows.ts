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
import { attachedImage, contextItem } from './questionDecoders.ts';
import type { OnWrong } from './readRecord.ts';
import { type Database, transact } from './sqlite.ts';

export interface UnsentRows {
  unsent(conversationId: string): Unsent;
  /** Only what is chosen. Images can be large. */
  choices(conversationId: string): Choices;
  /**
   * Writes the parts that are given, and deletes those of them that are empty.
   *
   * @param before what this window had before; what another window has changed since is kept
   */
  putUnsent(conversationId: string, parts: Partial<Unsent>, before?: Unsent): void;
}

const editing: Decoder<Editing> = v.object({
  exchangeId: v.string(),
  text: v.string(),
} satisfies Fields<Editing>);

export function createUnsentRows(db: Database, onWrong: OnWrong): UnsentRows {
  const rows = db.prepare('SELECT part, record FROM unsent WHERE conversation_id = ?');
  const chosenRows = db.prepare(
    "SELECT part, record FROM unsent WHERE conversation_id = ? AND part IN ('preset', 'leavesOut')",
  );
  const put = db.prepare(
    `INSERT INTO unsent (conversation_id, part, record) VALUES (?, ?, ?)
     ON CONFLICT (conversation_id, part) DO UPDATE SET record = excluded.record`,
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

  function unsent(conversationId: string): Unsent {
    const records = recordsOf(conversationId);
    const parsed = (part: keyof Unsent) => parseJson(records.get(part) ?? '');
    const listOf = (part: keyof Unsent): readonly unknown[] =>
      records.has(part) ? (read(v.array(v.unknown()), `attached ${part}`, parsed(part))[0] ?? []) : [];
    return {
      images: listOf('images').flatMap((one) => read(attachedImage, 'an attached image', one)),
      context: listOf('context').flatMap((one) => read(contextItem, 'attached context', one)),
      editing: records.has('editing') ? read(editing, 'an edited question', parsed('editing'))[0] : undefined,
      ...toChoices(records),
    };
  }

  /** The parts with what another window has changed. */
  function merged(conversationId: string, parts: Partial<Unsent>, before: Unsent): Partial<Unsent> {
    const records = recordsOf(conversationId);
    // Images can be large, so they are only read when another window wrote.
    if (PARTS.every((part) => !(part in parts) || records.get(part) === toRecord(before[part]))) return parts;
    const stored = unsent(conversationId);
    return mergeUnsent(before, { ...before, ...parts }, stored);
  }

  return {
    unsent,
    choices: (conversationId) => toChoices(recordsOf(conversationId, chosenRows)),
    putUnsent: (conversationId, parts, before) =>
      transact(db, () => {
        const next = before === undefined ? parts : merged(conversationId, parts, before);
        for (const part of PARTS) {
          if (!(part in parts)) continue;
          const record = toRecord(next[part]);
          if (record === undefined) drop.run(conversationId, part);
          else put.run(conversationId, part, record);
        }
      }),
  };
}

/** Undefined for an empty part, which has no row. */
const toRecord = (value: Unsent[keyof Unsent]): string | undefined =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : JSON.stringify(value);

const PARTS = Object.keys(NOTHING_UNSENT) as readonly (keyof Unsent)[];
