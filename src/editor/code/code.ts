/** Commands on code in the editor, code actions, and the commit message. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Preview } from '../conversations/previews.ts';
import { registerCodeActions } from './codeActions.ts';
import { registerCodeCommands, toCodePreviews } from './codeCommands.ts';
import { registerCommitMessage, toCommitPreview } from './commitMessage.ts';

export interface CodeDeps {
  readonly base: Pick<Base, 'log' | 'lastEditor'>;
  readonly conversations: Conversations;
}

export interface Code extends vscode.Disposable {
  readonly previews: readonly Preview[];
}

export function registerCode({ base, conversations }: CodeDeps): Code {
  const registered = vscode.Disposable.from(
    registerCodeCommands({ ...base, conversations }),
    registerCodeActions(),
    registerCommitMessage({ conversations, log: base.log }),
  );
  const previews = [...toCodePreviews({ ...base, conversations }), toCommitPreview(base)];
  return { previews, dispose: () => registered.dispose() };
}
