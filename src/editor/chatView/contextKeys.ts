import * as vscode from 'vscode';
import { createContextKey } from '../base/contextKey.ts';
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
  const setStreaming = createContextKey('k3.isStreaming', log);
  const setProposal = createContextKey('k3.hasProposal', log);
  const showStreaming = () => setStreaming(conversations.isRunning(conversations.current().id));
  const showProposal = () => setProposal(proposals.underReview().length > 0);
  showStreaming();
  showProposal();
  return vscode.Disposable.from(
    conversations.onDidChange(showStreaming),
    proposals.onDidChange(showProposal),
  );
}
