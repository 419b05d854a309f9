/** Conversations that are added as a whole: forks and imports. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { forkOf, toForkTitle } from '../../conversation/fork.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { ConversationChange } from './conversationChange.ts';

export interface ConversationCopies {
  /**
   * Creates and opens a copy of a conversation, up to and including an exchange, by default all of it. Undefined if the
   * conversation can't be read.
   */
  fork(id: string, exchangeId?: string): Conversation | undefined;
  /**
   * Adds an imported conversation, as a copy if any of its ids is known. A conversation that was imported before is not
   * added again.
   */
  addImported(conversation: Conversation): { readonly id: string; readonly isNew: boolean };
}

export interface ConversationCopiesDeps {
  readonly store: Pick<
    ConversationStore,
    'get' | 'list' | 'putCopy' | 'putImported' | 'choices' | 'putUnsent'
  >;
  readonly fire: (change: ConversationChange) => void;
  /** Opens a conversation. */
  show(id: string): void;
}

const nameFork = (title: string, fork: number): string =>
  fork === 1 ? vscode.l10n.t('{0} (fork)', title) : vscode.l10n.t('{0} (fork {1})', title, fork);

export function createConversationCopies({ store, fire, show }: ConversationCopiesDeps): ConversationCopies {
  return {
    fork(id, exchangeId) {
      const conversation = store.get(id);
      if (conversation === undefined) return undefined;
      const taken = new Set(store.list().map((one) => one.title));
      const title = toForkTitle(conversation.title, taken, nameFork);
      const copy = forkOf(conversation, exchangeId, { createdAt: Date.now(), newId: randomUUID });
      const fork = { ...copy, title };
      store.putCopy(fork);
      const chosen = store.choices(id);
      if (chosen.preset !== undefined || chosen.leavesOut) store.putUnsent(fork.id, chosen);
      fire({ type: 'listed' });
      show(fork.id);
      return fork;
    },
    addImported(conversation) {
      const imported = store.putImported(conversation, { createdAt: Date.now(), newId: randomUUID });
      fire({ type: 'listed' });
      return imported;
    },
  };
}
