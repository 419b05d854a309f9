/** Creates the steps that respond to a valid request, applying the hooks of a scenario. */

import { toDemoDraft } from './demo/demo.ts';
import { toCompletion, toFrames, toStreamSteps } from './frames.ts';
import { type ReplyContext, toReply } from './reply.ts';
import type { Exchange, Scenario } from './scenarios/scenario.ts';
import { jsonReply, type ReplyStep, type Steps } from './steps.ts';

/** @param firstTokenDelayMs milliseconds before the first byte, as if the model were reading */
export function respond(
  exchange: Exchange,
  scenario: Scenario | undefined,
  context: ReplyContext,
  firstTokenDelayMs: number,
): Steps {
  const { request } = exchange;
  const demo = toDemoDraft(request);
  const draft = scenario?.draft?.(demo, exchange) ?? demo;
  const within = toReply(draft, request, context);
  const reply = scenario?.reply?.(within, exchange) ?? within;
  const streams = request.stream && scenario?.asWhole !== true;
  const steps = streams ? toStream() : jsonReply(200, toCompletion(reply, scenario?.fields));
  const delayed: readonly ReplyStep[] =
    firstTokenDelayMs > 0 ? [{ type: 'wait', ms: firstTokenDelayMs }, ...steps] : steps;
  return scenario?.steps?.(delayed, exchange) ?? delayed;

  function toStream(): readonly ReplyStep[] {
    const frames = toFrames(reply, request.includeUsage, scenario?.fields);
    return toStreamSteps(scenario?.frames?.(frames) ?? frames, scenario?.encode);
  }
}
