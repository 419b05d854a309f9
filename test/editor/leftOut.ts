/** Commands of the editor and of the extension that only show something, which would cost more than the rest of a test. */
import { after, before, beforeEach } from 'mocha';
import * as vscode from 'vscode';

export interface LeftOut {
  /** What the command was given each time, in order. */
  readonly calls: (readonly unknown[])[];
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

/** The same while this runs. */
export async function whileLeftOut(command: string, act: () => PromiseLike<unknown>): Promise<void> {
  const { restore } = leaveOut(command);
  try {
    await act();
  } finally {
    restore();
  }
}

let previews: LeftOut | undefined;

/** Reports are read in the tests of a `describe`, not drawn: the next request has a hundred thousand characters. */
export function leaveOutPreviews(): void {
  before(() => {
    previews = leaveOut('markdown.showPreview');
  });
  beforeEach(() => void takePreviews());
  after(() => previews?.restore());
}

/** The addresses of the reports that were to be shown since the test began, or since this was called. */
export const takePreviews = (): readonly string[] => previews?.calls.splice(0).map(String) ?? [];
