/** Watches for answers to questions for commit messages, in any conversation and for any reason. */
import type * as vscode from 'vscode';
import { isAnswered } from '../../conversation/rounds.ts';
import type { Conversations } from '../conversations/conversationList.ts';

/** @param onAnswer called with the ID of the turn when it is answered */
export const watchCommitMessages = (
  conversations: Pick<Conversations, 'find' | 'onDidChange'>,
  onAnswer: (turnId: string) => void,
): vscode.Disposable =>
  conversations.onDidChange((change) => {
    if (change.type !== 'turn' || !isAnswered(change.turn)) return;
    const { id } = change.turn;
    if (conversations.find(id)?.exchange.question.purpose === 'commit-message') onAnswer(id);
  });
