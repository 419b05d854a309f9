import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fromErrorResponse } from '../../../../src/service/errorResponse.ts';
import { type Failure, toFailure } from '../../../../src/service/errors.ts';
import { fromTransportError } from '../../../../src/service/transportError.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { describeFailure } = await withEditorStub(
  () => import('../../../../src/editor/wording/failureWords.ts'),
);

const FACTS = { routeName: 'work', routeKind: 'direct', model: 'svc-k3' } as const;
const bodyOf = (retryAfterMs: number | undefined) => {
  const details: Failure['details'] = { status: 429, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return describeFailure({ kind: 'rate-limited', details }, FACTS).body[0];
};

describe('The words about a request that was refused too often', () => {
  it('E6 say how long the service asks to wait', () => {
    assert.equal(bodyOf(90_000), 'The service asks you to wait 1 min 30 s before you retry.');
    assert.equal(bodyOf(86_400_000), 'The service asks you to wait 1 d 0 h before you retry.');
    // Not less than it asks for.
    assert.equal(bodyOf(59_200), 'The service asks you to wait 1 min 00 s before you retry.');
    assert.equal(bodyOf(3_629_000), 'The service asks you to wait 1 h 01 min before you retry.');
    assert.equal(bodyOf(131_364_000), 'The service asks you to wait 1 d 13 h before you retry.');
  });

  it('E6 name no time if the service asks for none', () => {
    const words = 'The request was retried several times. Wait a moment and try again.';
    assert.deepEqual([bodyOf(undefined), bodyOf(0)], [words, words]);
  });
});

describe('The words about an error that came with status 200', () => {
  const within = 'The error came with status 200. Any text received before it is kept.';
  const words = (kind: Failure['kind'], more: Failure['details'] = {}) =>
    describeFailure({ kind, details: { status: 200, ...more } }, FACTS);

  it('E6 E8 do not say that the request was sent again, or that it was not billed', () => {
    for (const [kind, title] of [
      ['rate-limited', 'Too many requests'],
      ['overloaded', 'The service is overloaded'],
      ['server-failed', 'The service reported an error'],
    ] as const)
      assert.deepEqual(words(kind), { title, body: [within] });
    assert.deepEqual(words('rate-limited', { retryAfterMs: 90_000 }).body, [
      within,
      'The service asks you to wait 1 min 30 s before you retry.',
    ]);
  });

  it('E1 name the status that came', () => {
    assert.match(words('bad-key').body.join(), /^Route “work” returned 200: the API key is missing/);
    assert.match(words('bad-key', { status: 401 }).body.join(), /^Route “work” returned 401: the API key/);
  });
});

describe('The words about a model that a gateway doesn’t recognize', () => {
  const bodyFor = (didYouMean?: string) =>
    describeFailure(
      { kind: 'model-unknown', details: { status: 404, ...(didYouMean !== undefined && { didYouMean }) } },
      FACTS,
    ).body.join();

  it('E3 have the model that it suggests, and not the one that was asked for', () => {
    assert.match(bodyFor('vendor/svc-k3'), /^The gateway suggests “vendor\/svc-k3”\. Retrying/);
    assert.match(bodyFor('svc-k3'), /no access to it.*run “K3: Check Connection”/);
    assert.equal(bodyFor(), bodyFor('svc-k3'));
  });
});

describe('The words about a request that was refused with 403', () => {
  const bodyFor = (details: Failure['details']) =>
    describeFailure({ kind: 'access-denied', details: { status: 403, ...details } }, FACTS).body.join();

  it('say that a page came instead of an error of the service, such as that of a firewall', () => {
    const { kind, details } = toFailure(
      fromErrorResponse('\n<!DOCTYPE html><title>Attention Required!</title>', {
        status: 403,
        headers: { 'content-type': 'text/html' },
        now: 0,
      }),
    );
    assert.equal(kind, 'access-denied');
    assert.equal(
      bodyFor(details),
      'The address returned 403 with a web page, which can be from a firewall or a proxy. Ask its administrator to allow the address of route “work”.',
    );
  });

  it('say so of a page with 401, too, which is from a proxy that wants a password of its own', () => {
    const error = fromErrorResponse('<html><h1>401 Authorization Required</h1></html>', {
      ...{ status: 401, headers: {}, now: 0 },
    });
    const { title, body } = describeFailure(toFailure(error), FACTS);
    assert.deepEqual(
      [title, ...body],
      [
        'Access denied',
        'The address returned 401 with a web page, which can be from a firewall or a proxy. Ask its administrator to allow the address of route “work”.',
      ],
    );
  });

  it('say that the key has no permission if the service says so, or nothing', () => {
    for (const details of [{ serviceMessage: 'Not yours' }, {}, { excerpt: 'denied' }])
      assert.equal(bodyFor(details), 'Route “work” returned 403: this API key doesn’t have permission.');
  });
});

describe('The words about a file of the extension that is gone', () => {
  const gone = Object.assign(new Error("Cannot find module '/extension/callCheck.js'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

  it('say so instead of naming the connection, and what to do', () => {
    const toWords = (error: unknown) => {
      const failure = toFailure(fromTransportError(error));
      assert.equal(failure.details.serviceMessage, undefined, 'the service has not said it');
      return describeFailure(failure, FACTS);
    };
    for (const error of [gone, new Error('As it is shown.', { cause: gone })]) {
      const { title, body } = toWords(error);
      assert.equal(title, 'A part of K3 Chat couldn’t be loaded');
      assert.match(
        body.join(),
        /^A file of K3 Chat is missing or has changed.*Reload the window and try again\.$/,
      );
    }
  });
});

describe('The words about a request that is too large', () => {
  const bodyWith = (images?: 'here' | 'earlier' | 'none') =>
    describeFailure({ kind: 'too-large', details: { status: 413 } }, { ...FACTS, ...(images && { images }) })
      .body;

  it('speak of images only if it may have some', () => {
    const words = ['Images are the most common cause. Attach fewer or smaller images.'];
    for (const images of ['here', 'earlier', undefined] as const) assert.deepEqual(bodyWith(images), words);
    assert.deepEqual(bodyWith('none'), ['Start a new conversation or remove attachments.']);
  });
});
