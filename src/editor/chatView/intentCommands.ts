/** Messages of the page that do the same as a command of the editor. */
import type { ProposalAction } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

export interface IntentCommand {
  readonly id: string;
  readonly args: readonly unknown[];
  /** Whether the command opens an input and returns true if the user has chosen something in it. */
  readonly opensInput: boolean;
}

/**
 * The command that a message runs; undefined if it runs none.
 *
 * @param conversationId the conversation that the page shows
 */
export function toCommand(message: WebviewMessage, conversationId: string): IntentCommand | undefined {
  switch (message.type) {
    case 'pick-preset':
      return input('k3.choosePreset', conversationId);
    case 'pick-format':
      return input('k3.pickAnswerFormat', conversationId);
    case 'pick-tools':
      return input('k3.pickTools');
    case 'open-reasoning':
      return command('k3.openReasoning', message.turnId);
    case 'cite':
      return command('_k3.citeSteps', message);
    case 'show-step':
      return command('_k3.selectStep', { turnId: message.turnId, index: message.step, show: true });
    case 'revert':
      return command('k3.revertMessage', message.turnId);
    case 'compare-attempts':
      return command('k3.compareAttempts', message.turnId);
    case 'proposal':
      return command(COMMAND_OF_PROPOSAL[message.action], message);
    default:
      return undefined;
  }
}

const command = (id: string, ...args: readonly unknown[]): IntentCommand => ({ id, args, opensInput: false });
const input = (id: string, ...args: readonly unknown[]): IntentCommand => ({ id, args, opensInput: true });

const COMMAND_OF_PROPOSAL = {
  review: 'k3.reviewProposal',
  diff: 'k3.openProposalDiff',
  'accept-all': 'k3.acceptAll',
  'reject-all': 'k3.rejectAll',
  compare: 'k3.compareProposals',
  reopen: 'k3.reopenProposal',
  restore: 'k3.restoreRejected',
} as const satisfies Record<ProposalAction, string>;
