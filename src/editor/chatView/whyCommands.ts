/** From words of an answer to the steps of the reasoning, and back: the commands, which the page carries out. */
import * as vscode from 'vscode';
import { shownTurn } from '../../chat/turn.ts';
import { showInformation } from '../base/notifications.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ChatPanel, StepPlace } from './chatPanel.ts';

/** A step: a node of the Reasoning view, or what the context menu of the page is about. Steps count from 0. */
export type StepTarget =
  | { readonly turnId: string; readonly index: number }
  | { readonly turnId: string; readonly step: number }
  | undefined;

export interface WhyCommandsDeps {
  readonly conversations: Pick<Conversations, 'find' | 'showAttempt'>;
  /** The panel in front that shows a conversation; by default, the panel in front. */
  inFront(conversationId?: string): Promise<ChatPanel | undefined>;
}

export function registerWhyCommands({ conversations, inFront }: WhyCommandsDeps): vscode.Disposable {
  async function show(target: StepTarget, part: StepPlace['part']): Promise<void> {
    const found = target && conversations.find(target.turnId);
    if (target === undefined || found === undefined) {
      void showInformation(vscode.l10n.t('Select a step in the Reasoning view first.'));
      return;
    }
    const { conversation, exchange, turn } = found;
    if (shownTurn(exchange)?.id !== turn.id)
      conversations.showAttempt(conversation.id, exchange.id, exchange.attempts.indexOf(turn));
    const panel = await inFront(conversation.id);
    panel?.focus();
    const step = 'index' in target ? target.index : target.step;
    panel?.send({ type: 'step', exchangeId: exchange.id, turnId: turn.id, step, part });
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.why', async () => {
      const panel = await inFront();
      panel?.focus();
      panel?.send({ type: 'why', turnId: undefined, words: undefined });
    }),
    vscode.commands.registerCommand('k3.showInAnswer', (target: StepTarget) => show(target, 'answer')),
    vscode.commands.registerCommand('_k3.showStep', (target: StepTarget) => show(target, 'reasoning')),
  );
}
