/** Finds the remarks in the prompt of a review. The user can change them without the code around them. */
import { diffArrays } from 'diff';

/** Where a remark is in the prompt. */
interface RemarkPlace {
  /** The start of its heading. */
  readonly start: number;
  /** The end of its number. */
  readonly numberEnd: number;
  readonly textStart: number;
  readonly textEnd: number;
}

const HEADING = /\n\n(Remark(?: 1)?), on [^\n]*:\n\n(?=`{3})/;

/**
 * The remarks of a prompt that `toReviewPrompt` made, in their order.
 *
 * @param typed the texts of all remarks, one below the other
 * @returns undefined if the prompt doesn't have these remarks
 */
export function remarksIn(prompt: string, typed: string): readonly RemarkPlace[] | undefined {
  const places: RemarkPlace[] = [];
  let heading = HEADING.exec(prompt);
  let at = heading?.index ?? 0;
  let rest = typed;
  while (heading !== null) {
    const textStart = endOfBlock(prompt, at + heading[0].length);
    if (textStart === undefined) return undefined;
    const length = lengthOfNext(prompt.slice(textStart), rest, places.length + 2);
    if (length === undefined) return undefined;
    const start = at + 2;
    at = textStart + length;
    places.push({ start, numberEnd: start + (heading[1] ?? '').length, textStart, textEnd: at });
    if (length === rest.length) return places;
    rest = rest.slice(length + 1);
    heading = numbered(places.length + 1).exec(prompt.slice(at));
  }
  return undefined;
}

const numbered = (number: number) => new RegExp(`^\\n\\n(Remark ${number}), on [^\\n]*:\\n\\n(?=\`{3})`);

/** The offset of the text after a code block; undefined if there is no block. */
function endOfBlock(prompt: string, start: number): number | undefined {
  const marks = /^`{3,}/.exec(prompt.slice(start, start + 1000))?.[0];
  if (marks === undefined) return undefined;
  const end = `\n${marks}\n\n`;
  const at = prompt.indexOf(end, start);
  return at === -1 ? undefined : at + end.length;
}

/** The length of the remark with which a prompt continues. It is the first of the remaining remarks. */
function lengthOfNext(prompt: string, left: string, next: number): number | undefined {
  const heading = numbered(next);
  for (let at = left.indexOf('\n'); at !== -1; at = left.indexOf('\n', at + 1)) {
    const goesOn = prompt.startsWith(`\n\nRemark ${next}, on `, at) && heading.test(prompt.slice(at));
    if (goesOn && prompt.startsWith(left.slice(0, at))) return at;
  }
  const isLast =
    prompt.startsWith(left) && (prompt.length === left.length || prompt.startsWith('\n\n', left.length));
  return isLast ? left.length : undefined;
}

/**
 * The prompt with a changed text of the user: a changed line belongs to the same remark as before, and an added line to the
 * remark above it. A remark without text is left out.
 */
export function withRemarks(prompt: string, places: readonly RemarkPlace[], typed: string): string {
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return prompt;
  const before = places.map(({ textStart, textEnd }) => prompt.slice(textStart, textEnd));
  const texts = toTexts(before, typed.replaceAll('\r\n', '\n'));
  const left = places.flatMap((place, index) => {
    const text = (texts[index] ?? '').trim();
    return text === '' ? [] : [{ heading: prompt.slice(place.numberEnd, place.textStart), text }];
  });
  const sections = left.map(
    ({ heading, text }, index) => `Remark${left.length === 1 ? '' : ` ${index + 1}`}${heading}${text}`,
  );
  return prompt.slice(0, first.start) + sections.join('\n\n') + prompt.slice(last.textEnd);
}

/** Divides the lines of an edited text among the texts that it was made of. */
function toTexts(before: readonly string[], edited: string): readonly string[] {
  const owners = before.flatMap((text, index) => text.split('\n').map(() => index));
  const lines = before.flatMap((text) => text.split('\n'));
  const texts: string[][] = before.map(() => []);
  let at = 0;
  let removed: readonly number[] = [];
  for (const change of diffArrays(lines, edited.split('\n'))) {
    const own = owners.slice(at, at + change.value.length);
    if (change.added) {
      // Lines that replace others belong to the same remarks.
      const above = removed.at(-1) ?? owners[at - 1] ?? 0;
      for (const [index, line] of change.value.entries()) texts[removed[index] ?? above]?.push(line);
      removed = [];
      continue;
    }
    at += change.value.length;
    removed = change.removed ? own : [];
    if (!change.removed)
      for (const [index, line] of change.value.entries()) texts[own[index] ?? 0]?.push(line);
  }
  return texts.map((some) => some.join('\n'));
}
