/** Modal questions, which have no API to answer them: they are noted, and answered as a test says. */
import * as vscode from 'vscode';

export interface Asking {
  /** The details of each question, in order. */
  readonly details: string[];
  /** The button that is pressed; undefined cancels. */
  answer: string | undefined;
  restore(): void;
}

export function watchModals(): Asking {
  const { window } = vscode;
  const original = window.showWarningMessage;
  const asking: Asking = {
    details: [],
    answer: undefined,
    restore: () => Object.assign(window, { showWarningMessage: original }),
  };
  Object.assign(window, {
    async showWarningMessage(_: string, options: vscode.MessageOptions | string, ...buttons: string[]) {
      if (typeof options === 'string' || options?.modal !== true) return undefined;
      asking.details.push(options.detail ?? '');
      return buttons.find((button) => button === asking.answer);
    },
  });
  return asking;
}
