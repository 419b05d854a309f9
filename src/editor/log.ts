import type { Turn } from '../chat/turn.ts';

/** What is written to the log: facts about requests, never a header, a body or a key (security.md). */
export interface Log {
  info(line: string): void;
  warn(line: string): void;
}

/** One line about how a turn ended. */
export function describeTurn(turn: Turn): string {
  const { usage, timings, failure } = turn;
  const facts = [
    `turn ${turn.id}`,
    `route ${turn.request.routeName} (${turn.request.routeKind})`,
    `outcome ${turn.outcome ?? 'running'}`,
    `finish ${turn.finishReason ?? 'none'}`,
    `model ${turn.responseModel ?? 'not named'}`,
    `tries ${turn.tries}`,
    `first reasoning ${inMs(timings.firstReasoning)}`,
    `first answer ${inMs(timings.firstAnswer)}`,
    `ended ${inMs(timings.ended)}`,
    `tokens ${usage?.totalTokens ?? 'not reported'}`,
    ...(turn.responseId === undefined ? [] : [`id ${turn.responseId}`]),
    ...(turn.requestId === undefined ? [] : [`request ${turn.requestId}`]),
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
