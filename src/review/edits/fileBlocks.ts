/** Reads code blocks as changes of files. A block with a diff can change several files. */
import { type CodeBlock, isPath } from '../answers/codeBlocks.ts';
import type { ProposedEdit } from './proposalAnswer.ts';
import { readSearchBlock } from './searchBlocks.ts';
import { type FileDiff, readDiff, toEditsOfDiff } from './unifiedDiff.ts';

/** A code block, or the part of a diff that changes one file. */
export interface FileBlock extends CodeBlock {
  /** The edits of a diff, or of search and replace blocks; undefined for other code. */
  readonly edits: readonly ProposedEdit[] | undefined;
  /** Changes of the whole file in the diff, see {@link FileDiff}. */
  readonly renaming?: ProposedEdit;
  readonly others?: readonly ProposedEdit[];
  /** For a deletion, see {@link FileDiff}. */
  readonly isCounted?: true;
  /** The path is from the header of the edits, in which models also write names that don't exist. */
  readonly isHeaderPath: boolean;
}

/** The blocks with their diffs read. A diff for one file belongs to the file in the info string, if there is one. */
export function toFileBlocks(blocks: readonly CodeBlock[]): readonly FileBlock[] {
  return blocks.flatMap((block): readonly FileBlock[] => {
    const search = readSearchBlock(block.code);
    if (search !== undefined) {
      const title = isPath(search.title ?? '') ? search.title : undefined;
      const { path = title } = block;
      return [{ ...block, path, edits: search.edits, isHeaderPath: path !== block.path }];
    }
    if (!isDiff(block)) return [{ ...block, edits: undefined, isHeaderPath: false }];
    const { longerPaths, ...unspaced } = block;
    const files = readDiff(block.code, block.isCut);
    const isOne = new Set(files.map(({ path }) => path)).size === 1;
    if (files.length === 0) return [{ ...block, edits: [], isHeaderPath: false }];
    return files.map(({ path, otherPath, ...file }: FileDiff) => {
      const isHeaderPath = path !== undefined && !(isOne && block.path !== undefined);
      // The header shows how many words of the info string belong to the name.
      const isSame = path !== undefined && isOne && longerPaths?.includes(path);
      if (isHeaderPath && otherPath !== undefined)
        return { ...unspaced, ...file, path: otherPath, longerPaths: [path], isHeaderPath };
      if (isHeaderPath || isSame) return { ...unspaced, ...file, path, isHeaderPath };
      return { ...block, ...file, isHeaderPath };
    });
  });
}

/** Whether a block has edits: it is a part of a diff, or has lines to search for and to replace. */
export const isOfDiff = (block: FileBlock): block is FileBlock & Pick<FileDiff, 'edits'> =>
  block.edits !== undefined;

/** The code of a block. For edits, these are the new lines, without signs and without the lines to search for. */
export function toCode(block: CodeBlock): string {
  const edits = readSearchBlock(block.code)?.edits ?? (isDiff(block) ? toEditsOfDiff(block.code) : undefined);
  // If the edits are ambiguous, the user decides.
  if (edits === undefined || edits.some(({ readings }) => readings)) return block.code;
  return edits.map(({ replace }) => replace).join('');
}

/** Whether a code block is a diff, according to its language. */
export const isDiff = ({ language }: Pick<CodeBlock, 'language'>): boolean =>
  /^(diff|patch)$/i.test(language);
