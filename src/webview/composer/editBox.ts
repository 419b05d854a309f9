/** The edit box of an earlier question. The host keeps its text, so that it survives a reload. */

import type { PanelState } from '../../panel/panelState.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import { createKeyPace, isLong } from './keyPace.ts';
import type { UnreadTexts } from './unreadTexts.ts';

export type Editing = NonNullable<PanelState['editing']>;

export interface EditBox {
  /** The question that is being edited. It may not be on the page. */
  current(): Editing | undefined;
  /**
   * Opens the box, changes its text, or closes it, and tells the host at once: the page may be closed after any key. A long text
   * is sent after a pause, as in the message box.
   */
  edit(next: Editing | undefined): void;
  /** Sends what is due at once: the box loses the focus. */
  flush(): void;
  /** Whether a question that was not sent can be in the box: it is free, or has it. */
  mayTake(returned: Editing): boolean;
  /** Tells the host that the box doesn't have the question that was not sent, but another one still. */
  leave(exchangeId: string): void;
  /**
   * The page shows this from now on. Returns what was in the box, if no version of its question is shown anymore.
   *
   * @param wasDeleted the page has shown until now that the conversation is deleted, without its questions and their boxes
   */
  show(
    panel: Pick<PanelState, 'conversationId' | 'exchanges' | 'editing' | 'movedEdits'>,
    wasDeleted?: boolean,
  ): Editing | undefined;
}

export interface EditBoxDeps {
  /** What was written here is newer than a snapshot that was made before the host had read it. */
  readonly unread: Pick<UnreadTexts, 'edit'>;
  post(message: WebviewMessage, conversationId: string): void;
}

export function createEditBox({ post, unread }: EditBoxDeps): EditBox {
  let editing: Editing | undefined;
  /** The question whose edit the host has of this box. */
  let before: string | undefined;
  let conversationId: string | undefined;
  const pace = createKeyPace();

  function send(): void {
    pace.end();
    if (conversationId !== undefined) post({ type: 'editing', before, editing }, conversationId);
    before = editing?.exchangeId;
  }

  /** What is short was sent with its key. */
  function flush(): void {
    if (pace.isTyping() && isLong(editing?.text ?? '')) send();
  }

  return {
    current: () => editing,
    edit(next) {
      const isKey = next !== undefined && next.exchangeId === editing?.exchangeId;
      editing = next;
      if (!isKey) return send();
      pace.onKey(next.text, send, () => isLong(next.text) && send());
    },
    flush,
    mayTake: ({ exchangeId, text }) =>
      editing === undefined || (editing.exchangeId === exchangeId && editing.text === text),
    leave(exchangeId) {
      // The box may be at another version of its question since the host heard of it.
      if (before !== editing?.exchangeId) send();
      before = exchangeId;
      send();
    },
    show(panel, wasDeleted = false) {
      if (panel.conversationId !== conversationId || (wasDeleted && editing === undefined)) {
        flush();
        conversationId = panel.conversationId;
        const own = unread.edit(conversationId);
        editing = own === undefined ? panel.editing : own.editing;
        before = editing?.exchangeId;
        return undefined;
      }
      if (editing === undefined) return undefined;
      // Another version of the question is shown now. The text here may be newer than that of the host, whose question can be
      // that of another panel.
      const { exchangeId } = editing;
      const moved = panel.movedEdits?.find(({ from }) => from === exchangeId);
      if (moved?.to !== undefined) editing = { ...editing, exchangeId: moved.to };
      if (moved === undefined || moved.to !== undefined) return undefined;
      const gone = editing;
      editing = undefined;
      send();
      return gone;
    },
  };
}
