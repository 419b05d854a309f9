/** The conversation in the side bar, and new conversations. An empty conversation is reused, so that there is at most one. */
import { randomUUID } from 'node:crypto';
import { type Conversation, createConversation } from '../../conversation/conversation.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import { isBegun } from '../../history/unsentParts.ts';
import type { LastConversation } from './lastConversation.ts';

/** Whether an empty conversation may be reused, by its id. By default, any may be reused. */
type IsFree = (id: string) => boolean;

export interface CurrentConversation {
  /**
   * The conversation in the side bar. One is created if there is none. If another window deleted it, it stays, without its
   * exchanges, until the user restores it or opens another one.
   */
  current(): Conversation;
  create(isFree?: IsFree): Conversation;
  /** An empty conversation, without opening it. */
  unused(isFree?: IsFree): Conversation;
  /** Creates a conversation without opening it. Its id begins with the prefix. */
  createAside(title: string, prefix?: string): Conversation;
  open(id: string): void;
  /** Whether a conversation is in the side bar only because the one that was open there can't be read now. */
  standsIn(id: string): boolean;
}

export interface OpenedConversation extends CurrentConversation {
  /** Opens a conversation, even if it is open already. */
  show(id: string): void;
  /** A conversation was deleted. If it was open, another one is opened. */
  leave(id: string): void;
  /** Opens the conversation that could not be read before, if it can be read now and the user has not begun another one. */
  resume(): void;
}

export interface CurrentConversationDeps {
  readonly store: Pick<
    ConversationStore,
    'get' | 'removed' | 'open' | 'put' | 'isUnread' | 'draft' | 'queue' | 'unsent'
  >;
  readonly lastConversation: LastConversation;
  readonly untitled: string;
  readonly workspace: string | undefined;
  /** Whether the user has begun something in a conversation, which may not be stored yet. */
  isBegun(id: string): boolean;
  onOpened(): void;
}

export function createCurrentConversation(deps: CurrentConversationDeps): OpenedConversation {
  const { store, lastConversation, untitled, workspace } = deps;
  let currentId = lastConversation.get() ?? '';
  /** Whether another conversation is open because the last one can't be read. */
  let isWaiting = false;

  const toNew = (title: string, prefix = '') =>
    createConversation(`${prefix}${randomUUID()}`, Date.now(), title, workspace);
  const isUsed = (one: Conversation) => isBegun(store, one) || deps.isBegun(one.id);
  const findUnused = (isFree: IsFree) => store.open().find((one) => !isUsed(one) && isFree(one.id));

  function put(conversation: Conversation): Conversation {
    store.put(conversation);
    return conversation;
  }

  const unused = (isFree: IsFree = () => true) => findUnused(isFree) ?? put(toNew(untitled));

  function set(id: string): void {
    currentId = id;
    isWaiting = false;
    lastConversation.set(id);
  }

  function show(id: string): void {
    set(id);
    deps.onOpened();
  }

  function current(): Conversation {
    const known = store.get(currentId) ?? store.removed(currentId);
    if (known !== undefined) return known;
    const conversation = unused();
    // The conversation may exist, which is known when it can be read.
    if (store.isUnread(currentId)) {
      currentId = conversation.id;
      isWaiting = true;
    } else set(conversation.id);
    return conversation;
  }

  function resume(): void {
    if (!isWaiting) return;
    const before = lastConversation.get() ?? '';
    const isThere = store.get(before) !== undefined;
    if (!isThere && store.isUnread(before)) return;
    const now = current();
    if (isUsed(now) || !isThere) set(now.id);
    else if (before !== now.id) show(before);
  }

  return {
    current,
    unused,
    show,
    create(isFree) {
      const conversation = unused(isFree);
      show(conversation.id);
      return conversation;
    },
    standsIn: (id) => isWaiting && id === currentId && store.isUnread(lastConversation.get() ?? ''),
    createAside: (title, prefix) => put({ ...toNew(title, prefix), named: true }),
    open(id) {
      if (id !== currentId && store.get(id) !== undefined) show(id);
    },
    leave(id) {
      if (id !== currentId) return;
      currentId = '';
      show(current().id);
    },
    resume,
  };
}
