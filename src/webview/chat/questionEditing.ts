/** Opens and closes the box of an edited question, and moves the focus and the page there and back. */
import { MESSAGE_BOX } from '../base/messageBoxElement.ts';
import type { EditBox } from '../composer/editBox.ts';
import type { MessageBox } from '../composer/messageBox.ts';
import { editedText, isWritten } from '../transcript/exchange.ts';
import type { AppContext } from './appContext.ts';
import type { AutoScroll } from './autoScroll.ts';
import { afterDrawing, focusBox } from './drawing.ts';
import type { Page } from './page.ts';

export interface QuestionEditingDeps {
  readonly page: Pick<Page, 'panel' | 'post'>;
  readonly editBox: Pick<EditBox, 'current' | 'edit'>;
  readonly messageBox: Pick<MessageBox, 'add'>;
  readonly autoScroll: Pick<AutoScroll, 'hold' | 'looksAt'>;
  schedule(): void;
}

export type QuestionEditing = Pick<AppContext, 'edit' | 'beginEdit' | 'editLast'>;

export function createQuestionEditing({
  page,
  editBox,
  messageBox,
  autoScroll,
  schedule,
}: QuestionEditingDeps): QuestionEditing {
  /** Whether the focus returns to the message box when the edit box is closed; otherwise to the question. */
  let editsFromBox = true;
  const exchanges = () => page.panel()?.exchanges ?? [];

  function lookAtEdited(): void {
    const edited = document.querySelector('textarea.edit')?.closest('article');
    if (edited != null) autoScroll.looksAt(edited);
  }

  const edit: QuestionEditing['edit'] = (next) => {
    const old = editBox.current();
    const edited = old?.exchangeId;
    const begins = edited !== next?.exchangeId;
    if (begins && next !== undefined) {
      editsFromBox = document.activeElement?.matches(MESSAGE_BOX) ?? true;
      // The box of another question is closed although the user hasn't asked for it, unlike with Cancel. So its text is kept.
      if (old !== undefined && isWritten(old, exchanges())) messageBox.add(old.text);
    }
    editBox.edit(next);
    autoScroll.hold();
    schedule();
    if (!begins) return;
    const question = `article.you[data-exchange="${CSS.escape(edited ?? '')}"]`;
    focusBox(next !== undefined ? 'textarea.edit' : editsFromBox ? MESSAGE_BOX : question);
    // Otherwise the page would scroll back to its end with the next message of the host.
    if (next !== undefined) afterDrawing(lookAtEdited);
  };

  const beginEdit: QuestionEditing['beginEdit'] = (next) => {
    if (editBox.current()?.exchangeId !== next.exchangeId) return edit(next);
    // The text that was typed into the box stays.
    focusBox('textarea.edit');
    afterDrawing(lookAtEdited);
  };

  return {
    edit,
    beginEdit,
    editLast() {
      const panel = page.panel();
      if (panel === undefined || panel.exchanges.length === 0) return false;
      const last = panel.exchanges.findLast(({ question }) => question.continues !== true);
      // If the last question is not on the page, the host shows it.
      if (panel.later || last === undefined)
        page.post({ type: 'action', action: 'edit-question', turnId: undefined });
      else beginEdit({ exchangeId: last.id, text: editedText(last) });
      return true;
    },
  };
}
