/** The facts about a request that are stored with its turn. */
import { canBeIgnored } from '../conversation/outcomes/notices.ts';
import type { RequestFacts } from '../conversation/requestFacts.ts';
import { toAnswerFormatHash, toPrefix } from '../conversation/requestMessages/prefix.ts';
import { laterPrefix } from '../conversation/requestPrefix.ts';
import { toRoutePlace } from '../conversation/routePlace.ts';
import type { BuiltRequest } from '../service/request.ts';
import type { Access } from './credentials.ts';
import type { TurnContent } from './turnContent.ts';

/** @param known what a probe of the route has shown */
export function toFacts(
  { active: { route, demoKey } }: Access,
  { request, clampedFrom }: Extract<BuiltRequest, { ok: true }>,
  {
    request: { effort, messages },
    toolChoice,
    prompt,
    origin,
    more,
    preset,
    budgetPreset,
    chosen,
    leftOut,
    omitted,
    earlier,
  }: TurnContent,
  known: { readonly effortWorks: boolean; readonly refusesCeiling: boolean },
): RequestFacts {
  const answerFormat = toAnswerFormatHash(request.response_format);
  return {
    routeName: route.name,
    routeKind: route.kind,
    model: route.model,
    // The demo has a different address each time.
    ...(demoKey === undefined && { routePlace: toRoutePlace(route) }),
    maxCompletionTokens: request.max_completion_tokens,
    ...(budgetPreset !== undefined && { budgetPreset }),
    clampedFrom,
    effort,
    prompt,
    ...(origin !== undefined && { origin }),
    ...(more !== undefined && { more }),
    ...(preset !== undefined && { preset }),
    ...(chosen !== undefined && { chosen }),
    ...(leftOut !== undefined && { leftOut }),
    ...(known.effortWorks && canBeIgnored(effort) && { effortWorks: true }),
    ...(known.refusesCeiling && { refusesCeiling: true }),
    ...(demoKey !== undefined && { demo: true }),
    prefix: laterPrefix(earlier?.request.prefix ?? '', toPrefix(request)),
    ...(answerFormat !== undefined && { answerFormat }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(omitted !== undefined && { omitted: [{ fromRound: 0, results: [], earlier: omitted }] }),
    ...(request.messages !== messages && { contentParts: { fromRound: 0, refused: false } }),
  };
}
