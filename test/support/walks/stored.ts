/** The content of the conversation database, read while the windows use it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Turn } from '../../../src/conversation/turn.ts';
import { fromRoundRecord, fromTurnRecord } from '../../../src/history/records.ts';
import { toSpend } from '../../../src/history/spendWriting.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { groupBy } from '../../../src/text/groupBy.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Stored {
  /** All texts of users: questions, queues, drafts, and edits, also in deleted conversations. */
  readonly texts: string;
  /** The conversations in which a turn has no outcome. */
  readonly running: readonly string[];
  /** Faults in the cost of turns, and in records. */
  readonly wrong: readonly string[];
}

export function readStored(globalStorage: string): Stored {
  const db = new DatabaseSync(join(globalStorage, 'history/conversations.db'), { readOnly: true });
  const all = (sql: string): readonly Row[] => db.prepare(sql).all();
  try {
    // A consistent state, although other processes write.
    db.exec('BEGIN');
    const texts = [
      ...all('SELECT text FROM passage'),
      ...all('SELECT question FROM exchange'),
      ...all('SELECT draft, queue FROM conversation'),
      ...all("SELECT record FROM unsent WHERE part <> 'images'"),
    ].flatMap((row) => Object.values(row));
    const running = all(
      `SELECT DISTINCT conversation_id AS id FROM turn JOIN conversation ON conversation.id = conversation_id
         WHERE outcome IS NULL AND deleted_at IS NULL`,
    );
    return {
      texts: texts.join('\n'),
      running: running.map((row) => String(row['id'])),
      wrong: [...wrongSpend(all), ...wrongPlaces(all)],
    };
  } finally {
    db.close();
  }
}

/** Records that belong to a missing record, and messages that are in two places. */
function wrongPlaces(all: (sql: string) => readonly Row[]): readonly string[] {
  const rows = (what: string, sql: string) => all(sql).map((row) => `${what}: ${Object.values(row).join()}`);
  return [
    ...rows(
      'an answer without its question',
      `SELECT id FROM turn WHERE NOT EXISTS (SELECT 1 FROM exchange
         WHERE exchange.id = exchange_id AND exchange.conversation_id = turn.conversation_id)`,
    ),
    ...rows(
      'a question without the one before it',
      `SELECT id FROM exchange AS one WHERE parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exchange
         WHERE exchange.id = one.parent_id AND exchange.conversation_id = one.conversation_id)`,
    ),
    ...rows(
      'a question without its conversation',
      'SELECT id FROM exchange WHERE conversation_id NOT IN (SELECT id FROM conversation)',
    ),
    ...rows(
      'a cost without its turn',
      `SELECT turn_id FROM spend WHERE conversation_id IN (SELECT id FROM conversation)
         AND turn_id NOT IN (SELECT id FROM turn)`,
    ),
    ...twice(all),
  ];
}

/** A message that was sent is in one place of its conversation: a question, or the queue. */
function twice(all: (sql: string) => readonly Row[]): readonly string[] {
  const own = /(?:Question|Queued|Edited) \d+x\d+y/g;
  const asked = all(`SELECT conversation_id, text FROM passage WHERE part = 'question'`).map(
    (row) => [row['conversation_id'], String(row['text'])] as const,
  );
  const queued = all('SELECT id, queue FROM conversation').map(
    (row) => [row['id'], String(row['queue'])] as const,
  );
  const places = [...asked, ...queued].flatMap(([id, text]) =>
    (text.match(own) ?? []).map((words) => `${id}: ${words}`),
  );
  return [...groupBy(places, (place) => place)]
    .filter(([, same]) => same.length > 1)
    .map(([place, same]) => `${same.length} times in its conversation: ${place}`);
}

/** The cost of each ended turn must be recorded once, with the tokens that the service reported. */
function wrongSpend(all: (sql: string) => readonly Row[]): readonly string[] {
  const wrong: string[] = [];
  const spent = new Map(all('SELECT * FROM spend').map((row) => [String(row['turn_id']), row]));
  const rounds = all('SELECT turn_id, record FROM round ORDER BY position');
  const turns = all('SELECT id, conversation_id, record FROM turn WHERE outcome IS NOT NULL').map((row) => {
    const id = String(row['id']);
    const noText = { reasoning: '', answer: '' };
    const onWrong = (what: string) => wrong.push(`turn ${id}: ${what}`);
    const own = rounds
      .filter((round) => round['turn_id'] === id)
      .map((round) => fromRoundRecord(String(round['record']), noText, onWrong));
    return {
      at: String(row['conversation_id']),
      turn: fromTurnRecord(id, String(row['record']), noText, own, onWrong),
    };
  });
  // A copy of a turn, in a fork or an import, has the same beginning as the original, and isn't billed again.
  const begun = groupBy(turns, ({ turn }) => turn.startedAt);
  for (const copies of begun.values()) wrong.push(...wrongTurn(copies, spent));
  return wrong;
}

function wrongTurn(
  copies: readonly { readonly at: string; readonly turn: Turn }[],
  spent: ReadonlyMap<string, Row>,
): readonly string[] {
  const billed = copies.filter(({ turn }) => spent.has(turn.id));
  const [first] = copies;
  if (billed.length === 0)
    return first === undefined ? [] : [`the turn ${first.turn.id} is not in the account`];
  return billed.flatMap(({ at, turn }) => {
    const row = spent.get(turn.id);
    const { spend: figures } = toSpend(at, turn, DEFAULT_PRICES);
    const one = [figures.promptTokens, figures.reasoningTokens, figures.answerTokens];
    const other = [row?.['prompt_tokens'], row?.['reasoning_tokens'], row?.['answer_tokens']];
    return one.every((value, index) => value === other[index])
      ? []
      : [`the turn ${turn.id} reported ${one.join()} tokens; the account has ${other.join()}`];
  });
}
