/** The JSON of an answer that was asked for in a form: models put it in fences, and words around it. */
import { readCodeBlocks } from './codeBlocks.ts';

/** The objects that an answer may mean, the likeliest first: all of it, its JSON in fences, what its outer braces hold. */
export function* jsonObjectsIn(answer: string): Generator<unknown> {
  const fenced = readCodeBlocks(answer).filter(({ language }) => /^(json|)$/i.test(language));
  const braced = answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1);
  for (const text of [answer, ...fenced.map(({ code }) => code), braced]) {
    const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
    if (value !== undefined) yield value;
  }
}

/** The parsed text, or undefined when it is no JSON, as while it is being written. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever asks says what is missing, or waits for more.
    return undefined;
  }
}
