/** The state of the composers. It survives hiding and moving the chat; draft, queue, and format survive a reload. */
import * as vscode from 'vscode';
import type { AnswerFormat } from '../../chat/answerFormat.ts';
import type { ContextItem } from '../../chat/context.ts';
import type { AttachedImage } from '../../chat/imagePlan.ts';
import type { QueuedQuestion } from '../../chat/queue.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChosenFormats } from './chosenFormats.ts';

/** Context that is sent with the next message. */
export interface AttachedContext {
  readonly item: ContextItem;
  /** Its source has changed since it was added. */
  readonly changed: boolean;
}

export interface Composer {
  /** One draft for all panels and windows, as it was written last. */
  draft: string;
  attachments: readonly AttachedImage[];
  /** Images that are being read, checked, or scaled. */
  working: readonly WorkingImage[];
  /** Why images were not attached. Kept until the user dismisses it or sends the message. */
  rejected: readonly RejectedImage[];
  context: readonly AttachedContext[];
  refusal: string | undefined;
  /** The answer format; undefined for text. */
  format: AnswerFormat | undefined;
  /** Messages that are sent after the running answer, the next one first: one queue for all panels and windows. */
  readonly queue: readonly QueuedQuestion[];
  /** The queue waits until the user sends it. False while this window sends it, one message after each answer. */
  queuePaused: boolean;
  /** The first queued message is about to be sent. */
  sendingQueued: boolean;
}

export interface WorkingImage {
  readonly name: string;
  cancel(): void;
  /** Resolves when it is attached, rejected, or canceled. */
  readonly done: Promise<void>;
}

export interface RejectedImage {
  readonly text: string;
  /** The user can select the image as a file instead. */
  readonly offersFile: boolean;
}

export interface Composers extends vscode.Disposable {
  /** The composer of a conversation. */
  of(conversationId: string): Composer;
  /** Reports that the caller changed a composer. */
  changed(conversationId: string): void;
  /** Appends text to the draft. */
  compose(conversationId: string, text: string): void;
  readonly onDidChange: vscode.Event<ComposerChange>;
}

export interface ComposerChange {
  readonly conversationId: string;
  /** Text that was appended to the draft. */
  readonly composed: string | undefined;
}

/** The delay before a draft is saved, in milliseconds. */
const SAVE_MS = 400;

export function createComposers(
  conversations: Pick<Conversations, 'draft' | 'putDraft' | 'queue'>,
  formats: ChosenFormats,
): Composers {
  const composers = new Map<string, Composer>();
  const unsaved = new Map<string, string>();
  const changed = new vscode.EventEmitter<ComposerChange>();
  let timer: NodeJS.Timeout | undefined;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, draft] of unsaved) conversations.putDraft(id, draft);
    unsaved.clear();
  }

  function create(conversationId: string): Composer {
    return {
      get queue() {
        return conversations.queue(conversationId);
      },
      queuePaused: true,
      sendingQueued: false,
      get draft() {
        return unsaved.get(conversationId) ?? conversations.draft(conversationId);
      },
      set draft(text) {
        if (text === this.draft) return;
        unsaved.set(conversationId, text);
        timer ??= setTimeout(save, SAVE_MS);
      },
      get format() {
        return formats.get(conversationId);
      },
      set format(format) {
        formats.set(conversationId, format);
      },
      attachments: [],
      working: [],
      rejected: [],
      context: [],
      refusal: undefined,
    };
  }

  function of(conversationId: string): Composer {
    const known = composers.get(conversationId) ?? create(conversationId);
    composers.set(conversationId, known);
    return known;
  }

  return {
    of,
    changed: (conversationId) => changed.fire({ conversationId, composed: undefined }),
    compose(conversationId, text) {
      const composer = of(conversationId);
      composer.draft = composer.draft === '' ? text : `${composer.draft}\n${text}`;
      changed.fire({ conversationId, composed: text });
    },
    onDidChange: changed.event,
    dispose() {
      save();
      changed.dispose();
    },
  };
}
