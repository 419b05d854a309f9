/** What turns cost: the status bar and the usage page. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Connection } from '../connection/connection.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Storage } from '../storage/storage.ts';
import { registerStatusBar, type StatusBarDeps } from './statusBar.ts';
import { registerUsagePage } from './usagePage.ts';

export interface UsageDeps
  extends Pick<StatusBarDeps, 'routes' | 'structured'>,
    Pick<Connection, 'onDidSpend'> {
  readonly base: Pick<Base, 'log'>;
  readonly conversations: Conversations;
  readonly storage: Pick<Storage, 'history' | 'store'>;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export function registerUsage(deps: UsageDeps): vscode.Disposable {
  const { base, conversations, routes, structured, storage, context, onDidSpend } = deps;
  const { extensionUri } = context;
  const { log } = base;
  const { history, store } = storage;
  return vscode.Disposable.from(
    registerStatusBar({ conversations, routes, structured }),
    registerUsagePage({ conversations, history, store, extensionUri, log, onDidSpend }),
  );
}
