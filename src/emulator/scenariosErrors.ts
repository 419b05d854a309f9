/** Requests that are refused for good, and replies that are no completion (E1–E5, E7, E11; `field-notes.md`, Errors). */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MODEL } from '../service/limits.ts';
import { type Acts, jsonReply, wholeReply } from './acts.ts';
import { type Refusal, refuse, refuseForcedTool, refuseInvalid, refuseKey, refuseModel } from './refusal.ts';
import type { Scenario } from './scenario.ts';

const FAULTS = 'security.md: Faults to survive';
const NOTES = 'field-notes: Errors';

export const ERROR_SCENARIOS: readonly Scenario[] = [
  {
    name: '401',
    row: 'E1',
    title: 'The key is refused, in the words of the route',
    front: ({ route }) => toActs(refuseKey(route)),
  },
  {
    name: '401-incorrect-key',
    row: NOTES,
    title: 'The key is refused as incorrect_api_key_error',
    front: ({ route }) => toActs(refuse(route, 401, 'incorrect_api_key_error', 'Incorrect API key provided')),
  },
  {
    name: '403',
    row: NOTES,
    title: 'The key may not do this',
    front: ({ route }) =>
      toActs(refuse(route, 403, 'permission_denied_error', 'Your account may not use this API')),
  },
  {
    name: '404-direct',
    row: 'E2',
    title: 'Unknown model or no permission, as the direct route says it',
    instead: () => toActs(refuseModel('direct', DEFAULT_MODEL, DEFAULT_MODEL)),
  },
  {
    name: '404-gateway',
    row: 'E3',
    title: 'Unknown model with did_you_mean and no type, as the gateway says it',
    instead: () => toActs(refuseModel('gateway', DEFAULT_MODEL, DEFAULT_MODEL)),
  },
  {
    name: '404-html',
    row: 'E11',
    title: 'A 404 with a web page, as from a wrong path',
    front: () => html(404, 'Not Found'),
  },
  {
    name: 'empty-messages',
    row: 'E4',
    title: 'Says that messages is empty, although it is not',
    instead: ({ route }) => toActs(refuseInvalid(route, 'messages must not be empty')),
  },
  {
    name: 'forced-tool',
    row: 'E5',
    title: 'Says that a tool was forced, although none was',
    instead: () => toActs(refuseForcedTool()),
  },
  {
    name: '400',
    row: 'E11',
    title: 'A 400 of a kind that nobody documents, with its words',
    instead: () =>
      toActs({
        status: 400,
        body: { error: { message: 'The moon is in the wrong phase', type: 'lunar_error' } },
      }),
  },
  {
    name: '400-text',
    row: 'E11',
    title: 'A 400 that is plain text',
    instead: () => wholeReply(400, 'upstream said no', { 'content-type': 'text/plain' }),
  },
  {
    name: 'missing-reasoning',
    row: 'field-notes: Reasoning must survive tool loops',
    title: 'Says that reasoning is missing in an assistant tool call message',
    instead: ({ route }) =>
      toActs(
        refuseInvalid(
          route,
          'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
        ),
      ),
  },
  {
    name: 'content-filter-400',
    row: NOTES,
    title: 'The request is refused by the content filter',
    instead: ({ route }) =>
      toActs(
        refuse(route, 400, 'content_filter', 'The request was rejected because it was considered high risk'),
      ),
  },
  {
    name: 'context-overflow',
    row: NOTES,
    title: 'The prompt is longer than the context window',
    instead: ({ route }) =>
      toActs(
        refuseInvalid(
          route,
          `Invalid request: Your request exceeded model token limit: ${CONTEXT_WINDOW_TOKENS} (requested: 1200345)`,
        ),
      ),
  },
  {
    name: 'context-overflow-words',
    row: NOTES,
    title: 'The same in other words',
    instead: ({ route }) => toActs(refuseInvalid(route, 'Input token length too long')),
  },
  {
    name: '407',
    row: FAULTS,
    title: 'A proxy wants a password',
    front: () => html(407, 'Proxy Authentication Required'),
  },
  {
    name: '408',
    row: FAULTS,
    title: 'The service gave up waiting for the request',
    instead: ({ route }) => serverError(route, 408),
  },
  {
    name: '409',
    row: FAULTS,
    title: 'A conflict',
    instead: ({ route }) =>
      toActs(refuse(route, 409, 'conflict_error', 'The request conflicts with another one')),
  },
  {
    name: '413',
    row: NOTES,
    title: 'The body is too large',
    instead: ({ route, bodyBytes }) =>
      toActs(
        refuse(route, 413, 'invalid_request_error', `Request exceeds the maximum size (${bodyBytes} bytes)`),
      ),
  },
  {
    name: 'body-2mib',
    row: 'field-notes: Images',
    title: 'A body of more than 2 MiB is refused with 400; a smaller one gets its answer',
    instead: ({ route, bodyBytes }) =>
      bodyBytes <= 2_097_152
        ? undefined
        : toActs(refuseInvalid(route, `total message size ${bodyBytes} exceeds limit 2097152`)),
  },
  {
    name: 'balance',
    row: 'E7',
    title: 'No balance, as a 429 that must not be retried',
    instead: ({ route }) =>
      toActs(
        refuse(
          route,
          429,
          'exceeded_current_quota_error',
          'Your account is suspended due to insufficient balance, please recharge your account or check your plan',
        ),
      ),
  },
  {
    name: 'balance-402',
    row: 'E7',
    title: 'No balance, as a 402, known by its words alone',
    instead: () =>
      jsonReply(402, { error: { message: 'Insufficient credits. Add more to continue.', code: 402 } }),
  },
  {
    name: 'nested-error',
    row: NOTES,
    title: 'A gateway wraps the error of the service in a JSON string in error.metadata.raw',
    instead: () =>
      jsonReply(400, {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: {
            provider_name: 'emulator',
            raw: JSON.stringify({
              error: { message: 'Input token length too long', type: 'invalid_request_error' },
            }),
          },
        },
      }),
  },
  {
    name: 'nil-type',
    row: NOTES,
    title: 'A gateway written in Go: type "<nil>" and a prefix before the message',
    instead: () =>
      jsonReply(400, {
        error: { message: 'upstream error: 400: Input token length too long', type: '<nil>', code: null },
      }),
  },
  {
    name: 'html-200',
    row: FAULTS,
    title: 'Status 200 with a web page, as a captive portal sends it',
    front: () => html(200, 'Please log in'),
  },
  {
    name: 'error-200',
    row: NOTES,
    title: 'Status 200 with an error object',
    instead: ({ route }) => {
      const { body } = refuse(route, 200, 'server_error', 'The model could not be reached');
      return jsonReply(200, body);
    },
  },
  {
    name: 'redirect',
    row: FAULTS,
    title: '307 to another origin, which would answer',
    front: ({ url }) => redirect(`${url.replace('127.0.0.1', 'localhost')}/v1/chat/completions`),
  },
  {
    name: 'redirect-path',
    row: FAULTS,
    title: '308 to another path of the same origin',
    front: ({ url }) => redirect(`${url}/v1/chat/completions`, 308),
  },
  {
    name: 'models-odd',
    row: 'M1',
    title: 'GET /v1/models lists bare names under `models`',
    models: () => ({ models: [DEFAULT_MODEL, 'svc-k2-mini'] }),
  },
  {
    name: 'models-other',
    row: 'M1',
    title: 'GET /v1/models lists the models of the key, and svc-k3 is not among them',
    models: () => ({ object: 'list', data: [{ id: 'svc-k2-mini', object: 'model' }] }),
  },
];

function toActs({ status, body }: Refusal): Acts {
  return jsonReply(status, body);
}

function serverError(route: Parameters<typeof refuse>[0], status: number): Acts {
  return toActs(refuse(route, status, 'server_error', 'The server took too long'));
}

function html(status: number, words: string): Acts {
  const page = `<!DOCTYPE html>\n<html><head><title>${words}</title></head><body><h1>${words}</h1></body></html>\n`;
  return wholeReply(status, page, { 'content-type': 'text/html; charset=utf-8' });
}

function redirect(location: string, status = 307): Acts {
  return wholeReply(status, '', { location });
}
