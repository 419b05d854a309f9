/** The exchanges of a conversation in the database, with their attempts, rounds, and images. */
import type { Exchange } from '../conversation/conversation.ts';
import type { Round, Turn } from '../conversation/turn.ts';
import type { LinkedExchange } from './branches.ts';
import type { OnWrong } from './readRecord.ts';
import { fromQuestionRecord, fromRoundRecord, fromStoredImage, fromTurnRecord } from './records.ts';
import type { Database } from './sqlite.ts';

/** Returns a function that reads all exchanges of a conversation, in the order in which they were asked. */
export function createExchangeReader(
  db: Database,
  onWrong: OnWrong,
): (conversationId: string) => readonly LinkedExchange[] {
  const exchanges = db.prepare('SELECT * FROM exchange WHERE conversation_id = ? ORDER BY position');
  const turns = db.prepare('SELECT * FROM turn WHERE conversation_id = ? ORDER BY position');
  const passages = db.prepare('SELECT owner_id, part, text FROM passage WHERE conversation_id = ?');
  const deltas = db.prepare('SELECT part, text FROM delta WHERE turn_id = ? ORDER BY id');
  const rounds = db.prepare(
    `SELECT turn_id, round.position, round.record FROM round JOIN turn ON turn.id = turn_id
     WHERE conversation_id = ? ORDER BY round.position`,
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

  function loadRounds(id: string, textOf: ReadonlyMap<string, string>): ReadonlyMap<string, Round[]> {
    const found = new Map<string, Round[]>();
    for (const row of rounds.all(id)) {
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

  function loadTurns(id: string, textOf: ReadonlyMap<string, string>): ReadonlyMap<string, Turn[]> {
    const attempts = new Map<string, Turn[]>();
    const roundsOf = loadRounds(id, textOf);
    for (const row of turns.all(id)) {
      const turnId = String(row['id']);
      const text = { reasoning: '', answer: '' };
      if (row['outcome'] === null) {
        for (const delta of deltas.all(turnId)) {
          text[delta['part'] === 'reasoning' ? 'reasoning' : 'answer'] += String(delta['text']);
        }
      }
      const completeText = {
        reasoning: textOf.get(`${turnId}/reasoning`) ?? text.reasoning,
        answer: textOf.get(`${turnId}/answer`) ?? text.answer,
      };
      const turn = fromTurnRecord(
        turnId,
        String(row['record']),
        completeText,
        roundsOf.get(turnId) ?? [],
        onWrong,
      );
      const exchangeId = String(row['exchange_id']);
      attempts.set(exchangeId, [...(attempts.get(exchangeId) ?? []), turn]);
    }
    return attempts;
  }

  return (id) => {
    const textOf = new Map<string, string>();
    for (const row of passages.all(id)) {
      textOf.set(`${String(row['owner_id'])}/${String(row['part'])}`, String(row['text']));
    }
    const attempts = loadTurns(id, textOf);
    return exchanges.all(id).map((row): LinkedExchange => {
      const exchangeId = String(row['id']);
      const text = textOf.get(`${exchangeId}/question`) ?? '';
      const exchange: Exchange = {
        id: exchangeId,
        question: fromQuestionRecord(String(row['question']), text, findImage, onWrong),
        attempts: attempts.get(exchangeId) ?? [],
        shown: Number(row['shown']),
      };
      return { exchange, parent: typeof row['parent_id'] === 'string' ? row['parent_id'] : undefined };
    });
  };
}
