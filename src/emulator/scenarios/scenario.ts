/** Scenarios: named ways in which the service, or an intermediary, deviates from the documentation. */
import type { ReasoningName, RouteKind } from '../../service/types.ts';
import type { CompletionRequest } from '../completionRequest.ts';
import type { FieldChange, Frame } from '../frames.ts';
import type { Draft, Reply } from '../reply.ts';
import type { ReplyStep, Steps } from '../steps.ts';

/** Headings of docs/service.md, for the rows of scenarios that have no rule number. */
export const FAULTS = 'service.md: Faults to survive';
export const NOTES = 'service.md: Errors';
export const ORDER = 'service.md: Stream order';
export const GATEWAYS = 'service.md: In short';

/** The context of a scenario. */
interface Stage {
  readonly route: RouteKind;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
}

/** A request that is handled by a scenario and has passed all checks. */
export interface Exchange extends Stage {
  readonly request: CompletionRequest;
  /**
   * 1 for the first request with this body to this scenario, 2 for the second. The count restarts when a retry scenario
   * has let a request pass, so that the same question can be sent again.
   */
  readonly attempt: number;
  /** Length of the body in bytes. */
  readonly bodyBytes: number;
  /** Whether the client accepts gzip. */
  readonly acceptsGzip: boolean;
}

/**
 * All hooks are optional, and each gets the result of the previous one: `draft` (the unlimited response) → budget →
 * `reply` → `fields` (names in deltas and messages) → `frames` (chunks of a stream) → `encode` (bytes of an event) →
 * `steps` (what is sent). `instead` replaces all of them, or returns undefined to handle the request normally.
 */
export interface Scenario {
  /** The name in the path: `/s/NAME/v1`. */
  readonly name: string;
  /** Rule numbers of docs/service.md, or a file of docs/ and the heading in it. */
  readonly row: string;
  /** What happens, for the list at `GET /s`. */
  readonly title: string;
  /** The request that a gateway passes on to the service. */
  readonly passOn?: (request: CompletionRequest) => CompletionRequest;
  readonly instead?: (exchange: Exchange) => Steps | undefined;
  /** Like `instead`, for a layer in front of the service, which also handles GET /v1/models. */
  readonly front?: (stage: Stage) => Steps;
  readonly draft?: (draft: Draft, exchange: Exchange) => Draft;
  readonly reply?: (reply: Reply, exchange: Exchange) => Reply;
  readonly fields?: FieldChange;
  readonly frames?: (frames: readonly Frame[]) => readonly Frame[];
  readonly encode?: (data: string) => string;
  /** The response is not streamed, whatever the request asks for. */
  readonly asWhole?: boolean;
  readonly steps?: (steps: readonly ReplyStep[], exchange: Exchange) => Steps;
  /** Reasoning must be sent back with one of these names next to tool calls; `reasoning_content` by default. */
  readonly replayNames?: readonly ReasoningName[];
  /** Replaces the body of GET /v1/models. */
  readonly models?: () => unknown;
  /** Tokens per second, overriding the emulator's. */
  readonly tokensPerSecond?: number;
}
