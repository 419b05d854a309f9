/** Commit messages that their command didn't get: when Continue or Retry gives one, also after a reload, it goes into the input box. */
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
  /** The command puts the message of a turn itself, or says why there is none. */
  own(turnId: string): void;
  /** The message of a turn was not put anywhere, so that another attempt may be. */
  leave(turnId: string): void;
  /**
   * Puts a message into the input box. Those that were asked for before it are not put there any more.
   *
   * @param askedAt epoch milliseconds
   */
  put(repository: Pick<WithBox, 'rootUri' | 'inputBox'>, message: string, askedAt: number): void;
  /** There is an answer to a question for a commit message. If it is the first one in its conversation, it is put into the box. */
  answered(turnId: string): Promise<void>;
}

export interface ContinuedMessagesDeps {
  readonly conversations: Pick<Conversations, 'find'>;
  /** A repository as it is open now, by its root. The box of one that is closed takes nothing. */
  findOpen(root: string): Promise<WithBox | undefined>;
  /**
   * Called with a message that was put into the box of a repository when its rest had arrived.
   *
   * @param isLate whether there is another commit since it was asked for
   */
  onPut(conversationId: string, message: string, isLate: boolean, repository: WithBox): void;
  /** Called with a complete message that was not put anywhere, which the user has just asked for. */
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
  /** What was put into a box last, by the root of its repository. The user may have changed it since. */
  const last = new Map<string, string>();
  /** When the newest message for a repository was asked for. */
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

  /** Whether a conversation has a message besides that of a turn. */
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
    // What the user has written meanwhile stays.
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

/** The complete message; empty when the answer doesn't continue the one before. */
function toMessage({ conversation, exchange, turn }: Found): string {
  const asked = askedQuestion(exchange, turn);
  const { text, fits } = toWholeAnswer(conversation.exchanges, asked, turn);
  return fits && !isRestAlone(conversation.exchanges, asked, turn) ? toCommitMessage(text) : '';
}
