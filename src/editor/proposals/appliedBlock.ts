/** Applies a code block: shows the proposal that already has its changes, or creates a new one. */
import * as vscode from 'vscode';
import {
  askedQuestion,
  type Conversation,
  type Exchange,
  shownTurn,
} from '../../conversation/conversation.ts';
import { originsOf, type Question } from '../../conversation/question.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { type CodeBlock, inCutAnswer } from '../../review/answers/codeBlocks.ts';
import type { UnplacedEditReason } from '../../review/edits/editPlacement.ts';
import { isDiff, toCode, toFileBlocks } from '../../review/edits/fileBlocks.ts';
import { withTextNow } from '../../review/proposals/fileChanges.ts';
import {
  type FileProposal,
  hasRejected,
  isUndecided,
  isUnderReview,
  type Proposal,
} from '../../review/proposals/proposal.ts';
import { toProposalMarkdown } from '../../review/proposals/proposalMarkdown.ts';
import { hasCode, hasEdits, hasSame } from '../../review/proposals/sameChanges.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { findAskedSpan, shortenedIn } from './askedFile.ts';
import { editorFor, placeByHand } from './chosenPlace.ts';
import { currentFile, openCurrent } from './currentFile.ts';
import { findTarget, lineEndIn, pathOfBlock, placesOfPath, renamedOf, type UriNow } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';
import { toFilesOfCode } from './proposedFiles.ts';
import { addAsked, confirmReplacing, inWayOfReopened } from './proposeEdits.ts';
import type { Renames } from './renamedFiles.ts';

export interface AppliedBlockDeps {
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'ofTurn'>;
  readonly renames: Pick<Renames, 'since'>;
  readonly lastEditor: LastEditor;
}

/** Shows the proposal of a block. Does nothing if the user cancels. */
export async function applyBlock(
  { proposals, renames, lastEditor }: AppliedBlockDeps,
  conversation: Conversation,
  exchange: Exchange,
  shown: CodeBlock,
): Promise<void> {
  const turn = shownTurn(exchange);
  if (turn === undefined) return;
  const whole = toWholeAnswer(conversation.exchanges, askedQuestion(exchange, turn), turn);
  const block = turn.outcome === 'complete' ? shown : inCutAnswer(shown, whole.text);
  const { withFilesNow, uriNow } = renames.since({ conversation, exchange, turn });
  const question = await withFilesNow(whole.question);

  async function propose(turnId: string): Promise<Proposal | undefined> {
    const files = await placeBlock(block, question, uriNow, lastEditor);
    if (files.length === 0) return undefined;
    // Checked again, because the block may have been applied in another panel meanwhile.
    const same = proposals
      .ofTurn(turnId)
      .find((one) => files.every((fresh) => one.files.some((file) => hasSame(file, fresh))));
    const fresh = { turnId, conversationId: conversation.id, files, trouble: undefined, revises: undefined };
    return same ?? addAsked(proposals, fresh);
  }

  const undone = new Set<string>();
  for (const { id } of proposals.ofTurn(turn.id)) if (await isUndone(proposals, id)) undone.add(id);
  const made = proposals
    .ofTurn(turn.id)
    .filter((one) => one.files.some(({ hunks }) => hunks.length > 0))
    .filter((one) => isUnderReview(one) || !undone.has(one.id));
  const inOrder = [...made.filter(isUnderReview), ...made.filter((one) => !isUnderReview(one))];
  // An answer in JSON is shown as diffs, which are the changes of its proposal.
  const isOurDiff = isDiff(block) && isShownAsDiffs(whole.text, whole.question);
  const parts = await partsOf(block, question, uriNow);
  const isNamed = ({ files }: Proposal) => files.some((one) => parts.some((part) => part.isNamed(one)));
  const known = isOurDiff
    ? (inOrder.find(isNamed) ?? inOrder[0])
    : inOrder.find(({ files }) => parts.every(({ has }) => files.some(has)));
  const proposal = known ?? (await propose(turn.id));
  if (proposal === undefined) return;
  // The diff of an answer in JSON leaves out some lines, so the file may only be found by its name.
  const [part] = parts;
  const file = part && (proposal.files.find(part.has) ?? proposal.files.find(part.isNamed));
  // No new proposal can be created from such a diff, so the earlier one is taken up again.
  const reopen = isOurDiff && file ? reopening(file) : undefined;
  // Only `k3.reopenProposal` needs this question. `k3.restoreRejected` asks by itself.
  const isSwapped = reopen === 'k3.reopenProposal' && file !== undefined;
  if (isSwapped && !(await confirmReplacing(inWayOfReopened(proposals, { proposal, file })))) return;
  await vscode.commands.executeCommand(reopen ?? 'k3.reviewProposal', {
    proposalId: proposal.id,
    ...(file && { uri: file.uri }),
  });
}

/** The command that takes up a file again; undefined if the file is under review or accepted. */
function reopening(file: FileProposal): string | undefined {
  if (file.replacedBy !== undefined) return 'k3.reopenProposal';
  const isRejected = hasRejected(file) && file.hunks.every(({ state }) => state === 'rejected');
  return isRejected ? 'k3.restoreRejected' : undefined;
}

/**
 * Whether lines that an accepted hunk replaced are back, for example after a checkout or because of a later proposal. If there is a
 * later proposal with other lines, the hunk doesn't follow the text and stays accepted.
 */
async function isUndone(proposals: Pick<Proposals, 'get'>, id: string): Promise<boolean> {
  const files = proposals.get(id)?.files.filter((one) => !one.isNew && !isUndecided(one)) ?? [];
  // For a closed untitled document, the editor would open a new one.
  const texts = files.filter(({ uri }) => !uri.startsWith('untitled:'));
  for (const current of texts.map(({ uri }) => currentFile(proposals, id, uri))) {
    const opened = await openCurrent(current);
    const now = opened && withTextNow(opened.file, opened.document.getText(), lineEndIn(opened.document));
    if (now !== undefined && (isUndecided(now) || now.hunks.some(({ putBack }) => putBack))) return true;
  }
  return false;
}

const isShownAsDiffs = (answer: string, { purpose }: Question): boolean =>
  purpose === 'proposal' && toProposalMarkdown(answer, true) !== answer;

/**
 * For each part of a block, functions that say whether a file has its changes, and whether the part names the file. No file is read,
 * so the user isn't asked.
 */
async function partsOf(block: CodeBlock, question: Question, uriNow: UriNow) {
  const parts: Readonly<Record<'has' | 'isNamed', (file: FileProposal) => boolean>>[] = [];
  for (const part of toFileBlocks([block])) {
    const path = await pathOfBlock(part, originsOf(question));
    const named = path === undefined ? undefined : placesOfPath(path, originsOf(question));
    const meant = part.edits && path !== undefined ? shortenedIn(path, question) : undefined;
    const places =
      named && [...named, ...(await renamedOf(named, uriNow)), ...(meant ? [meant] : [])].map(String);
    const isNamed = ({ uri }: FileProposal) => places === undefined || places.includes(uri);
    const has = (file: FileProposal) =>
      isNamed(file) &&
      (part.edits === undefined
        ? hasCode(file, part.code, askedIn(file, question))
        : hasEdits(file, part.edits, askedIn(file, question)));
    parts.push({ has, isNamed });
  }
  return parts;
}

const askedIn = ({ uri, before }: FileProposal, { origin }: Question) =>
  origin?.uri === uri ? findAskedSpan(before, origin) : undefined;

/** The reasons for which choosing another place doesn't help. */
const PLACELESS: ReadonlySet<UnplacedEditReason> = new Set([
  'whole-file',
  'no-text',
  'marker-left',
  'unclear',
  'too-many',
  'unreadable',
]);

/**
 * Places a block on the lines that were sent, in the files that it names, or where the user chooses. If there is nothing to choose,
 * edits without a place are listed in the proposal. Empty if the user refuses or cancels.
 */
async function placeBlock(
  block: CodeBlock,
  question: Question,
  uriNow: UriNow,
  lastEditor: LastEditor,
): Promise<readonly FileProposal[]> {
  const made = await toFilesOfCode([block], question, { uriNow });
  const files = made.files.filter(({ hunks, unplaced }) => hunks.length > 0 || unplaced.length > 0);
  const reasons = files.flatMap(({ unplaced }) => unplaced.map(({ reason }) => reason));
  if (files.some(({ hunks }) => hunks.length > 0)) return files;
  if (reasons.length > 0 && reasons.every((reason) => reason === 'refused')) return [];
  if (files.length > 1 || reasons.some((reason) => PLACELESS.has(reason))) return files;
  const uri = (await findNamed(made.files, block, question)) ?? editorFor(lastEditor)?.document.uri;
  const file = uri && (await placeByHand(uri, toCode(block), lastEditor));
  return file === undefined ? [] : [file];
}

/** The existing file that a block names. */
async function findNamed(
  [file]: readonly FileProposal[],
  block: CodeBlock,
  question: Question,
): Promise<vscode.Uri | undefined> {
  // The file is already known, and the user may have been asked for access to it.
  if (file !== undefined) return file.isNew ? undefined : vscode.Uri.parse(file.uri);
  const path = await pathOfBlock(block, originsOf(question));
  if (path === undefined) return undefined;
  const target = await findTarget(path, question);
  return target.exists ? target.uri : undefined;
}
