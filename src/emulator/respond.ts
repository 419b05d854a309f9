/** From a checked request to the acts that answer it, through the hooks of a scenario. */
import { type Act, type Acts, jsonReply } from './acts.ts';
import { toDemoDraft } from './demo/demo.ts';
import { toCompletion, toFrames, toStreamActs } from './frames.ts';
import { type ReplyContext, toReply } from './reply.ts';
import type { Exchange, Scenario } from './scenarios/scenario.ts';

/** @param firstTokenDelayMs milliseconds before the first byte, as if the model were reading */
export function respond(
  exchange: Exchange,
  scenario: Scenario | undefined,
  context: ReplyContext,
  firstTokenDelayMs: number,
): Acts {
  const { request } = exchange;
  const demo = toDemoDraft(request);
  const draft = scenario?.draft?.(demo, exchange) ?? demo;
  const within = toReply(draft, request, context);
  const reply = scenario?.reply?.(within, exchange) ?? within;
  const streams = request.stream && scenario?.asWhole !== true;
  const acts = streams ? toStream() : jsonReply(200, toCompletion(reply, scenario?.fields));
  const delayed: readonly Act[] =
    firstTokenDelayMs > 0 ? [{ type: 'wait', ms: firstTokenDelayMs }, ...acts] : acts;
  return scenario?.acts?.(delayed, exchange) ?? delayed;

  function toStream(): readonly Act[] {
    const frames = toFrames(reply, request.includeUsage, scenario?.fields);
    return toStreamActs(scenario?.frames?.(frames) ?? frames, scenario?.encode);
  }
}
