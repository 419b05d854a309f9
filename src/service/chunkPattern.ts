/**
 * Reads a chunk that differs from the one before only in its text, without parsing all of its JSON. Almost all chunks of a stream
 * are like this, and parsing them is most of the cost of reading a stream (docs/performance.md).
 */
import { isTextAlone } from './answerChoice.ts';
import { decodeChunk } from './decodeChunk.ts';
import { asString, parseJson } from './json.ts';
import type { Chunk } from './types.ts';

export interface ChunkPattern {
  /**
   * Returns the chunk in the data of an event, or undefined if the data may differ from the pattern in more than the text, or
   * have no text.
   */
  read(data: string): Chunk | undefined;
  /**
   * Makes this chunk the pattern if it has nothing but text. Otherwise, there is no pattern afterwards.
   *
   * @param json the parsed data, which the chunk was decoded from
   */
  learn(data: string, json: unknown, chunk: Chunk): void;
  /** Forgets the pattern, because another kind of chunk came. */
  forget(): void;
  /** The parsed data of the last chunk that was learned. */
  readonly json: unknown;
}

interface Pattern {
  /** The data before and after the text. Between them, the text is a JSON string. */
  readonly before: string;
  readonly after: string;
  readonly chunk: Chunk;
}

/** After this many unused patterns in a row, nothing more is learned: something else differs in each chunk, such as a counter. */
const MOST_UNUSED = 8;

export function createChunkPattern(): ChunkPattern {
  let pattern: Pattern | undefined;
  /** The number of patterns in a row that no chunk has matched. */
  let unused = 0;
  let learned: unknown;
  return {
    get json() {
      return learned;
    },
    read(data) {
      if (pattern === undefined) return undefined;
      const { before, after, chunk } = pattern;
      const end = Math.max(before.length, data.length - after.length);
      // `startsWith` and `endsWith` take four times as long.
      if (data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined;
      // One string in place of the text leaves the rest of the JSON unchanged. Anything else there, such as two strings, isn't
      // valid JSON.
      const text = asString(parseJson(data.slice(before.length, end)));
      if (!text) return undefined;
      unused = 0;
      return withText(chunk, text);
    },
    learn(data, json, chunk) {
      learned = json;
      pattern = unused < MOST_UNUSED ? toPattern(data, chunk) : undefined;
      if (pattern !== undefined) unused++;
    },
    forget() {
      pattern = undefined;
    },
  };
}

function toPattern(data: string, chunk: Chunk): Pattern | undefined {
  const text = textOf(chunk);
  if (text === undefined || text === OTHER) return undefined;
  const written = JSON.stringify(text);
  const at = data.indexOf(written);
  // If the text occurs twice, the first place may be another field.
  if (at === -1 || data.indexOf(written, at + 1) !== -1) return undefined;
  const pattern = { before: data.slice(0, at), after: data.slice(at + written.length), chunk };
  // The service can write the text with other escapes, so the place that was found may be another field. Check it with another
  // text.
  const other = decodeChunk(parseJson(`${pattern.before}"${OTHER}"${pattern.after}`));
  return other !== undefined && textOf(other) === OTHER ? pattern : undefined;
}

/** Replaces the text of a pattern, to check that its place is right. */
const OTHER = 'k3';

/** The text of a chunk that has nothing else. */
function textOf(chunk: Chunk): string | undefined {
  const { answer, reasoning } = chunk;
  if (!isTextAlone(chunk) || (answer === '') === (reasoning === undefined)) return undefined;
  return reasoning?.text ?? answer;
}

/**
 * The fields are in the order of `decodeChunk`. In another order, the engine has two shapes of chunks, and all code that reads
 * them is slower.
 */
const withText = (
  { id, model, reasoning, reasoningDetails, toolCalls, finishReason, usage }: Chunk,
  text: string,
): Chunk => ({
  id,
  model,
  reasoning: reasoning && { name: reasoning.name, text },
  reasoningDetails,
  answer: reasoning === undefined ? text : '',
  toolCalls,
  finishReason,
  usage,
});
