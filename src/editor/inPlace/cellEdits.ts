/**
 * Edits in cells of notebooks. The editor shows no threads of extensions there, so words are asked for in an input in place of a box, and
 * the answer is in the chat.
 */
import * as vscode from 'vscode';
import { askForInput } from '../base/notifications.ts';
import { titleOfTask } from '../code/codeQuestions.ts';
import { linesText } from '../wording/linesText.ts';
import type { SelectedCode } from '../workspace/selectedCode.ts';
import type { NewStep } from './editAnswers.ts';
import type { Edit, EditStep } from './editList.ts';
import type { Edits } from './edits.ts';
import { linesIn, meets, showRunning } from './editTargets.ts';
import { joinDrafts } from './keptDrafts.ts';

export interface CellEdits {
  /** Asks a step about lines of a cell. Without one, asks the user for words. */
  begin(code: SelectedCode, step?: NewStep): Promise<void>;
  /** Opens the chat if the last question was sent. */
  showAnswer(edit: Edit): Promise<void>;
}

export interface CellEditsDeps {
  readonly edits: Pick<
    Edits,
    'ofFile' | 'isRunning' | 'ask' | 'leave' | 'setLines' | 'keepDrafts' | 'onDidChange'
  >;
  openOrShow(code: SelectedCode, step: NewStep | undefined): Promise<unknown>;
  openInChat(edit: Edit): Thenable<unknown>;
}

export function createCellEdits({ edits, openOrShow, openInChat }: CellEditsDeps): CellEdits {
  /**
   * Whether something was entered. Otherwise, what was typed is in the next input of the cell: the editor closes this one for any other
   * one as well.
   */
  async function askForWords(edit: Edit, code: SelectedCode): Promise<boolean> {
    const closing = new vscode.CancellationTokenSource();
    const listening = edits.onDidChange(() => edit.ended && closing.cancel());
    const input = {
      title: titleOfTask('edit'),
      prompt: linesText(code.path, code.startLine, code.endLine),
      placeHolder: vscode.l10n.t('What should change?'),
      value: edit.draft,
      validateInput(typed: string) {
        edit.draft = typed;
        edits.keepDrafts();
        return undefined;
      },
    };
    const words = await askForInput(input, closing.token);
    listening.dispose();
    closing.dispose();
    if (edit.ended) return false;
    if (words !== undefined) edit.draft = words.trim();
    const isEntered = words !== undefined && edit.draft !== '';
    const { draft, lines, deleted } = edit;
    if (isEntered) await edits.ask(edit, { task: 'edit', words: draft, diagnostics: [], lines, deleted });
    else if (edit.steps.length === 0) edits.leave(edit);
    return isEntered;
  }

  async function showAnswer(edit: Edit): Promise<void> {
    const last = edit.steps.at(-1);
    if (last !== undefined && !isUnsent(last)) await openInChat(edit);
  }

  return {
    async begin(code, step) {
      const known = edits.ofFile(code.document.uri);
      // What would be typed couldn't be sent.
      if (known !== undefined && edits.isRunning(known) && !meets(known, code)) return showRunning(known);
      await openOrShow(code, step);
      const edit = edits.ofFile(code.document.uri);
      if (edit === undefined) return;
      if (step === undefined) {
        takeUnsent(edit);
        edits.setLines(edit, linesIn(code));
        if (!(await askForWords(edit, code))) return;
      }
      await showAnswer(edit);
    },
    showAnswer,
  };
}

const isUnsent = ({ state }: EditStep): boolean => state.kind === 'refused' || state.kind === 'not-sent';

/** What was not sent is in the input again. */
function takeUnsent(edit: Edit): void {
  const unsent = edit.steps.filter(isUnsent).map(({ words }) => words);
  edit.draft = joinDrafts([...unsent, edit.draft]);
  edit.steps.splice(0, edit.steps.length, ...edit.steps.filter((one) => !isUnsent(one)));
}
