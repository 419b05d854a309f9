/** Permanent refusals of the service (E1–E5, E7, E11; docs/service.md, Errors). */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MODEL } from '../../service/limits.ts';
import {
  type ErrorReply,
  refuseForcedTool,
  refuseInvalid,
  refuseKey,
  refuseModel,
  toErrorReply,
} from '../refusal.ts';
import { jsonReply, type Steps } from '../steps.ts';
import { FAULTS, NOTES, type Scenario } from './scenario.ts';

export const PERMANENT_REFUSALS: readonly Scenario[] = [
  {
    name: '401',
    row: 'E1',
    title: 'The key is refused, in the words of the route',
    front: ({ route }) => toSteps(refuseKey(route)),
  },
  {
    name: '401-incorrect-key',
    row: NOTES,
    title: 'The key is refused as incorrect_api_key_error',
    front: ({ route }) =>
      toSteps(toErrorReply(route, 401, 'incorrect_api_key_error', 'Incorrect API key provided')),
  },
  {
    name: '403',
    row: NOTES,
    title: 'The key may not do this',
    front: ({ route }) =>
      toSteps(toErrorReply(route, 403, 'permission_denied_error', 'Your account may not use this API')),
  },
  {
    name: '404-direct',
    row: 'E2',
    title: 'Unknown model or no permission, as the direct route says it',
    instead: () => toSteps(refuseModel('direct', DEFAULT_MODEL, DEFAULT_MODEL)),
  },
  {
    name: '404-gateway',
    row: 'E3',
    title: 'Unknown model with did_you_mean and no type, as the gateway says it',
    instead: () => toSteps(refuseModel('gateway', DEFAULT_MODEL, DEFAULT_MODEL)),
  },
  {
    name: 'empty-messages',
    row: 'E4',
    title: 'Says that messages is empty, although it is not',
    instead: ({ route }) => toSteps(refuseInvalid(route, 'messages must not be empty')),
  },
  {
    name: 'forced-tool',
    row: 'E5',
    title: 'Says that a tool was forced, although none was',
    instead: () => toSteps(refuseForcedTool()),
  },
  {
    name: '400',
    row: 'E11',
    title: 'A 400 of a kind that nobody documents, with its words',
    instead: () =>
      toSteps({
        status: 400,
        body: { error: { message: 'The moon is in the wrong phase', type: 'lunar_error' } },
      }),
  },
  {
    name: 'missing-reasoning',
    row: 'service.md: Reasoning must survive tool loops',
    title: 'Says that reasoning is missing in an assistant tool call message',
    instead: ({ route }) =>
      toSteps(
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
      toSteps(
        toErrorReply(
          route,
          400,
          'content_filter',
          'The request was rejected because it was considered high risk',
        ),
      ),
  },
  {
    name: 'context-overflow',
    row: NOTES,
    title: 'The prompt is longer than the context window',
    instead: ({ route }) =>
      toSteps(
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
    instead: ({ route }) => toSteps(refuseInvalid(route, 'Input token length too long')),
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
      toSteps(toErrorReply(route, 409, 'conflict_error', 'The request conflicts with another one')),
  },
  {
    name: '413',
    row: NOTES,
    title: 'The body is too large',
    instead: ({ route, bodyBytes }) =>
      toSteps(
        toErrorReply(
          route,
          413,
          'invalid_request_error',
          `Request exceeds the maximum size (${bodyBytes} bytes)`,
        ),
      ),
  },
  {
    name: 'body-2mib',
    row: 'service.md: Images',
    title: 'A body of more than 2 MiB is refused with 400; a smaller one gets its answer',
    instead: ({ route, bodyBytes }) =>
      bodyBytes <= 2_097_152
        ? undefined
        : toSteps(refuseInvalid(route, `total message size ${bodyBytes} exceeds limit 2097152`)),
  },
  {
    name: 'image-arrays',
    row: 'Q5',
    title: 'Beside an image, content that is a string is refused with 400, in every message',
    instead: ({ route, request: { messages } }) => {
      const text = messages.findIndex(({ raw }) => typeof raw['content'] === 'string');
      if (text === -1 || messages.every(({ images }) => images.length === 0)) return undefined;
      return toSteps(
        refuseInvalid(route, `messages[${text}].content must be an array of objects for image input`),
      );
    },
  },
  {
    name: 'balance',
    row: 'E7',
    title: 'No balance, as a 429 that must not be retried',
    instead: ({ route }) =>
      toSteps(
        toErrorReply(
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
];

function toSteps({ status, body }: ErrorReply): Steps {
  return jsonReply(status, body);
}

function serverError(route: Parameters<typeof toErrorReply>[0], status: number): Steps {
  return toSteps(toErrorReply(route, status, 'server_error', 'The server took too long'));
}
