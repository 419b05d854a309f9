/**
 * How every question is sent: finds the route and key, checks the cap, then builds, runs, logs, and records the turn.
 */

import { randomUUID } from 'node:crypto';
import { createTurn } from '../conversation/fold.ts';
import type { RefusedPart } from '../conversation/outcomes/refusedFields.ts';
import { findRoom, toSentParts } from '../conversation/requestMessages/compaction.ts';
import { earlierOmitted } from '../conversation/requestMessages/omissions.ts';
import { toDestination } from '../conversation/routePlace.ts';
import type { Turn } from '../conversation/turn.ts';
import { estimateRequest } from '../conversation/usage/estimate.ts';
import { untilAborted } from '../service/abort.ts';
import { withoutUserInfo } from '../service/address.ts';
import { type Client, createClient } from '../service/client.ts';
import { messageOf } from '../service/errorMessage.ts';
import type { Prices } from '../service/prices.ts';
import type { BuiltRequest } from '../service/request.ts';
import type { Transport } from '../service/transport.ts';
import type { ChatRequest, Route } from '../service/types.ts';
import { createBegunCost } from '../spending/begunCost.ts';
import { type Asker, createDailyCapPolicy, type SpendingDeps } from '../spending/dailyCap.ts';
import { createPlannedCosts } from '../spending/plannedCosts.ts';
import { type Access, type AccessDeps, createKeyReader, findAccess, pricesOf } from './credentials.ts';
import { type Refused, refuse } from './refusal.ts';
import { createRequestBuilder, type RequestBuilder, type RequestBuilderDeps } from './requestBuilder.ts';
import { toFacts } from './requestFacts.ts';
import { runToEnd, type TurnControl } from './runToEnd.ts';
import { createTokenRatios, type RatioMemory, type TokenizedRoute } from './tokenRatios.ts';
import type { TurnContent } from './turnContent.ts';
import type { TurnSettings } from './turnSettings.ts';

export interface TurnQuestion<Content extends TurnContent> {
  readonly asker: Asker;
  /**
   * The id under which the cost is recorded. Undefined if the turn becomes part of a conversation, which records the cost with
   * the turn.
   */
  readonly countedAs: string | undefined;
  /** The id for a turn that becomes part of a conversation only when it has ended. By default, `countedAs`. */
  readonly begunAs?: string;
  /** The name of the route; by default, the active one. */
  readonly routeName?: string | undefined;
  /** Creates the content after the settings and the route are known, without what the route refuses. */
  content(settings: TurnSettings, route: Route, refused: ReadonlySet<RefusedPart>): Content | Refused;
}

/** A turn that can be sent: all checks have passed. */
export interface PreparedTurn<Content extends TurnContent> {
  readonly ok: true;
  readonly access: Access;
  readonly client: Client;
  readonly content: Content;
  /** The turn before its first step. */
  readonly initialTurn: Turn;
  /** Runs the turn, logs it, and records its cost. Never rejects; can be called once. */
  run(control: TurnControl): Promise<Turn>;
  /** Must be called when the turn is not run. Until then its estimated cost counts against the daily cap. */
  discard(): void;
}

export interface Turns {
  /** Builds the request as it would be sent to a route, or returns why it can't be sent ({@link RequestBuilder}). */
  build(content: TurnContent, route: Route, prices: Prices): BuiltRequest;
  readonly refused: RequestBuilder['refused'];
  /** Tokens of a route for each estimated token of text, as its usage has shown. */
  tokenRatio(route: TokenizedRoute): number;
  /** The active route and its key, or why there is none. */
  access(): Promise<Access | Refused>;
  /**
   * Runs all checks before a request is sent. Asks the user when the request exceeds the daily cap, and refuses as
   * `stopped` when the signal aborts meanwhile.
   */
  prepare<Content extends TurnContent>(
    question: TurnQuestion<Content>,
    signal: AbortSignal,
  ): Promise<PreparedTurn<Content> | Refused>;
  /**
   * Ends the running turns immediately, as interrupted: the window closes, and so does the storage in which they are recorded.
   * From then on, nothing is sent, because its cost wouldn't be recorded.
   */
  interrupt(): void;
}

export interface TurnsDeps
  extends AccessDeps,
    RequestBuilderDeps,
    Pick<SpendingDeps, 'spentToday' | 'estimatedToday' | 'confirm'> {
  settings(): TurnSettings;
  readonly transports: { for(route: Route): Promise<Transport> };
  /** Records the cost of a turn that is not part of a conversation. */
  putSpend(countedAs: string, turn: Turn): void;
  /** Keeps the cost of such a turn in case the window is killed while it runs. If missing, nothing is kept. */
  beginSpend?(countedAs: string, assumed: Turn): void;
  /** Whether a probe has shown that the effort works on a route. If missing, nothing is known. */
  effortWorks?(route: Route): boolean;
  /** Asks whether images may be sent to a route that drops them. Undefined if nothing has to be asked. */
  mayDropImages?(route: Route): Promise<boolean> | undefined;
  /** Keeps what is learned about the tokens of routes. If missing, it is kept until the window closes. */
  readonly memory?: RatioMemory;
  readonly log: { info(line: string): void; warn(line: string): void };
}

export function createTurns(deps: TurnsDeps): Turns {
  const spending = createDailyCapPolicy({
    spentToday: () => deps.spentToday(),
    estimatedToday: () => deps.estimatedToday?.() ?? 0,
    confirm: (...question) => deps.confirm(...question),
    now: Date.now,
  });
  const ratios = createTokenRatios(deps.memory ?? new Map());
  const running = new Set<() => void>();
  let closed = false;
  const builder = createRequestBuilder(deps, ratios);

  async function prepare<Content extends TurnContent>(
    question: TurnQuestion<Content>,
    signal: AbortSignal,
  ): Promise<PreparedTurn<Content> | Refused> {
    const { asker, countedAs, begunAs = countedAs } = question;
    const turnId = randomUUID();
    const settings = deps.settings();
    const access = await findAccess(deps, settings, signal, question.routeName);
    if (!access.ok) return access;
    const currentKey = createKeyReader(deps, access);
    const { route, demoKey } = access.active;
    const prices = pricesOf(access.active, settings.prices);
    const refused = builder.refused(route);
    const asked = question.content(settings, route, refused);
    if (isRefused(asked)) return asked;
    const { built, content } = builder.build(asked, route, prices);
    if (!built.ok) return refuse({ kind: 'request', problem: built.problem });
    if (asker === 'conversation' && hasImages(content.request)) {
      const asking = deps.mayDropImages?.(route);
      if (asking !== undefined && !(await untilAborted(asking, signal)))
        return refuse({ kind: 'images-dropped', routeName: route.name });
    }
    const transport = await deps.transports.for(route);
    const ratio = () => ratios.of(route);
    const dailyCap = () => {
      const now = deps.settings();
      const isWrong = now.problems.some(({ setting }) => setting === 'k3.dailyCap');
      return isWrong ? settings.dailyCap : now.dailyCap;
    };
    const isFree = demoKey !== undefined;
    const costs = createPlannedCosts({
      ...{ spending, dailyCap, asker, turnId, prices, ratio, isFree },
      route: toDestination(route, deps.routes),
    });
    const { limits } = settings;
    const client = createClient({ transport, route, key: access.key, currentKey, limits });
    const facts = toFacts(access, built, content, {
      effortWorks: deps.effortWorks?.(route) === true,
      refusesCeiling: refused.has('ceiling'),
    });
    const excess = await costs.check(built.request, content.earlier, signal);
    if (excess !== undefined) return refuse({ kind: 'over-cap', ...excess });
    const costBasis = costs.basis();
    const initialTurn = { ...createTurn(turnId, Date.now(), facts), ...(costBasis && { costBasis }) };
    /** The request for each response. */
    const sent = [built.request];
    const mayContinueUntil =
      (stopped: AbortSignal) => async (turn: Turn, next: ChatRequest, again: boolean) => {
        if (again) costs.dropRefused();
        sent.splice(again ? -1 : sent.length, 1, next);
        return (await costs.check(next, turn, stopped)) === undefined;
      };
    const findTooMuch = (turn: Turn, next: ChatRequest) => {
      const { promptTokens } = estimateRequest(next, turn, prices, ratio());
      const earlier = () => toSentParts(content.earlierResults?.pieces(earlierOmitted(turn)) ?? [], ratio());
      return findRoom({ earlier, turn }, promptTokens, prices, ratio())?.omission;
    };
    const withoutEarlier = content.earlierResults?.messagesWithout ?? content.messagesAsText;
    const keepBegun =
      begunAs === undefined ? undefined : createBegunCost((assumed) => deps.beginSpend?.(begunAs, assumed));
    const run = (control: TurnControl) =>
      runToEnd(
        {
          client,
          toolbox: content.toolbox,
          mayContinue: mayContinueUntil(control.signal),
          needsContentParts: () => builder.needsContentParts(content, route),
          ...(content.keepsResults !== true && { findOmitted: findTooMuch }),
          ...(content.callsAsText && { callsAsText: true }),
          ...(content.sentReasoning && { sentReasoning: content.sentReasoning }),
          ...(withoutEarlier && { withoutEarlier }),
          spending,
          prices,
          running,
          log: deps.log,
        },
        {
          asker,
          initialTurn,
          request: built.request,
          costBasis: costs.basis,
          // The demo counts tokens differently from any service.
          learn: (turn) => (demoKey === undefined ? ratios.learn(route, sent, turn) : undefined),
          record(turn) {
            if (turn.request.contentParts?.refused === true) builder.useContentParts(route);
            if (countedAs !== undefined) deps.putSpend(countedAs, turn);
          },
        },
        withStep(closed ? { ...control, signal: AbortSignal.abort() } : control, keepBegun),
      );
    return {
      ok: true,
      access,
      client,
      content,
      initialTurn,
      run,
      discard: () => spending.dropRunning(turnId),
    };
  }

  return {
    build: (content, route, prices) => builder.build(content, route, prices).built,
    refused: builder.refused,
    tokenRatio: ratios.of,
    access: () => findAccess(deps, deps.settings()),
    interrupt() {
      closed = true;
      for (const end of running) end();
    },
    async prepare(question, signal) {
      try {
        const prepared = closed ? undefined : await prepare(question, signal);
        return prepared === undefined || closed ? refuse({ kind: 'stopped' }) : prepared;
      } catch (error) {
        if (signal.aborted) return refuse({ kind: 'stopped' });
        const message = messageOf(error);
        deps.log.warn(`a request could not be made: ${withoutUserInfo(message)}`);
        return refuse({ kind: 'transport', message: withoutUserInfo(message) });
      }
    },
  };
}

const withStep = (control: TurnControl, first?: (turn: Turn) => void): TurnControl => ({
  ...control,
  onStep(step) {
    first?.(step.turn);
    control.onStep(step);
  },
});

const hasImages = ({ messages }: TurnContent['request']): boolean =>
  messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'image_url'));

const isRefused = (made: TurnContent | Refused): made is Refused => 'refusal' in made;
