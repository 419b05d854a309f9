/** Reads the exchanges of a conversation from the database, with their attempts, rounds, and images. */
import { type Exchange, limitShown } from '../conversation/conversation.ts';
import { laterPrefix, wholePrefix } from '../conversation/requestPrefix.ts';
import type { Round, Turn } from '../conversation/turn.ts';
import type { LinkedExchange } from './branches.ts';
import type { OnWrong } from './readRecord.ts';
import { fromQuestionRecord, fromRoundRecord, fromStoredImage, fromTurnRecord } from './records.ts';
import type { Database } from './sqlite.ts';
import { asBytes, toWholeText } from './wholeText.ts';

export interface ExchangeReader {
  /** All exchanges of a conversation, in the order in which they were asked. */
  exchanges(conversationId: string): readonly LinkedExchange[];
  /** The turns of a conversation without an outcome. Nothing else of the conversation is read. */
  unfinishedTurns(conversationId: string): readonly Turn[];
}

const PASSAGE = `SELECT owner_id, part, ${asBytes('text')} FROM passage`;

export function createExchangeReader(db: Database, onWrong: OnWrong): ExchangeReader {
  const exchanges = db.prepare('SELECT * FROM exchange WHERE conversation_id = ? ORDER BY position');
  const turns = db.prepare('SELECT * FROM turn WHERE conversation_id = ? ORDER BY position');
  const unfinished = db.prepare(
    'SELECT * FROM turn WHERE conversation_id = ? AND outcome IS NULL ORDER BY position',
  );
  const passages = db.prepare(`${PASSAGE} WHERE conversation_id = ?`);
  const passagesOfTurn = db.prepare(`${PASSAGE} WHERE owner_id = ?`);
  const deltas = db.prepare(`SELECT part, ${asBytes('text')} FROM delta WHERE turn_id = ? ORDER BY id`);
  const rounds = db.prepare(
    `SELECT turn_id, round.position, round.record FROM round JOIN turn ON turn.id = turn_id
     WHERE conversation_id = ? ORDER BY round.position`,
  );
  const roundsOfTurn = db.prepare(
    'SELECT turn_id, position, record FROM round WHERE turn_id = ? ORDER BY position',
  );
  const image = db.prepare('SELECT type, bytes FROM image WHERE hash = ?');

  function findImage(hash: string): string | undefined {
    const row = image.get(hash);
    if (row === undefined) return undefined;
    const { type, bytes } = row;
    if (bytes instanceof Uint8Array) return fromStoredImage({ type: String(type), bytes });
    onWrong('an image: bytes should be bytes');
    return undefined;
  }

  function toRounds(rows: readonly Row[], textOf: ReadonlyMap<string, string>): ReadonlyMap<string, Round[]> {
    const found = new Map<string, Round[]>();
    for (const row of rows) {
      const turnId = String(row['turn_id']);
      const text = {
        reasoning: textOf.get(`${turnId}/reasoning/${row['position']}`) ?? '',
        answer: textOf.get(`${turnId}/answer/${row['position']}`) ?? '',
      };
      const round = fromRoundRecord(String(row['record']), text, onWrong);
      found.set(turnId, [...(found.get(turnId) ?? []), round]);
    }
    return found;
  }

  function toTurn(row: Row, textOf: ReadonlyMap<string, string>, rounds: readonly Round[] = []): Turn {
    const turnId = String(row['id']);
    const text = { reasoning: '', answer: '' };
    if (row['outcome'] === null) {
      for (const delta of deltas.all(turnId)) {
        text[delta['part'] === 'reasoning' ? 'reasoning' : 'answer'] += toWholeText(delta['text']) ?? '';
      }
    }
    const completeText = {
      reasoning: textOf.get(`${turnId}/reasoning`) ?? text.reasoning,
      answer: textOf.get(`${turnId}/answer`) ?? text.answer,
    };
    return fromTurnRecord(turnId, String(row['record']), completeText, rounds, onWrong);
  }

  function loadTurns(id: string, textOf: ReadonlyMap<string, string>): Map<string, Turn[]> {
    const attempts = new Map<string, Turn[]>();
    const roundsOf = toRounds(rounds.all(id), textOf);
    for (const row of turns.all(id)) {
      const turn = toTurn(row, textOf, roundsOf.get(String(row['id'])));
      const exchangeId = String(row['exchange_id']);
      attempts.set(exchangeId, [...(attempts.get(exchangeId) ?? []), turn]);
    }
    return attempts;
  }

  function exchangesOf(id: string): readonly LinkedExchange[] {
    const textOf = toTexts(passages.all(id));
    const attempts = loadTurns(id, textOf);
    return exchanges.all(id).map((row): LinkedExchange => {
      const exchangeId = String(row['id']);
      const parent = typeof row['parent_id'] === 'string' ? row['parent_id'] : undefined;
      const text = textOf.get(`${exchangeId}/question`) ?? '';
      const before = parent === undefined ? undefined : attempts.get(parent)?.at(-1);
      const own = (attempts.get(exchangeId) ?? []).map((turn) => withLaterPrefix(turn, before));
      attempts.set(exchangeId, own);
      const exchange: Exchange = {
        id: exchangeId,
        question: fromQuestionRecord(String(row['question']), text, findImage, onWrong),
        attempts: own,
        shown: limitShown(Number(row['shown']), own),
      };
      return { exchange, parent };
    });
  }

  return {
    exchanges: exchangesOf,
    unfinishedTurns: (id) =>
      unfinished.all(id).map((row) => {
        const turnId = String(row['id']);
        const textOf = toTexts(passagesOfTurn.all(turnId));
        return toTurn(row, textOf, toRounds(roundsOfTurn.all(turnId), textOf).get(turnId));
      }),
  };
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The turn without the part of its request's prefix that the previous turn has, too. In the database, each turn has the complete
 * prefix.
 */
function withLaterPrefix(turn: Turn, before: Turn | undefined): Turn {
  const { request } = turn;
  if (before === undefined) return turn;
  const prefix = laterPrefix(before.request.prefix, wholePrefix(request.prefix));
  return { ...turn, request: { ...request, prefix } };
}

/** The texts, by owner ID and part, as in `id/answer`. */
const toTexts = (rows: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(
    rows.map((row) => [`${String(row['owner_id'])}/${String(row['part'])}`, toWholeText(row['text']) ?? '']),
  );
