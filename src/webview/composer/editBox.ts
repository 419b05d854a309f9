/** The edit box of an earlier question. The host keeps its text, so that it survives a reload. */
import type { WebviewMessage } from '../../panel/messages.ts';
import type { PanelState } from '../../panel/views.ts';

export type Editing = NonNullable<PanelState['editing']>;

export interface EditBox {
  /** The question that is being edited. It may not be on the page. */
  current(): Editing | undefined;
  /** Opens the box, changes its text, or closes it. */
  edit(next: Editing | undefined): void;
  /** Sends the text to the host without waiting for a pause. */
  flush(): void;
  /** The page shows this from now on. */
  show(panel: Pick<PanelState, 'conversationId' | 'exchanges' | 'editing'>): void;
}

export interface EditBoxDeps {
  post(message: WebviewMessage, conversationId: string): void;
}

/** The delay after typing before the text is sent to the host. In milliseconds. */
const PAUSE_MS = 300;

export function createEditBox({ post }: EditBoxDeps): EditBox {
  let editing: Editing | undefined;
  let conversationId: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (conversationId !== undefined) post({ type: 'editing', editing }, conversationId);
  }

  function flush(): void {
    if (timer !== undefined) send();
  }

  return {
    current: () => editing,
    edit(next) {
      const other = editing?.exchangeId !== next?.exchangeId;
      editing = next;
      if (other) send();
      else timer ??= setTimeout(send, PAUSE_MS);
    },
    flush,
    show(panel) {
      if (panel.conversationId !== conversationId) {
        flush();
        conversationId = panel.conversationId;
        editing = panel.editing;
        return;
      }
      if (editing === undefined || panel.editing === undefined) return;
      // Another version of the question is shown now. The text here may be newer than that of the host.
      const { exchangeId } = editing;
      if (!panel.exchanges.some(({ id }) => id === exchangeId))
        editing = { ...editing, exchangeId: panel.editing.exchangeId };
    },
  };
}
