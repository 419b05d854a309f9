/** Commands on code in the editor, code actions, and the commit message. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { registerCodeActions } from './codeActions.ts';
import { registerCodeCommands } from './codeCommands.ts';
import { registerCommitMessage } from './commitMessage.ts';

export interface CodeDeps {
  readonly base: Pick<Base, 'log'>;
  readonly conversations: Conversations;
}

export function registerCode({ base, conversations }: CodeDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCodeCommands({ conversations }),
    registerCodeActions(),
    registerCommitMessage({ conversations, log: base.log }),
  );
}
