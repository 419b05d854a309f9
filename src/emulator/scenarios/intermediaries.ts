/** Responses of intermediaries: proxies, captive portals, redirects, and gateways that wrap errors. */
import { DEFAULT_MODEL } from '../../service/limits.ts';
import { refuseModel, toErrorReply } from '../refusal.ts';
import { completeReply, jsonReply, type Steps } from '../steps.ts';
import { FAULTS, NOTES, type Scenario } from './scenario.ts';

export const INTERMEDIARY_SCENARIOS: readonly Scenario[] = [
  {
    name: '404-html',
    row: 'E11',
    title: 'A 404 with a web page, as from a wrong path',
    front: () => html(404, 'Not Found'),
  },
  {
    name: '400-text',
    row: 'E11',
    title: 'A 400 that is plain text',
    instead: () => completeReply(400, 'upstream said no', { 'content-type': 'text/plain' }),
  },
  {
    name: '502-html',
    row: 'E8',
    title: '502 twice with the page of a proxy, then the answer',
    instead: ({ attempt }) => (attempt > 2 ? undefined : html(502, 'Bad Gateway')),
  },
  {
    name: '407',
    row: FAULTS,
    title: 'A proxy wants a password',
    front: () => html(407, 'Proxy Authentication Required'),
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
    name: 'wrapped-error',
    row: NOTES,
    title: 'A gateway that does not know the shape puts the whole error into its message, with type null',
    instead: () =>
      jsonReply(404, {
        error: {
          message: `Invalid response received from upstream: ${JSON.stringify(refuseModel('direct', DEFAULT_MODEL, DEFAULT_MODEL).body)}`,
          type: null,
          param: null,
          code: null,
        },
        provider: 'upstream',
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
      const { body } = toErrorReply(route, 200, 'server_error', 'The model could not be reached');
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

function html(status: number, words: string): Steps {
  const page = `<!DOCTYPE html>\n<html><head><title>${words}</title></head><body><h1>${words}</h1></body></html>\n`;
  return completeReply(status, page, { 'content-type': 'text/html; charset=utf-8' });
}

function redirect(location: string, status = 307): Steps {
  return completeReply(status, '', { location });
}
