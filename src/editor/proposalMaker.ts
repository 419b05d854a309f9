/** Makes a proposal of an answer that was asked for one, once the answer is whole. */
import * as vscode from 'vscode';
import type { Origin, Question } from '../chat/turn.ts';
import type { CodeBlock } from '../review/codeBlocks.ts';
import { applyDiff, findSent, placeEdits, replaceSpan } from '../review/placing.ts';
import type { FileProposal, ProposalTrouble } from '../review/proposal.ts';
import { toFileProposal } from '../review/proposal.ts';
import type { ProposedFile } from '../review/proposalForm.ts';
import { readProposal } from '../review/readProposal.ts';
import type { Conversations, Found } from './conversations.ts';
import type { Log } from './log.ts';
import { findTarget, readTarget, type TargetFile } from './proposalFiles.ts';
import type { Proposals } from './proposals.ts';

export interface ProposalMakerDeps {
  readonly conversations: Pick<Conversations, 'find' | 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'add' | 'ofTurn'>;
  readonly log: Log;
  /** The proposal that the question of a turn asked to revise. */
  readonly revisedBy: (turnId: string) => string | undefined;
}

/** Listens for answers that propose something. One that was cut off proposes nothing, although it may look whole. */
export function registerProposalMaker(deps: ProposalMakerDeps): vscode.Disposable {
  return deps.conversations.onDidChange((change) => {
    if (change.type !== 'turn' || change.turn.outcome !== 'complete') return;
    const found = deps.conversations.find(change.turn.id);
    const purpose = found?.exchange.question.purpose;
    if (found === undefined || (purpose !== 'proposal' && purpose !== 'tests')) return;
    make(deps, found).catch((error: unknown) => deps.log.warn(`no proposal was made: ${String(error)}`));
  });
}

async function make(deps: ProposalMakerDeps, { conversation, exchange, turn }: Found): Promise<void> {
  const { files, trouble } = await toFiles(turn.answer, exchange.question);
  deps.proposals.add({
    turnId: turn.id,
    conversationId: conversation.id,
    files,
    trouble,
    revises: deps.revisedBy(turn.id),
  });
}

interface Made {
  readonly files: readonly FileProposal[];
  readonly trouble: ProposalTrouble | undefined;
}

/** What an answer proposes for which files. What has no exact place is told, not guessed. */
export async function toFiles(answer: string, question: Question): Promise<Made> {
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

/** The files with their edits in them; edits of the same file under two names are one file's. */
async function toEditedFiles(
  proposed: readonly ProposedFile[],
  origin: Origin | undefined,
): Promise<readonly FileProposal[]> {
  const byUri = new Map<string, { target: TargetFile; edits: ProposedFile['edits'] }>();
  for (const { path, edits } of proposed) {
    const target = await findTarget(path, origin);
    const key = target.uri.toString();
    byUri.set(key, { target, edits: [...(byUri.get(key)?.edits ?? []), ...edits] });
  }
  return [...byUri.values()].map(({ target, edits }) => {
    const asked = origin?.uri === target.uri.toString() ? findAsked(target.text, origin) : undefined;
    const missing = !target.exists && edits.some(({ find }) => find !== '');
    const placed = missing
      ? { after: '', unplaced: edits.map((edit) => ({ edit, reason: 'file-missing' as const })) }
      : placeEdits(target.text, edits, asked);
    return toProposal(target, placed.after, asked, placed.unplaced);
  });
}

function toProposal(
  { uri, label, exists, text }: TargetFile,
  after: string,
  asked: FileProposal['asked'],
  unplaced: FileProposal['unplaced'] = [],
): FileProposal {
  return toFileProposal({ uri: uri.toString(), label, isNew: !exists, before: text, after, asked, unplaced });
}

const findAsked = (text: string, { text: sent, startLine }: Origin) =>
  sent === undefined ? undefined : findSent(text, sent, startLine);

/** Code in fences: for the files that they name, or one for the lines that were sent. */
export async function toFilesOfCode(blocks: readonly CodeBlock[], question: Question): Promise<Made> {
  const { origin, purpose } = question;
  const named = blocks.filter(({ path }) => path !== undefined);
  if (named.length > 0) {
    const files = await Promise.all(named.map((block) => toNamedFile(block, origin)));
    return { files: files.filter((file) => file !== undefined), trouble: undefined };
  }
  const [block, ...more] = blocks;
  if (block === undefined || origin === undefined) return { files: [], trouble: { kind: 'no-change' } };
  if (more.length > 0) return { files: [], trouble: { kind: 'several-blocks', count: blocks.length } };
  return purpose === 'tests' ? toTestFile(block, origin) : toReplacedLines(block, origin);
}

/**
 * A block that names its file is the lines that were sent, when it names their file, or all of a new one. Where it
 * belongs in a file that is there is not known.
 */
async function toNamedFile(block: CodeBlock, origin: Origin | undefined): Promise<FileProposal | undefined> {
  const target = await findTarget(block.path ?? '', origin);
  if (origin !== undefined && target.uri.toString() === origin.uri)
    return (await toReplacedLines(block, origin)).files[0];
  return target.exists
    ? toProposal(target, target.text, undefined, [
        { edit: { find: '', replace: block.code }, reason: 'file-exists' },
      ])
    : toProposal(target, block.code, undefined);
}

async function toReplacedLines(block: CodeBlock, origin: Origin): Promise<Made> {
  const target = await readTarget(vscode.Uri.parse(origin.uri));
  if (/^(diff|patch)$/i.test(block.language)) {
    const after = applyDiff(target.text, block.code);
    if (after !== undefined) return { files: [toProposal(target, after, undefined)], trouble: undefined };
  }
  const asked = findAsked(target.text, origin);
  if (asked === undefined) return { files: [], trouble: { kind: 'lines-changed', label: target.label } };
  return {
    files: [toProposal(target, replaceSpan(target.text, asked, block.code), asked)],
    trouble: undefined,
  };
}

/** Tests that name no file go into one beside what they test, which must not be there yet. */
async function toTestFile(block: CodeBlock, origin: Origin): Promise<Made> {
  const tested = vscode.Uri.parse(origin.uri);
  const [, stem, ending] = /^(.*?)(\.[^./]+)?$/.exec(tested.path) ?? [];
  for (let count = 1; ; count++) {
    const path = `${stem ?? tested.path}.test${count === 1 ? '' : count}${ending ?? ''}`;
    const target = await readTarget(tested.with({ path, fragment: '' }));
    if (!target.exists) return { files: [toProposal(target, block.code, undefined)], trouble: undefined };
  }
}
