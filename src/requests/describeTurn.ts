import { answeringModel, latestResponse, totalTriesOf, totalUsageOf } from '../conversation/rounds.ts';
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
    `finish ${response.finishReason ?? 'none'}`,
    `model ${answeringModel(turn) ?? 'not named'}`,
    `tries ${totalTriesOf(turn)}`,
    `rounds ${turn.rounds.length}`,
    `first reasoning ${inMs(timings.firstReasoning)}`,
    `first answer ${inMs(timings.firstAnswer)}`,
    `ended ${inMs(timings.ended)}`,
    `tokens ${usage?.totalTokens || 'not reported'}`,
    `reasoning tokens ${usage?.reasoningTokens ?? 'not reported'}`,
    ...(turn.request.contentParts?.refused === true ? ['sent again with content as arrays'] : []),
    ...(response.responseId === undefined ? [] : [`id ${response.responseId}`]),
    ...(response.requestId === undefined ? [] : [`request ${response.requestId}`]),
    ...(failure === undefined
      ? []
      : [
          `failure ${failure.kind} ${failure.details.status ?? ''} ${failure.details.systemCode ?? ''}`.trim(),
        ]),
  ];
  return facts.join(', ');
}

function inMs(value: number | undefined): string {
  return value === undefined ? 'never' : `${Math.round(value)} ms`;
}
