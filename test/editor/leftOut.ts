/** Commands of the editor and of the extension that only show something, which would cost more than the rest of a test. */
import { after, before } from 'mocha';
import * as vscode from 'vscode';

export interface LeftOut {
  /** What the command was given each time, in order. */
  readonly calls: readonly (readonly unknown[])[];
  restore(): void;
}

/** Takes a command from the extension and the tests. Notes what it is called with, and does nothing else. */
export function leaveOut(command: string): LeftOut {
  const { executeCommand } = vscode.commands;
  const calls: (readonly unknown[])[] = [];
  Object.assign(vscode.commands, {
    async executeCommand(name: string, ...args: readonly unknown[]): Promise<unknown> {
      if (name !== command) return executeCommand(name, ...args);
      calls.push(args);
      return undefined;
    },
  });
  return { calls, restore: () => void Object.assign(vscode.commands, { executeCommand }) };
}

/**
 * Reports are read in the tests of a `describe`, not drawn: the next request has a hundred thousand characters.
 *
 * @returns what asks for the address of the one that was to be shown last
 */
export function leaveOutPreviews(): () => string {
  let previews: LeftOut;
  before(() => {
    previews = leaveOut('markdown.showPreview');
  });
  after(() => previews.restore());
  return () => String(previews.calls.at(-1));
}
