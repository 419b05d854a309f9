/** Finds the files that an answer proposes to change, and places its edits in them. */
import * as vscode from 'vscode';
import type { Origin, Question } from '../../chat/turn.ts';
import type { CodeBlock } from '../../review/codeBlocks.ts';
import {
  findSentText,
  placeEdits,
  replaceSpan,
  toEditsOfDiff,
  type UnplacedEditReason,
} from '../../review/editPlacement.ts';
import { type FileProposal, type ProposalTrouble, toFileProposal } from '../../review/proposal.ts';
import type { ProposedEdit, ProposedFile } from '../../review/proposalAnswer.ts';
import { readProposal } from '../../review/readProposal.ts';
import { findTarget, readTarget, type TargetFile, toNewest } from './proposalFiles.ts';

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
    read.kind === 'edits'
      ? { files: await toEditedFiles(read.answer.files, question.origin), trouble: undefined }
      : await toFilesOfCode(read.blocks, question);
  const files = made.files.filter(({ hunks, unplaced }) => hunks.length > 0 || unplaced.length > 0);
  return { files, trouble: made.trouble ?? (files.length === 0 ? { kind: 'no-change' } : undefined) };
}

/** The files with their edits applied. Edits of one file under two names are combined. */
async function toEditedFiles(
  proposed: readonly ProposedFile[],
  origin: Origin | undefined,
): Promise<readonly FileProposal[]> {
  const byUri = new Map<string, { target: TargetFile; edits: readonly ProposedEdit[] }>();
  for (const { path, edits } of proposed) {
    const target = await findTarget(path, origin);
    const key = target.uri.toString();
    byUri.set(key, { target, edits: [...(byUri.get(key)?.edits ?? []), ...edits] });
  }
  // The user may have typed in the first files while the others were asked about.
  return [...byUri.values()].map(({ target, edits }) => toEdited(toNewest(target), edits, origin));
}

function toEdited(
  target: TargetFile,
  edits: readonly ProposedEdit[],
  origin: Origin | undefined,
): FileProposal {
  const asked = origin?.uri === target.uri.toString() ? findAsked(target.text, origin) : undefined;
  if (target.unread !== undefined) return toUnplaced(target, edits, target.unread);
  if (!target.exists && edits.some(({ find }) => find !== ''))
    return toUnplaced(target, edits, 'file-missing');
  const { after, unplaced } = placeEdits(target.text, edits, asked);
  return toProposal(target, after, asked, unplaced);
}

const toUnplaced = (
  target: TargetFile,
  edits: readonly ProposedEdit[],
  reason: UnplacedEditReason,
): FileProposal =>
  toProposal(
    target,
    target.text,
    undefined,
    edits.map((edit) => ({ edit, reason })),
  );

function toProposal(
  { uri, label, exists, text }: TargetFile,
  after: string,
  asked: FileProposal['asked'],
  unplaced: FileProposal['unplaced'] = [],
): FileProposal {
  return toFileProposal({ uri: uri.toString(), label, isNew: !exists, before: text, after, asked, unplaced });
}

const findAsked = (text: string, { text: sent, startLine }: Origin) =>
  sent === undefined ? undefined : findSentText(text, sent, startLine);

/** Places code blocks in the files that they name, or a single block on the lines that were sent. */
export async function toFilesOfCode(
  blocks: readonly CodeBlock[],
  question: Question,
): Promise<ProposedFiles> {
  const { origin, purpose } = question;
  const named = blocks.filter(({ path }) => path !== undefined);
  if (named.length > 0) return toNamedFiles(named, origin);
  const [block, ...more] = blocks;
  if (block === undefined || origin === undefined) return { files: [], trouble: { kind: 'no-change' } };
  if (more.length > 0) return { files: [], trouble: { kind: 'several-blocks', count: blocks.length } };
  return purpose === 'tests' ? toTestFile(block, origin) : toReplacedLines(block, origin);
}

async function toNamedFiles(
  blocks: readonly CodeBlock[],
  origin: Origin | undefined,
): Promise<ProposedFiles> {
  const files: FileProposal[] = [];
  for (const block of blocks) {
    const file = await toNamedFile(block, origin);
    // With two blocks for one file, it is unknown which of them to use, or in which order.
    if (files.some(({ uri }) => uri === file?.uri))
      return { files: [], trouble: { kind: 'several-blocks', count: blocks.length } };
    if (file !== undefined) files.push(file);
  }
  return { files, trouble: undefined };
}

/**
 * A block with a path replaces the lines that were sent if it names their file. Otherwise it is the text of a new file:
 * its place in an existing file is unknown, unless it is a diff.
 */
async function toNamedFile(block: CodeBlock, origin: Origin | undefined): Promise<FileProposal | undefined> {
  const target = await findTarget(block.path ?? '', origin);
  if (isDiff(block)) return toEdited(target, toEditsOfDiff(block.code), origin);
  if (target.uri.toString() === origin?.uri) return (await toReplacedLines(block, origin)).files[0];
  const edits = [{ find: '', replace: block.code }];
  if (target.unread !== undefined) return toUnplaced(target, edits, target.unread);
  return target.exists ? toUnplaced(target, edits, 'file-exists') : toProposal(target, block.code, undefined);
}

const isDiff = ({ language }: CodeBlock): boolean => /^(diff|patch)$/i.test(language);

async function toReplacedLines(block: CodeBlock, origin: Origin): Promise<ProposedFiles> {
  const target = await readTarget(vscode.Uri.parse(origin.uri));
  if (isDiff(block))
    return { files: [toEdited(target, toEditsOfDiff(block.code), origin)], trouble: undefined };
  const asked = findAsked(target.text, origin);
  if (asked === undefined) return { files: [], trouble: { kind: 'lines-changed', label: target.label } };
  return {
    files: [toProposal(target, replaceSpan(target.text, asked, block.code), asked)],
    trouble: undefined,
  };
}

/** Tests without a path go to a new file beside the tested file. */
async function toTestFile(block: CodeBlock, origin: Origin): Promise<ProposedFiles> {
  const tested = vscode.Uri.parse(origin.uri);
  // No file can be created beside a notebook cell, a Git version of a file, or an untitled document.
  if (vscode.workspace.fs.isWritableFileSystem(tested.scheme) !== true) {
    const target = { uri: vscode.Uri.from({ scheme: 'untitled', path: 'Tests' }), label: 'Tests' };
    return {
      files: [toProposal({ ...target, exists: false, text: '' }, block.code, undefined)],
      trouble: undefined,
    };
  }
  const [, stem, ending] = /^(.*?)(\.[^./]+)?$/.exec(tested.path) ?? [];
  for (let count = 1; ; count++) {
    const path = `${stem ?? tested.path}.test${count === 1 ? '' : count}${ending ?? ''}`;
    const target = await readTarget(tested.with({ path, fragment: '' }));
    if (!target.exists) return { files: [toProposal(target, block.code, undefined)], trouble: undefined };
  }
}
