/** Commit messages whose answer was cut off: when Continue gives the rest, the complete message goes into the input box. */
import type * as vscode from 'vscode';
import { askedQuestion } from '../../conversation/conversation.ts';
import { isRestAlone, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { toCommitMessage } from '../../review/questions/commitQuestion.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Repository } from '../workspace/git.ts';

type WithBox = Pick<Repository, 'rootUri' | 'inputBox'>;

export interface ContinuedMessages extends vscode.Disposable {
  /**
   * The answer in a conversation is incomplete. The message is for this repository.
   *
   * @param isLate whether there is another commit since it was requested
   */
  wait(conversationId: string, repository: WithBox, isLate?: () => boolean): void;
  /** Puts a message into the input box. Those that wait for their rest were requested before it, and are not put there any more. */
  put(repository: WithBox, message: string): void;
}

export interface ContinuedMessagesDeps {
  readonly conversations: Pick<Conversations, 'find' | 'onDidChange'>;
  /** A repository as it is open now. The box of one that is closed takes nothing. */
  findOpen(repository: WithBox): WithBox | undefined;
  /** Called with a message that was put into the box of a repository when its rest had arrived. */
  onPut(conversationId: string, message: string, isLate: boolean, repository: WithBox): void;
}

export function createContinuedMessages({
  conversations,
  findOpen,
  onPut,
}: ContinuedMessagesDeps): ContinuedMessages {
  /** By conversation, in the order in which they were requested. */
  const waiting = new Map<string, WithBox & { isLate(): boolean }>();
  /** What was put into a box last, by the root of its repository. The user may have changed it since. */
  const last = new Map<string, string>();

  function put({ rootUri, inputBox }: WithBox, message: string): void {
    inputBox.value = message;
    last.set(rootUri.toString(), message);
  }

  /** Those requested before a message, or all, would replace it when their rest arrives. */
  function dropEarlier(root: string, before?: string): void {
    for (const [conversationId, { rootUri }] of waiting) {
      if (conversationId === before) return;
      if (rootUri.toString() === root) waiting.delete(conversationId);
    }
  }

  const listening = conversations.onDidChange((change) => {
    if (change.type !== 'turn' || change.turn.outcome !== 'complete') return;
    const asked = waiting.get(change.conversationId);
    const repository = asked && findOpen(asked);
    const found = repository && conversations.find(change.turn.id);
    const message = found === undefined ? '' : toMessage(found);
    if (repository === undefined || message === '') return;
    dropEarlier(repository.rootUri.toString(), change.conversationId);
    waiting.delete(change.conversationId);
    // What the user has written meanwhile stays.
    const { value } = repository.inputBox;
    if (value.trim() !== '' && value !== last.get(repository.rootUri.toString())) return;
    put(repository, message);
    onPut(change.conversationId, message, asked?.isLate() === true, repository);
  });

  return {
    wait(conversationId, { rootUri, inputBox }, isLate = () => false) {
      waiting.delete(conversationId);
      waiting.set(conversationId, { rootUri, inputBox, isLate });
    },
    put(repository, message) {
      dropEarlier(repository.rootUri.toString());
      put(repository, message);
    },
    dispose: () => listening.dispose(),
  };
}

/** The complete message; empty when the turn is about something else, or its answer doesn't continue the one before. */
function toMessage({ conversation, exchange, turn }: Found): string {
  const asked = askedQuestion(exchange, turn);
  if (asked.purpose !== 'commit-message') return '';
  const { text, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  return fits && !isRestAlone(conversation.exchanges, asked, turn) ? toCommitMessage(text) : '';
}
