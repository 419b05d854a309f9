/**
 * Keeps the draft on one page the same as the draft of its conversation, which another panel or window may have
 * changed.
 */
export interface DraftSync {
  /** The page is new: it has no draft yet. */
  opened(): void;
  /** The page got a snapshot. One of another conversation has its draft; otherwise the page keeps the one it has. */
  shown(conversationId: string): void;
  /**
   * The page wrote this.
   *
   * @param seen the number of the last message that the page had then; undefined if it had none
   */
  written(conversationId: string, draft: string, seen: number | undefined): void;
  /** The page appended text from an editor command. */
  composed(): void;
  /** Posts the draft, if the page has another one. */
  post(): void;
}

export interface DraftSyncDeps {
  draftOf(conversationId: string): string;
  /** Returns the number of the message. */
  send(draft: string): number;
}

export function createDraftSync({ draftOf, send }: DraftSyncDeps): DraftSync {
  let page: { readonly conversationId: string; readonly draft: string } | undefined;
  /** The number of the message with the draft that was sent last. */
  let sent = 0;

  function put(conversationId: string): void {
    page = { conversationId, draft: draftOf(conversationId) };
  }

  return {
    opened() {
      page = undefined;
      sent = 0;
    },
    shown(conversationId) {
      if (page?.conversationId !== conversationId) put(conversationId);
    },
    written(conversationId, draft, seen = 0) {
      if (page?.conversationId !== conversationId) return;
      page = { conversationId, draft };
      // An older one was on its way, and replaces in the box what was typed.
      if (seen < sent) sent = send(draft);
    },
    composed() {
      if (page !== undefined) put(page.conversationId);
    },
    post() {
      if (page === undefined) return;
      const before = page.draft;
      put(page.conversationId);
      if (page.draft !== before) sent = send(page.draft);
    },
  };
}
