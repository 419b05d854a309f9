/** Several blocks of one answer for one file: which of them are used. */
import { type FileBlock, isOfDiff } from './fileBlocks.ts';

export interface ChosenBlocks {
  /** Edits, one block of code, or one that is the text of the file and edits of that. */
  readonly used: readonly FileBlock[];
  /** The others. Blocks with the code of a later one are in neither. */
  readonly left: readonly FileBlock[];
}

/**
 * The last block is the text of a new file. In another file, edits say where they belong; code alone replaces the lines in question,
 * and the last block is used of those that have at least half of them.
 *
 * @param text the text of the file, empty for a new one
 * @param asked the lines in question, if they are in the file
 * @returns undefined if it can't be told
 */
export function chooseBlocks(
  blocks: readonly FileBlock[],
  text: string,
  asked: string | undefined,
): ChosenBlocks | undefined {
  const all = blocks.filter(
    (one, at) =>
      isOfDiff(one) || !blocks.slice(at + 1).some((other) => isCode(other) && other.code === one.code),
  );
  const code = all.filter(isCode);
  const choose = (isUsed: (block: FileBlock, at: number) => boolean): ChosenBlocks => ({
    used: all.filter(isUsed),
    left: all.filter((block, at) => !isUsed(block, at)),
  });
  if (code.length === 0 || all.length === 1) return choose(() => true);
  if (text === '') return choose((_, at) => at >= all.findLastIndex(isCode));
  if (code.length < all.length) return choose(isOfDiff);
  if (asked === undefined) return choose(() => false);
  const last = code.findLast((block) => hasLinesOf(block.code, asked));
  return last && choose((block) => block === last);
}

const isCode = (block: FileBlock): boolean => !isOfDiff(block);

/** Whether a text has at least half of these lines, of those with a word. */
function hasLinesOf(text: string, lines: string): boolean {
  const there = new Set(tellingLines(text));
  const all = tellingLines(lines);
  return all.length > 0 && all.filter((line) => there.has(line)).length * 2 >= all.length;
}

const tellingLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line));
