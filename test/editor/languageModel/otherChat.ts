/** The extension in `test/fixtures/otherChat`, which uses the language model API like any other extension. */
import type { Context } from 'mocha';
import * as vscode from 'vscode';

export interface OtherChat {
  /** How often its tool `other_chat_run` was called. */
  runs(): number;
  select(): Promise<vscode.LanguageModelChat[]>;
  maySend(model: vscode.LanguageModelChat): boolean | undefined;
  /** Asks with the tool `weather`, and answers each call with “rain”. */
  converse(model: vscode.LanguageModelChat, question: string): Promise<{ answer: string; inputs: unknown[] }>;
}

/**
 * Skips tests in which other chats use our model, in an editor that has no API for that: it came with 1.104, and the
 * oldest supported editor is 1.103.
 */
export function skipWithoutProviders(this: Context): void {
  const [, minor = ''] = vscode.version.split('.');
  if (Number(minor) < 104) this.skip();
}

export async function findOtherChat(): Promise<OtherChat> {
  const extension = vscode.extensions.getExtension<OtherChat>('k3-chat-test.other-chat');
  if (extension === undefined) throw new Error('the other chat is not installed');
  return extension.activate();
}
