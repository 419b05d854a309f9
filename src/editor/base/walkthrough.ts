/** The walkthrough, and its steps that are done when something has succeeded. */
import * as vscode from 'vscode';
import { createContextKey } from './contextKey.ts';
import type { Log } from './log.ts';

/**
 * `key`: a route has its API key, or the service has accepted one. `ask`: a question was sent. `reasoning`: the user has opened
 * or copied it.
 */
export type WalkthroughStep = 'key' | 'ask' | 'reasoning';

export interface Walkthrough extends vscode.Disposable {
  /** Checks a step off. The editor remembers it. */
  done(step: WalkthroughStep): void;
}

/**
 * Registers `k3.openWalkthrough`. The editor checks a step off as soon as a command of its `completionEvents` is started, also when the
 * user cancels it, and doesn't notice commands that the extension runs; so these steps have context keys. The `completionEvents` of a
 * step also include those of later steps, because these steps imply it.
 */
export function registerWalkthrough(log: Pick<Log, 'warn'>): Walkthrough {
  const keys = {
    key: createContextKey('k3.walkthrough.key', log),
    ask: createContextKey('k3.walkthrough.ask', log),
    reasoning: createContextKey('k3.walkthrough.reasoning', log),
  };
  const registered = vscode.commands.registerCommand('k3.openWalkthrough', () =>
    vscode.commands.executeCommand('workbench.action.openWalkthrough', 'k3-chat.k3-chat#start', false),
  );
  return { done: (step) => keys[step](true), dispose: () => registered.dispose() };
}
