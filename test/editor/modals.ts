/** Replaces messages, which have no API to answer them: records them, and answers modal ones as the test says. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

export interface Asking {
  /** The messages, in order. */
  readonly titles: string[];
  /** The button of each message that Enter selects: the editor gives it the focus. */
  readonly focused: (string | undefined)[];
  /** The details of the messages, in order. */
  readonly details: string[];
  /** The messages that are not modal, in order. */
  readonly notes: string[];
  /** The button to select; undefined cancels. */
  answer: string | undefined;
  /** Runs while a dialog is shown. */
  meanwhile: (() => Promise<void>) | undefined;
  restore(): void;
}

export function watchModals(): Asking {
  const { window } = vscode;
  const { showWarningMessage, showInformationMessage } = window;
  const asking: Asking = {
    titles: [],
    focused: [],
    details: [],
    notes: [],
    answer: undefined,
    meanwhile: undefined,
    restore: () => Object.assign(window, { showWarningMessage, showInformationMessage }),
  };
  Object.assign(window, {
    async showWarningMessage(title: string, options: vscode.MessageOptions | string, ...buttons: string[]) {
      if (typeof options === 'string' || options?.modal !== true) {
        asking.notes.push(title);
        return undefined;
      }
      // The editor adds its own.
      assert.ok(!buttons.includes('Cancel'), `“${title}” would have two buttons “Cancel”`);
      asking.titles.push(title);
      asking.focused.push(buttons[0]);
      asking.details.push(options.detail ?? '');
      await asking.meanwhile?.();
      return buttons.find((button) => button === asking.answer);
    },
    async showInformationMessage(title: string, ...buttons: string[]) {
      asking.notes.push(title);
      return buttons.find((button) => button === asking.answer);
    },
  });
  return asking;
}
