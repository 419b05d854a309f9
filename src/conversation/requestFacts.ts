/** What is known of the requests of a turn. It is stored with the turn. */
import type { ReasoningEffort, RouteKind } from '../service/types.ts';
import type { RefusedField } from './outcomes/refusedFields.ts';
import type { Origin, Preset } from './question.ts';
import type { Prefix } from './requestPrefix.ts';

/** The parameters of the request. Stored with the turn, so that the response can be checked against them. */
export interface RequestFacts {
  readonly routeName: string;
  readonly routeKind: RouteKind;
  readonly model: string;
  /** A hash of the address of the route (`routePlace.ts`). Not set for the demo, and earlier versions didn't record it. */
  readonly routePlace?: string;
  /** The output budget in tokens, as sent. Undefined uses the service's default. */
  readonly maxCompletionTokens: number | undefined;
  /** The name of the preset that the budget is from. Not set for that of the settings. */
  readonly budgetPreset?: string;
  /** The requested budget, if it was above the ceiling (Q8). */
  readonly clampedFrom: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  /**
   * The question as sent, if it differs from the question's text, for example with reasoning to continue
   * from.
   */
  readonly prompt: string | undefined;
  /** The lines that the question is about, if they were other ones when it was asked again. */
  readonly origin?: Origin;
  /** The same for the lines of other files. Only with `origin`. */
  readonly more?: readonly Origin[];
  /** The preset that it was asked with, if that is not the one of the question. */
  readonly preset?: Preset | 'none';
  /** What the user chose for this attempt in place of the settings. */
  readonly chosen?: ChosenRequest;
  /** What was left out because the route refuses it. */
  readonly leftOut?: readonly RefusedField[];
  /** The effort is one that routes can ignore, and a probe of this route had seen that it works. */
  readonly effortWorks?: true;
  /** The demo answered. It is part of the extension, so nothing is billed. */
  readonly demo?: true;
  /** Another chat of the editor sent it. It has nothing of the conversation that keeps its turn, nor has a later one it. */
  readonly otherChat?: true;
  /** The parts of the latest request, in the order in which they are sent, for the cache check (R11). */
  readonly prefix: Prefix;
  /** A hash of the requested format of the answer, for the cache check. Not set for text. */
  readonly answerFormat?: string;
  /** A hash of what the user decided about the tools, for the cache check. Earlier versions didn't record it. */
  readonly toolChoice?: string;
  /** Every content was sent as an array of objects, because of an image (Q5). */
  readonly contentParts?: ContentPartsFact;
  /** The service refused calls that have no reasoning, and took them as text. */
  readonly callsAsText?: true;
  /** The service refused reasoning, and took the request without. */
  readonly withoutReasoning?: true;
  /** The service refused reasoning under the name that it came by, and took it under the documented one. */
  readonly documentedReasoning?: true;
  /** The requests that were the first in such a form, and the first part of each that changed, for the cache check. */
  readonly otherForms?: readonly OtherFormFact[];
  /** The user has stopped sending the images of its tools. */
  readonly withoutImages?: true;
  /** Results of tools that are no longer sent, each time because the request would have been too long. */
  readonly omitted?: readonly OmittedResults[];
}

/** Both numbers count from 0. */
export interface OtherFormFact {
  readonly fromRound: number;
  readonly part: number;
}

export interface ChosenRoute {
  readonly name: string;
  /** The name of the active route then; empty if there was none. */
  readonly insteadOf: string;
  /** A hash of where that led, by which it is known under another name. */
  readonly insteadOfPlace?: string;
  /** A hash of where it leads, by which it is found under another name. */
  readonly place?: string;
}

export interface ChosenRequest {
  readonly route?: ChosenRoute;
  readonly effort?: ReasoningEffort | 'default';
  /** What the route has refused. */
  readonly leaveOut?: readonly RefusedField[];
}

/** A result of a round of the turn. Both numbers count from 0. */
export interface OmittedResult {
  readonly round: number;
  readonly index: number;
  /** Estimated. */
  readonly tokens: number;
}

/** A result of a turn before it in the conversation. */
export interface EarlierResult extends OmittedResult {
  /** The id of that turn. */
  readonly turn: string;
}

/** What is left out of a request. */
export interface Omission {
  readonly results: readonly OmittedResult[];
  /** Of earlier turns. Versions that don't know it send them. */
  readonly earlier?: readonly EarlierResult[];
}

export interface OmittedResults extends Omission {
  /** The first request of the turn without them, from 0. */
  readonly fromRound: number;
}

/** The calls of a round whose results are no longer sent, by their index. */
export const omittedIn = (
  { request: { omitted = [] } }: { readonly request: RequestFacts },
  at: number,
): ReadonlySet<number> =>
  new Set(
    omitted.flatMap(({ results }) => results.filter(({ round }) => round === at).map(({ index }) => index)),
  );

export interface ContentPartsFact {
  /** The first request of the turn that was sent so, from 0. */
  readonly fromRound: number;
  /** The service refused that request before. Otherwise, it had refused an earlier turn's. */
  readonly refused: boolean;
}
