/** Asks the questions of commands in the chat. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { askWithKeyPrompt } from './asking.ts';
import type { Conversations } from './conversationList.ts';
import { freeConversation, isFree } from './freeConversation.ts';
import type { AskResult } from './turnStart.ts';

export interface AskedInChat {
  readonly id: string;
  readonly asked: AskResult;
}

/**
 * Shows the chat, and asks there, or in a new conversation if that is running here or in another window, or deleted there.
 *
 * @param wanted the conversation that the user was told about; by default, that of the chat in front
 * @returns with the conversation
 */
export async function askInChat(
  conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>,
  question: Question,
  wanted?: string,
): Promise<AskedInChat> {
  const id = freeConversation(conversations, wanted);
  await vscode.commands.executeCommand('k3.focusChat', id);
  const asked = await askWithKeyPrompt((options) => conversations.ask(id, question, options));
  // Another command was faster.
  const isTaken = !asked.ok && asked.refusal.kind === 'running' && !isFree(conversations, id);
  return isTaken ? askInChat(conversations, question) : { id, asked };
}
