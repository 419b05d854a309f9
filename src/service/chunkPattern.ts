/**
 * Reads a chunk that is written like the one before, with another text, without parsing it as a whole. Almost all chunks of a stream
 * are, and parsing them is most of what reading a stream costs (docs/performance.md).
 */
import { isTextAlone } from './answerChoice.ts';
import { decodeChunk } from './decodeChunk.ts';
import { asString, parseJson } from './json.ts';
import type { Chunk } from './types.ts';

export interface ChunkPattern {
  /** The chunk in the data of an event, or undefined if more than its text may differ, or if it has none. */
  read(data: string): Chunk | undefined;
  /**
   * Takes a chunk for the pattern, in place of another one, if it has nothing but text.
   *
   * @param json what it was decoded from, and the data were parsed to
   */
  learn(data: string, json: unknown, chunk: Chunk): void;
  /** Forgets the pattern, because another kind of chunk came. */
  forget(): void;
  /** What the chunk was decoded from that the pattern was learned of. */
  readonly json: unknown;
}

interface Pattern {
  /** What the data are before and behind the text, which is a string of JSON between them. */
  readonly before: string;
  readonly after: string;
  readonly chunk: Chunk;
}

/** A service that writes something else in each chunk, such as a number that counts up. */
const MOST_UNUSED = 8;

export function createChunkPattern(): ChunkPattern {
  let pattern: Pattern | undefined;
  /** How many patterns in a row no chunk was like. */
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
      // One string where the other one was leaves the rest of the JSON as it is. Anything else, such as two strings, doesn't parse.
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
  // What is written twice may be another field.
  if (at === -1 || data.indexOf(written, at + 1) !== -1) return undefined;
  const pattern = { before: data.slice(0, at), after: data.slice(at + written.length), chunk };
  // With escapes, the text may be written in another way elsewhere.
  const other = decodeChunk(parseJson(`${pattern.before}"${OTHER}"${pattern.after}`));
  return other !== undefined && textOf(other) === OTHER ? pattern : undefined;
}

/** In place of the text of a pattern, to see whether it is that. */
const OTHER = 'k3';

/** The text of a chunk that has nothing else. */
function textOf(chunk: Chunk): string | undefined {
  const { answer, reasoning } = chunk;
  if (!isTextAlone(chunk) || (answer === '') === (reasoning === undefined)) return undefined;
  return reasoning?.text ?? answer;
}

/** Fields in the order of `decodeChunk`: with another one, the engine has two kinds of chunks, and all that read them are slower. */
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
