/**
 * The state of the composers. It survives hiding and moving the chat. Draft, attachments, edited questions, queue, and
 * format also survive a reload.
 */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import type { Unsent } from '../../conversation/unsent.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChosenFormats } from './chosenFormats.ts';
import { type Composer, createComposer } from './composerState.ts';

export interface Composers extends vscode.Disposable {
  /** The composer of a conversation. */
  of(conversationId: string): Composer;
  /** Whether a conversation has a question, or anything that the user has written or attached. */
  isBegun(conversationId: string): boolean;
  /** The composers that were used in this window, by the id of their conversation. */
  all(): Iterable<readonly [string, Composer]>;
  /** Reports that the caller changed a composer. */
  changed(conversationId: string): void;
  /** Appends text to the draft. */
  compose(conversationId: string, text: string): void;
  /** Appends the texts of edited questions for which no page has a box to the draft. */
  composeLeft(conversationId: string): void;
  /** Adds a question at the end of the queue, and reports it. A paused queue stays paused. */
  enqueue(conversationId: string, question: Question): void;
  readonly onDidChange: vscode.Event<ComposerChange>;
  /** The composer of a conversation is used for the first time in this window. */
  readonly onDidOpen: vscode.Event<string>;
  /** The composer of a conversation was opened with context that was added before a reload. */
  readonly onDidRestoreContext: vscode.Event<string>;
}

export interface ComposerChange {
  readonly conversationId: string;
  /** Text that was appended to the draft. */
  readonly composed: string | undefined;
}

/** The delay before a draft and its attachments are saved, in milliseconds. */
const SAVE_MS = 400;

export function createComposers(
  conversations: Pick<
    Conversations,
    'get' | 'draft' | 'putDraft' | 'unsent' | 'isUnsentUnread' | 'choices' | 'putUnsent' | 'queue' | 'enqueue'
  >,
  formats: ChosenFormats,
): Composers {
  const composers = new Map<string, Composer>();
  /** Conversations whose attachments and edits could not be read when their composer was made. */
  const unread = new Set<string>();
  const unsaved = new Map<string, string>();
  const unsent = new Map<string, Partial<Unsent>>();
  const changed = new vscode.EventEmitter<ComposerChange>();
  const opened = new vscode.EventEmitter<string>();
  const restored = new vscode.EventEmitter<string>();
  let timer: NodeJS.Timeout | undefined;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, draft] of unsaved) conversations.putDraft(id, draft);
    unsaved.clear();
    for (const [id, parts] of unsent) conversations.putUnsent(id, parts);
    unsent.clear();
  }

  function of(conversationId: string): Composer {
    const known = composers.get(conversationId);
    if (known !== undefined) {
      if (unread.has(conversationId)) readLate(conversationId, known);
      return known;
    }
    const composer = createComposer(conversationId, {
      conversations,
      formats,
      draft: () => unsaved.get(conversationId) ?? conversations.draft(conversationId),
      keepDraft(draft) {
        unsaved.set(conversationId, draft);
        timer ??= setTimeout(save, SAVE_MS);
      },
      keepUnsent(parts) {
        unsent.set(conversationId, { ...unsent.get(conversationId), ...parts });
        // At once: a fork that is created right afterwards has the preset, and an edit that was sent must not come back.
        if ('preset' in parts || 'otherEdits' in parts) return save();
        timer ??= setTimeout(save, SAVE_MS);
      },
    });
    composers.set(conversationId, composer);
    if (conversations.isUnsentUnread(conversationId)) unread.add(conversationId);
    opened.fire(conversationId);
    if (composer.context.length > 0) restored.fire(conversationId);
    return composer;
  }

  function readLate(conversationId: string, composer: Composer): void {
    if (conversations.isUnsentUnread(conversationId)) return;
    // Saved first, so that what was removed here meanwhile doesn't come back.
    save();
    const stored = conversations.unsent(conversationId);
    if (conversations.isUnsentUnread(conversationId)) return;
    unread.delete(conversationId);
    // Later, after the updates that this one causes.
    if (composer.restore(stored)) queueMicrotask(() => composeLeft(conversationId));
    if (composer.context.length > 0) restored.fire(conversationId);
  }

  function composeLeft(conversationId: string): void {
    const texts = of(conversationId).leftTexts();
    // Appended first, so that the texts are saved at each moment.
    if (texts.length > 0) compose(conversationId, texts.join('\n'));
    of(conversationId).dropLeft();
  }

  function compose(conversationId: string, text: string): void {
    const composer = of(conversationId);
    composer.draft = composer.draft === '' ? text : `${composer.draft}\n${text}`;
    changed.fire({ conversationId, composed: text });
  }

  return {
    of,
    isBegun(conversationId) {
      const { draft, queue, attachments, working, context } = of(conversationId);
      const { exchanges = [] } = conversations.get(conversationId) ?? {};
      return (
        draft !== '' || [exchanges, queue, attachments, working, context].some(({ length }) => length > 0)
      );
    },
    all: () => composers.entries(),
    changed: (conversationId) => changed.fire({ conversationId, composed: undefined }),
    enqueue(conversationId, question) {
      const composer = of(conversationId);
      if (composer.queue.length === 0) composer.queuePaused = false;
      conversations.enqueue(conversationId, question);
      changed.fire({ conversationId, composed: undefined });
    },
    composeLeft,
    compose,
    onDidChange: changed.event,
    onDidOpen: opened.event,
    onDidRestoreContext: restored.event,
    dispose() {
      save();
      changed.dispose();
      opened.dispose();
      restored.dispose();
    },
  };
}
