/** The text of the message box: what is typed here, what the host has, and what was sent and not taken yet. */

import type { HostMessage } from '../../panel/hostMessages.ts';
import type { PanelState } from '../../panel/panelState.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { Recall } from './recall.ts';
import type { UnreadTexts } from './unreadTexts.ts';

export interface MessageBox {
  text(): string;
  setText(text: string): void;
  /** Sends the text, which stays in the box until the host takes it, so that a refusal loses nothing. */
  send(): void;
  /** Whether a message waits for images that are being read for it. */
  isWaiting(): boolean;
  /** Appends a text that this page got to what the user was writing, and tells the host. */
  add(text: string): void;
  /** Changes the text as a message of the host says. */
  receive(message: HostMessage): void;
  /** The page shows a conversation from now on, in place of the one that it showed before. */
  show(shown: Pick<PanelState, 'conversationId' | 'draft'>, before: string | undefined): void;
}

export interface MessageBoxDeps {
  /** Posts to the conversation that is shown, or to another one. */
  post(message: WebviewMessage, conversationId?: string): void;
  /** Whether the user is typing: the text in the box is newer than what arrives from the host. */
  isTyping(): boolean;
  /** What was typed is sent to the host with the message, or goes to no conversation any more. */
  endTyping(): void;
  /** What the user was writing, while an earlier message is in the box instead. */
  readonly recall: Pick<Recall, 'kept' | 'aside' | 'forget' | 'toKeep'>;
  /** What was written here is newer than what arrives, too, if the host had not read it yet. */
  readonly unread: Pick<UnreadTexts, 'text'>;
  /**
   * When the host has the images that are being read for the message, and whether it has all of them; undefined if nothing is read.
   */
  whenRead?(conversationId: string | undefined): Promise<boolean> | undefined;
}

export function createMessageBox(deps: MessageBoxDeps): MessageBox {
  const { post, isTyping, endTyping, recall } = deps;
  let draft = '';
  /** The text that was sent last, until it is taken or refused. */
  let sent: string | undefined;
  /** The text is what the host gave last: the user has changed nothing since. */
  let isGiven = true;

  let conversation: string | undefined;
  /** The conversations of messages that wait for images. */
  let waiting: readonly (string | undefined)[] = [];

  /**
   * Clears the text that was sent, unless it has changed since. A later message may be on its way. What the user was
   * writing before an earlier message comes back. A text that was not sent stays, and can be sent again.
   */
  function take(text: string, isKept = false): void {
    if (sent === text) sent = undefined;
    if (isKept || draft !== text) return;
    draft = recall.aside() ?? '';
    isGiven = draft === '';
    recall.forget();
    if (draft !== '') post({ type: 'draft', text: draft });
  }

  /** A message that was not sent stays in the box. Another conversation may be shown since, or another message be in its place. */
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

  /** What was written here in a conversation and may be on its way to the host, and whether it was sent. */
  function unreadIn(id: string | undefined): { readonly text: string; readonly isSent: boolean } | undefined {
    const last = id === undefined ? undefined : deps.unread.text(id);
    if (last?.type !== 'send') return last && { text: last.text, isSent: false };
    return { text: last.draft ?? last.text, isSent: last.draft === undefined };
  }

  function give(text: string): void {
    // The host has what the user was writing, too, so it is in the text, or was sent or changed in another panel.
    recall.forget();
    draft = text;
    isGiven = true;
  }

  /** To what the user was writing, which the host keeps: an earlier message that is in its place was sent before. */
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
      // Pressing Enter again does not send it twice.
      if (sent !== undefined && sent === draft) return;
      // The draft would arrive after the message was taken, and be in the box again.
      endTyping();
      sent = draft;
      const kept = recall.kept();
      const message = { type: 'send', text: draft, ...(kept !== undefined && { draft: kept }) } as const;
      const reading = deps.whenRead?.(conversation);
      if (reading === undefined) return post(message);
      // Until then, another conversation may be shown, or the page loaded again.
      const id = conversation;
      // With what the user was writing now, which another conversation doesn’t have.
      const whole = recall.toKeep({ ...message, isLate: true });
      post({ type: 'draft', text: kept ?? draft });
      waiting = [...waiting, id];
      void reading.then((isRead) => {
        waiting = waiting.toSpliced(waiting.indexOf(id), 1);
        // The host says why, or the user has stopped it. The message can be sent without them.
        if (!isRead) return refuse(message.text, id);
        post(whole, id);
      });
    },
    isWaiting: () => waiting.includes(conversation),
    add,
    receive(message) {
      switch (message.type) {
        case 'draft':
          // What is being typed here is newer.
          if (isTyping() || unreadIn(conversation) !== undefined) break;
          // The host empties its draft before it says that the message was taken.
          if (message.text === '' && sent !== undefined && sent === draft) take(sent);
          else give(message.text);
          break;
        case 'compose': {
          // Otherwise the host has added it to the same text, and perhaps to more of another panel.
          const isOwn = isTyping();
          append(message.text);
          isGiven &&= !isOwn;
          if (isOwn) post({ type: 'draft', text: draft });
          break;
        }
        case 'taken':
          // Another conversation may be shown since.
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
        // What was typed last belongs to the conversation that it was written in. What the host has may be older there than
        // what was typed in another panel.
        if (before !== undefined && isTyping()) post({ type: 'draft', text: recall.kept() ?? draft }, before);
        endTyping();
        const own = unreadIn(conversation);
        give(own?.text ?? shown.draft);
        isGiven = own === undefined;
        sent = own?.isSent ? own.text : undefined;
      }
      // A page that was loaded again may have got a snapshot before what the page before it wrote had arrived.
      else if (!isTyping() && recall.kept() === undefined && isGiven) give(shown.draft);
    },
  };
}
