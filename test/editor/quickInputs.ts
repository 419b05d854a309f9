/** Drives the editor's real input boxes and lists, which the extension opens one after the other. */
import * as vscode from 'vscode';
import { until } from './scripted.ts';

type Input = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

export interface QuickInputs {
  /** Waits for an input with this title, and enters a text, or selects the item with this label. */
  answer(title: RegExp, text: string): Promise<void>;
  /** Waits for an input with this title, and goes one step back. Resolves with the text that it had. */
  back(title: RegExp): Promise<string>;
  /** Waits for an input with this title, and closes it. */
  cancel(title: RegExp): Promise<void>;
  /** The message below the box that is open. */
  message(): string;
  dispose(): void;
}

export function driveQuickInputs(): QuickInputs {
  const { createInputBox, createQuickPick } = vscode.window;
  let open: Input | undefined;
  const watched = <Made extends Input>(input: Made): Made => {
    const { show } = input;
    input.show = () => {
      open = input;
      show.call(input);
    };
    return input;
  };
  Object.assign(vscode.window, {
    createInputBox: () => watched(createInputBox()),
    createQuickPick: () => watched(createQuickPick()),
  });
  async function next(title: RegExp): Promise<Input> {
    await until(() => open !== undefined && title.test(open.title ?? ''));
    return open as Input;
  }
  const press = (command: string) => vscode.commands.executeCommand(command);
  return {
    async answer(title, text) {
      const input = await next(title);
      if ('items' in input) {
        const item = input.items.find(({ label }) => label === text);
        if (item === undefined)
          throw new Error(
            `${input.title} has no ${text}, only ${input.items.map(({ label }) => label).join(', ')}`,
          );
        input.activeItems = [item];
      } else input.value = text;
      open = undefined;
      // The extension host sends changes of an input in its next task, and a command at once.
      await new Promise((resolve) => setTimeout(resolve, 20));
      await press('workbench.action.acceptSelectedQuickOpenItem');
      if ('items' in input) return;
      open ??= input;
    },
    async back(title) {
      const input = await next(title);
      open = undefined;
      await press('workbench.action.quickInputBack');
      return input.value;
    },
    async cancel(title) {
      await next(title);
      open = undefined;
      await press('workbench.action.closeQuickOpen');
    },
    message() {
      const shown = open === undefined || 'items' in open ? undefined : open.validationMessage;
      return typeof shown === 'object' ? shown.message : (shown ?? '');
    },
    dispose: () => void Object.assign(vscode.window, { createInputBox, createQuickPick }),
  };
}
