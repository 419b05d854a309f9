/** What of a composer a message was made of, and what is left of the composer when it was sent. */
import type { Composer } from './composerState.ts';

export interface Sent {
  readonly text: string;
  readonly images: Composer['attachments'];
  readonly context: Composer['context'];
  /** Those that were there when it was sent. */
  readonly rejected: Composer['rejected'];
}

/** Removes what was sent from the composer. What was added, or refused, meanwhile stays. */
export function clearSent(composer: Composer, { text, images, context, rejected }: Sent): void {
  if (composer.draft === text) composer.draft = '';
  composer.attachments = composer.attachments.filter((one) => !images.includes(one));
  // An item is another object when its file has changed meanwhile.
  const ids = new Set(context.map(({ id }) => id));
  composer.context = composer.context.filter(({ id }) => !ids.has(id));
  composer.rejected = composer.rejected.filter((one) => !rejected.includes(one));
}
