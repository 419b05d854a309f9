/** The CSS selector of the message box. */
export const MESSAGE_BOX = '.composer textarea';

/** The message box; null before the page was first drawn. */
export const messageBoxElement = (): HTMLTextAreaElement | null =>
  document.querySelector<HTMLTextAreaElement>(MESSAGE_BOX);
