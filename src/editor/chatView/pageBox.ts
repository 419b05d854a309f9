/** Tracks to which conversation the edited question in the box of a page belongs. */
import type { Page } from '../../conversation/editBoxes.ts';
import type { Composers } from '../composer/composers.ts';

export interface PageBox {
  readonly page: Page;
  /** The page is new, and its box is empty. */
  loaded(): void;
  /** The page is about to be sent a snapshot of this conversation. */
  shown(conversationId: string): void;
  /** The panel was closed. */
  closed(): void;
}

export function createPageBox(composers: Pick<Composers, 'of' | 'composeLeft'>): PageBox {
  const page: Page = {};
  /** The conversation whose edit is in the box. */
  let at: string | undefined;
  let isNew = true;

  function leave(): void {
    if (at !== undefined) composers.of(at).leaveBox(page);
    at = undefined;
  }

  return {
    page,
    loaded() {
      isNew = true;
    },
    shown(conversationId) {
      if (at === conversationId && !isNew) return;
      if (at !== conversationId) leave();
      at = conversationId;
      isNew = false;
      // After the snapshot: this page appends the texts to the draft in the snapshot. Other pages append them to their own
      // drafts, which may be newer.
      if (composers.of(conversationId).openBox(page))
        queueMicrotask(() => composers.composeLeft(conversationId));
    },
    closed: leave,
  };
}
