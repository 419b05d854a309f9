/**
 * What the page has posted last of the boxes of each conversation, as long as the host may not have read it. A snapshot that
 * was made before has older texts.
 */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';

type Written = Extract<WebviewMessage, { type: 'send' | 'draft' | 'typed' | 'editing' }>;

export interface UnreadTexts {
  /** @param number that of the message */
  posted(message: WebviewMessage, conversationId: string | undefined, number: number): void;
  /** The host has read the messages up to this one. */
  read(number: number): void;
  /** The last message with the text of the message box. Undefined if the host has read it. */
  text(conversationId: string): Exclude<Written, { type: 'editing' }> | undefined;
  /** The last message about the box of an edited question. Undefined if the host has read it. */
  edit(conversationId: string): Extract<Written, { type: 'editing' }> | undefined;
}

export function createUnreadTexts(): UnreadTexts {
  const all = new Map<string, { readonly message: Written; readonly number: number }>();
  return {
    posted(message, conversationId, number) {
      if (!isWritten(message)) return;
      all.set(`${message.type === 'editing'} ${conversationId}`, { message, number });
    },
    read(last) {
      for (const [key, { number }] of all) if (number <= last) all.delete(key);
    },
    text(conversationId) {
      const message = all.get(`false ${conversationId}`)?.message;
      return message?.type === 'editing' ? undefined : message;
    },
    edit(conversationId) {
      const message = all.get(`true ${conversationId}`)?.message;
      return message?.type === 'editing' ? message : undefined;
    },
  };
}

function isWritten(message: WebviewMessage): message is Written {
  return ['send', 'draft', 'typed', 'editing'].includes(message.type);
}
