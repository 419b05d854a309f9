/**
 * The state of one composer. Draft, attachments, context, edits, preset, and format are saved when they are set, and read
 * again after a reload.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AnswerFormat } from '../../conversation/answerFormats/answerFormat.ts';
import {
  type BoxedEdit,
  boxOf,
  fromUnsentEdits,
  type Page,
  toFree,
  toUnsentEdits,
  withBox,
  withLeft,
  withOpened,
} from '../../conversation/editBoxes.ts';
import type { AttachedImage } from '../../conversation/images/imagePlan.ts';
import type { QueuedQuestion } from '../../conversation/queue.ts';
import { type Editing, editingIn, isWritten, reopenDraft, type Unsent } from '../../conversation/unsent.ts';
import type { FoundInstructions } from '../../instructions/findInstructions.ts';
import type { Refusal } from '../../requests/refusal.ts';
import {
  type AttachedContext,
  type RejectedImage,
  type WorkingItem,
  withStored,
} from '../context/attachments.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChosenFormats } from './chosenFormats.ts';

export interface Composer {
  /** The draft, as it was written last: all panels and windows share one. */
  draft: string;
  attachments: readonly AttachedImage[];
  /** Context that is being read for the first time, and images that are being read, checked, or scaled. */
  working: readonly WorkingItem[];
  /** Why images were not attached. Kept until the user dismisses it or sends the message. */
  rejected: readonly RejectedImage[];
  context: readonly AttachedContext[];
  /**
   * The reasons why context or images were not attached, one for each failure. A message that waited for them isn't sent,
   * even if the shown reason has changed since.
   */
  failed: readonly string[];
  /** The IDs of context that is being read again for a message, if that takes long. */
  reading: ReadonlySet<string>;
  /** The instructions of the project that go with the next message, as they were read last. */
  instructions: FoundInstructions;
  /** The earlier question that was edited last, if it is still being edited. */
  readonly editing: Editing | undefined;
  /** The earlier questions that are being edited in other panels. */
  readonly otherEdits: readonly Editing[];
  /** Edited questions that are being sent. They are saved, so that a reload doesn't lose them. */
  sendingEdits: readonly Editing[];
  /**
   * The box of a page has changed, as in `withBox` of `src/conversation/editBoxes.ts`. Other pages keep their boxes.
   * Without a page, the edit is for the next page that opens the conversation.
   *
   * @param isOpen whether the page shows the conversation
   */
  edit(before: string | undefined, next: Editing | undefined, page?: Page, isOpen?: boolean): void;
  /** A page opens the conversation. Returns whether there are edits for which no page has a box. */
  openBox(page: Page): boolean;
  /** The texts of edits for which no page has a box, except those that equal their question. */
  leftTexts(): readonly string[];
  /** Forgets the edits for which no page has a box. */
  dropLeft(): void;
  /** The edit in the box of a page that has opened the conversation. */
  boxOf(page: Page): Editing | undefined;
  /** A page was closed, or shows another conversation. Its edit is for the next page that opens this conversation. */
  leaveBox(page: Page): void;
  /**
   * Adds stored state that could not be read when the composer was created. Returns whether there are edits for which no
   * page has a box, although a page shows the conversation.
   */
  restore(stored: Unsent): boolean;
  refusal: string | undefined;
  /** The refusal that `refusal` describes, if a request was refused. It is removed with its cause. */
  refused: Refusal | undefined;
  /** The name of the preset that the user chose, here or in another window; undefined for none. */
  preset: string | undefined;
  /** The answer format; undefined for text. */
  format: AnswerFormat | undefined;
  /** Messages that are sent after the running answer, the next one first: one queue for all panels and windows. */
  readonly queue: readonly QueuedQuestion[];
  /** Whether the queue waits until the user sends it. False while this window sends it, one message after each answer. */
  queuePaused: boolean;
  /** Whether a message or an edited question waits until something is read for it. The user can stop that. */
  waiting: boolean;
  /** Whether the first queued message is about to be sent. */
  sendingQueued: boolean;
}

export interface ComposerStateDeps {
  readonly conversations: Pick<Conversations, 'get' | 'unsent' | 'choices' | 'queue'>;
  readonly formats: ChosenFormats;
  /** The draft, as this or another window wrote it last. */
  draft(): string;
  /** Called with each change of the draft. */
  keepDraft(draft: string): void;
  /** Called with the parts that have changed, to save them. */
  keepUnsent(parts: Partial<Unsent>): void;
}

export function createComposer(
  conversationId: string,
  { conversations, formats, draft, keepDraft, keepUnsent }: ComposerStateDeps,
): Composer {
  const before = conversations.unsent(conversationId);
  let { images } = before;
  let edits: readonly BoxedEdit[] = [];
  const pages = new Set<Page>();
  let sendingEdits: readonly Editing[] = [];
  let kept: Pick<Unsent, 'editing' | 'otherEdits'> = before;
  let context = withStored([], before.context);
  /** Saves only the edits that have changed: typing in one box doesn't write the others. */
  function keepEdits(): void {
    const { editing, otherEdits: inBoxes } = toUnsentEdits(edits);
    const otherEdits = [...inBoxes, ...sendingEdits];
    const parts = {
      ...(!isSame(kept.otherEdits, otherEdits) && { otherEdits }),
      ...(kept.editing !== editing && { editing }),
    };
    // In one write, because an edit may move from one part to the other.
    if (Object.keys(parts).length > 0) keepUnsent(parts);
    kept = { editing, otherEdits };
  }
  /**
   * Whether an edit is of the question of an exchange. By now, the page or this window can show another version of that
   * question.
   */
  function isAt(edit: Editing, exchangeId: string | undefined): boolean {
    if (exchangeId === undefined || edit.exchangeId === exchangeId) return exchangeId !== undefined;
    const shown = conversations.get(conversationId);
    return shown !== undefined && editingIn(shown, edit)?.exchangeId === exchangeId;
  }
  const composer: Composer = {
    get queue() {
      return conversations.queue(conversationId);
    },
    queuePaused: true,
    sendingQueued: false,
    get draft() {
      return draft();
    },
    set draft(text) {
      if (text !== draft()) keepDraft(text);
    },
    get attachments() {
      return images;
    },
    set attachments(attached) {
      if (isSame(images, attached)) return;
      images = attached;
      keepUnsent({ images });
    },
    get context() {
      return context;
    },
    set context(attached) {
      if (isSame(context, attached)) return;
      context = [...attached];
      keepUnsent({ context: context.map(({ item }) => item) });
    },
    get editing() {
      return toUnsentEdits(edits).editing;
    },
    get otherEdits() {
      return toUnsentEdits(edits).otherEdits;
    },
    edit(box, next, page, isOpen = false) {
      edits = withBox(edits, { page, isOpen, before: box, next, isAt });
      keepEdits();
    },
    openBox(page) {
      pages.add(page);
      const shown = conversations.get(conversationId);
      // A deleted conversation can be restored, so its edits are kept.
      const opened = withOpened(edits, page, (edit) => shown === undefined || !!editingIn(shown, edit));
      edits = opened.edits;
      return opened.left.length > 0;
    },
    leftTexts() {
      const shown = conversations.get(conversationId);
      const left = edits.filter(({ isOpen }) => !isOpen).map(({ edit }) => edit);
      return left.filter((edit) => shown === undefined || isWritten(shown, edit)).map(({ text }) => text);
    },
    dropLeft() {
      edits = edits.filter(({ isOpen }) => isOpen);
      keepEdits();
    },
    boxOf: (page) => boxOf(edits, page),
    leaveBox(page) {
      pages.delete(page);
      edits = withLeft(edits, page);
    },
    restore(stored) {
      images = [...stored.images.filter(({ url }) => images.every((one) => one.url !== url)), ...images];
      context = withStored(context, stored.context);
      kept = stored;
      const had = [...edits.map(({ edit }) => edit), ...sendingEdits];
      const left = fromUnsentEdits(stored).filter((edit) => !had.some((one) => isDeepStrictEqual(one, edit)));
      edits = [...left.map(toFree), ...edits];
      keepEdits();
      return left.length > 0 && pages.size > 0;
    },
    get sendingEdits() {
      return sendingEdits;
    },
    set sendingEdits(next) {
      sendingEdits = next;
      keepEdits();
    },
    get preset() {
      return conversations.choices(conversationId).preset;
    },
    set preset(preset) {
      keepUnsent({ preset });
    },
    get format() {
      return formats.get(conversationId);
    },
    set format(format) {
      formats.set(conversationId, format);
    },
    instructions: { items: [], omitted: [] },
    reading: new Set(),
    working: [],
    rejected: [],
    failed: [],
    waiting: false,
    refusal: undefined,
    refused: undefined,
  };
  const conversation = conversations.get(conversationId);
  if (conversation === undefined) edits = fromUnsentEdits(before).map(toFree);
  else {
    // Another window may have changed the conversation since the questions were edited.
    const reopened = reopenDraft(conversation, composer.draft, before);
    composer.draft = reopened.draft;
    composer.edit(undefined, reopened.editing);
  }
  return composer;
}

/** Whether two lists have the same items. Writing a list that didn't change would replace what another window has attached. */
function isSame<Item>(before: readonly Item[], next: readonly Item[]): boolean {
  return before.length === next.length && before.every((item, index) => item === next[index]);
}
