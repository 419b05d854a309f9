/** Reads the state of an edit's questions from its conversation and its proposals, which can change independently. */
import * as vscode from 'vscode';
import { shownTurn } from '../../conversation/conversation.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import type { Span } from '../../review/edits/editPlacement.ts';
import { isAsked } from '../../review/proposals/besideProposals.ts';
import { isUnderReview, type Proposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import type { LineRange } from '../../text/lineRange.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { SelectedCode } from '../workspace/selectedCode.ts';
import type { Edit, EditStep } from './editList.ts';
import type { Answered } from './editWords.ts';

export type AskedEdit = Pick<Edit, 'uri' | 'lines' | 'selected' | 'steps'>;

export type NewStep = Omit<EditStep, 'state'>;

export interface EditAnswersDeps {
  readonly conversations: Pick<Conversations, 'get' | 'isRunning'>;
  readonly proposals: Pick<Proposals, 'ofTurn' | 'ofFile'>;
}

export interface EditAnswers {
  /** The answer to a step; undefined if it wasn't sent, or if its conversation no longer has it. */
  of(step: EditStep): Answered | undefined;
  /** The conversation of the edit, if a question was sent and the conversation still exists. */
  conversationOf(edit: Edit): string | undefined;
  /** Whether a step is being sent or answered. */
  isStepRunning(step: EditStep): boolean;
  /** Whether a question of an edit is waiting, being sent, or being answered. */
  isRunning(edit: Edit): boolean;
  /** Whether the same task with the same words is waiting, being sent, or being answered for the same lines. */
  asks(edit: Edit, step: NewStep): boolean;
  /** Whether an answer is running in the conversation of the edit. */
  isBusy(edit: Edit): boolean;
  /**
   * The open proposal of an earlier answer that the next answer replaces. If the step is about other lines than the earlier answers,
   * only a proposal with undecided hunks in these lines.
   */
  openProposal(edit: AskedEdit, step: NewStep, code: SelectedCode): Proposal | undefined;
  /** The files of other proposals with undecided hunks in the lines of an edit, which its answer would replace. */
  hunksInWay(edit: AskedEdit, code: SelectedCode): readonly UnderReview[];
}

export function createEditAnswers({ conversations, proposals }: EditAnswersDeps): EditAnswers {
  function answerOf({ state }: EditStep): Answered | undefined {
    if (state.kind !== 'sent') return undefined;
    const { exchanges = [] } = conversations.get(state.conversationId) ?? {};
    const exchange = exchanges.find(({ id }) => id === state.exchangeId);
    const turn = exchange && shownTurn(exchange);
    if (exchange === undefined || turn === undefined) return undefined;
    const { question } = exchange;
    const whole = () => toWholeAnswer(exchanges, question, turn).text;
    return { question, turn, whole, proposals: proposals.ofTurn(turn.id) };
  }

  function conversationOf({ steps }: Edit): string | undefined {
    const ids = steps.flatMap(({ state }) => (state.kind === 'sent' ? [state.conversationId] : []));
    return ids.findLast((id) => conversations.get(id) !== undefined);
  }

  function isStepRunning(step: EditStep): boolean {
    const answered = answerOf(step);
    return step.state.kind === 'sending' || (answered !== undefined && answered.turn.outcome === undefined);
  }

  function asks({ steps, lines }: Edit, step: NewStep): boolean {
    const isSame = (one: EditStep) =>
      one.task === step.task &&
      one.words === step.words &&
      step.diagnostics.every((line) => one.diagnostics.includes(line)) &&
      linesOverlap(one.lines ?? lines, step.lines ?? lines);
    return steps.some((one) => isSame(one) && (isWaiting(one) || isStepRunning(one)));
  }

  function isBusy(edit: Edit): boolean {
    const id = conversationOf(edit);
    return id !== undefined && conversations.isRunning(id);
  }

  function openProposal({ steps }: AskedEdit, { lines }: NewStep, code: SelectedCode): Proposal | undefined {
    const open = steps.flatMap((step) => answerOf(step)?.proposals ?? []).filter(isUnderReview);
    if (lines === undefined) return open.at(-1);
    const uri = code.document.uri.toString();
    return open.findLast(({ files }) =>
      files.some((file) => file.uri === uri && isAsked(file, spanOfCode(code))),
    );
  }

  function hunksInWay(edit: AskedEdit, code: SelectedCode): readonly UnderReview[] {
    const found = proposals.ofFile(edit.uri.toString());
    if (found.length === 0) return [];
    const span = spanOfCode(code);
    const mine = new Set(edit.steps.flatMap((step) => answerOf(step)?.proposals ?? []));
    return found.filter(({ proposal, file }) => !mine.has(proposal) && isAsked(file, span));
  }

  return {
    of: answerOf,
    conversationOf,
    isStepRunning,
    isRunning: ({ steps }) => steps.some((step) => isWaiting(step) || isStepRunning(step)),
    asks,
    isBusy,
    openProposal,
    hunksInWay,
  };
}

/** Whether a step waits for the end of the running answer. */
export const isWaiting = ({ state }: EditStep) => state.kind === 'waiting';

const spanOfCode = ({ document, startLine, endLine }: SelectedCode): Span => ({
  from: document.offsetAt(new vscode.Position(startLine, 0)),
  to: document.offsetAt(new vscode.Position(endLine + 1, 0)),
});

const linesOverlap = (one: LineRange, other: LineRange): boolean =>
  one.startLine <= other.endLine && other.startLine <= one.endLine;
