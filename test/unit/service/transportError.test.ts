import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ServiceError } from '../../../src/service/errors.ts';
import { fromTransportError, NO_HTTP1, ProxyError } from '../../../src/service/transportError.ts';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

describe('A network error', () => {
  const table: readonly (readonly [unknown, string])[] = [
    [coded('ECONNREFUSED'), 'unreachable'],
    [coded('ENOTFOUND'), 'unreachable'],
    [coded('EAI_AGAIN'), 'unreachable'],
    [coded('ENETUNREACH'), 'unreachable'],
    [coded('ETIMEDOUT'), 'unreachable'],
    [coded('UND_ERR_CONNECT_TIMEOUT'), 'unreachable'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'untrusted-certificate'],
    [coded('SELF_SIGNED_CERT_IN_CHAIN'), 'untrusted-certificate'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'untrusted-certificate'],
    [coded('CERT_HAS_EXPIRED'), 'untrusted-certificate'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'untrusted-certificate'],
    [coded('ECONNRESET'), 'connection-lost'],
    [coded('EPIPE'), 'connection-lost'],
    [coded('HPE_INVALID_CONSTANT'), 'connection-lost'],
    [coded('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling'), 'proxy-refused'],
    [new Error('tunneling socket could not be established, statusCode=407'), 'proxy-refused'],
    [new Error('aborted'), 'connection-lost'],
    ['a string', 'connection-lost'],
    [undefined, 'connection-lost'],
  ];
  for (const [error, kind] of table) {
    it(`${error instanceof Error ? error.message : String(error)} is ${kind}`, () => {
      const made = fromTransportError(error);
      assert.equal(made.kind, kind);
      assert.equal(made.cause, error);
    });
  }

  it('has the code of its cause, or of the first of several addresses', () => {
    const wrapped = new TypeError('terminated', { cause: coded('ECONNREFUSED') });
    assert.equal(fromTransportError(wrapped).kind, 'unreachable');
    assert.equal(fromTransportError(wrapped).details.systemCode, 'ECONNREFUSED');
    const several = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]);
    assert.equal(fromTransportError(several).kind, 'unreachable');
  });

  it('does not loop forever if its causes form a circle', () => {
    const circle = new Error('a');
    circle.cause = circle;
    assert.equal(fromTransportError(circle).kind, 'connection-lost');
  });

  it('has no password of a proxy', () => {
    const error = fromTransportError(new Error('tunnel to http://user:secret@proxy:8080 failed'));
    assert.equal(error.details.serviceMessage, 'tunnel to http://…@proxy:8080 failed');
    assert.equal(error.message, 'tunnel to http://…@proxy:8080 failed');
  });

  for (const [error, kind, details] of [
    [
      coded('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling'),
      'proxy-refused',
      { status: 403, proxy: true },
    ],
    [
      new Error('Failed to establish a socket connection to proxies: PROXY 127.0.0.1:9'),
      'unreachable',
      { proxy: true },
    ],
    [
      new ProxyError('Failed to establish a socket connection to proxies: PROXY p:9', coded('ECONNREFUSED')),
      'unreachable',
      { proxy: true, systemCode: 'ECONNREFUSED' },
    ],
    [
      new ProxyError(
        'Failed to establish a socket connection to proxies',
        coded('SELF_SIGNED_CERT_IN_CHAIN'),
      ),
      'untrusted-certificate',
      { proxy: true, systemCode: 'SELF_SIGNED_CERT_IN_CHAIN' },
    ],
    [new ProxyError('no tunnel', new Error('the proxy hung up')), 'unreachable', { proxy: true }],
  ] as const)
    it(`at the proxy is told from one at the service: ${error.message} is ${kind}`, () => {
      const made = fromTransportError(error);
      assert.equal(made.kind, kind);
      const { serviceMessage: _, ...others } = { ...made.details };
      assert.deepEqual(others, 'code' in error ? { ...details, systemCode: error.code } : details);
    });

  it('stays unchanged if it is a ServiceError', () => {
    const error = new ServiceError('silent');
    assert.equal(fromTransportError(error), error);
  });

  it('Q2 distinguishes a key that is invalid in a header from a lost connection', () => {
    assert.equal(
      fromTransportError(coded('ERR_INVALID_CHAR', 'Invalid character in header content ["authorization"]'))
        .kind,
      'bad-key',
    );
    assert.equal(
      fromTransportError(coded('UND_ERR_INVALID_ARG', 'invalid authorization header')).kind,
      'bad-key',
    );
  });

  it('distinguishes a connection that was lost in the middle of a body from one that failed', () => {
    for (const code of ['ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'EPROTO'])
      assert.equal(fromTransportError(coded(code), 'body').kind, 'connection-lost');
  });

  it('does not call the service unreachable once the connection was established', () => {
    for (const code of ['ETIMEDOUT', 'EPROTO', 'ERR_SSL_BAD_RECORD_TYPE'])
      assert.equal(fromTransportError(coded(code), 'connection').kind, 'connection-lost');
    assert.equal(fromTransportError(coded('CERT_HAS_EXPIRED'), 'connection').kind, 'untrusted-certificate');
    // The agent of a proxy can report the connection before the handshake with the service has ended.
    assert.equal(fromTransportError(coded(NO_HTTP1), 'connection').kind, 'unreachable');
  });

  it('names a proxy that refuses a tunnel with any status', () => {
    const error = coded('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling');
    assert.equal(fromTransportError(error).kind, 'proxy-refused');
  });
});
