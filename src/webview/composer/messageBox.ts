/** The text of the message box: what is typed here, what the host has, and what was sent and not taken yet. */
import type { HostMessage, WebviewMessage } from '../../panel/messages.ts';
import type { PanelState } from '../../panel/views.ts';
import type { Recall } from './recall.ts';

export interface MessageBox {
  text(): string;
  setText(text: string): void;
  /** Sends the text, which stays in the box until the host takes it, so that a refusal loses nothing. */
  send(): void;
  /** Changes the text as a message of the host says. */
  receive(message: HostMessage): void;
  /** The page shows a conversation from now on, in place of the one that it showed before. */
  show(shown: Pick<PanelState, 'conversationId' | 'draft'>, before: string | undefined): void;
}

export interface MessageBoxDeps {
  /** Posts to the conversation that is shown, or to another one. */
  post(message: WebviewMessage, conversationId?: string): void;
  /** Whether the host doesn't have the text as it is in the box yet. */
  isTyping(): boolean;
  /** What the user was writing, while an earlier message is in the box instead. */
  readonly recall: Pick<Recall, 'kept' | 'forget'>;
}

export function createMessageBox({ post, isTyping, recall }: MessageBoxDeps): MessageBox {
  let draft = '';
  /** The text that was sent last, until it is taken or refused. */
  let sent: string | undefined;

  let conversation: string | undefined;

  /**
   * Clears the text that was sent, unless it has changed since. A later message may be on its way. What the user was
   * writing before an earlier message comes back.
   */
  function take(text: string): void {
    if (sent === text) sent = undefined;
    if (draft !== text) return;
    draft = recall.kept() ?? '';
    recall.forget();
    if (draft !== '') post({ type: 'draft', text: draft });
  }

  return {
    text: () => draft,
    setText(text) {
      draft = text;
    },
    send() {
      // Pressing Enter again does not send it twice.
      if (sent !== undefined && sent === draft) return;
      sent = draft;
      post({ type: 'send', text: draft });
    },
    receive(message) {
      switch (message.type) {
        case 'draft':
          // What is typed here and not sent to the host yet is newer.
          if (isTyping()) break;
          // The host empties its draft before it says that the message was taken.
          if (message.text === '' && sent !== undefined && sent === draft) take(sent);
          else draft = message.text;
          break;
        case 'compose':
          draft = draft === '' ? message.text : `${draft}\n${message.text}`;
          post({ type: 'draft', text: draft });
          break;
        case 'taken':
          // Another conversation may be shown since.
          if (message.conversationId === conversation) take(message.text);
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
        // The latest draft belongs to the conversation that it was written in.
        if (before !== undefined && draft !== sent)
          post({ type: 'draft', text: recall.kept() ?? draft }, before);
        recall.forget();
        draft = shown.draft;
        sent = undefined;
      }
      // The message `taken` may have been lost while the page was hidden.
      else if (sent !== undefined && shown.draft === '') take(sent);
    },
  };
}
