import { Allow, parse } from 'partial-json';
import { decodeChunk } from './decode.ts';
import type { Chunk } from './types.ts';

/**
 * The readable part of a JSON reply that was cut short, or undefined if it has no text. It never has a finish reason,
 * because what is cut short isn't complete (R9).
 */
export function decodeCutReply(text: string): Chunk | undefined {
  // A piece of an id, of a model, or of arguments would be wrong; a piece of text is worth keeping.
  const certain = decodeChunk(parsePart(text, Allow.OBJ | Allow.ARR));
  const readable = decodeChunk(parsePart(text, Allow.OBJ | Allow.ARR | Allow.STR));
  if (certain === undefined || readable === undefined) return undefined;
  const { answer, reasoning } = readable;
  if (answer === '' && reasoning === undefined) return undefined;
  return { ...certain, answer, reasoning, finishReason: undefined };
}

function parsePart(text: string, allow: number): unknown {
  try {
    return parse(text, allow);
  } catch {
    // It isn't JSON, or it is nested too deeply for the stack.
    return undefined;
  }
}
