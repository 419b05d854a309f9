/**
 * Keeps the draft on one page the same as the draft of its conversation, which another panel or window may have
 * changed.
 */
export interface DraftSync {
  /** The page is new: it has no draft yet. */
  opened(): void;
  /** The page got a snapshot. One of another conversation has its draft; otherwise the page keeps the one it has. */
  shown(conversationId: string): void;
  /** The page wrote this. */
  written(conversationId: string, draft: string): void;
  /** The page appended text from an editor command. */
  composed(): void;
  /** Posts the draft, if the page has another one. */
  post(): void;
}

export interface DraftSyncDeps {
  draftOf(conversationId: string): string;
  send(draft: string): void;
}

export function createDraftSync({ draftOf, send }: DraftSyncDeps): DraftSync {
  let page: { readonly conversationId: string; readonly draft: string } | undefined;

  function put(conversationId: string): void {
    page = { conversationId, draft: draftOf(conversationId) };
  }

  return {
    opened() {
      page = undefined;
    },
    shown(conversationId) {
      if (page?.conversationId !== conversationId) put(conversationId);
    },
    written(conversationId, draft) {
      if (page?.conversationId === conversationId) page = { conversationId, draft };
    },
    composed() {
      if (page !== undefined) put(page.conversationId);
    },
    post() {
      if (page === undefined) return;
      const before = page.draft;
      put(page.conversationId);
      if (page.draft !== before) send(page.draft);
    },
  };
}
