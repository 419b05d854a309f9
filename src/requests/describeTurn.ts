import {
  answeringModel,
  firstAnswerOf,
  latestResponse,
  totalTriesOf,
  totalUsageOf,
} from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';

/** One line for the log about how a turn ended. */
export function describeTurn(turn: Turn): string {
  const { timings, failure } = turn;
  const response = latestResponse(turn);
  const usage = totalUsageOf(turn);
  const facts = [
    `turn ${turn.id}`,
    `route ${turn.request.routeName} (${turn.request.routeKind})`,
    `outcome ${turn.outcome ?? 'running'}`,
    `finish ${inLine(response.finishReason) ?? 'none'}`,
    `model ${inLine(answeringModel(turn)) ?? 'not named'}`,
    `tries ${totalTriesOf(turn)}`,
    `rounds ${turn.rounds.length}`,
    `first reasoning ${inMs(timings.firstReasoning)}`,
    `first answer ${inMs(firstAnswerOf(turn))}`,
    `ended ${inMs(timings.ended)}`,
    `tokens ${usage?.totalTokens || 'not reported'}`,
    `reasoning tokens ${usage?.reasoningTokens ?? 'not reported'}`,
    ...(turn.request.contentParts?.refused === true ? ['sent again with content as arrays'] : []),
    ...(response.responseId === undefined ? [] : [`id ${inLine(response.responseId)}`]),
    ...(response.requestId === undefined ? [] : [`request ${inLine(response.requestId)}`]),
    ...(failure === undefined
      ? []
      : [
          `failure ${failure.kind} ${failure.details.status ?? ''} ${failure.details.systemCode ?? ''}`.trim(),
        ]),
  ];
  return facts.join(', ');
}

/** The maximum number of characters of a text from the service. No id has more. */
const MAX_LENGTH = 100;

/**
 * Text of the service on one line. It may be anything: lines of a log, control sequences for the terminal that shows it, or the
 * question.
 */
const inLine = (text: string | undefined): string | undefined =>
  text?.slice(0, MAX_LENGTH).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');

function inMs(value: number | undefined): string {
  return value === undefined ? 'never' : `${Math.round(value)} ms`;
}
