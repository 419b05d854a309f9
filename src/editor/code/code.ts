/** Commands on code in the editor: the K3 menu, the light bulb, and the commit message. */
import * as vscode from 'vscode';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerCodeActions } from './codeActions.ts';
import { registerCodeCommands } from './codeCommands.ts';
import { registerCommitMessage } from './commitMessage.ts';

export function registerCode({
  conversations,
}: {
  readonly conversations: Conversations;
}): vscode.Disposable {
  return vscode.Disposable.from(
    registerCodeCommands({ conversations }),
    registerCodeActions(),
    registerCommitMessage({ conversations }),
  );
}
