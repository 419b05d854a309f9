/** The conversations and their running turns. This is the only place that changes them. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { withBranch } from '../../conversation/branches.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import type { QueuedQuestion } from '../../conversation/queue.ts';
import type { Choices, Unsent } from '../../conversation/unsent.ts';
import type { ConversationStore } from '../../history/conversationStore.ts';
import type { Holder } from '../../history/leaseRows.ts';
import type { Summary } from '../../history/listedRows.ts';
import type { DeletedConversation } from '../../history/removedRows.ts';
import type { ToolboxOf } from '../../requests/conversationRequest.ts';
import type { Turns } from '../../requests/turns.ts';
import type { Log } from '../base/log.ts';
import type { ConversationChange } from './conversationChange.ts';
import { type ConversationCopies, createConversationCopies } from './conversationCopies.ts';
import { type ConversationEdits, createConversationEdits } from './conversationEdits.ts';
import { type CurrentConversation, createCurrentConversation } from './currentConversation.ts';
import { createFoundTurns, type FoundTurns } from './foundTurns.ts';
import type { LastConversation } from './lastConversation.ts';
import { createQuestions, type Questions } from './questionPlaces.ts';
import { createTurnRunner } from './turnRunner.ts';
import { createTurnStart, type InstructionsOf } from './turnStart.ts';

export interface Conversations
  extends vscode.Disposable,
    CurrentConversation,
    ConversationCopies,
    ConversationEdits,
    Questions,
    FoundTurns {
  readonly onDidChange: vscode.Event<ConversationChange>;
  /** Summaries of all conversations, newest first. */
  list(): readonly Summary[];
  /** The conversations that were loaded in this window. */
  loaded(): readonly Conversation[];
  get(id: string): Conversation | undefined;
  /** A number that changes each time a window writes the conversation; undefined if the database doesn't have it. */
  revision(id: string): number | undefined;
  /** The ids of the turns that were copied into a conversation. Its cost doesn't include them. */
  copies(id: string): ReadonlySet<string>;
  /** Whether a conversation could not be read when it was last needed. When it can be read, it is `replaced`. */
  isUnread(id: string): boolean;
  /**
   * Deletes a conversation. `restore` undoes this.
   *
   * @param named false for a conversation of `createAside`, which has no title by the user and isn't offered to be restored
   */
  delete(id: string, named?: boolean): void;
  restore(id: string): void;
  /** A deleted conversation that can be restored, without its exchanges. */
  deleted(id: string): Conversation | undefined;
  /** The deleted conversations that can be restored, the latest deletion first. */
  listDeleted(): readonly DeletedConversation[];
  /**
   * Shows the branch that starts with an exchange, unless an answer runs in the conversation in any window. Returns whether
   * the branch is shown.
   */
  showBranch(conversationId: string, exchangeId: string): boolean;
  /** Stops the running turn. The text received so far is kept. */
  stop(conversationId: string): void;
  /** Stops one running tool call. The model gets this as the result, and the turn continues. */
  stopCall(conversationId: string, callId: string): void;
  isRunning(conversationId: string): boolean;
  /** The other window that runs a turn in a conversation. Until the turn ends, the conversation is read-only in this window. */
  holder(conversationId: string): Holder | undefined;
  draft(conversationId: string): string;
  putDraft(conversationId: string, draft: string): void;
  queue(conversationId: string): readonly QueuedQuestion[];
  enqueue(conversationId: string, question: Question): void;
  dequeue(conversationId: string, queuedId: string): void;
  clearQueue(conversationId: string): void;
  /** The unsent state of a conversation, besides the text of the draft. */
  unsent(conversationId: string): Unsent;
  /** Whether the unsent state could not be read when it was last needed. When it can be read, the conversation is `replaced`. */
  isUnsentUnread(conversationId: string): boolean;
  /** The choices for the next messages, as this or another window made them last. */
  choices(conversationId: string): Choices;
  /** Stores the given parts. The others stay unchanged. */
  putUnsent(conversationId: string, parts: Partial<Unsent>): void;
  /** The conversation of the chat in front, in the side bar or a tab; by default, the one in the side bar. */
  front(): Conversation;
  /** Sets what the chat in front shows, the event that fires when that changes, and what all chats show, also hidden ones. */
  useFront(
    shownInFront: () => string | undefined,
    onDidChange: vscode.Event<unknown>,
    shown: () => readonly (string | undefined)[],
  ): vscode.Disposable;
  /** Whether a chat shows the conversation, in the side bar or a tab. The chat can be hidden. */
  isShown(conversationId: string): boolean;
  /** Sets the function that tells whether the user has begun something in a conversation, which may not be stored yet. */
  useBegun(isBegun: (conversationId: string) => boolean): void;
  /** Sets which tools the turns of a conversation may call. Until then there are none. */
  useTools(toolboxOf: ToolboxOf): void;
  /** The tools that the turns of a conversation may call. */
  readonly toolboxOf: ToolboxOf;
  /** Sets which instructions go with a question. Until then there are none. */
  useInstructions(instructionsOf: InstructionsOf): void;
}

export interface ConversationsDeps {
  readonly turns: Pick<Turns, 'prepare'>;
  readonly log: Log;
  readonly store: ConversationStore;
  /** The title of a conversation without a question. */
  readonly untitled: string;
  /** The name of the workspace, which is stored with new conversations. */
  readonly workspace: string | undefined;
  /** The conversation that was open before a reload. */
  readonly lastConversation: LastConversation;
}

/** How often changes of other windows are read, in milliseconds. */
const POLL_MS = 2000;

export function createConversations(deps: ConversationsDeps): Conversations {
  const { store, untitled } = deps;
  const changed = new vscode.EventEmitter<ConversationChange>();
  const fire = (change: ConversationChange) => changed.fire(change);
  const allEdits = createConversationEdits({ store, untitled, fire });
  const { put, putExchange, putTurn, replaced, ...edits } = allEdits;
  const { show, leave, resume, ...opened } = createCurrentConversation({
    ...deps,
    // A command may be about to send a question in it.
    isBegun: (conversationId) => isBegun(conversationId) || runner.isRunning(conversationId),
    onOpened: () => fire({ type: 'opened' }),
  });
  const found = createFoundTurns({ store, fire });
  let isBegun = (_conversationId: string): boolean => false;
  let shownInFront: () => string | undefined = () => undefined;
  let shown: () => readonly (string | undefined)[] = () => [];
  const isShown = (id: string) => shown().includes(id);
  store.useShown((id) => id === deps.lastConversation.get() || isShown(id));
  let tools: ToolboxOf = () => undefined;
  const toolboxOf: ToolboxOf = (...about) => tools(...about);
  let instructionsOf: InstructionsOf = async () => [];
  const runner = createTurnRunner({
    log: deps.log,
    store,
    onTurn: putTurn,
    onFree: (conversationId) => fire({ type: 'free', conversationId }),
  });
  const start = createTurnStart({
    turns: deps.turns,
    runner,
    store,
    poll,
    toolboxOf,
    instructionsOf: (...about) => instructionsOf(...about),
    put,
    putExchange,
    replaced: (conversationId) => fire({ type: 'replaced', conversationId }),
  });

  function poll(): void {
    const { listed, changed: others, removed, lost } = store.poll();
    // The text received so far in a stopped turn is kept, beside the turn of the other window.
    for (const conversationId of [...removed, ...lost]) runner.stop(conversationId);
    for (const conversationId of others) fire({ type: 'replaced', conversationId });
    if (listed) fire({ type: 'listed' });
    resume();
  }

  const polling = setInterval(poll, POLL_MS);

  return {
    ...unchanged(store),
    ...edits,
    ...opened,
    ...found,
    ...createQuestions(start, found.find),
    ...createConversationCopies({ store, fire, show }),
    onDidChange: changed.event,
    delete(id, named) {
      runner.stop(id);
      store.remove(id, named);
      leave(id);
      replaced(id);
    },
    restore(id) {
      store.restore(id);
      replaced(id);
    },
    showBranch(conversationId, exchangeId) {
      // Otherwise the answer that runs, in any window, would no longer be shown.
      if (runner.isRunning(conversationId) || store.holder(conversationId) !== undefined) return false;
      const conversation = store.latest(conversationId);
      if (conversation === undefined) return false;
      put(withBranch(conversation, exchangeId));
      return true;
    },
    stop: runner.stop,
    stopCall: runner.stopCall,
    isRunning: runner.isRunning,
    enqueue: (conversationId, question) => store.enqueue(conversationId, { id: randomUUID(), question }),
    front() {
      const id = shownInFront();
      const known = id === undefined ? undefined : (store.get(id) ?? store.removed(id));
      return known ?? opened.current();
    },
    isShown,
    useFront(next, onDidChange, all) {
      shownInFront = next;
      shown = all;
      return onDidChange(() => fire({ type: 'front' }));
    },
    useBegun(next) {
      isBegun = next;
    },
    useTools(next) {
      tools = next;
    },
    toolboxOf,
    useInstructions(next) {
      instructionsOf = next;
    },
    dispose() {
      clearInterval(polling);
      // Saved before running turns are aborted, which must not be recorded as stopped by the user.
      store.dispose();
      runner.dispose();
      changed.dispose();
    },
  };
}

/** The functions of the store that everybody may call directly, because their changes need not be reported. */
function unchanged(store: ConversationStore) {
  return {
    list: store.list,
    loaded: store.open,
    ...{ get: store.get, revision: store.revision },
    copies: store.copies,
    isUnread: store.isUnread,
    deleted: store.removed,
    listDeleted: store.listRemoved,
    holder: store.holder,
    draft: store.draft,
    putDraft: store.putDraft,
    unsent: store.unsent,
    isUnsentUnread: store.isUnsentUnread,
    choices: store.choices,
    putUnsent: store.putUnsent,
    queue: store.queue,
    dequeue: store.dequeue,
    clearQueue: store.clearQueue,
  };
}
