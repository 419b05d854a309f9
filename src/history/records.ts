/** Questions and turns as the store keeps them: text apart, everything else as JSON that later versions can read. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { createTurn } from '../chat/fold.ts';
import { EMPTY_OUTLINE, foldOutline } from '../chat/outline.ts';
import { settleCalls } from '../chat/rounds.ts';
import type { ImageAttachment, Question, Round, Turn } from '../chat/turn.ts';
import {
  type Decoder,
  decode,
  decodeReadable,
  describeWrong,
  someObject,
  tryDecode,
} from '../validation/decode.ts';
import { type ImageRecord, question, questionRecord } from './questionForm.ts';
import { roundRecord, type TurnRecord, turnRecord } from './turnForm.ts';

/** The text of a turn, verbatim. */
export interface TurnText {
  readonly reasoning: string;
  readonly answer: string;
}

/** Everything about a turn but its text, its rounds and its id. */
export function toTurnRecord(turn: Turn): string {
  const { id, reasoning, answer, rounds, ...rest } = turn;
  return JSON.stringify(rest);
}

/** Everything about a round but its text. */
export function toRoundRecord(round: Round): string {
  const { reasoning, answer, ...rest } = round;
  return JSON.stringify(rest);
}

/** Told of a record that could not be read whole: which field is wrong, and what it should be. */
export type OnWrong = (what: string) => void;

/** The round of a record; one that cannot be read leaves its text, and no calls that would go out again. */
export function fromRoundRecord(record: string, { reasoning, answer }: TurnText, onWrong: OnWrong): Round {
  return { ...readRecord(roundRecord, record, 'a round', onWrong), reasoning, answer };
}

/** The turn of a record. A record that cannot be read any more leaves the text, which is what people come back for. */
export function fromTurnRecord(
  id: string,
  record: string,
  text: TurnText,
  rounds: readonly Round[],
  onWrong: OnWrong,
): Turn {
  return toWholeTurn({
    ...readRecord(turnRecord, record, 'a turn', onWrong),
    ...{ id, reasoning: text.reasoning, answer: text.answer, rounds },
  });
}

/** A turn that was written down, with its fields in the order in which a turn has them. */
export function toWholeTurn(known: Omit<Turn, 'outline'> & Pick<TurnRecord, 'outline'>): Turn {
  const { id, startedAt, request, rounds, reasoning, outcome, timings } = known;
  const usable = rounds.filter(({ toolCalls }) => toolCalls.length > 0);
  return {
    ...createTurn(id, startedAt, request),
    ...known,
    // A turn that has ended has no call under way, whatever was written of it last.
    rounds: outcome === undefined ? usable : settleCalls(usable, timings.ended ?? 0, outcome === 'stopped'),
    outline: known.outline ?? foldOutline(EMPTY_OUTLINE, reasoning, 0),
  };
}

/** Bytes of an image, and what names them. */
export interface StoredImage {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Media type, like `image/png`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const DATA_ADDRESS = /^data:([^;,]+);base64,/;

/** The bytes of an image that carries them, or undefined for one that names a file of the service. */
export function toStoredImage({ url }: ImageAttachment): StoredImage | undefined {
  const match = DATA_ADDRESS.exec(url);
  if (match?.[1] === undefined) return undefined;
  const bytes = Buffer.from(url.slice(match[0].length), 'base64');
  // The address has to come back as it was, or the prefix of the conversation changes; not all base64 does.
  if (fromStoredImage({ type: match[1], bytes }) !== url) return undefined;
  return { hash: createHash('sha256').update(bytes).digest('hex'), type: match[1], bytes };
}

export function fromStoredImage({ type, bytes }: Pick<StoredImage, 'type' | 'bytes'>): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Everything about a question but its text, and the images whose bytes are to be kept. */
export function toQuestionRecord(question: Question): {
  readonly record: string;
  readonly images: readonly StoredImage[];
} {
  const stored = question.images.map(toStoredImage);
  const images = question.images.map(({ url, ...rest }, index): ImageRecord => {
    const image = stored[index];
    return image === undefined ? { ...rest, url } : { ...rest, hash: image.hash };
  });
  return {
    record: JSON.stringify({
      images,
      context: question.context,
      origin: question.origin,
      purpose: question.purpose,
      revises: question.revises,
      format: question.format,
    }),
    images: stored.filter((image) => image !== undefined),
  };
}

/** @param find the address of an image whose bytes are kept; undefined when they are lost */
export function fromQuestionRecord(
  record: string,
  text: string,
  find: (hash: string) => string | undefined,
  onWrong: OnWrong,
): Question {
  const { images, ...beside } = readRecord(questionRecord, record, 'a question', onWrong);
  return toWholeQuestion({
    text,
    images: images.flatMap(({ name, url, hash, omitted }) => {
      const found = url ?? (hash === undefined ? undefined : find(hash));
      return found === undefined ? [] : [{ name, url: found, ...(omitted && { omitted }) }];
    }),
    ...beside,
  });
}

/** A question that was written down, in the order in which it is written again. */
export function toWholeQuestion({
  text,
  images,
  context = [],
  origin,
  purpose,
  revises,
  format,
}: Question): Question {
  return {
    text,
    images,
    ...(context.length > 0 && { context }),
    origin,
    ...(purpose && { purpose }),
    ...(revises && { revises }),
    ...(format && { format }),
  };
}

/** Questions that wait, as `JSON.stringify` wrote them; those that cannot be read any more are told and left out. */
export function fromQueueRecord(record: string, onWrong: OnWrong): readonly Question[] {
  const listed = decode(v.array(v.unknown()), parseJson(record, 'the waiting questions', onWrong));
  if (!listed.ok) onWrong(`the waiting questions: ${describeWrong(listed.wrong)}`);
  return (listed.ok ? listed.value : []).flatMap((one) => {
    const decoded = decode(question, one);
    if (decoded.ok) return [toWholeQuestion(decoded.value)];
    onWrong(`a waiting question: ${describeWrong(decoded.wrong)}`);
    return [];
  });
}

/** Names of routes; none when they cannot be read. */
export function fromRoutesRecord(record: string, onWrong: OnWrong): readonly string[] {
  const decoded = decode(v.array(v.string()), parseJson(record, 'the routes of a conversation', onWrong));
  if (decoded.ok) return decoded.value;
  onWrong(`the routes of a conversation: ${describeWrong(decoded.wrong)}`);
  return [];
}

/** A record, in which each field that cannot be read is told and gets its default. */
function readRecord<Known>(decoder: Decoder<Known>, record: string, name: string, onWrong: OnWrong): Known {
  const parsed = tryDecode(someObject, parseJson(record, name, onWrong)) ?? {};
  const read = decodeReadable(decoder, parsed, (wrong) => onWrong(`${name}: ${describeWrong(wrong)}`));
  if (read === undefined) throw new Error(`every field of ${name} should have a default`);
  return read;
}

function parseJson(json: string, name: string, onWrong: OnWrong): unknown {
  try {
    return JSON.parse(json);
  } catch {
    onWrong(`${name}: it is no JSON`);
    return undefined;
  }
}
