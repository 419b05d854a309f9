/** Asks the questions of commands in the chat. */
import * as vscode from 'vscode';
import { toAskedText } from '../../conversation/context/context.ts';
import type { Question } from '../../conversation/question.ts';
import { refuse } from '../../requests/refusal.ts';
import { askWithKeyPrompt } from './asking.ts';
import type { Conversations } from './conversationList.ts';
import { freeConversation, isFree } from './freeConversation.ts';
import type { AskResult } from './turnStart.ts';

export interface AskedInChat {
  /** The conversation. */
  readonly id: string;
  readonly asked: AskResult;
}

type Asking = Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;

/** The questions that are about to be asked, by their text. */
const asking = new Map<string, Promise<AskedInChat>>();

/**
 * Shows the chat and asks a question in its conversation, or in a new one if that conversation is deleted or has a running
 * answer, in any window. If the same question is asked again before it is sent, such as by pressing a key twice, the second
 * call waits for the first one, perhaps until the user has set a key. Then it is refused for the same reason, or because
 * the first one was sent.
 *
 * @param wanted the conversation that the user was told about; by default, that of the chat in front
 */
export async function askInChat(
  conversations: Asking,
  question: Question,
  wanted = conversations.front().id,
): Promise<AskedInChat> {
  const text = toAskedText(question);
  const before = asking.get(text);
  if (before !== undefined) {
    const first = await before;
    return first.asked.ok ? { ...first, asked: refuse({ kind: 'running' }) } : first;
  }
  const now = askIn(conversations, question, wanted).finally(() => asking.delete(text));
  asking.set(text, now);
  return now;
}

async function askIn(conversations: Asking, question: Question, wanted: string): Promise<AskedInChat> {
  const id = freeConversation(conversations, wanted);
  await vscode.commands.executeCommand('k3.focusChat', id);
  const asked = await askWithKeyPrompt((options) => conversations.ask(id, question, options));
  // Another command has asked in this conversation first.
  const isTaken = !asked.ok && asked.refusal.kind === 'running' && !isFree(conversations, id);
  return isTaken ? askIn(conversations, question, id) : { id, asked };
}
