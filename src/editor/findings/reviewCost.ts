/** Says what a review in several requests costs before the first one is sent. */
import * as vscode from 'vscode';
import { toAskedText } from '../../conversation/context/context.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import { toDestination } from '../../conversation/routePlace.ts';
import { estimateSeries } from '../../conversation/usage/estimate.ts';
import { withInstructions } from '../../instructions/dueInstructions.ts';
import { toTools } from '../../requests/conversationRequest.ts';
import { pricesOf } from '../../requests/credentials.ts';
import type { Turns } from '../../requests/turns.ts';
import { formatCost, tokensText } from '../base/formats.ts';
import { askInDialog } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { readSettings } from '../base/settings.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';

const t = vscode.l10n.t;

export interface ReviewCostDeps {
  readonly conversations: Pick<Conversations, 'toolboxOf'>;
  readonly routes: Pick<Routes, 'active' | 'named'>;
  readonly turns: Pick<Turns, 'tokenRatio'>;
  readonly instructions: Pick<Instructions, 'due'>;
}

/**
 * Many files are several requests, so their cost is shown before the first one is sent.
 *
 * @param files the number of files in the questions
 * @param notice what else to know before that, such as the files that are left out
 */
export async function agreesToCost(
  deps: ReviewCostDeps,
  conversation: Conversation,
  questions: readonly Question[],
  files: number,
  notice: string | undefined,
): Promise<boolean> {
  const send = t('Review');
  const cost = await describeCost(deps, conversation, questions);
  const chosen = await askInDialog(
    plural(t('Review {0, plural, one {# file} other {# files}} in {1} requests?'), files, questions.length),
    notice === undefined ? cost : `${cost}\n\n${notice}`,
    t('Don’t Send'),
    send,
  );
  return chosen === send;
}

async function describeCost(
  { conversations, routes, turns, instructions }: ReviewCostDeps,
  conversation: Conversation,
  questions: readonly Question[],
): Promise<string> {
  const { systemPrompt, prices } = readSettings();
  const [first, ...others] = questions;
  const due = first && (await instructions.due(conversation.id, conversation.exchanges, first));
  const asked = first === undefined ? [] : [withInstructions(first, due ?? []), ...others];
  const active = routes.active();
  const isDemo = active?.demoKey !== undefined;
  const toolbox = conversations.toolboxOf(conversation.id, active?.route);
  const { tokens, cost } = estimateSeries(
    conversation,
    systemPrompt,
    asked.map(toAskedText),
    active === undefined ? prices : pricesOf(active, prices),
    {
      tools: toolbox && toTools(toolbox),
      ratio: active === undefined || isDemo ? 1 : turns.tokenRatio(active.route),
      route: active && toDestination(active.route, routes),
    },
  );
  if (isDemo)
    return t(
      'About {0} are sent, for which the demo bills nothing. Each request is sent when the one before it is answered.',
      tokensText(tokens),
    );
  return t(
    'About {0} are sent, which costs about {1}, plus the answers. Each request is sent when the one before it is answered.',
    tokensText(tokens),
    formatCost(cost),
  );
}
