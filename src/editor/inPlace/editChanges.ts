/** Updates edits when the conversations change in which their questions are asked. */
import type * as vscode from 'vscode';
import type { Outcome } from '../../conversation/turn.ts';
import type { ConversationChange } from '../conversations/conversationChange.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { EditAnswers } from './editAnswers.ts';
import type { Edit } from './editList.ts';

export interface FollowedEdits {
  readonly conversations: Pick<Conversations, 'get' | 'onDidChange'>;
  readonly answers: Pick<EditAnswers, 'of' | 'conversationOf'>;
  edits(): readonly Edit[];
  /** Asks the next waiting question, if the previous answer has ended. */
  goOn(edit: Edit): void;
  stop(edit: Edit): void;
  /** Reads the instructions for the next question again. */
  renew(edit: Edit): void;
  /** Updates the thread of the edit soon; `refreshNow` does so at once. */
  refresh(edit: Edit): void;
  refreshNow(edit: Edit): void;
}

export function followAnswers(deps: FollowedEdits): vscode.Disposable {
  const { conversations, answers, goOn, stop, refresh } = deps;

  /** The rest of an answer that was cut off is a separate exchange. From then on, the step shows this exchange. */
  function follow(edit: Edit, { id, question }: { id: string; question: { continues?: string } }): void {
    const step = edit.steps.find((one) => answers.of(one)?.turn.id === question.continues);
    if (question.continues !== undefined && step?.state.kind === 'sent')
      step.state = { ...step.state, exchangeId: id };
  }

  function turnEnded(edit: Edit, outcome: Outcome): void {
    if (outcome === 'stopped') stop(edit);
    // The instructions went along with this question. A waiting question follows at once, before the instructions for the next one
    // are read.
    edit.instructions = [];
    deps.refreshNow(edit);
    goOn(edit);
  }

  function turnChanged(edit: Edit, { exchangeId, conversationId, turn }: TurnChange): void {
    const { outcome } = turn;
    if (!isOf(edit, exchangeId)) {
      if (outcome !== undefined && conversationId === answers.conversationOf(edit)) goOn(edit);
    } else if (outcome === undefined) refresh(edit);
    else turnEnded(edit, outcome);
  }

  /** Whether a conversation belongs to the last question of an edit and was deleted. */
  function wasDeleted({ steps }: Edit, id: string): boolean {
    const last = steps.findLast(({ state }) => state.kind === 'sent')?.state;
    return last?.kind === 'sent' && last.conversationId === id && conversations.get(id) === undefined;
  }

  return conversations.onDidChange((change) => {
    for (const edit of deps.edits()) {
      if (mayChangeNext(change, edit)) deps.renew(edit);
      if (change.type === 'turn') {
        turnChanged(edit, change);
        continue;
      }
      if (change.type === 'exchange') follow(edit, change.exchange);
      if (change.type === 'free' && change.conversationId === answers.conversationOf(edit)) goOn(edit);
      if (change.type === 'replaced' && wasDeleted(edit, change.conversationId)) stop(edit);
      if (change.type !== 'seen') refresh(edit);
    }
  });
}

type TurnChange = Extract<ConversationChange, { readonly type: 'turn' }>;

const isOf = ({ steps }: Edit, exchangeId: string): boolean =>
  steps.some(({ state }) => state.kind === 'sent' && state.exchangeId === exchangeId);

/**
 * Whether a change can affect the instructions for the next question of an edit. If a question is already waiting, it is asked
 * anyway.
 */
const mayChangeNext = (change: ConversationChange, { steps }: Edit): boolean =>
  change.type === 'turn'
    ? change.turn.outcome !== undefined && !steps.some(({ state }) => state.kind === 'waiting')
    : steps.length === 0 && (change.type === 'front' || change.type === 'opened');
