/** Sends the requests of a probe, one after the other, and collects the results. */

import { createSchemaCheck } from '../conversation/answerFormats/schemaCheck.ts';
import { responsesOf } from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';
import { isCostKnown } from '../conversation/usage/cost.ts';
import type { Refusal } from '../requests/refusal.ts';
import type { TurnContent } from '../requests/turnContent.ts';
import type { Failure, ServiceErrorKind } from '../service/errors.ts';
import type { CheckId, CheckResult, RouteProbe } from './probe.ts';
import type { ProbeStep } from './probePlan.ts';
import { readTurns } from './probeReading.ts';
import type { ProbeTurn } from './reading.ts';
import { readStep } from './stepReading.ts';

export type Asked =
  | { readonly ok: true; readonly probeTurn: ProbeTurn }
  /** `moved`: the route is gone, or leads elsewhere now. */
  | { readonly ok: false; readonly why: Refusal | 'moved' };

export interface ProbeDeps {
  /** Sends one request, and records its cost. Doesn't reject. */
  ask(content: TurnContent): Promise<Asked>;
  /** Called before each step. */
  onStep(about: CheckId, index: number): void;
  /** Epoch milliseconds. */
  now(): number;
  readonly model: string;
  /** USD; undefined if the service didn't report it. */
  costOf(turn: Turn): number | undefined;
  readonly signal: AbortSignal;
}

/** Why a probe ended. Its results up to then are kept. */
export type ProbeEnd =
  | { readonly by: 'done' }
  | { readonly by: 'user' }
  /** The route was renamed, removed, or changed. */
  | { readonly by: 'moved' }
  | { readonly by: 'refusal'; readonly refusal: Refusal }
  | { readonly by: 'failure'; readonly failure: Failure; readonly turn: Turn };

export interface EndedProbe {
  readonly probe: RouteProbe;
  readonly end: ProbeEnd;
}

/** Failures after which every further request would fail in the same way, or make it worse. */
const LASTING: ReadonlySet<ServiceErrorKind> = new Set([
  'bad-key',
  'key-removed',
  'model-unavailable',
  'model-unknown',
  'access-denied',
  'rate-limited',
  'overloaded',
  'no-balance',
  'redirected',
  'unreachable',
  'untrusted-certificate',
  'proxy-refused',
]);

/** Never rejects. */
export async function runProbe(plan: readonly ProbeStep[], deps: ProbeDeps): Promise<EndedProbe> {
  const check = createSchemaCheck();
  const all: ProbeTurn[] = [];
  /** All turns, including one that the user stopped. It shows nothing, but may be billed. */
  const asked: Turn[] = [];
  let results: readonly CheckResult[] = [];
  const ended = (end: ProbeEnd): EndedProbe => {
    const at = deps.now();
    const shared = readTurns(all, deps.model)
      .filter((one) => end.by === 'done' || !mayShowLater(one))
      .map((one) => ({ ...one, at }));
    return {
      probe: {
        results: [...shared, ...results],
        requests: asked.flatMap(responsesOf).length,
        // A request that the route refused costs nothing.
        cost: sumOf(asked.map((turn) => (isCostKnown(turn) ? (deps.costOf(turn) ?? 0) : undefined))),
      },
      end,
    };
  };
  let failures = 0;
  for (const [index, { about, requests }] of plan.entries()) {
    deps.onStep(about, index);
    const turns: ProbeTurn[] = [];
    for (const content of requests) {
      if (deps.signal.aborted) return ended({ by: 'user' });
      const answered = await deps.ask(content);
      if (!answered.ok) return ended(toEnd(answered.why));
      const { turn, cut } = answered.probeTurn;
      asked.push(turn);
      // The user has stopped it, not agreed to exceed the daily cap, or closed the window.
      if ((turn.outcome === 'stopped' && !cut) || turn.windowClosed) return ended({ by: 'user' });
      all.push(answered.probeTurn);
      turns.push(answered.probeTurn);
      const { failure } = turn;
      failures = failure === undefined || failure.kind === 'invalid-request' ? 0 : failures + 1;
      const isFirst = all.length === 1;
      if (failure !== undefined && (isFirst || failures > 1 || LASTING.has(failure.kind)))
        return ended({ by: 'failure', failure, turn });
    }
    const at = deps.now();
    results = [...results, ...readStep(about, turns, all[0]?.turn, check).map((one) => ({ ...one, at }))];
  }
  return ended({ by: 'done' });
}

/** Whether no request so far has shown something that one of the remaining requests could have shown. */
const mayShowLater = ({ check, verdict }: Pick<CheckResult, 'check' | 'verdict'>) =>
  verdict !== 'yes' && (check === 'reasoning' || check === 'keep-alives');

function toEnd(why: Refusal | 'moved'): ProbeEnd {
  if (why === 'moved') return { by: 'moved' };
  return why.kind === 'stopped' ? { by: 'user' } : { by: 'refusal', refusal: why };
}

function sumOf(costs: readonly (number | undefined)[]): number | undefined {
  return costs.reduce<number | undefined>(
    (sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost),
    0,
  );
}

export interface ProbeEstimate {
  readonly requests: number;
  /** USD. */
  readonly cost: number;
}

/**
 * The estimated cost of a probe, with a guess of the output.
 *
 * @param inputCostOf returns the cost of the input of a request, in USD
 * @param outputPrice USD per million tokens
 */
export function estimateProbe(
  plan: readonly ProbeStep[],
  inputCostOf: (content: TurnContent) => number,
  outputPrice: number,
): ProbeEstimate {
  let cost = 0;
  let requests = 0;
  for (const step of plan) {
    for (const content of step.requests) {
      // A request with tools is followed by one with their results.
      const times = content.toolbox === undefined ? 1 : 2;
      requests += times;
      cost += times * inputCostOf(content) + (step.outputTokens * outputPrice) / 1_000_000;
    }
  }
  return { requests, cost };
}

/** The number of characters of reasoning and answer after which a turn is stopped, because it has shown enough by then. */
export const ENOUGH_CHARACTERS = 32_000;
/** The rounds of tool calls after which a turn is stopped. */
export const ENOUGH_ROUNDS = 3;

export const isEnough = ({ reasoning, answer, rounds }: Turn): boolean =>
  reasoning.length + answer.length > ENOUGH_CHARACTERS || rounds.length > ENOUGH_ROUNDS;
