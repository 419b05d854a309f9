/** Copies of a conversation, and their titles. */
import { withEnd } from './branches.ts';
import type { Conversation } from './conversation.ts';
import { withTurnIds } from './requestMessages/omissions.ts';

/** A copy with new ids, up to and including the exchange `upTo`, or of everything that is shown. Other branches aren't copied. */
export function forkOf(
  conversation: Conversation,
  upTo: string | undefined,
  { createdAt, newId }: { readonly createdAt: number; newId(): string },
): Conversation {
  // The exchange can be on a branch now, if another window has edited a question.
  const kept = (upTo === undefined ? conversation : withEnd(conversation, upTo)).exchanges;
  // A continued turn and the question that continues it get the same new id.
  const turnIds = new Map<string, string>();
  const idOf = (turnId: string) => {
    const id = turnIds.get(turnId) ?? newId();
    turnIds.set(turnId, id);
    return id;
  };
  return {
    ...conversation,
    id: newId(),
    createdAt,
    pinned: false,
    forkedFrom: conversation.id,
    exchanges: kept.flatMap((exchange) => {
      const ended = exchange.attempts.filter(({ outcome }) => outcome !== undefined);
      if (ended.length === 0) return [];
      const { question } = exchange;
      const { continues } = question;
      const at = ended.findIndex(({ id }) => id === exchange.attempts[exchange.shown]?.id);
      return {
        ...exchange,
        id: newId(),
        question: continues === undefined ? question : { ...question, continues: idOf(continues) },
        attempts: ended.map((turn) => ({ ...withTurnIds(turn, idOf), id: idOf(turn.id) })),
        shown: at === -1 ? ended.length - 1 : at,
      };
    }),
    branches: [],
  };
}

/** The end of the title of a fork in English. */
const FORK = / \(fork(?: \d{1,4})?\)$/;
const LAST_NUMBER = /(\d{1,4})\D*$/;

/**
 * The title of a fork. If the title is taken, it gets a number.
 *
 * @param name returns the title of a fork with a number, counted from 1, in the display language
 */
export function toForkTitle(
  title: string,
  taken: ReadonlySet<string>,
  name: (title: string, fork: number) => string,
): string {
  const number = Number(LAST_NUMBER.exec(title)?.[1] ?? 1);
  const end = [name('', 1), name('', number)].find((one) => title.endsWith(one)) ?? '';
  const original = title.slice(0, title.length - end.length).replace(FORK, '');
  let fork = 1;
  while (taken.has(name(original, fork))) fork++;
  return name(original, fork);
}
