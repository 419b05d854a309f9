/** Send Review (`k3.sendReview`): all remarks as one turn, with the hunks they sit on. */
import * as vscode from 'vscode';
import type { CodeLines } from '../../chat/codePrompts.ts';
import { type CommentText, toReviewPrompt } from '../../chat/reviewPrompts.ts';
import type { Origin, Question } from '../../chat/turn.ts';
import type { HunkState } from '../../review/anchors.ts';
import { addedLinesOf, deletedLinesOf, type Hunk, toLines, toSignedLines } from '../../review/hunks.ts';
import { type FileProposal, isUndecided, type Proposal } from '../../review/proposal.ts';
import { askWithOffers, tellRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { linesOfDocument } from '../workspace/selectedCode.ts';
import type { Proposals } from './proposalList.ts';
import type { Remark, Remarks } from './remarks.ts';

const t = vscode.l10n.t;

export interface SendReviewDeps {
  readonly conversations: Pick<
    Conversations,
    'current' | 'open' | 'get' | 'create' | 'isRunning' | 'ask' | 'onDidChange'
  >;
  readonly proposals: Pick<Proposals, 'underReview'>;
  readonly remarks: Remarks;
}

/** Remarks that were sent are gone from the editor once their answer is whole; until then they may be needed again. */
export function registerSendReview(deps: SendReviewDeps): vscode.Disposable {
  const { conversations, remarks } = deps;
  const sent = new Map<string, readonly Remark[]>();
  let sending = false;

  async function send(): Promise<void> {
    const written = remarks.list();
    if (written.length === 0) {
      void vscode.window.showInformationMessage(
        t(
          'There are no comments to send. Add comments with “Comment” above a hunk or with “K3: Comment on Line”.',
        ),
      );
      return;
    }
    const proposal = reviewed(deps, written);
    const conversationId = conversationFor(deps, proposal);
    const question = await toReviewQuestion(proposal, written);
    await vscode.commands.executeCommand('k3.focusChat');
    const asked = await askWithOffers((options) => conversations.ask(conversationId, question, options));
    if (asked.ok) {
      sent.set(asked.turnId, written);
      remarks.remove(new Set(written.map(({ id }) => id)));
    }
    await tellRefusal(asked);
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.sendReview', async (reply: unknown) => {
      // A second click is not a second review.
      if (sending) return;
      sending = true;
      // What stands in a box, and was not added yet, goes along.
      if (hasText(reply)) await vscode.commands.executeCommand('k3.addRemark', reply);
      await send().finally(() => {
        sending = false;
      });
    }),
    conversations.onDidChange((change) => {
      if (change.type !== 'turn' || change.turn.outcome === undefined) return;
      const written = sent.get(change.turn.id);
      sent.delete(change.turn.id);
      if (change.turn.outcome !== 'complete') for (const remark of written ?? []) remarks.put(remark);
    }),
  );
}

const hasText = (reply: unknown): boolean =>
  typeof reply === 'object' &&
  reply !== null &&
  'text' in reply &&
  typeof reply.text === 'string' &&
  reply.text.trim() !== '';

/** The proposal that the remarks are about: one with a hunk that has a remark, else one in a file that has one. */
function reviewed({ proposals }: SendReviewDeps, remarks: readonly Remark[]): Proposal | undefined {
  const living = proposals.underReview();
  const named = living.find(({ proposal, file }) => remarks.some((remark) => isOn(remark, proposal, file)));
  return (named ?? living.findLast(({ file }) => remarks.some(({ uri }) => uri === file.uri)))?.proposal;
}

const isOn = ({ hunk, uri }: Remark, proposal: Proposal, file: FileProposal): boolean =>
  hunk?.proposalId === proposal.id && uri === file.uri;

/** The review goes on where the proposal was made, unless that conversation is gone or answers just now. */
function conversationFor({ conversations }: SendReviewDeps, proposal: Proposal | undefined): string {
  const wanted = proposal?.conversationId ?? conversations.current().id;
  if (conversations.get(wanted) === undefined || conversations.isRunning(wanted))
    return conversations.create().id;
  conversations.open(wanted);
  return wanted;
}

async function toReviewQuestion(
  proposal: Proposal | undefined,
  remarks: readonly Remark[],
): Promise<Question> {
  const code = proposal === undefined ? [] : await currentCode(proposal, remarks);
  const labels = (wanted: HunkState) =>
    (proposal?.files ?? []).flatMap((file) =>
      file.hunks
        .filter(({ state }) => state === wanted)
        .map(({ hunk, from }) => toLabel(file, from + hunk.lead, hunk.after)),
    );
  const text = toReviewPrompt({
    remarks: remarks.map((remark) => toRemarkText(remark, proposal)),
    open: proposal === undefined ? [] : toOpenHunks(proposal, remarks),
    accepted: labels('accepted'),
    rejected: labels('rejected'),
    code: code.map(({ lines }) => lines),
  });
  return {
    text,
    images: [],
    origin: code[0]?.origin,
    ...(code.length === 0 || proposal === undefined
      ? {}
      : { purpose: 'proposal' as const, revises: proposal.id }),
  };
}

/** The hunks that the revision would replace although nobody said anything about them. */
function toOpenHunks(proposal: Proposal, remarks: readonly Remark[]) {
  return proposal.files.filter(isUndecided).flatMap((file) =>
    file.hunks
      .filter(
        ({ hunk, state }) =>
          state === 'open' && !remarks.some((one) => isOnHunk(one, proposal, file, hunk.id)),
      )
      .map(({ hunk, from, to }) => {
        const startLine = toLines(file.text.slice(0, from + hunk.lead)).length;
        const lines = toLines(file.text.slice(from + hunk.lead, to)).length;
        return {
          path: file.label,
          startLine,
          endLine: startLine + Math.max(0, lines - 1),
          diff: toDiffText(hunk),
        };
      }),
  );
}

const isOnHunk = (remark: Remark, proposal: Proposal, file: FileProposal, hunkId: string): boolean =>
  isOn(remark, proposal, file) && remark.hunk?.hunkId === hunkId;

function toRemarkText(remark: Remark, proposal: Proposal | undefined): CommentText {
  const file = proposal?.files.find(({ uri }) => uri === remark.uri);
  const ours = remark.hunk?.proposalId === proposal?.id;
  const one = ours ? file?.hunks.find(({ hunk }) => hunk.id === remark.hunk?.hunkId) : undefined;
  const { startLine, endLine, quote, text } = remark;
  return {
    path: file?.label ?? vscode.workspace.asRelativePath(vscode.Uri.parse(remark.uri)),
    startLine,
    endLine,
    diff: one ? toDiffText(one.hunk) : undefined,
    quote,
    text,
  };
}

const toDiffText = (hunk: Hunk): string =>
  [...toSignedLines(deletedLinesOf(hunk), '-'), ...toSignedLines(addedLinesOf(hunk), '+')].join('\n');

function toLabel({ label, text }: FileProposal, offset: number, after: string): string {
  const line = toLines(text.slice(0, offset)).length + 1;
  const [first = ''] = toLines(after);
  return `${label}, line ${line} (\`${first.trim().slice(0, 60).replaceAll('`', "'")}\`)`;
}

interface CurrentCode {
  readonly lines: CodeLines;
  readonly origin: Origin;
}

/** So many lines go along at most: of a review at both ends of a long file, what the remarks are about. */
const MOST_LINES = 1500;
const LINES_AROUND = 200;

/** The code of each file that a revision may change: one with a remark first, then those with undecided hunks. */
async function currentCode(proposal: Proposal, remarks: readonly Remark[]): Promise<readonly CurrentCode[]> {
  const isRemarked = ({ uri }: FileProposal) => remarks.some((remark) => remark.uri === uri);
  const files = [
    ...proposal.files.filter(isRemarked),
    ...proposal.files.filter((file) => !isRemarked(file) && isUndecided(file)),
  ];
  const wanted = files.length > 0 ? files : proposal.files.slice(0, 1);
  const code = await Promise.all(wanted.map((file) => codeOfFile(file, remarks)));
  return code.filter((one) => one !== undefined);
}

/** The lines that were asked about, or all that lies between the first and the last hunk, as they are now. */
async function codeOfFile(file: FileProposal, remarks: readonly Remark[]): Promise<CurrentCode | undefined> {
  if (file.isNew) return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file.uri));
  const spans = [...file.hunks, ...(file.asked === undefined ? [] : [file.asked])];
  if (spans.length === 0) return undefined;
  let start = document.positionAt(Math.min(...spans.map(({ from }) => from))).line;
  const last = document.positionAt(Math.max(...spans.map(({ to }) => to)));
  let end = last.character === 0 && last.line > start ? last.line - 1 : last.line;
  if (end - start > MOST_LINES) {
    const lines = remarks
      .filter(({ uri }) => uri === file.uri)
      .flatMap((one) => [one.startLine, one.endLine]);
    start = Math.max(start, Math.min(...lines, end) - LINES_AROUND);
    end = Math.min(end, Math.max(...lines, start) + LINES_AROUND);
  }
  const code = linesOfDocument(document, start, end);
  const { startLine, endLine, text } = code;
  return { lines: code, origin: { uri: file.uri, startLine, endLine, text } };
}
