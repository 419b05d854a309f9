/** Handles typing, keys, and the cursor in the message box, and decides when its draft is posted to the host. */
import type { Surroundings } from '../../panel/surroundings.ts';
import type { ComposerContext } from './composerContext.ts';
import { takeReferences } from './imageDrop.ts';
import { createKeyPace } from './keyPace.ts';
import { onRecallKey } from './recallKeys.ts';

const pace = createKeyPace();

export function onInput(event: InputEvent, { draft, setDraft, post, mentions }: ComposerContext): void {
  const box = event.target;
  if (!(box instanceof HTMLTextAreaElement)) return;
  takeReferences(event, box, post);
  setDraft(box.value);
  const typed = box.value;
  pace.onKey(
    typed,
    () => post({ type: 'typed', text: typed }),
    // Posted as a draft, which the host passes on to other panels and uses to estimate the next request. Not the text of the box, which
    // may have been drawn before the last change.
    () => post({ type: 'draft', text: draft() }),
  );
  mentions.update(box);
}

/**
 * Posts the draft at once when the box loses the focus. A draft that arrives after the next action, such as the click of a button,
 * would remove the message that says why that action was refused.
 */
export function onBlur(context: ComposerContext): void {
  context.mentions.close();
  if (isTyping()) flushDraft(context);
}

/** Posts the draft at once, so that the host has it before the next message. */
export function flushDraft({ draft, post }: ComposerContext): void {
  endTyping();
  post({ type: 'draft', text: draft() });
}

/** Whether the user is typing. The text of the page is then newer than the text that arrives from the host. */
export const isTyping = (): boolean => pace.isTyping();

/** Cancels the pending draft. */
export const endTyping = (): void => pace.end();

/** The cursor may have moved into or out of a mention. */
export function onCursor({ target }: Event, { mentions, recall }: ComposerContext): void {
  // A command in a recalled message opens no list.
  if (recall.kept() !== undefined) return;
  if (target instanceof HTMLTextAreaElement) mentions.update(target);
}

export function maySend(around: Surroundings, text: string): boolean {
  if (around.route === undefined || around.deleted) return false;
  return (
    text.trim() !== '' ||
    around.attachments.length > 0 ||
    around.context.length > 0 ||
    (!around.running && around.queue.length > 0)
  );
}

/** Whether there is an answer, or a message that waits for its files, to stop. */
export const canStop = (
  { running, waiting }: Surroundings,
  { isReading }: Pick<ComposerContext, 'isReading'>,
): boolean => running || waiting === true || isReading();

/** Stops the answer if one runs, otherwise the reading of files. */
export function stop({ running }: Surroundings, { post, stopReading }: ComposerContext): void {
  if (!running) stopReading();
  post({ type: 'stop' });
}

export function onKey(event: KeyboardEvent, around: Surroundings, context: ComposerContext): void {
  // Keys of a composition belong to the input method: Escape undoes its conversion, and Enter ends it.
  if (event.defaultPrevented || event.isComposing) return;
  if (context.mentions.onKey(event)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (onRecallKey(event, context.recall)) {
    event.preventDefault();
    // The host keeps the draft. The message that is shown instead is not posted before the user changes it.
    if (isTyping()) flushDraft(context);
    return;
  }
  if (event.key === 'Escape' && canStop(around, context)) {
    event.preventDefault();
    stop(around, context);
    return;
  }
  if (event.key === 'ArrowUp' && context.draft() === '' && !around.running && context.editLast()) {
    event.preventDefault();
    return;
  }
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  // Uses the current draft, because the last drawing may be older than the last key. Without a route, or in a deleted
  // conversation, the message is sent too: the host shows what to do, and the text stays.
  const refused = (around.route === undefined || around.deleted) && context.draft().trim() !== '';
  if (refused || maySend(around, context.draft())) context.send();
}
