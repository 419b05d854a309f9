/**
 * Commit messages that are complete only after their command has ended: when Continue or Retry completes one, also after a reload, it
 * goes into the input box.
 */
import { allExchanges } from '../../conversation/allExchanges.ts';
import { firstPartOf } from '../../conversation/answerParts.ts';
import { askedQuestion } from '../../conversation/conversation.ts';
import { isAnswered } from '../../conversation/rounds.ts';
import { isRestAlone, toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { toCommitMessage } from '../../review/questions/commitQuestion.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { headCommitOf, type Repository } from '../workspace/git.ts';

type WithBox = Pick<Repository, 'rootUri' | 'inputBox' | 'state'>;

export interface ContinuedMessages {
  /** Call this for a turn whose message the command handles itself. */
  own(turnId: string): void;
  /** Call this if the message of a turn was not put anywhere. Another attempt may then be put into the box. */
  leave(turnId: string): void;
  /**
   * Puts a message into the input box. Messages that were requested before it are no longer put there.
   *
   * @param askedAt when the message was requested, in epoch milliseconds
   */
  put(repository: Pick<WithBox, 'rootUri' | 'inputBox'>, message: string, askedAt: number): void;
  /**
   * Call this when a question for a commit message was answered. Puts the message into the box if it is the first one of its
   * conversation.
   */
  answered(turnId: string): Promise<void>;
}

export interface ContinuedMessagesDeps {
  readonly conversations: Pick<Conversations, 'find'>;
  /** The open repository with this root. The object of a repository that was closed no longer accepts a message. */
  findOpen(root: string): Promise<WithBox | undefined>;
  /**
   * Called when the rest of a message has arrived, and the message was put into the box of its repository.
   *
   * @param isLate whether there is another commit since the message was requested
   */
  onPut(conversationId: string, message: string, isLate: boolean, repository: WithBox): void;
  /** Called when a complete message that the user has just requested was not put anywhere. */
  onKept(conversationId: string, isClosed: boolean): void;
}

export function createContinuedMessages({
  conversations,
  findOpen,
  onPut,
  onKept,
}: ContinuedMessagesDeps): ContinuedMessages {
  const own = new Set<string>();
  const left = new Set<string>();
  /** The last message that was put into a box, by the root of its repository. The user may have changed it since. */
  const last = new Map<string, string>();
  /** When the newest message for a repository was requested, in epoch milliseconds, by root. */
  const newest = new Map<string, number>();

  function put(
    { rootUri, inputBox }: Pick<WithBox, 'rootUri' | 'inputBox'>,
    message: string,
    askedAt: number,
  ): void {
    const root = rootUri.toString();
    inputBox.value = message;
    last.set(root, message);
    newest.set(root, Math.max(askedAt, newest.get(root) ?? 0));
  }

  /** Whether a conversation has another message than that of a turn. */
  const hasOther = ({ conversation, turn }: Found): boolean =>
    allExchanges(conversation).some(
      ({ question, attempts }) =>
        question.purpose === 'commit-message' &&
        attempts.some((one) => one.id !== turn.id && isAnswered(one) && !left.has(one.id)),
    );

  async function putAnswer(found: Found, message: string): Promise<'put' | 'kept' | 'closed'> {
    const { conversation, exchange, turn } = found;
    const { question, attempts } = firstPartOf(conversation.exchanges, exchange);
    const repository = question.repository === undefined ? undefined : await findOpen(question.repository);
    if (repository === undefined) return 'closed';
    const root = repository.rootUri.toString();
    const askedAt = attempts[0]?.startedAt ?? turn.startedAt;
    const before = newest.get(root) ?? 0;
    newest.set(root, Math.max(askedAt, before));
    // Text that the user has written in the meantime stays.
    const { value } = repository.inputBox;
    if (askedAt < before || (value.trim() !== '' && value !== last.get(root))) return 'kept';
    put(repository, message, askedAt);
    onPut(conversation.id, message, headCommitOf(repository) !== question.commit, repository);
    return 'put';
  }

  return {
    own: (turnId) => void own.add(turnId),
    leave: (turnId) => void left.add(turnId),
    put,
    async answered(turnId) {
      const found = own.has(turnId) ? undefined : conversations.find(turnId);
      if (found === undefined) return;
      const message = toMessage(found);
      const isOther = hasOther(found);
      if (message === '') {
        if (!isOther) left.add(turnId);
        return;
      }
      const done = isOther ? 'kept' : await putAnswer(found, message);
      if (done === 'closed') left.add(turnId);
      if (done !== 'put') onKept(found.conversation.id, done === 'closed');
    },
  };
}

/** The complete message; empty if the answer doesn't continue the previous part. */
function toMessage({ conversation, exchange, turn }: Found): string {
  const asked = askedQuestion(exchange, turn);
  const { text, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  return fits && !isRestAlone(conversation.exchanges, asked, turn) ? toCommitMessage(text) : '';
}
