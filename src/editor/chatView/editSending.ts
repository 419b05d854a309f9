/** Sends edited questions. A question that can't be sent returns to the box in which it was edited. */
import { isDeepStrictEqual } from 'node:util';
import { shownTurn } from '../../conversation/conversation.ts';
import { withPreset } from '../../conversation/question.ts';
import { type Editing, editingIn } from '../../conversation/unsent.ts';
import type { Refused } from '../../requests/refusal.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import type { Composers } from '../composer/composers.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import { createTypedInputs } from '../composer/typedInputs.ts';
import { askWithKeyPrompt, type InputClosed, tellRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { type EditedPromptDeps, toEditedPrompt } from './editedPrompt.ts';
import { type RenewalDeps, renewAsked } from './renewedQuestion.ts';
import type { Reply } from './reply.ts';
import type { WaitingMessages } from './waitingMessages.ts';

export interface EditSendingDeps extends Pick<EditedPromptDeps, 'prompts'>, RenewalDeps {
  readonly attaching: Pick<ContextAttaching, 'read'>;
  readonly conversations: Pick<Conversations, 'get' | 'askInstead'>;
  readonly composers: Pick<Composers, 'of'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Returns the function that asks an edited question instead of the one that is shown.
 *
 * @param waiting lets the user stop while files are read for the question
 * @param toRefusal turns an error that was thrown before the request was sent into a refusal
 */
export function createEditSending(
  deps: EditSendingDeps,
  waiting: Pick<WaitingMessages, 'until'>,
  toRefusal: (error: unknown) => Refused,
) {
  const { conversations, composers, log } = deps;
  const inputs = createTypedInputs();

  async function edit(
    conversationId: string,
    exchangeId: string,
    text: string,
    inputClosed?: InputClosed,
  ): Promise<Reply> {
    const conversation = conversations.get(conversationId);
    const old = conversation?.exchanges.find(({ id }) => id === exchangeId);
    if (conversation === undefined || old === undefined) return { compose: text };
    const composer = composers.of(conversationId);
    const sent = { exchangeId, text };
    // Saved, so that a reload doesn't lose it while a dialog is open. Another panel may be sending another edited question.
    composer.sendingEdits = [...composer.sendingEdits, sent];
    if (isDeepStrictEqual(composer.editing, sent)) composer.edit(exchangeId, undefined);
    const isDecided = () => {
      composer.sendingEdits = composer.sendingEdits.filter((one) => one !== sent);
    };
    const before = withPreset(old.question, shownTurn(old)?.request.preset);
    const typed = inputs.of(conversationId);
    const read: EditedPromptDeps['read'] = (references) =>
      waiting.until(conversationId, (signal) => deps.attaching.read(conversationId, references, signal));
    const waits: EditedPromptDeps['waits'] = (work) => waiting.until(conversationId, work);
    const edited = await toEditedPrompt({ ...deps, waits, read }, before, text, inputClosed, typed).catch(
      (error: unknown) => ({ ok: false as const, why: describeRefusal(toRefusal(error).refusal) }),
    );
    if (!edited.ok) {
      if (edited.why !== undefined) void showWarning(edited.why);
      return backToEdit(conversationId, sent, isDecided);
    }
    const asked = await waiting
      .until(conversationId, () => renewAsked({ conversation, exchange: old }, deps, edited.question))
      .then(
        (question) =>
          question &&
          askWithKeyPrompt(
            (options) => conversations.askInstead(conversationId, exchangeId, question, options),
            {},
            inputClosed,
          ),
      )
      .catch(toRefusal);
    if (asked?.ok) {
      inputs.forget(conversationId);
      isDecided();
      return {};
    }
    // Undefined if the user has stopped it, which needs no message.
    if (asked !== undefined) tellRefusal(log, asked);
    return backToEdit(conversationId, sent, isDecided);
  }

  /**
   * Puts an edited question that could not be sent back into the box in which it was edited. In the message box, it would
   * be a second question after the one that it should replace. It goes to the message box only if the question is gone or
   * was edited anew meanwhile. The page decides this for its own box, because the host only knows the boxes of all panels
   * together.
   *
   * @param isBack called when the text is in its place
   */
  function backToEdit(conversationId: string, edited: Editing, isBack: () => void): Reply {
    const composer = composers.of(conversationId);
    const conversation = conversations.get(conversationId);
    const place = conversation && editingIn(conversation, edited);
    const isAnew = [composer.editing, ...composer.otherEdits].some(
      (one) => one?.exchangeId === place?.exchangeId && one?.text !== place?.text,
    );
    if (place !== undefined && !isAnew) composer.edit(undefined, place);
    isBack();
    return place === undefined || isAnew ? { compose: edited.text } : { edit: place, isReturned: true };
  }

  return edit;
}
