/** Decoders for the parameters of requests, which are stored with their turns. */
import * as v from 'valibot';
import { REFUSABLE } from '../conversation/outcomes/refusedFields.ts';
import type { ChosenRequest, RequestFacts } from '../conversation/requestFacts.ts';
import { isPrefix, type PartLabel, toPart } from '../conversation/requestMessages/prefix.ts';
import type { RouteKind } from '../service/types.ts';
import { count, type Decoder, type Fields, oneOf, orUndefined } from '../validation/decode.ts';
import { effort, origin, preset } from './questionDecoders.ts';

const text = v.string();

/** Versions before the first release stored an object for each part. */
const earlierPrefix = v.pipe(
  v.array(
    v.looseObject({
      label: oneOf<PartLabel>({ model: true, system: true, tools: true, message: true }),
      hash: v.pipe(text, v.regex(/^[0-9a-f]{7,}$/)),
    }),
  ),
  v.transform((parts) => parts.map(({ label, hash }) => toPart(label, hash)).join('')),
);
const prefix: Decoder<string> = v.union([
  v.custom<string>((value) => typeof value === 'string' && isPrefix(value), 'the parts of a request'),
  earlierPrefix,
]);
const routeKind = oneOf<RouteKind>({ direct: true, gateway: true });

const refusedFields = v.array(v.picklist(REFUSABLE));

const chosen: Decoder<ChosenRequest> = v.looseObject({
  route: v.exactOptional(
    v.looseObject({
      name: text,
      insteadOf: text,
      insteadOfPlace: v.exactOptional(text),
      place: v.exactOptional(text),
    }),
  ),
  effort: v.exactOptional(v.union([v.literal('default'), effort])),
  leaveOut: v.exactOptional(refusedFields),
});

const omittedResult = { round: count, index: count, tokens: count };

const requestFields = {
  routeName: text,
  routeKind,
  model: text,
  routePlace: v.exactOptional(text),
  maxCompletionTokens: orUndefined(count),
  budgetPreset: v.exactOptional(text),
  clampedFrom: orUndefined(count),
  effort: orUndefined(effort),
  prompt: orUndefined(text),
  origin: v.exactOptional(origin),
  more: v.exactOptional(v.array(origin)),
  preset: v.exactOptional(v.union([v.literal('none'), preset])),
  chosen: v.exactOptional(chosen),
  leftOut: v.exactOptional(refusedFields),
  effortWorks: v.exactOptional(v.literal(true)),
  refusesCeiling: v.exactOptional(v.literal(true)),
  demo: v.exactOptional(v.literal(true)),
  otherChat: v.exactOptional(v.literal(true)),
  prefix,
  answerFormat: v.exactOptional(text),
  toolChoice: v.exactOptional(text),
  contentParts: v.exactOptional(v.looseObject({ fromRound: count, refused: v.boolean() })),
  callsAsText: v.exactOptional(v.literal(true)),
  withoutReasoning: v.exactOptional(v.literal(true)),
  documentedReasoning: v.exactOptional(v.literal(true)),
  otherForms: v.exactOptional(v.array(v.looseObject({ fromRound: count, part: count }))),
  withoutImages: v.exactOptional(v.literal(true)),
  omitted: v.exactOptional(
    v.array(
      v.looseObject({
        fromRound: count,
        results: v.array(v.looseObject(omittedResult)),
        earlier: v.exactOptional(v.array(v.looseObject({ turn: text, ...omittedResult }))),
      }),
    ),
  ),
} satisfies Fields<RequestFacts>;

/** The parameters of a request. */
export const request: Decoder<RequestFacts> = v.looseObject(requestFields);

/** The parameters in a record. An invalid field must not remove the others. */
export const requestRecord: Decoder<RequestFacts> = v.looseObject({
  ...requestFields,
  routeName: v.optional(text, '?'),
  routeKind: v.optional(routeKind, 'direct'),
  model: v.optional(text, '?'),
  prefix: v.optional(prefix, ''),
} satisfies Fields<RequestFacts>);
