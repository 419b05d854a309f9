import * as vscode from 'vscode';
import type { Conversations } from './conversations.ts';

/** Keeps `k3.isStreaming` true while an answer is on its way in the open conversation. */
export function registerContextKeys({
  conversations,
}: {
  readonly conversations: Conversations;
}): vscode.Disposable {
  let shown: boolean | undefined;
  const update = () => {
    const streaming = conversations.isRunning(conversations.current().id);
    if (streaming === shown) return;
    shown = streaming;
    void vscode.commands.executeCommand('setContext', 'k3.isStreaming', streaming);
  };
  update();
  return conversations.onDidChange(update);
}
