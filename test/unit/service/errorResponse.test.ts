import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeErrorBody } from '../../../src/service/errorBody.ts';
import { fromErrorResponse } from '../../../src/service/errorResponse.ts';
import { ServiceError, toFailure } from '../../../src/service/errors.ts';
import { decodeFrameworkError } from '../../../src/service/frameworkError.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

function errorFor(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fromErrorResponse(text, { status, headers, now: 0 });
}

describe('An error response', () => {
  it('is read in linear time, whatever it repeats', () => {
    for (const words of ['exceed', 'violating ', 'content_filter', 'beyond context ', 'account '])
      assert.ok(
        growthOf(
          (length) => words.repeat(length),
          (message) => void errorFor(400, { error: { message } }),
          3000,
        ) < LINEAR,
        words,
      );
  });

  const table: readonly (readonly [string, number, unknown, string])[] = [
    [
      'E1 a bad key, direct',
      401,
      { error: { message: 'Invalid Authentication', type: 'invalid_authentication_error' } },
      'bad-key',
    ],
    [
      'E1 a bad key, gateway',
      401,
      { error: { message: 'No such key', type: 'invalid_authentication_error', code: null } },
      'bad-key',
    ],
    [
      'E1 a bad key of another wording',
      401,
      { error: { message: 'x', type: 'incorrect_api_key_error' } },
      'bad-key',
    ],
    ['E1 a 401 without a body', 401, '', 'bad-key'],
    ['E1 a 401 with a text', 401, 'Invalid Authentication', 'bad-key'],
    ['a 401 with a web page, as from a proxy', 401, '\n<html>Authorization Required</html>', 'access-denied'],
    [
      'E7 a 429 with a web page that has the error of the service in it',
      429,
      '<html><pre>{"error":{"message":"You exceeded your current quota","type":"exceeded_current_quota_error"}}</pre></html>',
      'no-balance',
    ],
    [
      'a 401 with a web page that has an error in its script',
      401,
      '<html><script>page = {"error":{"message":"Session expired"}}</script></html>',
      'access-denied',
    ],
    [
      'E1 a 401 under the general type of a server’s failure',
      401,
      { error: { message: 'Invalid Authentication', type: 'server_error' } },
      'bad-key',
    ],
    [
      'E6 a rate that is called a quota',
      429,
      { error: { message: 'requests-per-minute quota exceeded', type: 'rate_limit_reached_error' } },
      'rate-limited',
    ],
    [
      'E8 a failing server that mentions the context window',
      503,
      { error: { message: 'could not load the context window', type: 'server_error' } },
      'overloaded',
    ],
    [
      'a parameter that is measured against the context window',
      400,
      {
        error: {
          message: 'max_completion_tokens must be below the context window',
          type: 'invalid_request_error',
        },
      },
      'invalid-request',
    ],
    [
      'a budget above the most tokens of an answer',
      400,
      { error: { message: 'max_completion_tokens exceeds the maximum number of tokens of an answer' } },
      'invalid-request',
    ],
    [
      'a request that quotes the name of the filter',
      400,
      { error: { message: 'Unknown parameter: content_filter', type: 'invalid_request_error' } },
      'invalid-request',
    ],
    [
      'E6 a 429 under the general type of a server’s failure',
      429,
      { error: { message: 'Slow down', type: 'server_error' } },
      'rate-limited',
    ],
    [
      'E3 an unknown model under the general type of a server’s failure',
      404,
      { error: { message: 'No such model', type: 'server_error', code: 'model_not_found' } },
      'model-unknown',
    ],
    [
      'E2 an error whose whole text a gateway put into its message',
      404,
      {
        error: {
          message:
            'Invalid response received from upstream: {"error":{"message":"Not found the model","type":"resource_not_found_error"}}',
          type: null,
          code: null,
        },
      },
      'model-unavailable',
    ],
    [
      'E11 an error in a list',
      400,
      [
        {
          error: {
            code: 400,
            message: 'This exceeds the maximum context length',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      'context-overflow',
    ],
    [
      'E11 a message that only looks as if it held an error',
      400,
      { error: { message: 'Unexpected token in {"error": here', type: null } },
      'invalid-request',
    ],
    [
      'E2 an unknown model, direct',
      404,
      { error: { message: 'Not found the model or Permission denied', type: 'resource_not_found_error' } },
      'model-unavailable',
    ],
    [
      'E3 an unknown model, gateway',
      404,
      { error: { message: 'permanent', code: 'model_not_found', did_you_mean: 'svc-k3' } },
      'model-unknown',
    ],
    ...[
      { object: 'error', message: 'The model `svc-k3` does not exist.', type: 'NotFoundError', code: 404 },
      { error: { message: 'model "svc-k3" not found, try pulling it first', type: 'api_error' } },
      { error: { message: 'No endpoints found for svc-k3.', code: 404 } },
      { error: { message: 'litellm.NotFoundError: Model not found. Available models: a, b', code: '404' } },
    ].map((body) => [`E2 ${JSON.stringify(body)}`, 404, body, 'model-unavailable'] as const),
    ['an unknown path', 404, '<html>404', 'not-found'],
    ['an unknown path in words', 404, { error: 'Not found', message: 'Cannot GET /v1/models' }, 'not-found'],
    ['an unknown path of a page about models', 404, '<html>Our model is not here', 'not-found'],
    [
      'E4 empty messages',
      400,
      { error: { message: 'messages must not be empty', type: 'invalid_request_error' } },
      'invalid-request',
    ],
    [
      'E5 a forced tool',
      400,
      {
        error: {
          message: "tool_choice 'specified' is incompatible with thinking enabled",
          type: 'invalid_request_error',
          code: null,
        },
      },
      'invalid-request',
    ],
    [
      'E6 a rate limit without a type',
      429,
      { error: { message: 'Rate limit exceeded', code: null } },
      'rate-limited',
    ],
    [
      'E6 a rate limit with a type',
      429,
      { error: { message: 'x', type: 'rate_limit_reached_error' } },
      'rate-limited',
    ],
    [
      'E6 an engine that is overloaded',
      429,
      { error: { message: 'x', type: 'engine_overloaded_error' } },
      'overloaded',
    ],
    [
      'E7 no balance by type',
      429,
      { error: { message: 'x', type: 'exceeded_current_quota_error' } },
      'no-balance',
    ],
    [
      'E7 no balance by words, under the type of a rate limit',
      429,
      { error: { message: 'Insufficient balance', type: 'rate_limit_reached_error' } },
      'no-balance',
    ],
    [
      'E7 E11 no balance by words, under the type, the code, and the words of a rate limit',
      429,
      {
        error: {
          message: 'Rate limit reached: your balance is too low',
          type: 'rate_limit_reached_error',
          code: 'rate_limit_exceeded',
        },
      },
      'no-balance',
    ],
    [
      'E7 no balance the other way round',
      403,
      { error: { message: 'Your account balance is insufficient, please top up.' } },
      'no-balance',
    ],
    [
      'E7 no balance with a word between',
      400,
      { error: { message: 'Insufficient account balance', type: 'invalid_request_error' } },
      'no-balance',
    ],
    [
      'E7 an account that is suspended',
      429,
      { error: { message: 'Your account org-1 is suspended, please check your plan and billing details' } },
      'no-balance',
    ],
    ...[
      "Error code: 429 - {'error': {'message': 'No', 'type': 'exceeded_current_quota_error'}}",
      "Error code: 429 - {'error': {'message': 'No', 'code': 'insufficient_quota'}}",
      'Your account is not active, organization org-1 exceeded current quota, please check your plan',
      'You exceeded your current token quota: 0, please check your account balance',
    ].map((message) => [`E7 ${message}`, 429, { error: { message } }, 'no-balance'] as const),
    ['E7 no balance as “not enough”', 429, { error: { message: 'Not enough credits' } }, 'no-balance'],
    [
      'E7 a bill that was not paid',
      403,
      { error: { message: 'The request failed because your account has an overdue balance.' } },
      'no-balance',
    ],
    [
      'E7 a limit of what may be spent',
      403,
      {
        error: {
          message: 'Your team has either used all available credits or reached its monthly spending limit.',
        },
      },
      'no-balance',
    ],
    [
      'E7 the budget of a key of a gateway',
      429,
      {
        error: {
          message: 'Budget has been exceeded! Current cost: 10.2, Max budget: 10.0',
          type: 'budget_exceeded',
        },
      },
      'no-balance',
    ],
    [
      'E7 no quota of a user of a gateway',
      403,
      {
        error: {
          message: '用户额度不足, 剩余额度: ＄-0.02',
          type: 'new_api_error',
          code: 'insufficient_user_quota',
        },
      },
      'no-balance',
    ],
    [
      'E7 no quota of a key of a gateway',
      401,
      { error: { message: '该令牌额度已用尽', type: 'one_api_error' } },
      'no-balance',
    ],
    [
      'E7 less quota of a key of a gateway than the request may need',
      403,
      { error: { message: '预扣费额度失败, 剩余: ＄0.01', code: 'pre_consume_token_quota_failed' } },
      'no-balance',
    ],
    [
      'E7 the same without a code',
      403,
      {
        error: {
          message: 'token quota is not enough, token remain quota: ＄0.01, need quota: ＄0.04',
          type: 'new_api_error',
        },
      },
      'no-balance',
    ],
    [
      'E7 an account in arrears',
      400,
      { error: { message: 'Access denied, make sure your account is in good standing.', code: 'Arrearage' } },
      'no-balance',
    ],
    ['E7 no balance by status', 402, '', 'no-balance'],
    [
      'a moderation',
      403,
      { error: { message: 'x/y requires moderation on Z. Your input was flagged for "w".', code: 403 } },
      'filtered',
    ],
    ...[502, 503, 504, 529].map(
      (status) => [`E8 capacity, ${status}`, status, '<html>', 'overloaded'] as const,
    ),
    ['a server error', 500, { error: { message: 'x', type: 'server_error' } }, 'server-failed'],
    ['a server error with an unknown status', 599, '', 'server-failed'],
    ['a server timeout', 408, '', 'server-failed'],
    [
      'E8 capacity under a general type',
      503,
      { error: { message: 'x', type: 'server_error' } },
      'overloaded',
    ],
    ['access', 403, { error: { message: 'x', type: 'permission_denied_error' } }, 'access-denied'],
    ['a conflict, which is not documented', 409, { error: { message: 'x' } }, 'unknown'],
    [
      'the filter',
      400,
      { error: { message: 'rejected because it was considered high risk', type: 'content_filter' } },
      'filtered',
    ],
    [
      'an overflow',
      400,
      { error: { message: 'Input token length too long', type: 'invalid_request_error' } },
      'context-overflow',
    ],
    [
      'an overflow of the context size',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
        },
      },
      'context-overflow',
    ],
    [
      'an overflow of a prompt',
      400,
      {
        error: {
          message: 'prompt is too long: 205351 tokens > 200000 maximum',
          type: 'invalid_request_error',
        },
      },
      'context-overflow',
    ],
    [
      'an overflow with the output',
      400,
      {
        error: {
          message: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
          type: 'invalid_request_error',
        },
      },
      'context-overflow',
    ],
    [
      'an overflow of the input',
      400,
      { error: { message: 'Input is too long for requested model.' } },
      'context-overflow',
    ],
    [
      'an overflow of the tokens of the input',
      400,
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
      'context-overflow',
    ],
    [
      'E7 no balance in Chinese',
      429,
      { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
      'no-balance',
    ],
    [
      'an overflow with numbers',
      400,
      {
        error: {
          message: 'Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)',
          type: 'invalid_request_error',
        },
      },
      'context-overflow',
    ],
    ['a body too large by status', 413, 'Request Entity Too Large', 'too-large'],
    [
      'a body too large by message',
      400,
      { error: { message: 'total message size 3 exceeds limit 2', type: 'invalid_request_error' } },
      'too-large',
    ],
    [
      'images too large',
      400,
      { error: { message: 'Request exceeds the maximum size', type: 'invalid_request_error' } },
      'too-large',
    ],
    ['a proxy that requires a login', 407, '', 'proxy-refused'],
  ];
  for (const [name, status, body, kind] of table) {
    it(`${name} is ${kind}`, () => assert.equal(errorFor(status, body).kind, kind));
  }

  it('E6 has the time to wait that only its message names, up to a minute', () => {
    const waitOf = (message: string, headers = {}) =>
      fromErrorResponse(JSON.stringify({ error: { message } }), { status: 429, headers, now: 0 }).details
        .retryAfterMs;
    assert.equal(waitOf('Rate limit is exceeded. Try again in 12 seconds.'), 12_000);
    assert.equal(waitOf('max organization concurrency: 1, please try again after 1 seconds'), 1000);
    assert.equal(waitOf('Limit 200000, Used 199000. Please try again in 1.5s. Visit'), 1500);
    assert.equal(waitOf('Please retry in 7.25s.'), 7250);
    assert.equal(
      waitOf('Please try again in 6m0s.'),
      undefined,
      'a limit of the day, of which a part can be free',
    );
    assert.equal(waitOf('Try again in 12 seconds.', { 'retry-after': '3' }), 3000);
    for (const message of ['Try again later', 'try again in a moment', 'Limit: 12 seconds'])
      assert.equal(waitOf(message), undefined, message);
  });

  it('E3 keeps the id that the gateway suggests', () => {
    const error = errorFor(404, { error: { code: 'model_not_found', did_you_mean: 'svc-k3', message: 'x' } });
    assert.equal(error.details.didYouMean, 'svc-k3');
    assert.equal(error.details.type, undefined);
  });

  it('E3 suggests no id that is empty or missing', () => {
    for (const did_you_mean of ['', null, '<nil>', ['svc-k3']]) {
      const { details } = errorFor(404, { error: { code: 'model_not_found', did_you_mean, message: 'x' } });
      assert.equal(details.didYouMean, undefined, String(did_you_mean));
    }
  });

  it('E5 keeps the complete message of the service', () => {
    const message = 'tool_choice \u201cx\u201d '.repeat(200);
    assert.equal(errorFor(400, { error: { message } }).details.serviceMessage, message);
    assert.equal(errorFor(400, { error: { message } }).message, message);
  });

  it('keeps the beginning of a message that repeats a whole request, and of any other text', () => {
    const long = `No such field: ${'\u{1f600}'.repeat(2_000_000)}`;
    const bodies = [
      { error: long },
      { error: { message: long, type: long, code: long, did_you_mean: long } },
    ];
    for (const body of [...bodies, { detail: long }, long]) {
      const { details } = errorFor(400, body, { 'x-request-id': 'a'.repeat(200_000) });
      const texts = Object.values(details).filter((value) => typeof value === 'string');
      for (const text of texts) assert.ok(text.length <= 10_001 && text.isWellFormed(), text.slice(0, 50));
      assert.match(details.serviceMessage ?? '', /^No such field: .*…$/u);
    }
  });

  it('E11 is identified by type first, then code, then status', () => {
    const error = { message: 'x', type: 'exceeded_current_quota_error', code: 'model_not_found' };
    assert.equal(errorFor(404, { error }).kind, 'no-balance');
    assert.equal(errorFor(500, { error: { ...error, type: 'of_its_own' } }).kind, 'model-unknown');
    assert.equal(
      errorFor(503, { error: { message: 'x', type: 'of_its_own', code: 'too' } }).kind,
      'overloaded',
    );
  });

  it('E11 can have a code that is null, missing, or a number', () => {
    assert.equal(errorFor(400, { error: { message: 'x', code: null } }).details.code, undefined);
    assert.equal(errorFor(400, { error: { message: 'x' } }).details.code, undefined);
    assert.equal(errorFor(400, { error: { message: 'x', code: 1001 } }).details.code, '1001');
  });

  it('E11 is not identified by names that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      assert.equal(
        errorFor(400, { error: { message: 'x', type: name, code: name } }).kind,
        'invalid-request',
      );
    }
  });

  it('E11 is found in every wrapping', () => {
    const inner = { error: { message: 'inner', type: 'content_filter' } };
    const wrappings: readonly unknown[] = [
      inner,
      { object: 'error', message: 'inner', type: 'content_filter' },
      { type: 'error', error: { message: 'inner', type: 'content_filter' } },
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(inner) } } },
      { error: { message: 'Provider returned error', metadata: { raw: inner } } },
      { error: { message: 'inner', type: '<nil>', code: 'content_filter' } },
      { error: { message: { message: 'inner', type: 'content_filter' }, type: null, code: null } },
      { error: { message: ` ${JSON.stringify(inner)}`, type: null } },
      { error: { message: `upstream: ${JSON.stringify(inner)} (request id: {7})`, type: null } },
      { error: { message: 'Provider returned error', metadata: { raw: JSON.stringify(inner.error) } } },
      { error: { message: 'Provider returned error', metadata: { raw: inner.error } } },
      { message: 'inner', type: 'content_filter' },
    ];
    for (const wrapping of wrappings) {
      const error = errorFor(400, wrapping);
      assert.equal(error.kind, 'filtered', JSON.stringify(wrapping));
      assert.equal(error.details.serviceMessage, 'inner');
    }
  });

  it('E11 is what the service said to a gateway, also as text', () => {
    const wrap = (raw: unknown) => ({ error: { message: 'Provider returned error', metadata: { raw } } });
    for (const [status, raw, kind, message] of [
      [400, 'Input token length too long: 1100000', 'context-overflow', undefined],
      [429, 'Insufficient balance', 'no-balance', undefined],
      [403, '{"message":"Insufficient balance"}', 'no-balance', 'Insufficient balance'],
      [503, '{"detail":"Busy"}', 'overloaded', 'Busy'],
      [502, '<html>Bad gateway</html>', 'overloaded', 'Provider returned error'],
      [502, ' ', 'overloaded', 'Provider returned error'],
      [502, 'ERROR', 'overloaded', 'Provider returned error'],
      [502, '{}', 'overloaded', 'Provider returned error'],
    ] as const) {
      const error = errorFor(status, wrap(raw));
      assert.equal(error.kind, kind, raw);
      assert.equal(error.details.serviceMessage, message ?? raw);
    }
  });

  it('E7 E11 is told by the words of a body that is text, in JSON or not', () => {
    for (const [status, body, kind] of [
      [429, 'Insufficient balance, please top up.', 'no-balance'],
      [429, '"You exceeded your current quota"', 'no-balance'],
      [400, ' Input token length too long: 1100000\n', 'context-overflow'],
      [400, 'total message size 3 exceeds limit 2', 'too-large'],
      [429, 'Slow down please', 'rate-limited'],
      [503, 'could not load the context window', 'overloaded'],
    ] as const) {
      const { kind: found, details } = errorFor(status, body);
      assert.equal(found, kind, body);
      assert.equal(details.serviceMessage, body.trim().replaceAll('"', ''));
    }
    for (const body of ['Unauthorized', '<p>Insufficient balance</p>']) {
      const { kind, details } = errorFor(429, body);
      assert.deepEqual([kind, details.serviceMessage, details.excerpt], ['rate-limited', undefined, body]);
    }
  });

  it('E3 E7 E11 is found in an event, behind other text, and in JSON that is text of JSON', () => {
    const quota = { error: { message: 'No more', type: 'exceeded_current_quota_error' } };
    const model = { error: { message: 'No', code: 'model_not_found', did_you_mean: 'svc-k3' } };
    for (const wrap of [
      (json: string) => `data: ${json}\n\n`,
      (json: string) => `event: error\ndata: ${json}\n\ndata: [DONE]\n\n`,
      (json: string) => `: waiting\r\n\r\ndata:${json}\r\n\r\n`,
      (json: string) => `upstream error: ${json}`,
      (json: string) => `${json}\n${json}\n`,
      (json: string) => JSON.stringify(json),
    ]) {
      assert.equal(errorFor(429, wrap(JSON.stringify(quota))).kind, 'no-balance', String(wrap));
      const { kind, details } = errorFor(404, wrap(JSON.stringify(model)));
      assert.deepEqual([kind, details.didYouMean, details.serviceMessage], ['model-unknown', 'svc-k3', 'No']);
    }
  });

  it('E3 E7 E11 is found in another field of the error of a gateway, and in its text', () => {
    const quota = { error: { message: 'No more', type: 'exceeded_current_quota_error' } };
    const model = { error: { message: 'No', code: 'model_not_found', did_you_mean: 'svc-k3' } };
    const ways: readonly ((error: object) => object)[] = [
      (error) => ({ detail: error }),
      (error) => ({ detail: JSON.stringify(error) }),
      (error) => ({ detail: `upstream: ${JSON.stringify(error)}` }),
      (error) => ({ error: 'Upstream error', response: error }),
      (error) => ({ message: 'Upstream error', details: error }),
      (error) => ({ error: { message: 'Upstream error', details: error } }),
      (error) => ({ message: 'Upstream error', error: `up: ${JSON.stringify(error)}` }),
      (error) => ({ error: JSON.stringify(error) }),
      (error) => ({ error: `upstream: ${JSON.stringify(error)}` }),
      (error) => ({ message: JSON.stringify(error) }),
    ];
    for (const wrap of ways) {
      const { kind, details } = errorFor(429, wrap(quota));
      const outer = JSON.stringify(wrap({})).includes('Upstream error') ? 'Upstream error: ' : '';
      assert.deepEqual([kind, details.serviceMessage], ['no-balance', `${outer}No more`], String(wrap));
      const { details: other } = errorFor(404, wrap(model));
      assert.deepEqual([other.code, other.didYouMean], ['model_not_found', 'svc-k3'], String(wrap));
    }
    const detail = { message: 'No more', type: 'exceeded_current_quota_error' };
    assert.equal(errorFor(429, { detail }).kind, 'no-balance');
    assert.equal(errorFor(422, { detail: [{ msg: 'x' }], body: quota }).details.serviceMessage, 'x');
  });

  it('E7 E11 keeps its kind and its words beside details that say less', () => {
    const longer = "This model's maximum context length is 10 tokens";
    const key = { message: 'No', type: 'invalid_authentication_error' };
    for (const [status, error, kind] of [
      [429, { message: 'Insufficient balance', details: { error: 'Too Many Requests' } }, 'no-balance'],
      [429, { message: 'Insufficient balance', response: { message: 'Rate limit', code: 1 } }, 'no-balance'],
      [400, { message: longer, details: { error: 'ValidationError' } }, 'context-overflow'],
      [400, { message: longer, details: { error: { message: 'x', code: 'y' } } }, 'context-overflow'],
      [401, { ...key, details: { error: { type: 'rate_limit_error' } } }, 'bad-key'],
      [404, { message: 'model x not found', details: { error: 'Not Found' } }, 'model-unavailable'],
    ] as const) {
      const { kind: found, details } = errorFor(status, { error });
      assert.deepEqual([found, details.serviceMessage], [kind, error.message]);
    }
  });

  it('E7 E11 has the words and the names of details that say more', () => {
    const inner = { message: 'No more', type: 'exceeded_current_quota_error' };
    const busy = { message: 'Busy', type: 'server_error' };
    for (const [body, message] of [
      [{ error: 'Too Many Requests', detail: 'Insufficient balance' }, 'Insufficient balance'],
      [{ message: 'Too Many Requests', detail: 'Insufficient balance' }, 'Insufficient balance'],
      [{ error: { message: 'Too Many Requests', details: inner } }, 'No more'],
      [{ error: { message: 'Too Many Requests', details: [inner] } }, 'No more'],
    ] as const) {
      const { kind, details } = errorFor(429, body);
      assert.deepEqual([kind, details.serviceMessage], ['no-balance', `Too Many Requests: ${message}`]);
    }
    assert.equal(errorFor(429, { error: { ...busy, response: inner } }).kind, 'no-balance');
    // A quota of a rate limit resets by itself.
    const limit = { error: 'Rate limit exceeded' };
    assert.equal(errorFor(429, { ...limit, detail: 'Insufficient balance' }).kind, 'no-balance');
    assert.equal(errorFor(429, { ...limit, detail: 'Token quota exceeded' }).kind, 'rate-limited');
    assert.equal(
      errorFor(500, { error: { message: 'x', response: busy } }).details.serviceMessage,
      'x: Busy',
    );
    assert.equal(errorFor(400, { error: 'x', detail: '<p>y</p>' }).details.serviceMessage, 'x');
  });

  it('E11 has no message that is empty in place of the one around it, or of the text of the body', () => {
    const inner = { error: { message: '', code: 'busy' } };
    const error = { message: 'Provider returned error', metadata: { raw: JSON.stringify(inner) } };
    assert.equal(errorFor(500, { error }).details.serviceMessage, 'Provider returned error');
    assert.equal(errorFor(400, { error: 'no good', message: '' }).details.serviceMessage, 'no good');
    assert.equal(errorFor(400, { message: '', detail: 'no good' }).details.serviceMessage, 'no good');
    const body = { error: { message: '', detail: 'no good' } };
    assert.equal(errorFor(400, body).details.excerpt, JSON.stringify(body));
  });

  it('E11 keeps a message with an object that is no error, and the code of a gateway beside one of a service', () => {
    const message = 'Invalid tool arguments {"detail":"high"} for image_url';
    assert.equal(errorFor(400, { error: { message } }).details.serviceMessage, message);
    const raw = '{"code":"Throttling.User","message":"Slow down please"}';
    const error = { message: 'Provider returned error', code: 429, metadata: { raw } };
    assert.equal(errorFor(200, { error }).kind, 'rate-limited');
  });

  it('E11 is found in the errors of web frameworks', () => {
    const errors: readonly (readonly [unknown, string])[] = [
      [{ detail: 'upstream gone' }, 'upstream gone'],
      [{ detail: [{ loc: ['body', 'x'], msg: 'too long' }, { msg: 'gone' }] }, 'body.x: too long; gone'],
      [{ errors: [{ message: 'upstream gone' }] }, 'upstream gone'],
      [{ errors: [{ status: '502', title: 'Bad gateway', detail: 'upstream gone' }] }, 'upstream gone'],
      [{ errors: ['upstream gone'] }, 'upstream gone'],
      [{ message: 'No', code: 'insufficient_quota', errors: [{ message: 'balance' }] }, 'No: balance'],
      [{ type: 'about:blank', title: 'Bad gateway', status: 502, detail: 'upstream gone' }, 'upstream gone'],
      [{ statusCode: 502, message: 'upstream gone' }, 'upstream gone'],
      [{ status: 502, title: 'Bad gateway' }, 'Bad gateway'],
      [{ code: 502, message: ['upstream gone'] }, 'upstream gone'],
      [{ error: true, message: 'upstream gone' }, 'upstream gone'],
      [{ error: 502, message: 'upstream gone' }, 'upstream gone'],
      [{ error: ['upstream', { message: 'gone' }] }, 'upstream; gone'],
    ];
    for (const [json, message] of errors)
      assert.equal(decodeFrameworkError(json)?.message, message, JSON.stringify(json));
    assert.equal(decodeFrameworkError({ statusCode: 429, message: 'Slow down' })?.code, '429');
    assert.equal(decodeFrameworkError({ errors: [{ status: '503', title: 'Busy' }] })?.code, '503');
    assert.equal(
      decodeFrameworkError({ code: 'insufficient_quota', errors: ['x'] })?.code,
      'insufficient_quota',
    );
    assert.equal(decodeFrameworkError({ detail: 'Searching' }, true), undefined);
    const others: readonly unknown[] = [
      { object: 'ping' },
      { type: 'ping', message: 'still here' },
      { status: 200, message: 'ok' },
      { status: 'processing', message: 'in a queue', detail: 'third' },
      { detail: '' },
      { error: false, message: 'ok' },
      { error: [] },
      { errors: ['x'], data: [] },
      { errors: ['x'], type: 'metadata' },
      { detail: 'low', choices: [] },
      { errors: [] },
      { errors: ['x'], usage: { total_tokens: 1 } },
      { message: 'a' },
    ];
    for (const json of others) assert.equal(decodeFrameworkError(json), undefined, JSON.stringify(json));
  });

  it('E11 is found in a list of a web framework in place of a message', () => {
    const detail = [
      { loc: ['body', 'messages', 1, 'reasoning_content'], msg: 'Extra inputs are not permitted' },
    ];
    const text = 'body.messages.1.reasoning_content: Extra inputs are not permitted';
    const shapes: readonly (readonly [unknown, string])[] = [
      [{ object: 'error', message: { detail }, type: 'invalid_request_error', code: null }, text],
      [{ error: { message: { detail }, type: 'invalid_request_error' } }, text],
      [{ error: { message: detail, type: 'invalid_request_error' } }, text],
      [
        { error: 'Bad Request', message: ['x should not exist', 'y is long'] },
        'x should not exist; y is long',
      ],
      [{ error: 'Bad Request', message: [] }, 'Bad Request'],
    ];
    for (const [json, message] of shapes) {
      const { kind, details } = errorFor(400, json);
      assert.deepEqual([kind, details.serviceMessage], ['invalid-request', message], JSON.stringify(json));
    }
  });

  it('E11 is identified by its status if lists are nested too deeply for the stack', () => {
    const deep = `${'[{"detail":'.repeat(20_000)}1${'}]'.repeat(20_000)}`;
    for (const body of [`{"detail":${deep}}`, `{"error":{"message":${deep}}}`]) {
      const { kind, details } = errorFor(400, body);
      assert.deepEqual([kind, details.excerpt?.slice(0, 9)], ['invalid-request', body.slice(0, 9)]);
    }
  });

  it('E11 is found through eight gateways, and no further', () => {
    const ways: readonly ((error: object) => object)[] = [
      (error) => ({ message: 'outer', metadata: { raw: { error } } }),
      (error) => ({ message: 'outer', metadata: { raw: JSON.stringify({ error }) } }),
      (error) => ({ message: `outer: ${JSON.stringify({ error })}` }),
      (error) => ({ message: error }),
    ];
    for (const wrap of ways) {
      const through = (gateways: number) =>
        Array.from({ length: gateways }).reduce<object>(wrap, { message: 'inner', type: 'content_filter' });
      assert.equal(decodeErrorBody({ error: through(8) })?.type, 'content_filter', String(wrap));
      assert.equal(decodeErrorBody({ error: through(9) })?.type, undefined, String(wrap));
    }
  });

  it('E11 shows the message of an error that is a string', () => {
    assert.equal(errorFor(400, { error: 'no good' }).details.serviceMessage, 'no good');
    assert.equal(errorFor(400, { error: 'bad', message: 'no good' }).details.serviceMessage, 'no good');
    assert.equal(errorFor(400, { detail: 'no good' }).details.serviceMessage, 'no good');
  });

  it('E11 shows the text of every unknown shape', () => {
    const shapes: readonly unknown[] = [
      { detail: [{ loc: ['body', 'x'], msg: 'field required' }] },
      { errors: [{ msg: 'field required' }] },
      { error: { message: { en: 'field required' } } },
      { error: ['field required'] },
      'field required',
      '<p>field required</p>',
    ];
    for (const shape of shapes) {
      const { serviceMessage, excerpt } = errorFor(422, shape).details;
      assert.match(serviceMessage ?? excerpt ?? '', /field required/, JSON.stringify(shape));
    }
  });

  it('has no excerpt of a body that is empty or white space', () => {
    for (const body of ['', ' \r\n']) assert.equal('excerpt' in errorFor(502, body).details, false);
  });

  it('keeps only an excerpt of a long page', () => {
    assert.equal(errorFor(502, `<html>${'x'.repeat(100_000)}`).details.excerpt?.length, 400);
  });

  it('reports the target of a redirect without its user name and password', () => {
    const error = errorFor(302, '', { location: 'https://user:secret@host/v1' });
    assert.equal(error.details.location, 'https://…@host/v1');
  });

  it('reports a redirect as a redirect, and keeps its target', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const error = errorFor(
        status,
        { error: { type: 'server_error' } },
        { location: 'https://elsewhere.example/' },
      );
      assert.equal(error.kind, 'redirected');
      assert.equal(error.details.location, 'https://elsewhere.example/');
    }
    assert.equal(errorFor(302, '').details.location, undefined);
  });

  it('keeps the beginning of a long address of a redirect, as of a sign-in page', () => {
    const location = `https://login.example/sign-in?state=${'a'.repeat(8000)}`;
    const { details } = errorFor(302, '', { location });
    assert.equal(details.location, `${location.slice(0, 400)}…`);
  });

  it('keeps the id of the request under both names', () => {
    assert.equal(errorFor(500, '', { 'x-request-id': 'r1' }).details.requestId, 'r1');
    assert.equal(errorFor(500, '', { 'x-trace-id': 't1' }).details.requestId, 't1');
  });

  it('says what it is, and the message of the service or else its kind', () => {
    assert.equal(String(errorFor(400, { error: { message: 'no good' } })), 'ServiceError: no good');
    assert.equal(String(errorFor(502, '')), 'ServiceError: overloaded');
  });

  it('becomes plain data that survives JSON', () => {
    const failure = toFailure(errorFor(429, { error: { message: 'x' } }, { 'retry-after': '3' }));
    assert.deepEqual(JSON.parse(JSON.stringify(failure)), {
      kind: 'rate-limited',
      details: { status: 429, serviceMessage: 'x', retryAfterMs: 3000 },
    });
  });

  it('never throws, whatever the body is', () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => `{"error":${json}}`),
      fc.json().map((json) => `{"error":{"message":${json},"type":${json},"metadata":{"raw":${json}}}}`),
    );
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), (text, status) => {
        const error = fromErrorResponse(text, { status, headers: {}, now: 0 });
        assert.ok(error instanceof ServiceError);
        assert.equal(typeof error.kind, 'string');
      }),
    );
  });

  it('does not overflow for deeply nested errors', () => {
    const depth = 50_000;
    const text = `${'{"error":{"metadata":{"raw":'.repeat(depth)}1${'}}}'.repeat(depth)}`;
    assert.equal(errorFor(500, text).kind, 'server-failed');
  });
});

describe('An error object in place of an answer', () => {
  it('is ignored if it is empty and next to an answer', () => {
    const chunk = { error: { message: null, code: null }, choices: [{ delta: { content: 'a' } }] };
    assert.equal(decodeErrorBody(chunk), undefined);
  });

  it('is found in three shapes, and not in a chunk', () => {
    assert.equal(decodeErrorBody({ error: { message: 'a' } })?.message, 'a');
    assert.equal(decodeErrorBody({ error: 'a' })?.message, 'a');
    assert.equal(decodeErrorBody({ object: 'error', message: 'a' })?.message, 'a');
    for (const error of [undefined, null, '', {}]) {
      assert.equal(decodeErrorBody({ choices: [], error }), undefined, JSON.stringify(error));
    }
  });

  it('is identified by type and message, and by a numeric code in place of a status', () => {
    const kindOf = (error: object) => errorFor(200, { error }).kind;
    assert.equal(kindOf({ message: 'x', type: 'exceeded_current_quota_error' }), 'no-balance');
    assert.equal(kindOf({ message: 'x', code: 429 }), 'rate-limited');
    assert.equal(kindOf({ message: 'x', code: 502 }), 'overloaded');
    assert.equal(kindOf({ message: 'x', type: 'invalid_request_error' }), 'invalid-request');
    assert.equal(kindOf({ message: 'x' }), 'stream-error');
  });
});
