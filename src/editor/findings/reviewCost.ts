/** Shows the cost of a large review before it is sent. */
import * as vscode from 'vscode';
import { toAskedText } from '../../conversation/context/context.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Question } from '../../conversation/question.ts';
import { toDestination } from '../../conversation/routePlace.ts';
import { estimateSeries } from '../../conversation/usage/estimate.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import { withInstructions } from '../../instructions/dueInstructions.ts';
import { toTools } from '../../requests/conversationRequest.ts';
import { pricesOf } from '../../requests/credentials.ts';
import type { Turns } from '../../requests/turns.ts';
import { REVIEW_BUDGET_TOKENS, reviewedPaths } from '../../review/questions/reviewQuestion.ts';
import { formatCost, tokensText } from '../base/formats.ts';
import { askInDialog } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { joinSentences } from '../base/sentences.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { readSettings } from '../settings/settings.ts';

const t = vscode.l10n.t;

export interface ReviewCostDeps {
  readonly conversations: Pick<Conversations, 'toolboxOf'>;
  readonly routes: Pick<Routes, 'active' | 'named'>;
  readonly turns: Pick<Turns, 'tokenRatio'>;
  readonly instructions: Pick<Instructions, 'due'>;
}

/**
 * The size of a single request from which the user is asked, in tokens: half of the maximum, because the smallest review in two
 * requests has hardly more in each. With the default prices, this costs about $0.15, which users notice.
 */
const ASKED_TOKENS = REVIEW_BUDGET_TOKENS / 2;

/**
 * Whether the cost is shown before anything is sent. Only the review itself counts: the context meter already shows what
 * the conversation costs with every question.
 */
export const isLargeReview = (questions: readonly Question[]): boolean =>
  questions.length > 1 || questions.some(({ text }) => estimateTokens(text) > ASKED_TOKENS);

/**
 * Shows the cost of the requests, and returns whether the user wants to send them.
 *
 * @param notice more information, such as the files that are left out
 */
export async function agreesToCost(
  deps: ReviewCostDeps,
  conversation: Conversation,
  questions: readonly Question[],
  notice: string | undefined,
): Promise<boolean> {
  const send = t('Review');
  const cost = await describeCost(deps, conversation, questions);
  // Several questions can be about parts of the same file.
  const files = new Set(questions.flatMap(({ text }) => reviewedPaths(text))).size;
  const chosen = await askInDialog(
    plural(
      t(
        'Review {0, plural, one {# file} other {# files}} in {1, plural, one {# request} other {# requests}}?',
      ),
      files,
      questions.length,
    ),
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
  const size = tokensText(tokens);
  return joinSentences([
    isDemo
      ? t('About {0} are sent, for which the demo bills nothing.', size)
      : t('About {0} are sent, which costs about {1}, plus the output.', size, formatCost(cost)),
    questions.length > 1 ? t('Each request is sent when the one before it is answered.') : '',
  ]);
}
