/** Send Review (`k3.sendReview`): all remarks as one turn, with the hunks they sit on. */
import * as vscode from 'vscode';
import type { CodeLines } from '../chat/codePrompts.ts';
import { type RemarkText, toDiffLines, toReviewPrompt } from '../chat/reviewPrompts.ts';
import type { Origin, Question } from '../chat/turn.ts';
import type { HunkState } from '../review/anchors.ts';
import { comingOf, goingOf, toLines } from '../review/hunks.ts';
import type { FileProposal, Proposal } from '../review/proposal.ts';
import { askWithOffers, tellRefusal } from './asking.ts';
import type { Conversations } from './conversations.ts';
import type { Proposals } from './proposals.ts';
import type { Remark, Remarks } from './remarks.ts';
import { linesOfDocument } from './selectedCode.ts';

const t = vscode.l10n.t;

export interface SendReviewDeps {
  readonly conversations: Pick<Conversations, 'current' | 'open' | 'get' | 'create' | 'isRunning' | 'ask'>;
  readonly proposals: Pick<Proposals, 'get' | 'underReview'>;
  readonly remarks: Remarks;
}

export interface SendReview extends vscode.Disposable {
  /** The proposal that the question of a turn asked to revise. */
  revisedBy(turnId: string): string | undefined;
}

export function registerSendReview(deps: SendReviewDeps): SendReview {
  const revisions = new Map<string, string>();

  async function send(): Promise<void> {
    const sent = deps.remarks.list();
    if (sent.length === 0) {
      void vscode.window.showInformationMessage(
        t(
          'There are no remarks to send. Write them with “Comment” above a hunk, or with the plus beside a line.',
        ),
      );
      return;
    }
    const proposal = reviewed(deps, sent);
    const conversationId = conversationFor(deps, proposal);
    const question = await toReviewQuestion(proposal, sent);
    await vscode.commands.executeCommand('k3.focusChat');
    const asked = await askWithOffers((options) => deps.conversations.ask(conversationId, question, options));
    await tellRefusal(asked);
    if (!asked.ok) return;
    if (proposal !== undefined) revisions.set(asked.turnId, proposal.id);
    deps.remarks.remove(new Set(sent.map(({ id }) => id)));
  }

  const registered = vscode.commands.registerCommand('k3.sendReview', send);
  return { revisedBy: (turnId) => revisions.get(turnId), dispose: () => registered.dispose() };
}

/** The proposal that the remarks are about: the one with a hunk that has a remark, else one in a file that has one. */
function reviewed({ proposals }: SendReviewDeps, remarks: readonly Remark[]): Proposal | undefined {
  const named = remarks.findLast(({ hunk }) => hunk !== undefined)?.hunk;
  if (named !== undefined) return proposals.get(named.proposalId);
  return proposals.underReview().findLast(({ file }) => remarks.some(({ uri }) => uri === file.uri))
    ?.proposal;
}

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
  const code = proposal && (await currentCode(proposal, remarks));
  const labels = (wanted: HunkState) =>
    (proposal?.files ?? []).flatMap((file) =>
      file.hunks
        .filter(({ state }) => state === wanted)
        .map(({ hunk, from }) => toLabel(file, from + hunk.lead, hunk.after)),
    );
  const text = toReviewPrompt({
    remarks: remarks.map((remark) => toRemarkText(remark, proposal)),
    accepted: labels('accepted'),
    rejected: labels('rejected'),
    code: code?.lines,
  });
  return {
    text,
    images: [],
    origin: code?.origin,
    ...(code === undefined ? {} : { purpose: 'proposal' as const }),
  };
}

function toRemarkText(remark: Remark, proposal: Proposal | undefined): RemarkText {
  const file = proposal?.files.find(({ uri }) => uri === remark.uri);
  const one = file?.hunks.find(({ hunk }) => hunk.id === remark.hunk?.hunkId);
  const { startLine, endLine, quote, text } = remark;
  return {
    path: file?.label ?? vscode.workspace.asRelativePath(vscode.Uri.parse(remark.uri)),
    startLine,
    endLine,
    diff: one && remark.hunk ? toDiffLines(goingOf(one.hunk), comingOf(one.hunk)) : undefined,
    quote,
    text,
  };
}

function toLabel({ label, text }: FileProposal, offset: number, after: string): string {
  const line = toLines(text.slice(0, offset)).length + 1;
  const [first = ''] = toLines(after);
  return `${label}, line ${line} (\`${first.trim().slice(0, 60).replaceAll('`', "'")}\`)`;
}

interface CurrentCode {
  readonly lines: CodeLines;
  readonly origin: Origin;
}

/** The lines that were asked about, or all that lies between the first and the last hunk, as they are now. */
async function currentCode(proposal: Proposal, remarks: readonly Remark[]): Promise<CurrentCode | undefined> {
  const file =
    proposal.files.find(({ uri }) => remarks.some((remark) => remark.uri === uri)) ?? proposal.files[0];
  if (file === undefined || file.isNew) return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file.uri));
  const from = Math.min(...file.hunks.map((one) => one.from), file.asked?.from ?? Number.POSITIVE_INFINITY);
  const to = Math.max(...file.hunks.map((one) => one.to), file.asked?.to ?? 0);
  const last = document.positionAt(to);
  const code = linesOfDocument(
    document,
    document.positionAt(from).line,
    last.character === 0 && last.line > 0 ? last.line - 1 : last.line,
  );
  const { startLine, endLine, text } = code;
  return { lines: code, origin: { uri: file.uri, startLine, endLine, text } };
}
