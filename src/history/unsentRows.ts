/** What is not sent yet, besides the text of the draft, in the database. */
import * as v from 'valibot';
import { type Editing, NOTHING_UNSENT, type Unsent } from '../chat/unsent.ts';
import { parseJson } from '../service/json.ts';
import { type Decoder, decode, describeWrong, type Fields } from '../validation/decode.ts';
import { attachedImage, contextItem } from './questionDecoders.ts';
import type { OnWrong } from './records.ts';
import type { Database } from './sqlite.ts';

export interface UnsentRows {
  unsent(conversationId: string): Unsent;
  /** Writes the parts that are given, and deletes those of them that are empty. */
  putUnsent(conversationId: string, parts: Partial<Unsent>): void;
}

const editing: Decoder<Editing> = v.object({
  exchangeId: v.string(),
  text: v.string(),
} satisfies Fields<Editing>);

export function createUnsentRows(db: Database, onWrong: OnWrong): UnsentRows {
  const rows = db.prepare('SELECT part, record FROM unsent WHERE conversation_id = ?');
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

  return {
    unsent(conversationId) {
      const records = new Map(
        rows
          .all(conversationId)
          .map((row) => [String(row['part']), parseJson(String(row['record']))] as const),
      );
      const listOf = (part: keyof Unsent): readonly unknown[] =>
        records.has(part) ? (read(v.array(v.unknown()), `attached ${part}`, records.get(part))[0] ?? []) : [];
      return {
        images: listOf('images').flatMap((one) => read(attachedImage, 'an attached image', one)),
        context: listOf('context').flatMap((one) => read(contextItem, 'attached context', one)),
        editing: records.has('editing')
          ? read(editing, 'an edited question', records.get('editing'))[0]
          : undefined,
      };
    },
    putUnsent(conversationId, parts) {
      for (const part of PARTS) {
        if (!(part in parts)) continue;
        const value = parts[part];
        if (value === undefined || (Array.isArray(value) && value.length === 0))
          drop.run(conversationId, part);
        else put.run(conversationId, part, JSON.stringify(value));
      }
    },
  };
}

const PARTS = Object.keys(NOTHING_UNSENT) as readonly (keyof Unsent)[];
