/** The card that says which results of tools are no longer sent, because the context window would nearly be full. */

import * as vscode from 'vscode';
import type { OmittedResults } from '../../conversation/requestFacts.ts';
import { argumentsOf } from '../../conversation/toolCalls/callTitle.ts';
import type { Call, Turn } from '../../conversation/turn.ts';
import type { CardView } from '../../panel/cards.ts';
import { groupBy } from '../../text/groupBy.ts';
import { aboutCompactTokens } from '../base/formats.ts';
import { type CallContext, toCallTitle } from './toolCallViews.ts';

const t = vscode.l10n.t;

export interface OmittedCardContext extends Pick<CallContext, 'titleOf'> {
  /** The user has chosen to send the results again. */
  readonly keepsResults?: true | undefined;
  /** A turn of the conversation. */
  readonly turnOf: (turnId: string) => Turn | undefined;
}

/** The maximum number of groups that the card lists. */
const MOST_GROUPS = 10;

interface Listed {
  /** Undefined if the turn of the call no longer exists. */
  readonly call: Call | undefined;
  readonly tokens: number;
}

/** Results of the same call, or of the same tool on the same file, in the order in which they came. */
function toGroups(results: readonly Listed[]): readonly (readonly Listed[])[] {
  return [
    ...groupBy(results, ({ call }) => call && `${call.name} ${pathOf(call) ?? call.arguments}`).values(),
  ];
}

function pathOf(call: Call): string | undefined {
  const { path } = argumentsOf(call.arguments);
  return typeof path === 'string' ? path : undefined;
}

function toFact(group: readonly Listed[], context: OmittedCardContext): CardView['facts'][number] {
  const label = toGroupTitle(group, context);
  return {
    label: group.length === 1 ? label : `${label} (${group.length})`,
    value: aboutCompactTokens(group.reduce((sum, { tokens }) => sum + tokens, 0)),
  };
}

/**
 * The title of a group. If its calls differ, for example in the lines that they read, it is the title of a call for the
 * whole file.
 */
function toGroupTitle(group: readonly Listed[], context: OmittedCardContext): string {
  const [first, ...others] = group.flatMap(({ call }) => call ?? []);
  if (first === undefined) return '?';
  const isSame = others.every((one) => one.arguments === first.arguments);
  return toCallTitle(
    isSame ? first : { ...first, arguments: JSON.stringify({ path: pathOf(first) }) },
    context,
  );
}

/** The card for results that were left out of a request of a turn. It is shown while the turn runs, too. */
export function toOmittedCard(turn: Turn, omitted: OmittedResults, context: OmittedCardContext): CardView {
  const { results, earlier = [] } = omitted;
  const all = [
    ...earlier.map((result) => ({ result, of: context.turnOf(result.turn) })),
    ...results.map((result) => ({ result, of: turn })),
  ];
  const groups = toGroups(
    all.map(({ result: { round, index, tokens }, of }) => ({
      call: of?.rounds[round]?.toolCalls[index],
      tokens,
    })),
  );
  const facts = groups.slice(0, MOST_GROUPS).map((group) => toFact(group, context));
  const more = groups.slice(MOST_GROUPS).reduce((sum, { length }) => sum + length, 0);
  const keeps = context.keepsResults === true;
  return {
    tone: 'note',
    title: keeps ? t('Some tool results are sent again') : t('Some tool results are no longer sent'),
    body: [toBody(omitted, keeps)],
    facts: more === 0 ? facts : [...facts, { label: t('… and {0} more', more), value: '' }],
    // Cards of earlier exchanges have the button, too: it applies to every later request.
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
        'The context window was nearly full, so these results are no longer sent, starting with request {0} of this answer. They stay in the chat.',
        fromRound + 1,
      );
}

const toggleAction = (keeps: boolean): CardView['actions'][number] =>
  keeps
    ? { action: 'omit-results', label: t('Leave them out again') }
    : { action: 'send-results', label: t('Send them again') };
