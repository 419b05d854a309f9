/** The parts of a composer that a message was made from, and what is left of the composer after it was sent. */
import { withoutSent } from '../../panel/sentDraft.ts';
import type { Composer } from './composerState.ts';

export interface Sent {
  readonly text: string;
  readonly images: Composer['attachments'];
  readonly context: Composer['context'];
  /** The rejected images that were shown when the message was sent. */
  readonly rejected: Composer['rejected'];
}

/** Removes from the composer what was sent. What was added or rejected meanwhile stays. */
export function clearSent(composer: Composer, { text, images, context, rejected }: Sent): void {
  composer.draft = withoutSent(composer.draft, text);
  composer.attachments = composer.attachments.filter((one) => !images.includes(one));
  // Compared by ID: an item is another object if its file has changed meanwhile.
  const ids = new Set(context.map(({ id }) => id));
  composer.context = composer.context.filter(({ id }) => !ids.has(id));
  composer.rejected = composer.rejected.filter((one) => !rejected.includes(one));
}
