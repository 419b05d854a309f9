import * as vscode from 'vscode';
import { createContextKey } from '../base/contextKey.ts';
import type { Log } from '../base/log.ts';
import type { Walkthrough } from '../base/walkthrough.ts';
import type { ConversationChange } from '../conversations/conversationChange.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Proposals } from '../proposals/proposalList.ts';

export interface ContextKeysDeps {
  readonly conversations: Conversations;
  readonly proposals: Pick<Proposals, 'underReview' | 'onDidChange'>;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Keeps `k3.isStreaming` true while a turn runs in the open conversation, and `k3.hasProposal` true while there are hunks
 * to review. Also checks off the steps of the walkthrough that a question or an answer completes.
 */
export function registerContextKeys({
  conversations,
  proposals,
  walkthrough,
  log,
}: ContextKeysDeps): vscode.Disposable {
  const setStreaming = createContextKey('k3.isStreaming', log);
  const setProposal = createContextKey('k3.hasProposal', log);
  const showStreaming = () => setStreaming(conversations.isRunning(conversations.current().id));
  function showSteps(change: ConversationChange): void {
    if (change.type !== 'turn') return;
    walkthrough.done('ask');
    const { reasoning, answer, request } = change.turn;
    // The demo needs no key.
    if ((reasoning !== '' || answer !== '') && request.demo !== true) walkthrough.done('key');
  }
  const showProposal = () => setProposal(proposals.underReview().length > 0);
  showStreaming();
  showProposal();
  return vscode.Disposable.from(
    conversations.onDidChange(showStreaming),
    conversations.onDidChange(showSteps),
    proposals.onDidChange(showProposal),
  );
}
