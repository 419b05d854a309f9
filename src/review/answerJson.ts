/** Finds the JSON in an answer with a response format: models can wrap it in a fence or in text. */
import { readCodeBlocks } from './codeBlocks.ts';

/**
 * Parsed objects of an answer, the likeliest first: the complete answer, fenced JSON, the text between the outer
 * braces.
 */
export function* jsonObjectsIn(answer: string): Generator<unknown> {
  const fenced = readCodeBlocks(answer).filter(({ language }) => /^(json|)$/i.test(language));
  const braced = answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1);
  for (const text of [answer, ...fenced.map(({ code }) => code), braced]) {
    const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
    if (value !== undefined) yield value;
  }
}

/** The parsed text, or undefined when it is not valid JSON, for example because it is incomplete. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports what is missing, or waits for more text.
    return undefined;
  }
}
