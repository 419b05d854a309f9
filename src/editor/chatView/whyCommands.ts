/** The commands for Why?, Show in Answer, and the map of a turn. The page carries them out. */
import * as vscode from 'vscode';
import { shownTurn } from '../../conversation/conversation.ts';
import { showInformation } from '../base/notifications.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { type ToldChangesDeps, toToldChanges } from '../conversations/toldChanges.ts';
import { turnIdIn } from '../conversations/turnTarget.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { StepPlace } from './panelCommands.ts';
import { toStepTarget } from './stepTarget.ts';

export interface WhyCommandsDeps {
  readonly conversations: Pick<Conversations, 'front' | 'find'> & ToldChangesDeps;
  /** The panel in front that shows a conversation; by default, the panel in front. */
  inFront(conversationId?: string): Promise<ChatPanel | undefined>;
}

export function registerWhyCommands({ conversations, inFront }: WhyCommandsDeps): vscode.Disposable {
  /** Shows an attempt in the panel in front, which gets the focus. */
  async function showTurn({ conversation, exchange, turn }: Found): Promise<ChatPanel | undefined> {
    if (shownTurn(exchange)?.id !== turn.id)
      toToldChanges(conversations).showAttempt(conversation.id, exchange.id, exchange.attempts.indexOf(turn));
    const panel = await inFront(conversation.id);
    panel?.focus();
    return panel;
  }

  async function show(argument: unknown, part: StepPlace['part']): Promise<void> {
    const target = toStepTarget(argument);
    const found = target && conversations.find(target.turnId);
    if (target === undefined || found === undefined)
      return void showInformation(
        target === undefined
          ? vscode.l10n.t('Select a step in the Reasoning view first.')
          : vscode.l10n.t('This turn no longer exists.'),
      );
    const { exchange, turn } = found;
    const panel = await showTurn(found);
    const { step, words } = target;
    const searched = words === undefined ? {} : { words };
    panel?.send({ type: 'step', exchangeId: exchange.id, turnId: turn.id, step, part, ...searched });
  }

  /** @param target a turn; by default the last one of the chat in front that has ended */
  async function showMap(target: unknown): Promise<void> {
    const ended = conversations
      .front()
      .exchanges.map(shownTurn)
      .findLast((turn) => turn?.outcome !== undefined);
    const given = turnIdIn(target);
    const turnId = given ?? ended?.id;
    const found = turnId === undefined ? undefined : conversations.find(turnId);
    if (found === undefined)
      return void showInformation(
        given === undefined
          ? vscode.l10n.t('There is no answer yet.')
          : vscode.l10n.t('This turn no longer exists.'),
      );
    const { exchange, turn } = found;
    if (turn.outcome === undefined)
      return void showInformation(vscode.l10n.t('The map is available when the answer has ended.'));
    const panel = await showTurn(found);
    panel?.send({ type: 'show-map', exchangeId: exchange.id, turnId: turn.id });
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.why', async () => {
      if (conversations.front().exchanges.length === 0)
        return void showInformation(vscode.l10n.t('There is no answer yet.'));
      const panel = await inFront();
      panel?.focus();
      panel?.send({ type: 'why', turnId: undefined, words: undefined });
    }),
    vscode.commands.registerCommand('k3.showInAnswer', (target: unknown) => show(target, 'answer')),
    vscode.commands.registerCommand('k3.showTurnMap', showMap),
    vscode.commands.registerCommand('_k3.showStep', (target: unknown) => show(target, 'reasoning')),
  );
}
