/** The edit box of an earlier question. The host keeps the text of the box, so that it survives a reload. */

import type { PanelState } from '../../panel/panelState.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import { createKeyPace, isLong } from './keyPace.ts';
import type { UnreadTexts } from './unreadTexts.ts';

export type Editing = NonNullable<PanelState['editing']>;

export interface EditBox {
  /** The question that is being edited. It may not be on the page. */
  current(): Editing | undefined;
  /**
   * Opens the box, changes its text, or closes it, and tells the host at once: the page may be closed after any key. A long text is
   * posted after a pause, as in the message box.
   */
  edit(next: Editing | undefined): void;
  /** Call this when the box loses the focus. Posts a long text that waits for the pause. */
  flush(): void;
  /** Whether a question that was not sent can return to the box: the box is closed, or already has this text of the question. */
  mayTake(returned: Editing): boolean;
  /** Tells the host that the box has another question instead of the one that was not sent. */
  leave(exchangeId: string): void;
  /**
   * Call this when the page shows another state. Returns the content of the box if no version of its question is shown anymore.
   *
   * @param wasDeleted whether the page has shown until now that the conversation is deleted, without its questions and their boxes
   */
  show(
    panel: Pick<PanelState, 'conversationId' | 'exchanges' | 'editing' | 'movedEdits'>,
    wasDeleted?: boolean,
  ): Editing | undefined;
}

export interface EditBoxDeps {
  /** Text that was written here is newer than that of a snapshot if the host had not read it yet. */
  readonly unread: Pick<UnreadTexts, 'edit'>;
  post(message: WebviewMessage, conversationId: string): void;
}

export function createEditBox({ post, unread }: EditBoxDeps): EditBox {
  let editing: Editing | undefined;
  /** The question that this box edits, as far as the host knows. */
  let before: string | undefined;
  let conversationId: string | undefined;
  const pace = createKeyPace();

  function send(): void {
    pace.end();
    if (conversationId !== undefined) post({ type: 'editing', before, editing }, conversationId);
    before = editing?.exchangeId;
  }

  /** Posts a long text that waits. A short text was posted with each key. */
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
      // The box may have moved to another version of its question since the host was last told.
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
      // Another version of the question may be shown now. The text here may be newer than that of the host, which can be about the
      // question of another panel.
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
