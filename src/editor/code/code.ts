/** Commands on code in the editor, code actions, and the commit message. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import { inBackground } from '../base/background.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { WithPreviews } from '../conversations/questionPreviews.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { registerCodeActions } from './codeActions.ts';
import { watchCommitMessages } from './commitAnswers.ts';

export interface CodeDeps {
  readonly base: Pick<Base, 'log' | 'lastEditor'>;
  readonly conversations: Conversations;
  readonly reads: Pick<AllowedReads, 'askForFolder'>;
}

export interface Code extends vscode.Disposable, WithPreviews {}

const COMMANDS = [
  'k3.ask',
  'k3.explain',
  'k3.refactor',
  'k3.fix',
  'k3.document',
  'k3.test',
  'k3.commitMessage',
] as const;

export function registerCode({ base, conversations, reads }: CodeDeps): Code {
  const parts = atFirstUse(
    async () => (await import('./codeParts.ts')).createCodeParts({ ...base, conversations, reads }),
    base.log,
  );
  const registered = vscode.Disposable.from(
    registerLater(COMMANDS, parts),
    registerCodeActions(),
    watchCommitMessages(conversations, (turnId) =>
      inBackground(
        base.log,
        parts.run(({ answered }) => answered(turnId)),
        'putting a commit message into its input box',
      ),
    ),
    parts,
  );
  return {
    previews: async () => (await parts.run(({ previews }) => previews)) ?? [],
    dispose: () => registered.dispose(),
  };
}
