/** Chooses among several blocks of one answer for the same file. */
import { type FileBlock, isOfDiff } from './fileBlocks.ts';

export interface ChosenBlocks {
  /** The blocks to use: edits, one block of code, or one block with the text of the file and edits of that text. */
  readonly used: readonly FileBlock[];
  /** The blocks that aren't used. A block with the same code as a later one is in neither list. */
  readonly left: readonly FileBlock[];
}

/**
 * Chooses the blocks to use. For a new file, this is the last block of code and the edits after it. For an existing file, edits say
 * where they belong. Code alone replaces the lines in question: the last block that has at least half of them is used.
 *
 * @param text the text of the file, empty for a new one
 * @param asked the lines in question, if they are in the file
 * @returns undefined if no block has enough of the lines in question
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

/** Whether a text has at least half of these lines. Only lines with words count. */
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
