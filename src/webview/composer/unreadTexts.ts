/**
 * The last texts that the page has posted for the boxes of each conversation, as long as the host may not have read them. A snapshot
 * that was made before has older texts.
 */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

type Text = Extract<WebviewMessage, { type: 'send' | 'draft' | 'typed' }>;
type Edit = Extract<WebviewMessage, { type: 'editing' }>;

export interface UnreadTexts {
  /** @param number the number of the message */
  posted(message: WebviewMessage, conversationId: string | undefined, number: number): void;
  /** Call this when the host has read all messages up to this number. */
  read(number: number): void;
  /** The last message with the text of the message box. Undefined if the host has read it. */
  text(conversationId: string): Text | undefined;
  /** The last message about the box of an edited question. Undefined if the host has read it. */
  edit(conversationId: string): Edit | undefined;
}

interface Numbered<Message> {
  readonly message: Message;
  readonly number: number;
}

export function createUnreadTexts(): UnreadTexts {
  const texts = new Map<string, Numbered<Text>>();
  const edits = new Map<string, Numbered<Edit>>();
  return {
    posted(message, conversationId = '', number) {
      if (message.type === 'editing') edits.set(conversationId, { message, number });
      else if (message.type === 'draft' || message.type === 'typed')
        texts.set(conversationId, { message, number });
      // A late message is left out: its text was posted before, and the box may have another one by now.
      else if (message.type === 'send' && message.isLate !== true)
        texts.set(conversationId, { message, number });
    },
    read(last) {
      for (const all of [texts, edits])
        for (const [id, { number }] of all) if (number <= last) all.delete(id);
    },
    text: (conversationId) => texts.get(conversationId)?.message,
    edit: (conversationId) => edits.get(conversationId)?.message,
  };
}
