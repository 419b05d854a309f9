/** Removes text that a stream sends twice: after the deltas, some services send the whole message once more. */
import { bringsText, choiceOf } from './answerChoice.ts';
import { isInMessage } from './decodeChunk.ts';
import { asObject, asString } from './json.ts';
import { createSameReasoning } from './sameReasoning.ts';
import { hasClosingTag, takeTagged } from './thinkTags.ts';
import type { Chunk, ToolCallDelta } from './types.ts';

export interface SentOnce {
  /**
   * Returns the chunk without text and calls that came before. A message has all of the text only after deltas, and only at the
   * end or beside an empty delta: other services send messages instead of deltas.
   *
   * @param json the JSON that the chunk was decoded from
   */
  take(chunk: Chunk, json: unknown): Chunk;
  /** All reasoning so far. */
  reasoning(): string;
}

export function createSentOnce(): SentOnce {
  const answer = createTextSoFar();
  const reasoning = createTextSoFar();
  /** For services that send each piece under two names, in separate deltas. */
  const same = createSameReasoning();
  let reasoningName: string | undefined;
  let hasDelta = false;
  let hasDetails = false;
  /** The ids and the names of all calls so far. */
  const ids = new Set<string | undefined>();
  const names = new Set<string | undefined>();
  let isEnding = false;

  const isKnown = ({ id, name }: ToolCallDelta): boolean =>
    Boolean(name) && names.has(name) && (!id || ids.has(id));

  /**
   * Whether a delta has all of the reasoning again, and all of the answer or only calls that came before. Reasoning comes before
   * the answer and the calls, so these together can only be a repetition.
   */
  function isRepeated({ reasoning: own, answer: text, toolCalls }: Chunk): boolean {
    const bringsCalls = toolCalls.length > 0 && toolCalls.every(isKnown);
    if ((own === undefined && !hasClosingTag(text)) || (text === '' && !bringsCalls)) return false;
    // Comparing all of the text with each delta of a service that sends a finish reason with each would take quadratic time.
    const length = text.length + (own?.text.length ?? 0);
    if (answer.length() + reasoning.length() > MOST_LONGER * (length + 100)) return false;
    const before = withoutTags({ reasoning: reasoning.get(), answer: answer.get() });
    const now = withoutTags({ reasoning: own?.text ?? '', answer: text });
    const said = now.answer.trim();
    const isSame = now.reasoning.trim() !== '' && now.reasoning.trim() === before.reasoning.trim();
    return isSame && (said === '' ? bringsCalls : said === before.answer.trim());
  }

  function withoutRepeated(chunk: Chunk, json: unknown): Chunk {
    isEnding ||= chunk.finishReason !== undefined;
    const name = chunk.reasoning?.name;
    if (hasDelta && isMessage(json) && (isEnding || isBesideDelta(json))) {
      const known = { reasoning: reasoning.get(), answer: answer.get() };
      const rest = restOfBoth(known, { reasoning: chunk.reasoning?.text ?? '', answer: chunk.answer });
      return {
        ...chunk,
        reasoning: chunk.reasoning && withText(chunk.reasoning, rest.reasoning),
        answer: rest.answer,
        reasoningDetails: hasDetails ? NONE : chunk.reasoningDetails,
        toolCalls: names.size > 0 ? NONE : chunk.toolCalls,
      };
    }
    if (isEnding && isRepeated(chunk)) {
      const reasoningDetails = hasDetails ? NONE : chunk.reasoningDetails;
      return { ...chunk, reasoning: undefined, reasoningDetails, answer: '' };
    }
    // A function, so that it runs only if needed: reading the text so far costs more than adding to it.
    const isAgain = () => name !== undefined && chunk.reasoning?.text === reasoning.get();
    // All of the reasoning can come again under another name, at times with data that only that name has, such as a signature.
    const isOther = name !== undefined && reasoningName !== undefined && name !== reasoningName;
    if (chunk.reasoning === undefined) return chunk;
    const added = same.take(isOther ? 'other' : 'first', chunk.reasoning.text);
    const text = isOther && isAgain() ? '' : added;
    return text === chunk.reasoning.text ? chunk : { ...chunk, reasoning: withText(chunk.reasoning, text) };
  }

  return {
    reasoning: reasoning.get,
    take(chunk, json) {
      const once = withoutRepeated(chunk, json);
      answer.add(once.answer);
      if (once.reasoning !== undefined) {
        reasoning.add(once.reasoning.text);
        reasoningName ??= once.reasoning.name;
      }
      hasDelta ||= bringsText(chunk) && !isMessage(json);
      hasDetails ||= once.reasoningDetails.length > 0;
      for (const call of once.toolCalls) {
        ids.add(call.id);
        names.add(call.name);
      }
      return once;
    },
  };
}

const NONE: readonly never[] = [];

/** The maximum factor by which the text so far is longer than a delta that repeats it, because of white space or tags. */
const MOST_LONGER = 10;

type Reasoning = NonNullable<Chunk['reasoning']>;

const withText = (reasoning: Reasoning, text: string): Reasoning | undefined =>
  text === '' ? undefined : { ...reasoning, text };

/** Whether the fields of a chunk are in `message` or `text` and not in `delta`. */
function isMessage(json: unknown): boolean {
  const choice = choiceOf(json);
  if (choice === undefined || isInMessage(choice)) return choice !== undefined;
  return asObject(choice['delta']) === undefined && asString(choice['text']) !== undefined;
}

/** A message beside an empty delta has all of the text so far, also before the end. */
const isBesideDelta = (json: unknown): boolean => asObject(choiceOf(json)?.['delta']) !== undefined;

interface Texts {
  readonly reasoning: string;
  readonly answer: string;
}

/** The text that a message adds to the text so far. One of the two can have its reasoning in tags, and the other one in a field. */
function restOfBoth(known: Texts, whole: Texts): Texts {
  const [before, now] = [withoutTags(known), withoutTags(whole)];
  const hasTags = before !== known || now !== whole;
  if (hasTags && (now.reasoning === '' || now.reasoning.trim() === before.reasoning.trim()))
    return { reasoning: '', answer: restOf(before.answer, now.answer) };
  return {
    reasoning: restOf(known.reasoning, whole.reasoning),
    answer: restOf(known.answer, whole.answer),
  };
}

/** Moves reasoning in tags from the answer to the reasoning, unless the reasoning has another text. */
function withoutTags(texts: Texts): Texts {
  const tagged = takeTagged(texts.answer);
  const isOther = texts.reasoning !== '' && texts.reasoning.trim() !== tagged?.reasoning.trim();
  return tagged === undefined || isOther ? texts : { reasoning: tagged.reasoning, answer: tagged.rest };
}

/**
 * The text that a whole text adds to its known part. If the response began again, the whole text can be that of the last response
 * only. A different text is kept, so that nothing is lost.
 */
function restOf(known: string, whole: string): string {
  if (whole.startsWith(known)) return whole.slice(known.length);
  return known.trimEnd().endsWith(whole.trim()) ? '' : whole;
}

/** The number of pieces that are joined at a time. A string that grows by many small pieces keeps all of them in memory. */
const JOINED_PIECES = 1000;

function createTextSoFar() {
  let text = '';
  let pieces: string[] = [];
  let length = 0;
  const get = () => {
    text += pieces.join('');
    pieces = [];
    return text;
  };
  return {
    get,
    /** The number of characters, without joining the pieces. */
    length: () => length,
    add(piece: string) {
      length += piece.length;
      if (piece !== '' && pieces.push(piece) === JOINED_PIECES) get();
    },
  };
}
