/**
 * Sends the requests of a probe in the same way as all questions, so that keys, the daily cap, and costs are handled in the same
 * way.
 */

import { type Refusal, type Refused, refuse } from '../requests/refusal.ts';
import type { TurnContent } from '../requests/turnContent.ts';
import type { Turns } from '../requests/turns.ts';
import type { Route } from '../service/types.ts';
import { type Asked, isEnough } from './runProbe.ts';

export interface ProbedRoute {
  readonly route: Route;
  /** The demo isn't a route of the settings. */
  readonly demo: boolean;
}

/**
 * @param countedAs the id under which costs are recorded
 * @param signal stops the running request
 */
export function createAsk(
  turns: Pick<Turns, 'prepare'>,
  { route, demo }: ProbedRoute,
  countedAs: string,
  signal: AbortSignal,
): (content: TurnContent) => Promise<Asked> {
  // A route that is renamed, removed, or leads elsewhere during the probe is a different one.
  const placeOf = ({ kind, root, model, network }: Route) => JSON.stringify([kind, root, model, network]);
  const isSame = (now: Route) => placeOf(now) === placeOf(route);

  return async (content) => {
    let moved = false;
    const toContent = (now: Route): TurnContent | Refused => {
      moved = !isSame(now);
      return moved ? refuse({ kind: 'stopped' }) : content;
    };
    const prepared = await turns.prepare(
      {
        asker: 'connection-check',
        countedAs,
        routeName: demo ? undefined : route.name,
        content: (_, now) => toContent(now),
      },
      signal,
    );
    if (!prepared.ok)
      return { ok: false, why: moved || isGone(prepared.refusal) ? 'moved' : prepared.refusal };
    const enough = new AbortController();
    let keepAlives = 0;
    const turn = await prepared.run({
      signal: AbortSignal.any([signal, enough.signal]),
      onStep(step) {
        if (step.keptAlive === true) keepAlives++;
        if (isEnough(step.turn)) enough.abort();
      },
    });
    return { ok: true, probeTurn: { turn, keepAlives, cut: enough.signal.aborted && !signal.aborted } };
  };
}

const isGone = ({ kind }: Refusal) => kind === 'no-route' || kind === 'no-such-route';
