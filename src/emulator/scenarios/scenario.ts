/** What a scenario is: a named way in which the service, or something between it and the client, departs from the rule. */
import type { ReasoningName, RouteKind } from '../../service/types.ts';
import type { CompletionRequest } from '../completionRequest.ts';
import type { FieldChange, Frame } from '../frames.ts';
import type { Draft, Reply } from '../reply.ts';
import type { Step, Steps } from '../steps.ts';

/** Where a scenario plays. */
interface Stage {
  readonly route: RouteKind;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
}

/** A request on its way through a scenario. It has passed every check. */
export interface Exchange extends Stage {
  readonly request: CompletionRequest;
  /**
   * 1 for the first time this body is sent to this scenario, 2 for the second. Counting begins anew when a retry
   * scenario has let a request through, so that the same question can be asked again.
   */
  readonly attempt: number;
  /** Length of the body in bytes. */
  readonly bodyBytes: number;
  /** The client said that it can read gzip. */
  readonly acceptsGzip: boolean;
}

/**
 * Every hook is optional and sees the result of the one before: `draft` (what the model would say) → budget → `reply`
 * → `fields` (names in deltas and messages) → `frames` (chunks of a stream) → `encode` (bytes of an event) → `steps`
 * (the wire). `instead` answers in place of all of them, or returns undefined to let the request through.
 */
export interface Scenario {
  /** As it stands in the path: `/s/NAME/v1`. */
  readonly name: string;
  /** Rule numbers of docs/service.md, or the file of docs/ and the heading in it. */
  readonly row: string;
  /** What happens, for the list at `GET /s`. */
  readonly title: string;
  readonly instead?: (exchange: Exchange) => Steps | undefined;
  /** Like `instead`, for what a layer in front of the service says: GET /v1/models gets it too. */
  readonly front?: (stage: Stage) => Steps;
  readonly draft?: (draft: Draft, exchange: Exchange) => Draft;
  readonly reply?: (reply: Reply, exchange: Exchange) => Reply;
  readonly fields?: FieldChange;
  readonly frames?: (frames: readonly Frame[]) => readonly Frame[];
  readonly encode?: (data: string) => string;
  /** The reply does not stream, whatever was asked. */
  readonly asWhole?: boolean;
  readonly steps?: (steps: readonly Step[], exchange: Exchange) => Steps;
  /** Reasoning has to come back under one of these names beside tool calls; `reasoning_content` when not given. */
  readonly replayNames?: readonly ReasoningName[];
  /** The body of GET /v1/models, in place of the usual one. */
  readonly models?: () => unknown;
  /** Tokens per second, in place of the emulator's. */
  readonly tokensPerSecond?: number;
}
