/** Explain Terminal Output (`k3.explainTerminal`): asks about the output of the last command. */
import * as vscode from 'vscode';
import { toAsked } from '../../chat/asked.ts';
import { TERMINAL_PROMPT } from '../../chat/terminalOutput.ts';
import { showInformation } from '../base/notifications.ts';
import { askWithKeyPrompt, showRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { freeConversation } from '../conversations/freeConversation.ts';
import type { TerminalOutputs } from './terminalOutputs.ts';

export interface ExplainTerminalDeps {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask'>;
  readonly outputs: Pick<TerminalOutputs, 'read'>;
}

export function registerExplainTerminal({ conversations, outputs }: ExplainTerminalDeps): vscode.Disposable {
  return vscode.commands.registerCommand('k3.explainTerminal', async () => {
    const read = await outputs.read();
    if (!read.ok) return void showInformation(read.why);
    const question = {
      text: TERMINAL_PROMPT,
      asked: toAsked(vscode.l10n.t('Explain Terminal Output'), ''),
      images: [],
      context: [read.item],
      origin: undefined,
    };
    const conversationId = freeConversation(conversations);
    await vscode.commands.executeCommand('k3.focusChat', conversationId);
    await showRefusal(
      await askWithKeyPrompt((options) => conversations.ask(conversationId, question, options)),
    );
  });
}
