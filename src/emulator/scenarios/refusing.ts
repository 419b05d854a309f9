/** Gateways that refuse a field that the service accepts. If a question asks for the same in words, they answer it. */
import type { CompletionRequest, RequestFormat } from '../completionRequest.ts';
import { toDemoDraft } from '../demo/demo.ts';
import { toObject } from '../json.ts';
import { refuseInvalid } from '../refusal.ts';
import { jsonReply, type Steps } from '../steps.ts';
import { type Exchange, GATEWAYS, type Scenario } from './scenario.ts';

export const REFUSING_SCENARIOS: readonly Scenario[] = [
  {
    name: 'refuses-schema',
    row: GATEWAYS,
    title:
      'A gateway refuses json_schema with 400, and answers in a JSON schema that the question has in words',
    instead: (exchange) =>
      exchange.request.format.type === 'json_schema'
        ? refuseField(exchange, "response_format.type 'json_schema' is not supported")
        : undefined,
    draft: (draft, { request }) => {
      const format = formatInWords(request);
      return format === undefined ? draft : toDemoDraft({ ...request, format });
    },
  },
  {
    name: 'refuses-effort',
    row: 'Q15',
    title: 'A gateway refuses reasoning_effort with 400, except max',
    instead: (exchange) =>
      exchange.request.effort === 'low' || exchange.request.effort === 'high'
        ? refuseField(exchange, `reasoning_effort '${exchange.request.effort}' is not supported`)
        : undefined,
  },
  {
    name: 'refuses-reasoning',
    row: 'R4',
    title: 'A gateway refuses reasoning in earlier messages with 400, as a field that it does not know',
    instead: (exchange) => (hasReasoning(exchange) ? refuseField(exchange, UNKNOWN_REASONING) : undefined),
  },
  {
    name: 'refuses-reasoning-200',
    row: 'R4, E11',
    title: 'The same with status 200',
    instead: (exchange) =>
      hasReasoning(exchange)
        ? jsonReply(200, refuseInvalid(exchange.route, UNKNOWN_REASONING).body)
        : undefined,
  },
];

const UNKNOWN_REASONING = "property 'reasoning_content' is unsupported";

const hasReasoning = ({ request }: Exchange): boolean =>
  request.messages.some(({ raw }) => 'reasoning_content' in raw);

function refuseField({ route }: Exchange, message: string): Steps {
  const { status, body } = refuseInvalid(route, message);
  return jsonReply(status, body);
}

/** The schema in the last line of the question, after words that name it. */
function formatInWords({ messages }: CompletionRequest): RequestFormat | undefined {
  const { text = '' } = messages.findLast(({ role }) => role === 'user') ?? {};
  const [, json] = /JSON schema:\n(\{.*\})$/.exec(text) ?? [];
  if (json === undefined) return undefined;
  try {
    const schema = toObject(JSON.parse(json));
    return schema && { type: 'json_schema', schema };
  } catch {
    // Text that only looks like a schema.
    return undefined;
  }
}
