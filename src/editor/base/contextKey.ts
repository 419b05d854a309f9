import * as vscode from 'vscode';
import { inBackground } from './background.ts';
import type { Log } from './log.ts';

/** Returns the function that sets a context key. */
export function createContextKey(key: string, log: Pick<Log, 'warn'>): (value: boolean) => void {
  let shown: boolean | undefined;
  return (value) => {
    if (shown === value) return;
    shown = value;
    inBackground(log, vscode.commands.executeCommand('setContext', key, value), `setting ${key}`);
  };
}
