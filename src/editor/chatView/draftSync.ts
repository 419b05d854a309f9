/**
 * Keeps the draft on one page the same as the draft of its conversation, which another panel or window may have
 * changed.
 */
export interface DraftSync {
  /** The page is new: it has no draft yet. */
  opened(): void;
  /**
   * The page is sent a snapshot. A snapshot of another conversation contains its draft; otherwise the page keeps its own
   * draft.
   *
   * @param number the number of the snapshot
   */
  shown(conversationId: string, number: number): void;
  /**
   * The user wrote this draft on the page.
   *
   * @param seen the number of the last message that the page had received then; undefined if it had received none
   * @returns the draft, plus text of editor commands that the page hasn't received yet and will append itself
   */
  written(conversationId: string, draft: string, seen: number | undefined): string;
  /**
   * Text of an editor command was appended to a draft. The page also appends it, if it shows the conversation.
   *
   * @param number the number of the first message that tells the page about the text
   */
  composed(conversationId: string, text: string, number: number): void;
  /** Posts the draft if it differs from that on the page. */
  post(): void;
}

/** A draft with text of an editor command. */
const appendText = (draft: string, text: string): string => (draft === '' ? text : `${draft}\n${text}`);

export interface DraftSyncDeps {
  draftOf(conversationId: string): string;
  /** Returns the number of the message. */
  send(draft: string): number;
}

export function createDraftSync({ draftOf, send }: DraftSyncDeps): DraftSync {
  let page: { readonly conversationId: string; readonly draft: string } | undefined;
  /** The number of the message with the draft that was sent last. */
  let sent = 0;
  /** Text that the page may not have appended yet, by the number of its message. */
  let composed: readonly {
    readonly conversationId: string;
    readonly number: number;
    readonly text: string;
  }[] = [];

  function put(conversationId: string): void {
    page = { conversationId, draft: draftOf(conversationId) };
  }

  return {
    opened() {
      // `composed` is kept: a page may have received a message and written a draft before the host knew that it was loaded.
      page = undefined;
      sent = 0;
    },
    shown(conversationId, number) {
      if (page?.conversationId === conversationId) return;
      put(conversationId);
      sent = number;
    },
    written(conversationId, text, seen = 0) {
      composed = composed.filter(({ number }) => number > seen);
      const draft = composed
        .filter((added) => added.conversationId === conversationId)
        .reduce((before, added) => appendText(before, added.text), text);
      // The last draft of a conversation that the page has left.
      if (page?.conversationId !== conversationId) return draft;
      page = { conversationId, draft };
      // An older draft was on its way to the page, where it replaces the text that the user typed.
      if (seen < sent) sent = send(draft);
      return draft;
    },
    composed(conversationId, text, number) {
      composed = [...composed, { conversationId, number, text }];
      // Not `draftOf`: the draft may already contain text from another panel that this page doesn't have yet.
      if (page?.conversationId === conversationId)
        page = { conversationId, draft: appendText(page.draft, text) };
    },
    post() {
      if (page === undefined) return;
      const before = page.draft;
      put(page.conversationId);
      if (page.draft !== before) sent = send(page.draft);
    },
  };
}
