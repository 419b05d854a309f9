/** Builds the request of a turn for a route: without what the route refuses, and with room in the context window. */

import { REFUSABLE, type RefusedPart } from '../conversation/outcomes/refusedFields.ts';
import { toDestination, toRoutePlace } from '../conversation/routePlace.ts';
import { estimateRequest } from '../conversation/usage/estimate.ts';
import { toContentParts } from '../service/contentParts.ts';
import type { Prices } from '../service/prices.ts';
import { type BuiltRequest, buildRequest } from '../service/request.ts';
import type { Route } from '../service/types.ts';
import { withRoom } from './contextRoom.ts';
import type { TokenRatios } from './tokenRatios.ts';
import type { TurnContent } from './turnContent.ts';

export interface RequestBuilder {
  /**
   * Builds the request as it would be sent to a route, or returns why it can't be sent. If it would nearly fill the context
   * window, results of earlier turns are left out: those whose absence costs least at these prices.
   *
   * @returns the request, with the content that it was made of
   */
  build<Content extends TurnContent>(
    content: Content,
    route: Route,
    prices: Prices,
  ): { readonly built: BuiltRequest; readonly content: Content };
  /** The parts of a request that a route refused in a probe. */
  refused(route: Route): ReadonlySet<RefusedPart>;
  /** Whether the contents of messages are sent as arrays, because the route refused strings. */
  needsContentParts(content: TurnContent, route: Route): boolean;
  /** From now on, contents are sent to this route as arrays. */
  useContentParts(route: Route): void;
}

export interface RequestBuilderDeps {
  /** Whether a route refused a part in a probe. If missing, nothing is known. */
  refuses?(part: RefusedPart, route: Route): boolean;
}

const PARTS: readonly RefusedPart[] = [...REFUSABLE, 'lower-effort'];

export function createRequestBuilder(
  deps: RequestBuilderDeps,
  ratios: Pick<TokenRatios, 'of'>,
): RequestBuilder {
  /** The roots of routes that have refused content as strings in this window. */
  const contentPartRoots = new Set<string>();

  const needsContentParts = ({ contentPartRoutes = new Set() }: TurnContent, route: Route) =>
    contentPartRoots.has(route.root) ||
    contentPartRoutes.has(toRoutePlace(route)) ||
    contentPartRoutes.has(route.name);

  function buildAsIs(content: TurnContent, route: Route): BuiltRequest {
    const { messages } = content.request;
    return buildRequest({
      ...content.request,
      messages: needsContentParts(content, route) ? toContentParts(messages) : messages,
      model: route.model,
    });
  }

  return {
    build(content, route, prices) {
      const built = buildAsIs(content, route);
      if (!built.ok || content.earlierResults === undefined) return { built, content };
      const ratio = ratios.of(route);
      const { promptTokens } = estimateRequest(
        built.request,
        content.earlier,
        prices,
        ratio,
        toDestination(route),
      );
      const shorter = withRoom(content, promptTokens, prices, ratio);
      return shorter === undefined
        ? { built, content }
        : { built: buildAsIs(shorter, route), content: shorter };
    },
    refused: (route) => new Set(PARTS.filter((part) => deps.refuses?.(part, route) === true)),
    needsContentParts,
    useContentParts: ({ root }) => contentPartRoots.add(root),
  };
}
