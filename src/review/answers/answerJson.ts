/** Finds the JSON in an answer with a response format: models can wrap it in a fence or in text. */
import { fencesOf, readInfo } from './codeBlocks.ts';
import { jsonObjectTextsIn } from './jsonPrefix.ts';

/** Parsed objects of an answer, the likeliest first: the complete answer, fenced JSON, JSON anywhere in the text. */
export function* jsonObjectsIn(answer: string): Generator<unknown> {
  for (const { json } of placedObjectsIn(answer)) yield json;
}

/**
 * The same objects, each with its offset in the answer: that of its last occurrence, or that of its fence. JSON in a fence is read
 * without the indentation or quote marks around it, so it may not occur in the answer as such.
 */
export function* placedObjectsIn(answer: string): Generator<{ readonly json: unknown; readonly at: number }> {
  const tried = new Set<string>();
  for (const { text, fenceAt } of likelyTexts(answer)) {
    const json = text.trim();
    if (!json.startsWith('{') || tried.has(json)) continue;
    tried.add(json);
    const value = parseJson(json);
    if (value !== undefined) yield { json: value, at: Math.max(answer.lastIndexOf(json), fenceAt) };
  }
}

function* likelyTexts(answer: string): Generator<{ readonly text: string; readonly fenceAt: number }> {
  yield { text: answer, fenceAt: 0 };
  const starts = [0, ...Array.from(answer.matchAll(/\n/g), ({ index }) => index + 1)];
  for (const { from, info, code } of fencesOf(answer))
    if (/^(json|)$/i.test(readInfo(info).language)) yield { text: code, fenceAt: starts[from] ?? 0 };
  for (const text of jsonObjectTextsIn(answer)) yield { text, fenceAt: 0 };
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
