/** The text of the message box: the text that is typed here, that of the host, and sent text that was not taken yet. */

import type { HostMessage } from '../../panel/hostMessages.ts';
import type { PanelState } from '../../panel/panelState.ts';
import { withoutSent } from '../../panel/sentDraft.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { Recall } from './recall.ts';
import type { UnreadTexts } from './unreadTexts.ts';

export interface MessageBox {
  text(): string;
  setText(text: string): void;
  /** Sends the text, which stays in the box until the host takes it, so that a refusal loses nothing. */
  send(): void;
  /** Whether a message of the shown conversation waits for images that are being read. */
  isWaiting(): boolean;
  /** Appends a text to the user's draft, and tells the host. */
  add(text: string): void;
  /** Changes the text according to a message of the host. */
  receive(message: HostMessage): void;
  /**
   * Call this when the page shows a snapshot of a conversation.
   *
   * @param before the ID of the conversation that was shown before
   */
  show(shown: Pick<PanelState, 'conversationId' | 'draft'>, before: string | undefined): void;
}

export interface MessageBoxDeps {
  /** Posts to the conversation that is shown, or to another one. */
  post(message: WebviewMessage, conversationId?: string): void;
  /** Whether the user is typing. The text in the box is then newer than the text that arrives from the host. */
  isTyping(): boolean;
  /** Cancels the pending draft: its text is posted with the message, or belongs to no shown conversation anymore. */
  endTyping(): void;
  /** The user's draft, while an earlier message is in the box in its place. */
  readonly recall: Pick<Recall, 'kept' | 'aside' | 'forget' | 'toKeep'>;
  /** Text that was written here is also newer than the text that arrives if the host had not read it yet. */
  readonly unread: Pick<UnreadTexts, 'text'>;
  /**
   * Resolves when the images that are being read for the message were posted, with whether the host has all of them. Undefined if
   * nothing is read.
   */
  whenRead?(conversationId: string | undefined): Promise<boolean> | undefined;
}

export function createMessageBox(deps: MessageBoxDeps): MessageBox {
  const { post, isTyping, endTyping, recall } = deps;
  let draft = '';
  /** The last sent text, until it is taken or refused. */
  let sent: string | undefined;
  /** Whether the text is the one that came last from the host, and the user has not changed it since. */
  let isGiven = true;

  let conversation: string | undefined;
  /** The conversations of messages that wait for images. */
  let waiting: readonly (string | undefined)[] = [];

  /**
   * Clears the sent text, unless it has changed since: a later message may be on its way. What was added below it stays. A draft that
   * the user was writing before an earlier message was recalled comes back.
   *
   * @param isKept whether the text was not sent, stays in the box, and can be sent again
   */
  function take(text: string, isKept = false): void {
    if (sent === text) sent = undefined;
    const rest = withoutSent(draft, text);
    if (isKept || rest === draft) return;
    draft = rest === '' ? (recall.aside() ?? '') : rest;
    isGiven = draft === '';
    recall.forget();
    if (draft !== '') post({ type: 'draft', text: draft });
  }

  /** Keeps a message that was not sent in the box. Another conversation may be shown by now, or another message may be in the box. */
  function refuse(text: string, id: string | undefined): void {
    if (conversation !== id) return;
    if (sent === text) sent = undefined;
    else if (sent !== undefined && !draft.includes(text)) add(text);
  }

  function add(text: string): void {
    append(text);
    isGiven = false;
    post({ type: 'draft', text: draft });
  }

  /** The text of a conversation that was written here and may still be on its way to the host, and whether it was sent. */
  function unreadIn(id: string | undefined): { readonly text: string; readonly isSent: boolean } | undefined {
    const last = id === undefined ? undefined : deps.unread.text(id);
    if (last?.type !== 'send') return last && { text: last.text, isSent: false };
    return { text: last.draft ?? last.text, isSent: last.draft === undefined };
  }

  function give(text: string): void {
    // The host also has the user's draft, so it is in the text, or was sent or changed in another panel.
    recall.forget();
    draft = text;
    isGiven = true;
  }

  /**
   * Appends a text to the user's draft, which the host keeps. An earlier message that is in its place is dropped, because it was sent
   * before.
   */
  function append(text: string): void {
    const kept = recall.kept();
    if (kept !== undefined) {
      draft = kept;
      recall.forget();
    }
    draft = draft === '' ? text : `${draft}\n${text}`;
  }

  return {
    text: () => draft,
    setText(text) {
      draft = text;
      isGiven = false;
    },
    send() {
      // Pressing Enter again does not send the message twice.
      if (sent !== undefined && sent === draft) return;
      // Otherwise the draft would arrive after the message was taken, and would be in the box again.
      endTyping();
      sent = draft;
      const kept = recall.kept();
      const message = { type: 'send', text: draft, ...(kept !== undefined && { draft: kept }) } as const;
      const reading = deps.whenRead?.(conversation);
      if (reading === undefined) return post(message);
      // When the images were read, another conversation may be shown, or the page may have been loaded again.
      const id = conversation;
      // The draft is added now, because it isn't known here when another conversation is shown.
      const whole = recall.toKeep({ ...message, isLate: true });
      post({ type: 'draft', text: kept ?? draft });
      waiting = [...waiting, id];
      void reading.then((isRead) => {
        waiting = waiting.toSpliced(waiting.indexOf(id), 1);
        // The host says why an image could not be read, or the user has stopped reading. The message can be sent without the images.
        if (!isRead) return refuse(message.text, id);
        post(whole, id);
      });
    },
    isWaiting: () => waiting.includes(conversation),
    add,
    receive(message) {
      switch (message.type) {
        case 'draft':
          // The text that is being typed here is newer.
          if (isTyping() || unreadIn(conversation) !== undefined) break;
          // The host empties its draft before it posts `taken`.
          if (message.text === '' && sent !== undefined && sent === draft) take(sent);
          else give(message.text);
          break;
        case 'compose': {
          // If the user is not typing, the host has added the text to the same draft, and perhaps to a longer one of another panel.
          const isOwn = isTyping();
          append(message.text);
          isGiven &&= !isOwn;
          if (isOwn) post({ type: 'draft', text: draft });
          break;
        }
        case 'taken':
          // Another conversation may be shown by now.
          if (message.conversationId === conversation) take(message.text, message.isKept);
          break;
        case 'surroundings':
          // A refused message can be sent again unchanged.
          if (message.surroundings.refusal !== undefined) sent = undefined;
          break;
      }
    },
    show(shown, before) {
      conversation = shown.conversationId;
      if (before !== shown.conversationId) {
        // The last typed text belongs to the previous conversation. The host's text of it may be older, or typed in another panel.
        if (before !== undefined && isTyping()) post({ type: 'draft', text: recall.kept() ?? draft }, before);
        endTyping();
        const own = unreadIn(conversation);
        give(own?.text ?? shown.draft);
        isGiven = own === undefined;
        sent = own?.isSent ? own.text : undefined;
      }
      // A page that was loaded again may have got a snapshot that was made before the text of the previous page had arrived.
      else if (!isTyping() && recall.kept() === undefined && isGiven) give(shown.draft);
    },
  };
}
