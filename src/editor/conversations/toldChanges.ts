/**
 * Changes of a conversation that tell the user why nothing has changed: the conversation can't be read now, or another
 * window has deleted it.
 */
import { tellAbsence } from './conversationCommands.ts';
import type { ConversationEdits } from './conversationEdits.ts';
import type { Conversations } from './conversationList.ts';

export type ToldChanges = Pick<
  ConversationEdits,
  'showAttempt' | 'omitImage' | 'omitImages' | 'keepResults' | 'leaveRoute'
> &
  Pick<Conversations, 'showBranch'>;

export type ToldChangesDeps = ToldChanges & Pick<Conversations, 'get' | 'deleted' | 'isUnread'>;

export function toToldChanges(conversations: ToldChangesDeps): ToldChanges {
  function tell(id: string): void {
    const { title = '' } = conversations.get(id) ?? conversations.deleted(id) ?? {};
    tellAbsence(conversations, { id, title });
  }
  const told =
    <Args extends readonly unknown[]>(change: (id: string, ...args: Args) => boolean) =>
    (id: string, ...args: Args): boolean => {
      const isDone = change(id, ...args);
      if (!isDone) tell(id);
      return isDone;
    };
  return {
    showAttempt: told(conversations.showAttempt),
    omitImage: told(conversations.omitImage),
    omitImages: told(conversations.omitImages),
    keepResults: told(conversations.keepResults),
    leaveRoute: told(conversations.leaveRoute),
    showBranch(id, exchangeId) {
      const isShown = conversations.showBranch(id, exchangeId);
      // While an answer runs, the buttons are disabled, so this case isn't reported.
      if (!isShown && conversations.isUnread(id)) tell(id);
      return isShown;
    },
  };
}
