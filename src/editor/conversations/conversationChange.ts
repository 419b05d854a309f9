/** The changes that the list of conversations reports to its listeners. */

import type { Exchange } from '../../conversation/conversation.ts';
import type { TurnStep } from '../../conversation/events.ts';

export type ConversationChange =
  /** A conversation was created, deleted, renamed or pinned, here or in another window. */
  | { readonly type: 'listed' }
  /** Another conversation was opened. */
  | { readonly type: 'opened' }
  /** Another chat is in front, or it shows another conversation. */
  | { readonly type: 'front' }
  /** Any part of a conversation may have changed. */
  | { readonly type: 'replaced'; readonly conversationId: string }
  /** An exchange was added, or shows another attempt. */
  | { readonly type: 'exchange'; readonly conversationId: string; readonly exchange: Exchange }
  /** A turn changed. Fires for every delta, so listeners must be fast or throttled. */
  | ({ readonly type: 'turn'; readonly conversationId: string; readonly exchangeId: string } & TurnStep)
  /** A question wasn't sent after all, so the next one can be sent. */
  | { readonly type: 'free'; readonly conversationId: string }
  /** The user has seen or dismissed the problem of a turn. */
  | { readonly type: 'seen'; readonly conversationId: string; readonly turnId: string };
