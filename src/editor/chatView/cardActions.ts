/** The actions of card buttons and quick fixes: retry, continue, summarize, and change settings. */

import * as vscode from 'vscode';
import { oldestWithImages } from '../../conversation/images/sentImages.ts';
import { toHelpfulBudget } from '../../conversation/outcomes/outputBudget.ts';
import { keptExchanges } from '../../conversation/requestMessages/keptResults.ts';
import { routeOf } from '../../conversation/routePlace.ts';
import type { CardAction } from '../../panel/cards.ts';
import { toOptions } from '../../requests/chosenOptions.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import type { Log } from '../base/log.ts';
import { showError } from '../base/notifications.ts';
import type { Composers } from '../composer/composers.ts';
import { keptOptions } from '../connection/keptOptions.ts';
import type { InputClosed } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { toToldChanges } from '../conversations/toldChanges.ts';
import { changeRoute } from '../settings/routeSettings.ts';
import { readSettings } from '../settings/settings.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { type AskingAgain, type AskingAgainDeps, budgetBefore, createAskingAgain } from './askAgain.ts';
import { createSummaries } from './summaries.ts';

export interface CardActions extends vscode.Disposable {
  /**
   * Runs an action that a card or a quick fix offers.
   *
   * @param inputClosed called when the user has chosen something in an input that the action opens, or has closed the input
   *   for a key or a file
   */
  perform(
    action: CardAction,
    turnId: string | undefined,
    conversationId?: string,
    inputClosed?: InputClosed,
  ): Promise<void>;
  readonly again: AskingAgain['again'];
}

export interface CardActionsDeps extends AskingAgainDeps {
  readonly conversations: Conversations;
  readonly composers: Pick<Composers, 'compose'>;
  readonly structured: Pick<StructuredAnswers, 'perform'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createCardActions(deps: CardActionsDeps): CardActions {
  const { conversations, routes, structured } = deps;
  const told = toToldChanges(conversations);
  const { again, retry, continueTurn, askSmaller } = createAskingAgain(deps);
  const summaries = createSummaries(deps);

  function omitOldestImages(conversationId: string): void {
    const conversation = conversations.get(conversationId);
    const oldest = conversation && oldestWithImages(conversation);
    if (oldest !== undefined) told.omitImages(conversationId, oldest.id);
  }

  function omitAllResults(conversationId: string): void {
    const conversation = conversations.get(conversationId);
    const kept = conversation === undefined ? [] : keptExchanges(conversation);
    told.keepResults(
      conversationId,
      kept.map(({ id }) => id),
      false,
    );
  }

  /** Lets the user set the key of the route that a retry uses, and retries. */
  async function setKey(found: Found | undefined, inputClosed: InputClosed): Promise<void> {
    const route = found && keptOptions(found.turn, routes).routeName;
    if (!(await vscode.commands.executeCommand<boolean>('k3.setKey', route))) return;
    inputClosed();
    if (found) await retry(found, inputClosed);
  }

  /**
   * Lets the user switch the route. From then on, a retry uses the active route, even if the user chose the route that was
   * active before.
   */
  async function switchRoute(found: Found | undefined, inputClosed: InputClosed): Promise<void> {
    if (!(await vscode.commands.executeCommand<boolean>('k3.switchRoute', inputClosed))) return;
    // The command doesn't call this itself if the user chose Add Route… in its list.
    inputClosed();
    if (found) told.leaveRoute(found.conversation.id, found.turn.id);
  }

  async function perform(
    action: CardAction,
    turnId: string | undefined,
    conversationId = conversations.current().id,
    inputClosed: InputClosed = () => undefined,
  ): Promise<void> {
    const found = turnId === undefined ? undefined : conversations.find(turnId);
    if (turnId !== undefined) conversations.markSeen(turnId);
    switch (action) {
      case 'retry':
        return found && retry(found, inputClosed);
      case 'retry-larger':
        return found && retry(found, inputClosed, largerBudget(found));
      case 'retry-without-format':
        return found && retry(found, inputClosed, toOptions({ leaveOut: ['json', 'schema'] }));
      case 'retry-without-effort':
        return found && retry(found, inputClosed, toOptions({ effort: 'default' }));
      case 'continue':
        return found && continueTurn(found, inputClosed);
      case 'use-suggested-model':
        return found && useSuggestedModel(found, (one) => retry(one, inputClosed));
      case 'set-key':
        return setKey(found, inputClosed);
      case 'switch-route':
        return switchRoute(found, inputClosed);
      case 'edit-question':
        // The page opens the box of the question (`intents.ts`).
        return;
      case 'restore':
        return conversations.restore(conversationId);
      case 'summarize':
        return summaries.ask(conversationId, inputClosed);
      case 'repair':
        return found && structured.perform('repair', found.turn.id, inputClosed);
      case 'omit-oldest-images':
        return omitOldestImages(conversationId);
      case 'send-results':
      case 'omit-results': {
        const keeps = action === 'send-results';
        return void (found && told.keepResults(found.conversation.id, [found.exchange.id], keeps));
      }
      case 'omit-all-results':
        return omitAllResults(found?.conversation.id ?? conversationId);
      case 'smaller-images':
        return found && askSmaller(found, inputClosed);
      case 'probe-route':
        await vscode.commands.executeCommand('k3.probeRoute', routeOfTurn(found));
        return;
      case 'check-connection':
        await vscode.commands.executeCommand('k3.checkConnection', routeOfTurn(found));
        return;
      case 'edit-settings':
        await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:k3-chat.k3-chat');
        return;
      case 'manage-trust':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
      case 'add-route':
        if (await vscode.commands.executeCommand<boolean>(COMMAND_OF[action])) inputClosed();
        return;
      case 'export':
        await vscode.commands.executeCommand(COMMAND_OF[action], undefined, inputClosed);
        return;
      case 'edit-routes':
      case 'try-demo':
      case 'show-log':
      case 'new-conversation':
        await vscode.commands.executeCommand(COMMAND_OF[action]);
        return;
    }
  }

  return { perform, again, dispose: summaries.dispose };
}

const COMMAND_OF = {
  'add-route': 'k3.addRoute',
  'edit-routes': 'k3.editRoutes',
  'try-demo': 'k3.tryDemo',
  'show-log': 'k3.showLog',
  'new-conversation': 'k3.newConversation',
  export: 'k3.exportConversation',
} as const satisfies Partial<Record<CardAction, string>>;

/** The route of a turn, if it still has that name; undefined for the active one. */
function routeOfTurn(found: Found | undefined): string | undefined {
  const name = found?.turn.request.routeName;
  return readSettings().routes.some((route) => route.name === name) ? name : undefined;
}

function largerBudget({ turn }: Found): AttemptOptions {
  const budget = toHelpfulBudget(turn);
  return budget === undefined ? {} : { budget, ...budgetBefore(turn) };
}

/** Writes the model that the gateway suggests to the route, as the button says (E3), and tries again. */
async function useSuggestedModel(found: Found, retry: (found: Found) => Promise<void>): Promise<void> {
  const { turn } = found;
  const model = turn.failure?.details.didYouMean;
  if (model === undefined) return;
  const route = routeOf(turn.request, readSettings().routes);
  // The same request would be refused again.
  if (route === undefined) return void showError(vscode.l10n.t('The route was changed or removed.'));
  await changeRoute(route.name, { model });
  await retry(found);
}
