/** What the reader wants, from the panel, from quick fixes and from commands: one place does it. */
import * as vscode from 'vscode';
import { toLargerBudget } from '../chat/budget.ts';
import { toContinuation } from '../chat/transcript.ts';
import type { CardAction, WebviewMessage } from '../panel/messages.ts';
import type { ReasoningEffort } from '../service/types.ts';
import { pickImages } from './attachments.ts';
import type { Asked, Conversations, Found } from './conversations.ts';
import type { AttemptOptions } from './preparation.ts';
import { describeRefusal } from './refusalWords.ts';
import { changeRoute, readSettings, writeEffort } from './settings.ts';
import type { Composer } from './surroundings.ts';

const t = vscode.l10n.t;

export interface Intents {
  /** Does what a panel's message asks for. What cannot be sent is told in the composer, which keeps its text. */
  receive(message: WebviewMessage, conversationId: string, composer: Composer): Promise<void>;
  /** Does what a card or a quick fix offers. */
  perform(action: CardAction, turnId: string | undefined): Promise<void>;
}

export function createIntents({ conversations }: { readonly conversations: Conversations }): Intents {
  async function send(conversationId: string, composer: Composer, text: string): Promise<void> {
    composer.draft = text;
    const question = { text, images: composer.attachments, origin: undefined };
    let asked = await conversations.ask(conversationId, question);
    // Without a key there is one thing to do, so it is offered at once; the question waits.
    if (
      !asked.ok &&
      asked.refusal.kind === 'no-key' &&
      (await vscode.commands.executeCommand<boolean>('k3.setKey'))
    ) {
      asked = await conversations.ask(conversationId, question);
    }
    if (asked.ok) {
      composer.draft = '';
      composer.attachments = [];
    }
    composer.refusal = asked.ok ? undefined : describeRefusal(asked.refusal);
  }

  async function again(turnId: string, options: AttemptOptions = {}): Promise<void> {
    await tellRefusal(await conversations.askAgain(turnId, options));
  }

  async function continueTurn({ conversation, exchange, turn }: Found): Promise<void> {
    if (turn.answer.trim() === '') {
      const budget = toLargerBudget(turn.request.maxCompletionTokens);
      const prompt = toContinuation(exchange.question.text, turn.reasoning);
      await again(
        turn.id,
        turn.outcome === 'spent-on-reasoning' && budget !== undefined ? { prompt, budget } : { prompt },
      );
      return;
    }
    const text = t('Continue exactly where your answer was cut off.');
    await tellRefusal(
      await conversations.ask(conversation.id, { text, images: [], origin: exchange.question.origin }),
    );
  }

  async function perform(action: CardAction, turnId: string | undefined): Promise<void> {
    const found = turnId === undefined ? undefined : conversations.find(turnId);
    if (turnId !== undefined) conversations.markSeen(turnId);
    switch (action) {
      case 'retry':
        return found && again(found.turn.id);
      case 'retry-larger':
        return found && again(found.turn.id, largerBudget(found));
      case 'continue':
        return found && continueTurn(found);
      case 'use-suggested-model':
        return found && useSuggestedModel(found, again);
      case 'set-key':
        if ((await vscode.commands.executeCommand<boolean>('k3.setKey')) && found) await again(found.turn.id);
        return;
      case 'edit-settings':
        return void vscode.commands.executeCommand('workbench.action.openSettings', '@ext:k3-chat.k3-chat');
      case 'add-route':
      case 'switch-route':
      case 'check-connection':
      case 'try-demo':
      case 'show-log':
        return void vscode.commands.executeCommand(COMMAND_OF[action]);
    }
  }

  return {
    perform,
    async receive(message, conversationId, composer) {
      switch (message.type) {
        case 'send':
          return send(conversationId, composer, message.text);
        case 'stop':
          return conversations.stop(conversationId);
        case 'attach':
          composer.attachments = [...composer.attachments, ...(await pickImages())];
          return;
        case 'remove-attachment':
          composer.attachments = composer.attachments.filter((_, index) => index !== message.index);
          return;
        case 'pick-effort':
          return pickEffort();
        case 'action':
          return perform(message.action, message.turnId);
        case 'regenerate':
          return again(message.turnId);
        case 'show-attempt':
          return conversations.showAttempt(conversationId, message.exchangeId, message.attempt);
        case 'open-reasoning':
          return void vscode.commands.executeCommand('k3.openReasoning', message.turnId);
        case 'copy':
          return vscode.env.clipboard.writeText(conversations.find(message.turnId)?.turn.answer ?? '');
        case 'copy-text':
          return vscode.env.clipboard.writeText(message.text);
        case 'open-link':
          return openLink(message.href);
        case 'seen':
          return conversations.markSeen(message.turnId);
        case 'ready':
        case 'draft':
          return;
      }
    },
  };
}

const COMMAND_OF = {
  'add-route': 'k3.addRoute',
  'switch-route': 'k3.switchRoute',
  'check-connection': 'k3.checkConnection',
  'try-demo': 'k3.tryDemo',
  'show-log': 'k3.showLog',
} as const satisfies Partial<Record<CardAction, string>>;

function largerBudget({ turn }: Found): AttemptOptions {
  const budget = toLargerBudget(turn.request.maxCompletionTokens);
  return budget === undefined ? {} : { budget };
}

/** Writes the model that a gateway suggests into the route, which is what the reader pressed the button for (E3). */
async function useSuggestedModel({ turn }: Found, again: (turnId: string) => Promise<void>): Promise<void> {
  const model = turn.failure?.details.didYouMean;
  if (model === undefined) return;
  await changeRoute(turn.request.routeName, { model });
  await again(turn.id);
}

async function tellRefusal(asked: Asked): Promise<void> {
  if (asked.ok) return;
  const setKey = t('Set API Key…');
  const offers = asked.refusal.kind === 'no-key' ? [setKey] : [];
  const chosen = await vscode.window.showWarningMessage(describeRefusal(asked.refusal), ...offers);
  if (chosen === setKey) await vscode.commands.executeCommand('k3.setKey');
}

async function pickEffort(): Promise<void> {
  const { effort } = readSettings();
  const ignored = t('may be ignored: the service accepts it without a word');
  const choices: (vscode.QuickPickItem & { readonly effort: ReasoningEffort | undefined })[] = [
    { label: t('Default'), description: t('leaves it to the service'), effort: undefined },
    { label: 'max', effort: 'max' },
    { label: 'high', description: ignored, effort: 'high' },
    { label: 'low', description: ignored, effort: 'low' },
  ];
  const items = choices.map((choice) =>
    choice.effort === effort ? { ...choice, iconPath: new vscode.ThemeIcon('check') } : choice,
  );
  const picked = await vscode.window.showQuickPick(items, { title: t('Reasoning effort') });
  if (picked !== undefined) await writeEffort(picked.effort);
}

/** Links of answers: http(s) only, and through the editor, which asks first (security.md). */
async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme === 'https' || uri.scheme === 'http') await vscode.env.openExternal(uri);
}
