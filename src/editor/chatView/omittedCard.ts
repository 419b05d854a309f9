/** The card that says which results of tools are no longer sent, because the context window would nearly be full. */
import * as vscode from 'vscode';
import type { OmittedResults, Turn } from '../../chat/turn.ts';
import type { CardView } from '../../panel/cards.ts';
import { compactTokens } from '../base/formats.ts';
import { type CallContext, toTitle } from './toolCallViews.ts';

const t = vscode.l10n.t;

export interface OmittedCardContext extends Pick<CallContext, 'titleOf'> {
  /** The user has taken it back. */
  readonly keepsResults?: true | undefined;
  /** A turn of the conversation. */
  readonly turnOf: (turnId: string) => Turn | undefined;
}

/** A longer list is cut. */
const MOST_RESULTS = 10;

/** Also while the turn runs. */
export function toOmittedCard(turn: Turn, omitted: OmittedResults, context: OmittedCardContext): CardView {
  const { results, earlier = [] } = omitted;
  const all = [
    ...earlier.map((result) => ({ result, of: context.turnOf(result.turn) })),
    ...results.map((result) => ({ result, of: turn })),
  ];
  const facts = all.slice(0, MOST_RESULTS).map(({ result: { round, index, tokens }, of }) => {
    const call = of?.rounds[round]?.toolCalls[index];
    return { label: call === undefined ? '?' : toTitle(call, context), value: compactTokens(tokens) };
  });
  const more = all.length - facts.length;
  const keeps = context.keepsResults === true;
  return {
    tone: 'note',
    title: keeps ? t('Some tool results are sent again') : t('Some tool results are no longer sent'),
    body: [toBody(omitted, keeps)],
    facts: more === 0 ? facts : [...facts, { label: t('… and {0} more', more), value: '' }],
    // Also of earlier exchanges: every later request has them, or doesn't.
    actions: turn.outcome === undefined ? [] : [toggleAction(keeps)],
    serviceWords: undefined,
  };
}

function toBody({ fromRound, results }: OmittedResults, keeps: boolean): string {
  if (results.length === 0 && fromRound === 0)
    return keeps
      ? t(
          'The context window was nearly full, so these results of earlier answers were not sent with this question. They are sent again with every further question.',
        )
      : t(
          'The context window was nearly full, so these results of earlier answers are no longer sent, starting with this question. They stay in the chat.',
        );
  return keeps
    ? t(
        'The context window was nearly full, so these results were not sent, starting with request {0} of this answer. They are sent again with every further question.',
        fromRound + 1,
      )
    : t(
        'The context window was nearly full, so these results are no longer sent, starting with request {0}. They stay in the chat.',
        fromRound + 1,
      );
}

const toggleAction = (keeps: boolean): CardView['actions'][number] =>
  keeps
    ? { action: 'omit-results', label: t('Leave them out again') }
    : { action: 'send-results', label: t('Send them again') };
