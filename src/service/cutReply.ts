import { Allow, parse } from 'partial-json';
import { NO_CHOICES, pickChoice, type SeenChoices } from './answerChoice.ts';
import { decodeChunk } from './decodeChunk.ts';
import { findBracket } from './json.ts';
import type { Chunk } from './types.ts';

export interface CutReply {
  readonly chunk: Chunk;
  readonly seen: SeenChoices;
}

/**
 * The readable part of a JSON reply that was cut off, or undefined if it has no text. It never has a finish reason, because it
 * isn't complete (R9).
 */
export function decodeCutReply(text: string): CutReply | undefined {
  // A piece of an id, of a model, or of arguments would be wrong; a piece of text is worth keeping.
  const start = withoutDeepValues(text);
  const pick = (allow: number) => pickChoice(parsePart(start, allow), NO_CHOICES);
  const certain = decodeChunk(pick(Allow.OBJ | Allow.ARR).json);
  const { json, seen } = pick(Allow.OBJ | Allow.ARR | Allow.STR);
  const readable = decodeChunk(json);
  if (certain === undefined || readable === undefined) return undefined;
  const whole = HALF.test(text.slice(-LONGEST_HALF)) ? withoutHalf : (piece: string) => piece;
  const answer = whole(readable.answer);
  const thought = whole(readable.reasoning?.text ?? '');
  if (answer === '' && thought === '') return undefined;
  const reasoning =
    readable.reasoning && thought !== '' ? { ...readable.reasoning, text: thought } : undefined;
  return { chunk: { ...certain, answer, reasoning, finishReason: undefined }, seen };
}

/** The end of a text that was cut off in the escapes of a character of two units, such as an emoji. */
const HALF = /\\ud[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?$/i;
/** In characters. */
const LONGEST_HALF = '\\ud83d\\ude0'.length;

/** A text without its last unit if that is the first half of a character. */
const withoutHalf = (text: string): string =>
  /[\ud800-\udbff]/.test(text.slice(-1)) ? text.slice(0, -1) : text;

function parsePart(text: string, allow: number): unknown {
  try {
    return parse(text, allow);
  } catch {
    return undefined;
  }
}

/** Replies have a few levels. For each open level, the library throws and catches an error, which takes seconds for 100,000 levels. */
const MAX_LEVELS = 100;

/** The text up to the first value that is nested too deeply. */
function withoutDeepValues(text: string): string {
  const at = findBracket(text, (open) => open > MAX_LEVELS);
  return at === -1 ? text : text.slice(0, at);
}
