/** Questions and turns as the store keeps them: text apart, everything else as JSON that later versions can read. */
import { createHash } from 'node:crypto';
import { type AnswerFormat, toWholeFormat } from '../chat/answerFormat.ts';
import { type ContextItem, toWholeContext } from '../chat/context.ts';
import { createTurn } from '../chat/fold.ts';
import { EMPTY_OUTLINE, foldOutline } from '../chat/outline.ts';
import { settleCalls } from '../chat/rounds.ts';
import { NOTHING_SAID } from '../chat/said.ts';
import type { ImageAttachment, Origin, Purpose, Question, RequestFacts, Round, Turn } from '../chat/turn.ts';

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

/** The round of a record; one that cannot be read leaves its text, and no calls that would go out again. */
export function fromRoundRecord(record: string, { reasoning, answer }: TurnText): Round {
  return toWholeRound({ ...parseObject(record), reasoning, answer } as Round);
}

/** A round that was written down, with all that JSON leaves out. */
function toWholeRound(known: Round): Round {
  return {
    ...NOTHING_SAID,
    ...known,
    tries: known.tries ?? 1,
    times: {
      ...{ startedAt: 0, firstReasoning: undefined, firstAnswer: undefined, endedAt: 0 },
      ...known.times,
    },
    toolCalls: (known.toolCalls ?? []).map((call) => ({
      ...call,
      index: call.index,
      result: call.result,
      startedAt: call.startedAt,
      endedAt: call.endedAt,
    })),
  };
}

const UNKNOWN_REQUEST: RequestFacts = {
  routeName: '?',
  routeKind: 'direct',
  model: '?',
  maxCompletionTokens: undefined,
  clampedFrom: undefined,
  effort: undefined,
  prompt: undefined,
  prefix: [],
};

/** The turn of a record. A record that cannot be read any more leaves the text, which is what people come back for. */
export function fromTurnRecord(
  id: string,
  record: string,
  { reasoning, answer }: TurnText,
  rounds: readonly Round[] = [],
): Turn {
  const known = parseObject(record);
  const empty = createTurn(
    id,
    typeof known['startedAt'] === 'number' ? known['startedAt'] : 0,
    UNKNOWN_REQUEST,
  );
  const turn = { ...empty, ...known, id, reasoning, answer, rounds } as Turn;
  const usable = rounds.filter(({ toolCalls }) => toolCalls.length > 0).map(toWholeRound);
  return {
    ...turn,
    // A turn that has ended has no call under way, whatever was written of it last.
    rounds:
      turn.outcome === undefined
        ? usable
        : settleCalls(usable, turn.timings.ended ?? 0, turn.outcome === 'stopped'),
    roundTimes: { ...empty.roundTimes, ...turn.roundTimes },
    request: { ...UNKNOWN_REQUEST, ...turn.request },
    timings: { ...empty.timings, ...turn.timings },
    outline: 'outline' in known ? turn.outline : foldOutline(EMPTY_OUTLINE, reasoning, 0),
  };
}

/** An image as the question's record names it: by the hash of its bytes, or by an address that has none (`ms://`). */
type ImageRecord = { readonly name: string; readonly omitted?: true } & (
  | { readonly hash: string; readonly url?: undefined }
  | { readonly url: string; readonly hash?: undefined }
);

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
): Question {
  const known = parseObject(record);
  const images = Array.isArray(known['images']) ? (known['images'] as readonly ImageRecord[]) : [];
  return toWholeQuestion({
    text,
    images: images.flatMap(({ name, url, hash, omitted }) => {
      const found = url ?? find(hash);
      return found === undefined ? [] : [{ name, url: found, ...(omitted && { omitted }) }];
    }),
    context: Array.isArray(known['context']) ? (known['context'] as readonly ContextItem[]) : [],
    origin: known['origin'] as Origin | undefined,
    ...(known['purpose'] !== undefined && { purpose: known['purpose'] as Purpose }),
    ...(typeof known['revises'] === 'string' && { revises: known['revises'] }),
    ...(known['format'] !== undefined && { format: known['format'] as AnswerFormat }),
  });
}

/** A question that was written down, with what this version knows, in the order in which it is written again. */
export function toWholeQuestion({
  text,
  images,
  context = [],
  origin,
  purpose,
  revises,
  format,
}: Question): Question {
  const whole = toWholeFormat(format);
  return {
    text,
    images: images.map(({ name, url, omitted }) => ({ name, url, ...(omitted && { omitted }) })),
    ...(context.length > 0 && { context: toWholeContext(context) }),
    origin,
    ...(purpose && { purpose }),
    ...(revises && { revises }),
    ...(whole && { format: whole }),
  };
}

/** Questions that wait, as `JSON.stringify` wrote them; nothing when that cannot be read any more. */
export function fromQueueRecord(record: string): readonly Question[] {
  const known = parseObject(`{"queue":${record}}`)['queue'];
  return Array.isArray(known) ? known.map(toWholeQuestion) : [];
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
