/** What the thread of an edit says: the questions, how far the answer is, and what came of it. */
import * as vscode from 'vscode';
import { lastLineOf } from '../../conversation/cutText.ts';
import { isExpected, severityOf, toNotices } from '../../conversation/outcomes/notices.ts';
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import type { Turn } from '../../conversation/turn.ts';
import { withoutCodeBlocks } from '../../review/answers/codeBlocks.ts';
import { toPlainMarkdown } from '../../review/answers/plainMarkdown.ts';
import { readExplanation, readProposal } from '../../review/edits/readProposal.ts';
import type { Proposal } from '../../review/proposals/proposal.ts';
import { toPlainLine } from '../../text/plainLine.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { noticeTitle } from '../cards/noticeTitles.ts';
import { titleOfTask } from '../code/codeQuestions.ts';
import { toProposalViews, toTroubleCards } from '../proposals/proposalViews.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { turnPhaseLabel } from '../wording/turnLabels.ts';
import type { EditStep } from './editList.ts';

const t = vscode.l10n.t;

/** A comment of the thread. */
export interface EditComment {
  readonly author: string;
  /** Beside the author. */
  readonly label: string | undefined;
  /** Plain text, or Markdown in which all text of others is escaped. Screen readers read it as it is, marks and all. */
  readonly body: string;
  readonly isMarkdown: boolean;
  /** The button beside its author: to open the chat, or to ask again. */
  readonly offers: 'chat' | 'again' | undefined;
}

/** The answer to a question as it is now. */
export interface Answered {
  readonly question: Question;
  readonly turn: Turn;
  /** The text of the answer, with that of the parts that it is the rest of. */
  whole(): string;
  readonly proposals: readonly Proposal[];
}

/** The longest line of progress, and the longest explanation, in characters. The rest is in the chat. */
const MAX_PROGRESS = 160;
const MAX_EXPLANATION = 600;

/**
 * The comments for a question: the question, and what is known of its answer.
 *
 * @param answered undefined when the conversation no longer has the question
 */
export function toStepComments(step: EditStep, answered: Answered | undefined): readonly EditComment[] {
  const words = step.task === 'edit' ? step.words : toAsked(titleOfTask(step.task), step.words);
  const question = { ...comment(t('You'), words), label: waitingLabel(step) };
  return step.state.kind === 'waiting' ? [question] : [question, ...toAnswer(step, answered)];
}

const waitingLabel = ({ state }: EditStep) => (state.kind === 'waiting' ? t('Queued') : undefined);

function comment(author: string, body: string, offers?: EditComment['offers']): EditComment {
  return { author, label: undefined, body, isMarkdown: false, offers };
}

const ofModel = (body: string, offers?: EditComment['offers']) => comment('svc-k3', body, offers);

function toAnswer({ state }: EditStep, answered: Answered | undefined): readonly EditComment[] {
  switch (state.kind) {
    case 'waiting':
      return [];
    case 'sending':
      return [ofModel(state.input ? t('Waiting for your input') : t('Sending…'))];
    case 'not-sent':
      return [ofModel(state.why ?? t('Nothing was sent.'), 'again')];
    case 'refused':
      return [ofModel(describeRefusal(state.refusal), 'again')];
    case 'sent':
      return answered === undefined
        ? [ofModel(t('The conversation no longer has this question.'))]
        : answered.turn.outcome === undefined
          ? [toProgress(answered)]
          : toEnded(answered);
  }
}

/** The phase, and the last line of what has arrived: of the explanation, or of the reasoning. */
function toProgress({ turn, whole }: Answered): EditComment {
  const { reasoning, rounds } = turn;
  const answer = whole();
  const explained = /^\s*\{/.test(answer) ? readExplanation(answer) : answer;
  const texts = [explained, reasoning, rounds.at(-1)?.reasoning ?? ''];
  const lines = texts.map((text) => toPlainLine(lastLineOf(text, MAX_PROGRESS)));
  const line = lines.find((text) => text !== '') ?? '…';
  return { ...ofModel(line), label: turnPhaseLabel(turn) };
}

/** What the model says about its changes, what became of them, and what the user must know, in one line each. */
function toEnded(answered: Answered): readonly EditComment[] {
  const { turn, proposals } = answered;
  const explanation = toExplanation(answered);
  const files = toProposalViews(proposals.map(placedIn)).map(({ file, summary }) => `${file}: ${summary}`);
  const troubles = [
    ...(turn.outcome === 'stopped' ? [t('Stopped')] : []),
    ...toNotices(turn, undefined)
      .filter((notice) => !isExpected(notice) && severityOf(notice.code) !== 'information')
      .map((notice) => noticeTitle(notice, turn)),
  ].map(toSentence);
  const unplaced = toTroubleCards(proposals).flatMap(({ title, body }) => [toSentence(title), ...body]);
  const warning = joinSentences([...troubles, ...unplaced, ...whyUnplaced(proposals)]);
  const said = [explanation, ...files].filter((text) => text !== '').map(toPlainMarkdown);
  return [
    ...(said.length === 0 ? [] : [{ ...ofModel(said.join('\n\n')), isMarkdown: true }]),
    ...(warning === '' ? [] : [ofModel(warning, 'chat')]),
    ...(said.length === 0 && warning === '' ? [ofModel('…')] : []),
  ];
}

/** Of a file in which nothing was placed, all there is to say is why. */
function placedIn(proposal: Proposal): Proposal {
  const files = proposal.files.filter(({ hunks, unplaced }) => hunks.length > 0 || unplaced.length === 0);
  return { ...proposal, files };
}

/** Why edits of an answer were not placed, each reason once for a file. */
function whyUnplaced(proposals: readonly Proposal[]): readonly string[] {
  const whys = toProposalViews(proposals).flatMap(({ file, unplaced }) =>
    unplaced.map(({ why }) => `${file}: ${why}`),
  );
  return [...new Set(whys)];
}

/** The model's words about its changes, without the code. Of an answer that isn't complete there are none. */
function toExplanation({ question: { purpose }, turn, whole }: Answered): string {
  if (turn.outcome !== 'complete') return '';
  const answer = whole();
  const read = purpose === 'proposal' ? readProposal(answer) : undefined;
  const text =
    read?.kind === 'edits'
      ? read.answer.explanation
      : ((read?.kind === 'code' ? read.explanation : undefined) ?? wordsOf(answer));
  const short = text.trim();
  return short.length <= MAX_EXPLANATION
    ? short
    : `${short.slice(0, MAX_EXPLANATION).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** An answer in JSON has no words of its own. */
const wordsOf = (answer: string) => (/^\s*\{/.test(answer) ? '' : withoutCodeBlocks(answer));
