/** Facts about the requests of a turn. They are stored with the turn. */
import type { ReasoningEffort, RouteKind } from '../service/types.ts';
import type { RefusedField } from './outcomes/refusedFields.ts';
import type { Origin, Preset } from './question.ts';
import type { Prefix } from './requestPrefix.ts';

/** The parameters of the request. Stored with the turn, so that the response can be checked against them. */
export interface RequestFacts {
  readonly routeName: string;
  readonly routeKind: RouteKind;
  readonly model: string;
  /** A hash of the address of the route (`routePlace.ts`). Not set for the demo and for turns of earlier versions. */
  readonly routePlace?: string;
  /** The output budget in tokens, as sent. Undefined uses the service's default. */
  readonly maxCompletionTokens: number | undefined;
  /** The name of the preset that the budget is from. Not set if it is from the settings. */
  readonly budgetPreset?: string;
  /** The requested budget, if it was above the ceiling (Q8). */
  readonly clampedFrom: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  /**
   * The question as sent, if it differs from the question's text, for example with reasoning to continue
   * from.
   */
  readonly prompt: string | undefined;
  /** The lines that the question is about, if they were different when it was asked again. */
  readonly origin?: Origin;
  /** The same for the lines of other files. Only with `origin`. */
  readonly more?: readonly Origin[];
  /** The preset of this attempt, if it isn't that of the question. */
  readonly preset?: Preset | 'none';
  /** The user's choices for this attempt, in place of the settings. */
  readonly chosen?: ChosenRequest;
  /** The fields that were left out because the route refuses them. */
  readonly leftOut?: readonly RefusedField[];
  /** Routes can ignore this effort, but a probe of this route has shown that it works. */
  readonly effortWorks?: true;
  /** A probe had shown that this route refuses an output budget as large as the context window. */
  readonly refusesCeiling?: true;
  /** The demo answered. It is part of the extension, so nothing is billed. */
  readonly demo?: true;
  /**
   * Another chat of the editor sent the request. It doesn't contain the earlier turns of the conversation that keeps its turn,
   * and later requests don't contain this turn.
   */
  readonly otherChat?: true;
  /** The parts of the latest request, in the order in which they are sent, for the cache check (R11). */
  readonly prefix: Prefix;
  /** A hash of the requested answer format, for the cache check. Not set for text. */
  readonly answerFormat?: string;
  /** A hash of the user's decisions about the tools, for the cache check. Not set in turns of earlier versions. */
  readonly toolChoice?: string;
  /** Every content was sent as an array of objects, because of an image (Q5). */
  readonly contentParts?: ContentPartsFact;
  /** The service refused calls without reasoning, and accepted them as text. */
  readonly callsAsText?: true;
  /** The service refused reasoning, and accepted the request without it. */
  readonly withoutReasoning?: true;
  /** The service refused reasoning under the name by which it came, and accepted it under the documented one. */
  readonly documentedReasoning?: true;
  /** The first request in each other form, and its first part that changed, for the cache check. */
  readonly otherForms?: readonly OtherFormFact[];
  /** The user has stopped sending the images of the tools of this turn. */
  readonly withoutImages?: true;
  /** Tool results that are no longer sent, because a request would have been too long. */
  readonly omitted?: readonly OmittedResults[];
}

/** The request of the turn, and its part. Both numbers are counted from 0. */
export interface OtherFormFact {
  readonly fromRound: number;
  readonly part: number;
}

export interface ChosenRoute {
  readonly name: string;
  /** The name of the route that was active then. Empty if there was none. */
  readonly insteadOf: string;
  /** A hash of the address of that route, which identifies it under another name. */
  readonly insteadOfPlace?: string;
  /** A hash of the address of the chosen route, which identifies it under another name. */
  readonly place?: string;
}

export interface ChosenRequest {
  readonly route?: ChosenRoute;
  readonly effort?: ReasoningEffort | 'default';
  /** The fields that the route has refused. */
  readonly leaveOut?: readonly RefusedField[];
}

/** A tool result of a round of the turn. Both numbers are counted from 0. */
export interface OmittedResult {
  readonly round: number;
  readonly index: number;
  /** Estimated. */
  readonly tokens: number;
}

/** A tool result of an earlier turn of the conversation. */
export interface EarlierResult extends OmittedResult {
  /** The id of that turn. */
  readonly turn: string;
}

/** The tool results that are left out of a request. */
export interface Omission {
  readonly results: readonly OmittedResult[];
  /** Results of earlier turns. Versions of the extension that don't know this field send them. */
  readonly earlier?: readonly EarlierResult[];
}

export interface OmittedResults extends Omission {
  /** The first request of the turn without the results, counted from 0. */
  readonly fromRound: number;
}

/** The indexes of the calls of a round whose results are no longer sent. */
export const omittedIn = (
  { request: { omitted = [] } }: { readonly request: RequestFacts },
  at: number,
): ReadonlySet<number> =>
  new Set(
    omitted.flatMap(({ results }) => results.filter(({ round }) => round === at).map(({ index }) => index)),
  );

export interface ContentPartsFact {
  /** The first request of the turn in this form, counted from 0. */
  readonly fromRound: number;
  /** The service had refused that request. If false, it had refused a request of an earlier turn. */
  readonly refused: boolean;
}
