/** Finds turns of the known conversations, and tracks which of their problems the user has seen. */

import { withEnd } from '../../conversation/branches.ts';
import type { Conversation, Exchange } from '../../conversation/conversation.ts';
import type { NoticeCode } from '../../conversation/outcomes/notices.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { ConversationChange } from './conversationChange.ts';

export interface Found {
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly turn: Turn;
}

export interface FoundTurns {
  find(turnId: string): Found | undefined;
  /** Records that the user has seen a problem of a turn, by default all of them. */
  markSeen(turnId: string, code?: NoticeCode): void;
  isSeen(turnId: string, code?: NoticeCode): boolean;
}

export interface FoundTurnsDeps {
  readonly store: Pick<ConversationStore, 'open' | 'unread'>;
  readonly fire: (change: ConversationChange) => void;
}

export function createFoundTurns({ store, fire }: FoundTurnsDeps): FoundTurns {
  const seen = new Set<string>();

  function find(turnId: string): Found | undefined {
    for (const conversation of [...store.open(), ...store.unread()]) {
      for (const exchange of conversation.exchanges) {
        const turn = exchange.attempts.find(({ id }) => id === turnId);
        if (turn !== undefined) return { conversation, exchange, turn };
      }
    }
    return undefined;
  }

  return {
    find,
    markSeen(turnId, code) {
      const found = find(turnId);
      const key = keyOf(turnId, code);
      if (found === undefined || seen.has(key)) return;
      seen.add(key);
      fire({ type: 'seen', conversationId: found.conversation.id, turnId });
    },
    isSeen: (turnId, code) => seen.has(turnId) || seen.has(keyOf(turnId, code)),
  };
}

const keyOf = (turnId: string, code?: NoticeCode) => (code === undefined ? turnId : `${turnId}/${code}`);

/** Finds a turn on any branch: a document of the turn stays open when its question is edited. */
export function findOnBranches(conversation: Conversation, turnId: string): Found | undefined {
  const { exchanges, branches } = conversation;
  for (const exchange of [exchanges, ...branches.map((branch) => branch.exchanges)].flat()) {
    const turn = exchange.attempts.find(({ id }) => id === turnId);
    if (turn !== undefined) return { conversation: withEnd(conversation, exchange.id), exchange, turn };
  }
  return undefined;
}
