/** Creates the comments of an edit's thread: the questions, the progress of the answer, and its result. */
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

/** A comment in the thread. */
export interface EditComment {
  readonly author: string;
  /** The text beside the author. */
  readonly label: string | undefined;
  /** Plain text, or Markdown in which all text of the model is escaped. Screen readers read it with its marks. */
  readonly body: string;
  readonly isMarkdown: boolean;
  /** The button beside the author: to open the chat, or to ask again. */
  readonly offers: 'chat' | 'again' | undefined;
}

/** The current state of the answer to a question. */
export interface Answered {
  readonly question: Question;
  readonly turn: Turn;
  /** The text of the answer, with the parts before it. */
  whole(): string;
  readonly proposals: readonly Proposal[];
}

/** The longest line of progress, and the longest explanation, in UTF-16 code units. The rest is in the chat. */
const MAX_PROGRESS = 160;
const MAX_EXPLANATION = 600;

/**
 * The comments for a question: the question, and what is known of its answer.
 *
 * @param answered undefined if the conversation no longer has the question
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

/** The phase of the answer, and the last line of the explanation or of the reasoning. */
function toProgress({ turn, whole }: Answered): EditComment {
  const { reasoning, rounds } = turn;
  const answer = whole();
  const explained = /^\s*\{/.test(answer) ? readExplanation(answer) : answer;
  const texts = [explained, reasoning, rounds.at(-1)?.reasoning ?? ''];
  const lines = texts.map((text) => toPlainLine(lastLineOf(text, MAX_PROGRESS)));
  const line = lines.find((text) => text !== '') ?? '…';
  return { ...ofModel(line), label: turnPhaseLabel(turn) };
}

/** The explanation of the changes, the state of the hunks, and warnings. */
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

/** A proposal without files in which no edit was placed: for these, only the reasons are shown. */
function placedIn(proposal: Proposal): Proposal {
  const files = proposal.files.filter(({ hunks, unplaced }) => hunks.length > 0 || unplaced.length === 0);
  return { ...proposal, files };
}

/** The reasons why edits of an answer weren't placed, each once per file. */
function whyUnplaced(proposals: readonly Proposal[]): readonly string[] {
  const whys = toProposalViews(proposals).flatMap(({ file, unplaced }) =>
    unplaced.map(({ why }) => `${file}: ${why}`),
  );
  return [...new Set(whys)];
}

/** The model's explanation of its changes, without the code. Empty if the answer isn't complete. */
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

/** The text of an answer outside code blocks. An answer in JSON has none. */
const wordsOf = (answer: string) => (/^\s*\{/.test(answer) ? '' : withoutCodeBlocks(answer));
