/** Answers to questions for commit messages, in whatever conversation and for whatever reason they were asked. */
import type * as vscode from 'vscode';
import { isAnswered } from '../../conversation/rounds.ts';
import type { Conversations } from '../conversations/conversationList.ts';

/** @param onAnswer called when there is an answer, with the id of its turn */
export const watchCommitMessages = (
  conversations: Pick<Conversations, 'find' | 'onDidChange'>,
  onAnswer: (turnId: string) => void,
): vscode.Disposable =>
  conversations.onDidChange((change) => {
    if (change.type !== 'turn' || !isAnswered(change.turn)) return;
    const { id } = change.turn;
    if (conversations.find(id)?.exchange.question.purpose === 'commit-message') onAnswer(id);
  });
