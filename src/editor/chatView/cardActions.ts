/** The actions of card buttons and quick fixes: retry, continue, summarize, and change settings. */

import * as vscode from 'vscode';
import { toContinuingQuestion } from '../../conversation/continuingQuestion.ts';
import { askedQuestion, shownTurn } from '../../conversation/conversation.ts';
import { oldestWithImages } from '../../conversation/images/sentImages.ts';
import { toHelpfulBudget } from '../../conversation/outcomes/outputBudget.ts';
import { withPreset } from '../../conversation/question.ts';
import { toContinuation, toSameContinuation } from '../../conversation/requestMessages/continuation.ts';
import { keptExchanges } from '../../conversation/requestMessages/keptResults.ts';
import type { CardAction } from '../../panel/cards.ts';
import { toOptions, withKept } from '../../requests/chosenOptions.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import { changeRoute } from '../base/routeSettings.ts';
import { readSettings } from '../base/settings.ts';
import type { Composers } from '../composer/composers.ts';
import type { ImageIntake } from '../composer/imageIntake.ts';
import { keptOptions } from '../connection/keptOptions.ts';
import type { Routes } from '../connection/routes.ts';
import { askOrExplain, type InputClosed } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { renewQuestion } from './renewedQuestion.ts';
import { createSummaries } from './summaries.ts';

const t = vscode.l10n.t;

export interface CardActions extends vscode.Disposable {
  /**
   * Runs an action that a card or a quick fix offers.
   *
   * @param inputClosed called when the user has chosen in an input that it opens, or has closed the one for a key or a file
   */
  perform(
    action: CardAction,
    turnId: string | undefined,
    conversationId?: string,
    inputClosed?: InputClosed,
  ): Promise<void>;
  /**
   * Creates a new attempt for the question of a turn, which reasons anew. Shows the reason when the request can't be sent.
   */
  again(turnId: string, options?: AttemptOptions, inputClosed?: InputClosed): Promise<void>;
}

export interface CardActionsDeps {
  readonly conversations: Conversations;
  readonly routes: Pick<Routes, 'active'>;
  readonly composers: Pick<Composers, 'compose'>;
  readonly images: Pick<ImageIntake, 'shrink'>;
  readonly structured: Pick<StructuredAnswers, 'perform'>;
  readonly proposals: Pick<Proposals, 'ofTurn'>;
}

export function createCardActions({
  conversations,
  routes,
  composers,
  images,
  structured,
  proposals,
}: CardActionsDeps): CardActions {
  const summaries = createSummaries({ conversations, composers });

  function omitOldestImages(conversationId: string): void {
    const conversation = conversations.get(conversationId);
    const oldest = conversation && oldestWithImages(conversation);
    for (const index of oldest?.question.images.keys() ?? [])
      conversations.omitImage(conversationId, oldest?.id ?? '', index, true);
  }

  function omitAllResults(conversationId: string): void {
    const conversation = conversations.get(conversationId);
    const kept = conversation === undefined ? [] : keptExchanges(conversation);
    conversations.keepResults(
      conversationId,
      kept.map(({ id }) => id),
      false,
    );
  }

  /** The code may have changed since the question was asked. The question itself stays as it is. */
  async function renewedFor({
    exchange: { question, attempts },
  }: Pick<Found, 'exchange'>): Promise<AttemptOptions> {
    const { text, origin } = await renewQuestion(question, attempts, proposals);
    return text === question.text || origin === undefined ? {} : { prompt: text, origin };
  }

  async function again(
    turnId: string,
    options: AttemptOptions = {},
    inputClosed?: InputClosed,
  ): Promise<void> {
    const found = conversations.find(turnId);
    const renewed = options.prompt === undefined && found !== undefined ? await renewedFor(found) : {};
    const kept = found === undefined ? {} : keptOptions(found.turn, routes);
    const asked = withKept(kept, { ...renewed, ...options });
    await askOrExplain((more) => conversations.askAgain(turnId, more), asked, inputClosed);
  }

  /** Asks the same again: also to continue from the reasoning that was continued. */
  async function retry(
    { exchange, turn }: Found,
    inputClosed: InputClosed,
    options: AttemptOptions = {},
  ): Promise<void> {
    const renewed = await renewedFor({ exchange });
    const prompt = toSameContinuation(renewed.prompt ?? exchange.question.text, turn);
    await again(turn.id, prompt === undefined ? options : { ...renewed, prompt, ...options }, inputClosed);
  }

  async function continueTurn(
    { conversation, exchange, turn }: Found,
    inputClosed: InputClosed,
  ): Promise<void> {
    const cut = turn.answer.trim() !== '';
    // A turn with tool results is not sent again: it continues with the results it has.
    if (!cut && turn.rounds.length === 0) {
      const renewed = await renewedFor({ exchange });
      const prompt = toContinuation(renewed.prompt ?? exchange.question.text, turn);
      // A smaller one would be used up sooner.
      const budget = toHelpfulBudget(turn) ?? turn.request.maxCompletionTokens;
      await again(
        turn.id,
        turn.outcome === 'spent-on-reasoning' && budget !== undefined
          ? { ...renewed, prompt, budget }
          : { ...renewed, prompt },
        inputClosed,
      );
      return;
    }
    // Another panel may have continued it already. Its rest has a place only right after it.
    if (conversation.exchanges.at(-1) !== exchange || shownTurn(exchange)?.id !== turn.id) return;
    // Repeated words show where the two parts meet.
    const text = cut
      ? t(
          'Continue exactly where your answer was cut off, in the same form. Begin by repeating its last few words, and don’t open a code block again.',
        )
      : t('Continue.');
    const question = toContinuingQuestion(askedQuestion(exchange, turn), turn, text);
    const ask = (options: AttemptOptions) => conversations.ask(conversation.id, question, options);
    await askOrExplain(ask, keptOptions(turn, routes), inputClosed);
  }

  async function askSmaller(
    { conversation, exchange, turn }: Found,
    inputClosed: InputClosed,
  ): Promise<void> {
    const asked = withPreset(exchange.question, turn.request.preset);
    const question = { ...asked, images: await images.shrink(asked.images) };
    await askOrExplain(
      (options) => conversations.askInstead(conversation.id, exchange.id, question, options),
      keptOptions(turn, routes),
      inputClosed,
    );
  }

  /** The key of the route that a retry goes to. */
  async function setKey(found: Found | undefined, inputClosed: InputClosed): Promise<void> {
    const route = found && keptOptions(found.turn, routes).routeName;
    if (!(await vscode.commands.executeCommand<boolean>('k3.setKey', route))) return;
    inputClosed();
    if (found) await retry(found, inputClosed);
  }

  /** From then on, a retry goes to the active route, also if that is the one that was active before. */
  async function switchRoute(found: Found | undefined, inputClosed: InputClosed): Promise<void> {
    if (!(await vscode.commands.executeCommand<boolean>('k3.switchRoute', inputClosed))) return;
    // After Add Route…, which it offers.
    inputClosed();
    if (found) conversations.leaveRoute(found.conversation.id, found.turn.id);
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
        return found && conversations.keepResults(found.conversation.id, [found.exchange.id], keeps);
      }
      case 'omit-all-results':
        return omitAllResults(found?.conversation.id ?? conversationId);
      case 'smaller-images':
        return found && askSmaller(found, inputClosed);
      case 'probe-route':
        await vscode.commands.executeCommand('k3.probeRoute', probedRoute(found));
        return;
      case 'edit-settings':
        await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:k3-chat.k3-chat');
        return;
      case 'add-route':
        if (await vscode.commands.executeCommand<boolean>(COMMAND_OF[action])) inputClosed();
        return;
      case 'export':
        await vscode.commands.executeCommand(COMMAND_OF[action], undefined, inputClosed);
        return;
      case 'check-connection':
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
  'check-connection': 'k3.checkConnection',
  'try-demo': 'k3.tryDemo',
  'show-log': 'k3.showLog',
  'new-conversation': 'k3.newConversation',
  export: 'k3.exportConversation',
} as const satisfies Partial<Record<CardAction, string>>;

/** The route of a turn, if it still has that name; undefined for the active one. */
function probedRoute(found: Found | undefined): string | undefined {
  const name = found?.turn.request.routeName;
  return readSettings().routes.some((route) => route.name === name) ? name : undefined;
}

function largerBudget({ turn }: Found): AttemptOptions {
  const budget = toHelpfulBudget(turn);
  return budget === undefined ? {} : { budget };
}

/** Writes the model that the gateway suggests to the route, as the button says (E3), and tries again. */
async function useSuggestedModel(found: Found, retry: (found: Found) => Promise<void>): Promise<void> {
  const { turn } = found;
  const model = turn.failure?.details.didYouMean;
  if (model === undefined) return;
  await changeRoute(turn.request.routeName, { model });
  await retry(found);
}
