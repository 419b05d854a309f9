/** Finds the files that an answer proposes to change, and places its edits in them. */
import * as vscode from 'vscode';
import { type Origin, originsOf, type Question } from '../../conversation/question.ts';
import { type CodeBlock, hasNoCode } from '../../review/answers/codeBlocks.ts';
import { replaceSpan } from '../../review/edits/editPlacement.ts';
import { type FileBlock, isOfDiff, toFileBlocks } from '../../review/edits/fileBlocks.ts';
import { toFileEdits } from '../../review/edits/fileEdits.ts';
import type { ProposedEdit, ProposedFile } from '../../review/edits/proposalAnswer.ts';
import { type ReadProposal, readProposal } from '../../review/edits/readProposal.ts';
import { chooseBlocks } from '../../review/edits/sameFileBlocks.ts';
import type { FileProposal, ProposalTrouble } from '../../review/proposals/proposal.ts';
import { groupBy } from '../../text/groupBy.ts';
import { createAccessSeries } from '../workspace/accessQueue.ts';
import {
  findAskedSpan,
  findEdited,
  findShortened,
  findTestFile,
  isAboutConflict,
  isFileThere,
  replacedLines,
} from './askedFile.ts';
import { toEdited, toProposal, toUnplaced } from './editedFile.ts';
import {
  type FindOptions,
  findTarget,
  pathOfBlock,
  readAsked,
  type TargetFile,
  toNewest,
} from './proposalFiles.ts';

export interface ProposedFiles {
  readonly files: readonly FileProposal[];
  readonly trouble: ProposalTrouble | undefined;
}

/** The files that an answer changes. Edits without an exact place are returned in `unplaced`; no place is guessed. */
export async function toProposedFiles(answer: string, question: Question): Promise<ProposedFiles> {
  const read = readProposal(answer);
  if (read.kind === 'malformed')
    return { files: [], trouble: { kind: 'malformed', malformed: read.malformed } };
  const made =
    read.kind === 'edits' ? await toEditsAndCode(read, question) : await toFilesOfCode(read.blocks, question);
  const files = made.files.filter(({ hunks, unplaced }) => hunks.length > 0 || unplaced.length > 0);
  return { files, trouble: made.trouble ?? (files.length === 0 ? { kind: 'no-change' } : undefined) };
}

async function toEditsAndCode(
  { answer, beside = [] }: ReadProposal & { readonly kind: 'edits' },
  question: Question,
): Promise<ProposedFiles> {
  const show = createAccessSeries(answer.files.length + beside.length);
  const edited = await toEditedFiles(answer.files, question, show);
  if (beside.length === 0) return edited;
  const code = await toFilesOfCode(beside, question, { show });
  // The same file can have different names in the edits and in the code.
  const more = code.files.filter(({ uri }) => !edited.files.some((file) => file.uri === uri));
  return { files: [...edited.files, ...more], trouble: edited.trouble ?? code.trouble };
}

/** The files with their edits applied. Edits of one file under two names are combined. */
async function toEditedFiles(
  proposed: readonly ProposedFile[],
  question: Question,
  show: FindOptions['show'],
): Promise<ProposedFiles> {
  const byUri = new Map<string, { target: TargetFile; edits: readonly ProposedEdit[] }>();
  let trouble: ProposalTrouble | undefined;
  const { origin, more } = question;
  for (const file of proposed) {
    const { edits } = file;
    const target = await findEdited(file, question, proposed.length === 1, show);
    if (target === undefined) {
      // The answer doesn't say which of several files it changes.
      trouble = { kind: 'malformed', malformed: { field: 'path', expected: 'text' } };
      continue;
    }
    const key = target.uri.toString();
    byUri.set(key, { target, edits: [...(byUri.get(key)?.edits ?? []), ...edits] });
  }
  // `toNewest`, because the user may have typed in the first files while being asked about the others.
  return {
    files: [...byUri.values()].map(({ target, edits }) => toEdited(toNewest(target), edits, origin, more)),
    trouble,
  };
}

const only = (file: FileProposal): ProposedFiles => ({ files: [file], trouble: undefined });

/** Places code blocks in the files that they name, or a single block on the lines that were sent. */
export async function toFilesOfCode(
  codeBlocks: readonly CodeBlock[],
  question: Question,
  options?: FindOptions,
): Promise<ProposedFiles> {
  const { origin, purpose } = question;
  const blocks = toFileBlocks(codeBlocks);
  const named = blocks.filter(({ path }) => path !== undefined);
  if (named.length > 0) {
    const count = blocks.filter((block) => block.path === undefined && !hasNoCode(block)).length;
    const { files, trouble } = await toNamedFiles(named, question, options);
    return { files, trouble: trouble ?? (count > 0 ? { kind: 'unnamed-blocks', count } : undefined) };
  }
  const [block, ...more] = blocks;
  if (block === undefined || origin === undefined) return { files: [], trouble: { kind: 'no-change' } };
  if (more.length > 0) return { files: [], trouble: { kind: 'several-blocks', count: codeBlocks.length } };
  if (purpose === 'tests') return only(toProposal(await findTestFile(origin), block.code, undefined));
  const isUnclear = question.more !== undefined && block.edits === undefined;
  if (isUnclear) return { files: [], trouble: { kind: 'unnamed-blocks', count: 1 } };
  return toReplacedLines(block, origin, question.more);
}

async function toNamedFiles(
  named: readonly FileBlock[],
  question: Question,
  options?: FindOptions,
): Promise<ProposedFiles> {
  const blocks: FileBlock[] = [];
  for (const block of named) blocks.push({ ...block, path: await pathOfBlock(block, originsOf(question)) });
  const byUri = new Map<string, { target: TargetFile; blocks: readonly FileBlock[] }>();
  const byPath = groupBy(blocks, (block) => block.path ?? '');
  const asks = { ...options, show: options?.show ?? createAccessSeries(byPath.size) };
  for (const [path, ofPath] of byPath) {
    const isOnly = blocks.every((other) => other.path === path || other.edits?.length === 0);
    const target = await findNamed(path, ofPath, isOnly, question, asks);
    const key = target.uri.toString();
    byUri.set(key, { target, blocks: [...(byUri.get(key)?.blocks ?? []), ...ofPath] });
  }
  const made: ProposedFiles[] = [];
  for (const one of byUri.values()) made.push(await toNamedFile(one.target, one.blocks, question));
  const files = made.flatMap((one) => one.files);
  return { files, trouble: made.find(({ trouble }) => trouble !== undefined)?.trouble };
}

/**
 * The file that blocks name. A name that doesn't exist can stand for the only file in question if it is in a diff, or if the code
 * resolves a conflict.
 */
async function findNamed(
  path: string,
  blocks: readonly FileBlock[],
  isOnly: boolean,
  question: Question,
  asks: FindOptions,
): Promise<TargetFile> {
  const { origin } = question;
  const target = await findTarget(path, question, asks);
  const { edits } = toFileEdits(blocks.filter(isOfDiff), undefined);
  const isNewOrThere = isFileThere(target) || edits.some(({ find }) => find === '');
  // The diff only renames or deletes the file, or creates and deletes it.
  const isUnchanged = edits.length === 0 && blocks.every(isOfDiff);
  if (isNewOrThere || isUnchanged) return target;
  const meant = blocks.every(isOfDiff) ? await findShortened(path, edits, question, asks.show) : undefined;
  if (meant !== undefined || !isOnly || origin === undefined) return meant ?? target;
  if (!blocks.every(({ isHeaderPath }) => isHeaderPath) && !isAboutConflict(origin)) return target;
  return readAsked(vscode.Uri.parse(origin.uri));
}

/**
 * A block with a path replaces the lines that were sent if it names their file. Otherwise it is the text of a new file, because its
 * place in an existing file is unknown. Unused blocks are listed as unplaced.
 */
async function toNamedFile(
  target: TargetFile,
  blocks: readonly FileBlock[],
  question: Question,
): Promise<ProposedFiles> {
  const origin = replacedLines(question);
  const isAsked = target.uri.toString() === origin?.uri;
  const chosen = chooseBlocks(blocks, target.text, isAsked ? (origin.text ?? '') : undefined);
  if (chosen === undefined) return { files: [], trouble: { kind: 'several-blocks', count: blocks.length } };
  const { used, left } = chosen;
  const [block, ...more] = used;
  const parts = used.map(toPart);
  const reason = target.exists && (block === undefined || isOfDiff(block)) ? 'file-exists' : 'overlaps';
  const others = left
    .flatMap(toPart)
    .flatMap(({ edits }) => edits.map((edit) => ({ edit, reason }) as const));
  if (isAsked && block !== undefined && more.length === 0 && !isOfDiff(block)) {
    const { files, trouble } = await toReplacedLines(block, origin);
    return { files: files.map((file) => withUnplaced(file, others)), trouble };
  }
  const { edits, unplaced } = toFileEdits(parts, target.exists ? target.text : undefined);
  const asked = originsOf(question).filter((one) => one !== origin);
  const file = toEdited(target, edits, origin, asked);
  return only(withUnplaced(file, [...unplaced, ...others]));
}

const withUnplaced = (file: FileProposal, more: FileProposal['unplaced']): FileProposal => ({
  ...file,
  unplaced: [...file.unplaced, ...more],
});

/** The edits of a block. A block of code is the text of a new file. */
const toPart = (block: FileBlock) =>
  isOfDiff(block) ? block : { edits: [{ find: '', replace: block.code }] };

async function toReplacedLines(
  block: FileBlock,
  origin: Origin,
  more?: readonly Origin[],
): Promise<ProposedFiles> {
  const target = await readAsked(vscode.Uri.parse(origin.uri));
  // Code that was cut off would replace all of the lines.
  const why = target.unread ?? (block.isCut && block.edits === undefined ? 'unclear' : undefined);
  if (why !== undefined) {
    const edits = block.edits ?? [{ find: origin.text ?? '', replace: block.code }];
    return only(toUnplaced(target, edits, why));
  }
  if (block.edits !== undefined) return only(toEdited(target, block.edits, origin, more));
  const asked = findAskedSpan(target.text, origin);
  if (asked === undefined) return { files: [], trouble: { kind: 'lines-changed', label: target.label } };
  return only(toProposal(target, replaceSpan(target.text, asked, block.code, target.lineEnd), asked));
}
