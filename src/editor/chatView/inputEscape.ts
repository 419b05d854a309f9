/**
 * Detects whether an input was closed with Escape. The API of the editor doesn't distinguish that from a click elsewhere,
 * after which the focus must stay where the user clicked.
 */
import * as vscode from 'vscode';
import { createContextKey } from '../base/contextKey.ts';
import type { Log } from '../base/log.ts';

export interface InputEscape extends vscode.Disposable {
  /** Watches the inputs that are opened from now on, until the watch is disposed of. */
  watch(): EscapeWatch;
}

export interface EscapeWatch extends vscode.Disposable {
  /** Escape was pressed in an input. */
  pressed(): boolean;
}

/**
 * The command that closes an input as Escape does. A keybinding in package.json assigns Escape to it while an input may be
 * open.
 */
const CLOSE = '_k3.closeInput';

export function registerInputEscape(log: Pick<Log, 'warn'>): InputEscape {
  const watching = new Set<() => void>();
  const setOpen = createContextKey('k3.inputOpen', log);
  const registered = vscode.commands.registerCommand(CLOSE, () => {
    for (const note of watching) note();
    return vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  });
  return {
    watch() {
      let pressed = false;
      const note = () => {
        pressed = true;
      };
      watching.add(note);
      setOpen(true);
      return {
        pressed: () => pressed,
        dispose() {
          watching.delete(note);
          setOpen(watching.size > 0);
        },
      };
    },
    dispose: () => registered.dispose(),
  };
}
