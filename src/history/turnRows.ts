/** Writes exchanges and turns to the database, including the text of running turns. */

import type { Round, Turn } from '../conversation/turn.ts';
import type { Prices } from '../service/prices.ts';
import type { LinkedExchange } from './branches.ts';
import { createPassageWriting } from './passageWriting.ts';
import {
  isAssumedEnd,
  isQuestionStored,
  isRoundStored,
  isTurnStored,
  type StoredText,
  toQuestionRecord,
  toRoundRecord,
  toTurnRecord,
} from './records.ts';
import { IS_UNREPORTED } from './spendRows.ts';
import { createSpendWriting } from './spendWriting.ts';
import { type Database, transact } from './sqlite.ts';

export interface TurnRows {
  /**
   * Adds an exchange, or changes which of its attempts is shown, and adds new attempts. Makes it the end of the shown
   * path unless another exchange follows it.
   *
   * @param prices undefined for a copy, such as a fork, whose cost is already recorded
   */
  putExchange(conversationId: string, linked: LinkedExchange, prices: Prices | undefined): void;
  /** Appends text to a running turn and updates its record. */
  append(turn: Turn, text: StoredText): void;
  /** Replaces the stored text of a running turn. */
  rewrite(turn: Turn): void;
  /** Writes one round of a turn, replacing an earlier version of it. */
  putRound(conversationId: string, turnId: string, position: number, round: Round): void;
  /** Writes a turn that has ended. */
  finish(conversationId: string, exchangeId: string, turn: Turn, prices: Prices | undefined): void;
  /**
   * Writes the end and the cost of a turn whose conversation was deleted meanwhile or is no longer open. If the conversation is no
   * longer in the database, only the cost is written.
   */
  putEnd(conversationId: string, exchangeId: string, turn: Turn, prices: Prices): void;
  /** Writes only the cost of a turn whose text is not stored here. */
  putSpend(conversationId: string, turn: Turn, prices: Prices): void;
  /**
   * Makes an exchange the end of the shown path; undefined shows the newest one. Must be called last, so that a window that has read
   * the conversation during the write reads it again.
   */
  putHead(conversationId: string, exchangeId: string | undefined): void;
}

const TEXTS = ['reasoning', 'answer'] as const;

export function createTurnRows(db: Database): TurnRows {
  const touch = db.prepare('UPDATE conversation SET changed_at = max(changed_at, ?) WHERE id = ?');
  const head = db.prepare('UPDATE conversation SET head = ?, revision = revision + 1 WHERE id = ?');
  const exchange = db.prepare(
    `INSERT INTO exchange (id, conversation_id, parent_id, position, shown, question)
     VALUES (:id, :conversationId, :parent,
       (SELECT coalesce(max(position), 0) + 1 FROM exchange WHERE conversation_id = :conversationId), :shown, :question)
     ON CONFLICT (id) DO UPDATE SET shown = excluded.shown, question = excluded.question`,
  );
  // Following exchanges have a later position. Searching all exchanges of the database would take too long for each exchange of a
  // long copy.
  const followed = db.prepare(
    `SELECT 1 FROM exchange WHERE conversation_id = :conversationId AND parent_id = :id
       AND position > (SELECT position FROM exchange WHERE id = :id) ORDER BY position LIMIT 1`,
  );
  const image = db.prepare('INSERT INTO image (hash, type, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const turn = db.prepare(
    `INSERT INTO turn (id, conversation_id, exchange_id, position, route, record)
     VALUES (:id, :conversationId, :exchangeId,
       (SELECT coalesce(max(position), 0) + 1 FROM turn WHERE conversation_id = :conversationId), :route, :record)
     ON CONFLICT (id) DO NOTHING`,
  );
  const progress = db.prepare('UPDATE turn SET record = ? WHERE id = ? AND outcome IS NULL');
  const storedQuestion = db.prepare('SELECT question FROM exchange WHERE id = ?');
  const storedTurn = db.prepare('SELECT conversation_id, outcome, record FROM turn WHERE id = ?');
  const changed = db.prepare('UPDATE conversation SET revision = revision + 1 WHERE id = ?');
  const end = db.prepare('UPDATE turn SET record = ?, outcome = ? WHERE id = ?');
  const delta = db.prepare('INSERT INTO delta (turn_id, part, text) VALUES (?, ?, ?)');
  const round = db.prepare(
    `INSERT INTO round (turn_id, position, record) VALUES (?, ?, ?)
     ON CONFLICT (turn_id, position) DO UPDATE SET record = excluded.record`,
  );
  const storedRound = db.prepare('SELECT record FROM round WHERE turn_id = ? AND position = ?');
  const dropDeltas = db.prepare('DELETE FROM delta WHERE turn_id = ?');
  const passages = createPassageWriting(db);
  const spend = createSpendWriting(db);
  const account = db.prepare(
    `UPDATE conversation SET (cost, unreported) = (
       SELECT coalesce(sum(cost), 0), coalesce(sum(${IS_UNREPORTED}), 0)
       FROM spend WHERE conversation_id = :id),
       routes = iif(json_valid(routes) AND :route IN (SELECT value FROM json_each(routes)), routes,
         (SELECT json_group_array(DISTINCT route) FROM turn WHERE conversation_id = :id)) WHERE id = :id`,
  );

  function putRound(conversationId: string, turnId: string, position: number, one: Round): void {
    const stored = storedRound.get(turnId, position)?.['record'];
    if (typeof stored !== 'string' || !isRoundStored(stored, one))
      round.run(turnId, position, toRoundRecord(one));
    passages.put(conversationId, turnId, `reasoning/${position}`, one.reasoning);
    passages.put(conversationId, turnId, `answer/${position}`, one.answer);
  }

  /**
   * Stores the text of a turn that still runs although another window has ended it, because this window was suspended for long. Its
   * real end may never come.
   */
  function keepText(running: Turn, stored: Readonly<Record<string, unknown>>): void {
    if (!isAssumedEnd(String(stored['record']))) return;
    const conversationId = String(stored['conversation_id']);
    const written = TEXTS.map((part) => passages.replace(conversationId, running.id, part, running[part]));
    if (written.includes(true)) changed.run(conversationId);
  }

  function append(running: Turn, { reasoning, answer }: StoredText): void {
    const { changes } = progress.run(toTurnRecord(running), running.id);
    const stored = changes === 0 ? storedTurn.get(running.id) : undefined;
    if (stored !== undefined) {
      keepText(running, stored);
      return;
    }
    if (reasoning !== '') delta.run(running.id, 'reasoning', reasoning);
    if (answer !== '') delta.run(running.id, 'answer', answer);
  }

  function finish(conversationId: string, exchangeId: string, ended: Turn, prices: Prices | undefined): void {
    turn.run({ id: ended.id, conversationId, exchangeId, route: ended.request.routeName, record: '{}' });
    const stored = storedTurn.get(ended.id);
    const wasEnded = stored?.['outcome'] !== null;
    const record = String(stored?.['record']);
    // A window that only assumed the end must not replace the real one.
    if (wasEnded && ended.windowClosed === true && !isAssumedEnd(record)) return;
    // Reading drops fields that this version doesn't know, and writing the turn again would delete them.
    const isNew = !wasEnded || !isTurnStored(record, ended);
    if (isNew) end.run(toTurnRecord(ended), ended.outcome ?? null, ended.id);
    for (const [position, one] of ended.rounds.entries()) putRound(conversationId, ended.id, position, one);
    // A window that only assumed the end may have less text than is stored.
    const put = ended.windowClosed === true ? passages.put : passages.replace;
    for (const part of TEXTS) put(conversationId, ended.id, part, ended[part]);
    dropDeltas.run(ended.id);
    if (prices !== undefined && isNew) spend.put(conversationId, ended, prices, wasEnded);
    account.run({ id: conversationId, route: ended.request.routeName });
    touch.run(Math.round(ended.startedAt + (ended.timings.ended ?? 0)), conversationId);
  }

  function putAttempt(
    conversationId: string,
    exchangeId: string,
    attempt: Turn,
    prices: Prices | undefined,
  ): void {
    const { changes } = turn.run({
      id: attempt.id,
      conversationId,
      exchangeId,
      route: attempt.request.routeName,
      record: toTurnRecord(attempt),
    });
    if (changes === 0) return;
    if (attempt.outcome !== undefined) finish(conversationId, exchangeId, attempt, prices);
    else touch.run(attempt.startedAt, conversationId);
  }

  return {
    putExchange: (conversationId, { exchange: one, parent }, prices) =>
      transact(db, () => {
        const { record, images } = toQuestionRecord(one.question);
        const stored = storedQuestion.get(one.id)?.['question'];
        for (const { hash, type, bytes } of images) image.run(hash, type, bytes);
        exchange.run({
          id: one.id,
          conversationId,
          parent: parent ?? null,
          shown: one.shown,
          question: typeof stored === 'string' && isQuestionStored(stored, record) ? stored : record,
        });
        passages.put(conversationId, one.id, 'question', one.question.text);
        for (const attempt of one.attempts) putAttempt(conversationId, one.id, attempt, prices);
        if (followed.get({ conversationId, id: one.id }) === undefined) head.run(one.id, conversationId);
      }),
    append: (running, text) => transact(db, () => append(running, text)),
    rewrite: (running) =>
      transact(db, () => {
        dropDeltas.run(running.id);
        append(running, running);
      }),
    putRound: (conversationId, turnId, position, one) =>
      transact(db, () => putRound(conversationId, turnId, position, one)),
    finish: (conversationId, exchangeId, ended, prices) =>
      transact(db, () => finish(conversationId, exchangeId, ended, prices)),
    putEnd: (conversationId, exchangeId, ended, prices) =>
      transact(db, () => {
        if (storedTurn.get(ended.id) === undefined) {
          spend.put(conversationId, ended, prices, false);
          return;
        }
        finish(conversationId, exchangeId, ended, prices);
        changed.run(conversationId);
      }),
    putSpend: (conversationId, ended, prices) =>
      transact(db, () => spend.put(conversationId, ended, prices, false)),
    putHead: (conversationId, exchangeId) => void head.run(exchangeId ?? null, conversationId),
  };
}
