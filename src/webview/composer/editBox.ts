/** The edit box of an earlier question. The host keeps its text, so that it survives a reload. */
import type { WebviewMessage } from '../../panel/messages.ts';
import type { PanelState } from '../../panel/views.ts';

export type Editing = NonNullable<PanelState['editing']>;

export interface EditBox {
  /** The question that is being edited. It may not be on the page. */
  current(): Editing | undefined;
  /** Opens the box, changes its text, or closes it, and tells the host at once: the page may be closed after any key. */
  edit(next: Editing | undefined): void;
  /** The page shows this from now on. */
  show(panel: Pick<PanelState, 'conversationId' | 'exchanges' | 'editing'>): void;
}

export interface EditBoxDeps {
  post(message: WebviewMessage, conversationId: string): void;
}

export function createEditBox({ post }: EditBoxDeps): EditBox {
  let editing: Editing | undefined;
  let conversationId: string | undefined;

  return {
    current: () => editing,
    edit(next) {
      editing = next;
      if (conversationId !== undefined) post({ type: 'editing', editing }, conversationId);
    },
    show(panel) {
      if (panel.conversationId !== conversationId) {
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
