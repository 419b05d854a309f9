/**
 * Converts questions and turns to their stored form: text separately, everything else as JSON that later versions can read. The
 * fields of a turn are declared in `turnDecoders.ts` and `roundDecoders.ts`.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { createTurn } from '../conversation/fold.ts';
import type { ImageAttachment, Question } from '../conversation/question.ts';
import type { QueuedQuestion } from '../conversation/queue.ts';
import { EMPTY_OUTLINE, foldOutline } from '../conversation/reasoning/outline.ts';
import { settleCalls } from '../conversation/rounds.ts';
import type { Round, Turn } from '../conversation/turn.ts';
import { decode, describeWrong, someObject, tryDecode } from '../validation/decode.ts';
import {
  contextItem,
  type ImageRecord,
  image,
  imageRecord,
  question,
  questionRecord,
} from './questionDecoders.ts';
import { type Lists, type OnWrong, parseRecord, readRecord, withReadableItems } from './readRecord.ts';
import { call, roundRecord } from './roundDecoders.ts';
import { type TurnRecord, turnRecord } from './turnDecoders.ts';

/** The text of a turn, verbatim. */
export interface StoredText {
  readonly reasoning: string;
  readonly answer: string;
}

/** The JSON of a turn without its text, rounds, and id. */
export function toTurnRecord(turn: Turn): string {
  const { id, reasoning, answer, rounds, ...rest } = turn;
  return JSON.stringify(rest);
}

/** The JSON of a round without its text. */
export function toRoundRecord(round: Round): string {
  const { reasoning, answer, ...rest } = round;
  return JSON.stringify(rest);
}

/**
 * Reads a round. If its record can't be decoded, the round still has its text. A call that can't be decoded is left out, because it
 * couldn't be sent again.
 */
export function fromRoundRecord(record: string, { reasoning, answer }: StoredText, onWrong: OnWrong): Round {
  return { ...readRecord(roundRecord, record, 'a round', onWrong, { toolCalls: call }), reasoning, answer };
}

/**
 * Whether a stored record already contains everything that a round has. The record can contain more, such as a call that this
 * version can't read and that writing the round would delete.
 */
export function isRoundStored(record: string, round: Round): boolean {
  const read = (one: string) => toRoundRecord(fromRoundRecord(one, round, () => undefined));
  return read(record) === read(toRoundRecord(round));
}

/** Reads a turn. If its record can't be decoded, the turn still has its text. */
export function fromTurnRecord(
  id: string,
  record: string,
  text: StoredText,
  rounds: readonly Round[],
  onWrong: OnWrong,
): Turn {
  return toCompleteTurn({
    ...readRecord(turnRecord, record, 'a turn', onWrong),
    ...{ id, reasoning: text.reasoning, answer: text.answer, rounds },
  });
}

/** Whether a stored record already contains everything that a turn has, as for a round. */
export function isTurnStored(record: string, turn: Turn): boolean {
  const read = (one: string) =>
    toTurnRecord(fromTurnRecord(turn.id, one, turn, turn.rounds, () => undefined));
  return read(record) === read(toTurnRecord(turn));
}

/** Whether a stored turn was ended by a window that found it unfinished, without knowing its end. */
export function isAssumedEnd(record: string): boolean {
  const { windowClosed } = readRecord(turnRecord, record, 'a turn', () => undefined);
  return windowClosed === true;
}

/** A stored turn, with defaults and with its fields in the order of new turns. */
export function toCompleteTurn(known: Omit<Turn, 'outline'> & Pick<TurnRecord, 'outline'>): Turn {
  const { id, startedAt, request, rounds, reasoning, outcome, timings } = known;
  return {
    ...createTurn(id, startedAt, request),
    ...known,
    // A turn that has ended has no running calls, whatever was stored last.
    rounds: outcome === undefined ? rounds : settleCalls(rounds, timings.ended ?? 0, outcome === 'stopped'),
    outline: known.outline ?? foldOutline(EMPTY_OUTLINE, reasoning, 0),
  };
}

/** The bytes of an image, with their hash. */
export interface StoredImage {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Media type, like `image/png`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const DATA_ADDRESS = /^data:([^;,]+);base64,/;

/** The bytes of an image from its data URL; undefined for a file of the service. */
export function toStoredImage({ url }: ImageAttachment): StoredImage | undefined {
  const match = DATA_ADDRESS.exec(url);
  if (match?.[1] === undefined) return undefined;
  const bytes = Buffer.from(url.slice(match[0].length), 'base64');
  // The URL must be restored unchanged, or the cached prefix of the conversation is lost. This isn't possible for every base64 text.
  if (fromStoredImage({ type: match[1], bytes }) !== url) return undefined;
  return { hash: createHash('sha256').update(bytes).digest('hex'), type: match[1], bytes };
}

export function fromStoredImage({ type, bytes }: Pick<StoredImage, 'type' | 'bytes'>): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** The JSON of a question without its text, and the images whose bytes have to be stored. */
export function toQuestionRecord(question: Question): {
  readonly record: string;
  readonly images: readonly StoredImage[];
} {
  const { text, images: attached, ...beside } = toCompleteQuestion(question);
  const stored = attached.map(toStoredImage);
  const images = attached.map(({ url, ...rest }, index): ImageRecord => {
    const image = stored[index];
    return image === undefined ? { ...rest, url } : { ...rest, hash: image.hash };
  });
  return {
    record: JSON.stringify({ images, ...beside }),
    images: stored.filter((image) => image !== undefined),
  };
}

/** @param find returns the data URL of a stored image by its hash; undefined when it is missing */
export function fromQuestionRecord(
  record: string,
  text: string,
  find: (hash: string) => string | undefined,
  onWrong: OnWrong,
): Question {
  const { images, ...beside } = readRecord(questionRecord, record, 'a question', onWrong, QUESTION_LISTS);
  return toCompleteQuestion({
    text,
    images: images.flatMap(({ name, url, hash, omitted }) => {
      const found = url ?? (hash === undefined ? undefined : find(hash));
      return found === undefined ? [] : [{ name, url: found, ...(omitted && { omitted }) }];
    }),
    ...beside,
  });
}

/** Whether a stored record already contains everything that another record of the question has, as for a round. */
export function isQuestionStored(record: string, next: string): boolean {
  const read = (one: string) =>
    JSON.stringify(readRecord(questionRecord, one, 'a question', () => undefined, QUESTION_LISTS));
  return read(record) === read(next);
}

/** A question with its fields in the stored order, without missing ones. */
export function toCompleteQuestion({
  text,
  images,
  context = [],
  origin,
  more = [],
  purpose,
  repository,
  commit,
  revises,
  format,
  continues,
  asked,
  effort,
  tools,
  keepsResults,
  preset,
}: Question): Question {
  return {
    text,
    images,
    ...(context.length > 0 && { context }),
    origin,
    ...(more.length > 0 && { more }),
    ...(purpose && { purpose }),
    ...(repository && { repository }),
    ...(commit && { commit }),
    ...(revises && { revises }),
    ...(format && { format }),
    ...(continues && { continues }),
    ...(asked && { asked }),
    ...(effort && { effort }),
    ...(tools && { tools }),
    ...(keepsResults && { keepsResults }),
    ...(preset && { preset }),
  };
}

/** Queued questions as JSON. The ID is one of the fields of each question. */
export function toQueueRecord(queue: readonly QueuedQuestion[]): string {
  return JSON.stringify(queue.map(({ id, question }) => ({ id, ...question })));
}

/**
 * Reads queued questions. Questions that can't be decoded are reported and left out. If a question has no ID, as in earlier
 * versions, its position is its ID.
 */
export function fromQueueRecord(record: string, onWrong: OnWrong): readonly QueuedQuestion[] {
  const listed = decode(v.array(v.unknown()), parseRecord(record, 'the waiting questions', onWrong));
  if (!listed.ok) onWrong(`the waiting questions: ${describeWrong(listed.wrong)}`);
  return (listed.ok ? listed.value : []).flatMap((one, position) => {
    const name = 'a waiting question';
    const fields = tryDecode(someObject, one) ?? {};
    const lists = { images: image, context: contextItem };
    const decoded = decode(question, { images: [], ...withReadableItems(fields, lists, name, onWrong) });
    if (!decoded.ok) {
      onWrong(`${name}: ${describeWrong(decoded.wrong)}`);
      return [];
    }
    const id = tryDecode(v.object({ id: v.string() }), one)?.id ?? String(position);
    return [{ id, question: toCompleteQuestion(decoded.value) }];
  });
}

/** Names of routes; empty when they can't be decoded. */
export function fromRoutesRecord(record: string, onWrong: OnWrong): readonly string[] {
  const decoded = decode(v.array(v.string()), parseRecord(record, 'the routes of a conversation', onWrong));
  if (decoded.ok) return decoded.value;
  onWrong(`the routes of a conversation: ${describeWrong(decoded.wrong)}`);
  return [];
}

/** The lists of a question whose readable items are kept if others can't be decoded. */
const QUESTION_LISTS: Lists = { context: contextItem, images: imageRecord };
