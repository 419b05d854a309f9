/** The extension in `test/fixtures/otherChat`, which uses the language model API like any other extension. */
import * as vscode from 'vscode';

export interface OtherChat {
  /** How often its tool `other_chat_run` was called. */
  runs(): number;
  select(): Promise<vscode.LanguageModelChat[]>;
  maySend(model: vscode.LanguageModelChat): boolean | undefined;
  /** Asks with the tool `weather`, and answers each call with “rain”. */
  converse(model: vscode.LanguageModelChat, question: string): Promise<{ answer: string; inputs: unknown[] }>;
}

export async function findOtherChat(): Promise<OtherChat> {
  const extension = vscode.extensions.getExtension<OtherChat>('k3-chat-test.other-chat');
  if (extension === undefined) throw new Error('the other chat is not installed');
  return extension.activate();
}
