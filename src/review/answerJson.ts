/** Finds the JSON in an answer with a response format: models can wrap it in a fence or in text. */
import { readCodeBlocks } from './codeBlocks.ts';
import { jsonObjectTextsIn } from './jsonPrefix.ts';

/** Parsed objects of an answer, the likeliest first: the complete answer, fenced JSON, JSON anywhere in the text. */
export function* jsonObjectsIn(answer: string): Generator<unknown> {
  for (const { json } of placedObjectsIn(answer)) yield json;
}

/** The same, each with its place in the answer; -1 if it isn't there word for word. */
export function* placedObjectsIn(answer: string): Generator<{ readonly json: unknown; readonly at: number }> {
  const tried = new Set<string>();
  for (const text of likelyTexts(answer)) {
    const json = text.trim();
    if (!json.startsWith('{') || tried.has(json)) continue;
    tried.add(json);
    const value = parseJson(json);
    if (value !== undefined) yield { json: value, at: answer.indexOf(json) };
  }
}

function* likelyTexts(answer: string): Generator<string> {
  yield answer;
  for (const { language, code } of readCodeBlocks(answer)) if (/^(json|)$/i.test(language)) yield code;
  yield* jsonObjectTextsIn(answer);
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

/** Parsed JSON as text over several lines. Empty if it is nested too deeply for the stack. */
export function toJsonText(json: unknown): string {
  try {
    return JSON.stringify(json, undefined, 2);
  } catch {
    return '';
  }
}
