import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Proposals } from '../proposals/proposalList.ts';

export interface ContextKeysDeps {
  readonly conversations: Conversations;
  readonly proposals: Pick<Proposals, 'underReview' | 'onDidChange'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Keeps `k3.isStreaming` true while a turn runs in the open conversation, and `k3.hasProposal` true while there are
 * hunks to review.
 */
export function registerContextKeys({ conversations, proposals, log }: ContextKeysDeps): vscode.Disposable {
  const shown = new Map<string, boolean>();
  const show = (key: string, value: boolean) => {
    if (shown.get(key) === value) return;
    shown.set(key, value);
    inBackground(log, vscode.commands.executeCommand('setContext', key, value), `setting ${key}`);
  };
  const showStreaming = () => show('k3.isStreaming', conversations.isRunning(conversations.current().id));
  const showProposal = () => show('k3.hasProposal', proposals.underReview().length > 0);
  showStreaming();
  showProposal();
  return vscode.Disposable.from(
    conversations.onDidChange(showStreaming),
    proposals.onDidChange(showProposal),
  );
}
