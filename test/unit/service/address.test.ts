import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isUnencrypted,
  parseBaseAddress,
  parseEnteredAddress,
  withoutCredentials,
  withoutUserInfo,
} from '../../../src/service/address.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

describe('A base address', () => {
  const good: readonly (readonly [string, string])[] = [
    ['https://api.example.com', 'https://api.example.com/v1'],
    ['https://api.example.com/', 'https://api.example.com/v1'],
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/', 'https://api.example.com/v1'],
    ['https://api.example.com/v1//', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions/', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/models', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/completions', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/responses/', 'https://api.example.com/v1'],
    ['  https://api.example.com/v1\n', 'https://api.example.com/v1'],
    ['HTTPS://API.Example.com:443/v1', 'https://api.example.com/v1'],
    ['https://gate.example.com/team/openai', 'https://gate.example.com/team/openai/v1'],
    ['https://gate.example.com/team/v1', 'https://gate.example.com/team/v1'],
    ['http://127.0.0.1:8080/s/truncate', 'http://127.0.0.1:8080/s/truncate/v1'],
    ['http://[::1]:8080', 'http://[::1]:8080/v1'],
    ['https://api.example.com/notv1', 'https://api.example.com/notv1/v1'],
  ];
  for (const [text, root] of good) {
    it(`Q1 M2 ${JSON.stringify(text)} is ${root}, with the version once`, () => {
      assert.deepEqual(parseBaseAddress(text), { ok: true, root, origin: new URL(root).origin });
    });
  }

  const bad: readonly (readonly [string, string])[] = [
    ['', 'empty'],
    ['   ', 'empty'],
    ['api.example.com', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['localhost:8080', 'scheme'],
    ['ftp://api.example.com', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['https://user:pass@api.example.com', 'user-info'],
    ['https://api.example.com@evil.example', 'user-info'],
    ['https://api.example.com/v1?key=1', 'query'],
    ['https://api.example.com/v1#x', 'query'],
  ];
  for (const [text, problem] of bad) {
    it(`${JSON.stringify(text)} is refused as ${problem}`, () => {
      assert.deepEqual(parseBaseAddress(text), { ok: false, problem });
    });
  }

  it('is unencrypted if it is plain HTTP to another computer', () => {
    for (const safe of ['https://a.example', 'http://localhost:1/v1', 'http://127.0.0.1', 'http://[::1]:1'])
      assert.equal(isUnencrypted(safe), false, safe);
    for (const unsafe of [
      'http://a.example',
      'http://127.0.0.1.evil.example',
      'http://localhost.evil.example',
      'http://10.0.0.1',
      // The editor sends these to a proxy.
      'http://127.0.0.2',
      'http://x.localhost',
    ])
      assert.equal(isUnencrypted(unsafe), true, unsafe);
  });
});

describe('Addresses in reports, errors, and the log', () => {
  for (const [text, shown] of [
    ['connect to http://user:secret@proxy:8080 failed', 'connect to http://…@proxy:8080 failed'],
    ['"https://user@host/a?b=c@d" and //u:secret@h', '"https://…@host/a?b=c@d" and //…@h'],
    ['https://a:secret@b and https://c:s%40d@e', 'https://…@b and https://…@e'],
    [
      'https://cdn.example/lib@1.0.0, somebody@example.com',
      'https://cdn.example/lib@1.0.0, somebody@example.com',
    ],
    ['http://host', 'http://host'],
    ['no socket to proxies: PROXY user:se@cret@proxy:8080', 'no socket to proxies: PROXY …@proxy:8080'],
    ['HTTPS u:secret@proxy; SOCKS5 u:secret@other; DIRECT', 'HTTPS …@proxy; SOCKS5 …@other; DIRECT'],
  ] as const)
    it(`have no user info: ${text}`, () => assert.equal(withoutUserInfo(text), shown));

  for (const [address, shown] of [
    ['http://user:secret@proxy:8080', 'http://…@proxy:8080'],
    ['http://user:se/cret#@proxy:8080', 'http://…@proxy:8080'],
    ['http://user:se@cret@proxy:8080', 'http://…@proxy:8080'],
    ['user:secret@proxy:8080', '…@proxy:8080'],
    ['socks5://u:secret@proxy', 'socks5://…@proxy'],
    ['http:/u:secret@proxy', 'http:/…@proxy'],
    ['http://proxy:8080', 'http://proxy:8080'],
    ['none', 'none'],
    ['https://host/v1?key=sk-1&x=y', 'https://host/v1?…'],
    ['https://host/v1#sk-1', 'https://host/v1#…'],
    ['host?sk-1\nsk-2', 'host?…'],
    ['https://user:secret@host?key=sk-1', 'https://…@host?…'],
    ['https://host/?key=sk@1', 'https://…@1'],
  ] as const)
    it(`have no user info and no query, also where they are not valid: ${address}`, () =>
      assert.equal(withoutCredentials(address), shown));
});

describe('A base address with a run of slashes', () => {
  it('is read in time in proportion to its length', () => {
    const inputOf = (length: number) => `https://host.example/a${'/'.repeat(length)}b${'/'.repeat(length)}`;
    assert.ok(growthOf(inputOf, (text) => parseBaseAddress(text), 20_000) < LINEAR);
    const parsed = parseBaseAddress('https://host.example/a///models//');
    assert.equal(parsed.ok && parsed.root, 'https://host.example/a/v1');
  });
});

describe('A base address that is entered without a scheme', () => {
  for (const [entered, root] of [
    ['api.example.com', 'https://api.example.com/v1'],
    [' api.example.com:8443/v1/ ', 'https://api.example.com:8443/v1'],
    ['münchen.example/llm', 'https://xn--mnchen-3ya.example/llm/v1'],
    ['gateway:8080', 'https://gateway:8080/v1'],
    ['192.168.1.5:8000', 'https://192.168.1.5:8000/v1'],
    ['localhost:8000', 'http://localhost:8000/v1'],
    ['127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['[::1]:8000', 'http://[::1]:8000/v1'],
    ['http://api.example.com', 'http://api.example.com/v1'],
  ] as const)
    it(`is ${root}: ${entered}`, () => {
      const parsed = parseEnteredAddress(entered);
      assert.equal(parsed.ok && parsed.root, root);
    });

  for (const entered of [
    '',
    'sk-0a1b2c',
    'eyJhbGciOi.eyJzdWIi.c2lnbmF0_1',
    'ftp://api.example.com',
    'me:secret@host',
  ])
    it(`is refused as before: ${entered}`, () =>
      assert.deepEqual(parseEnteredAddress(entered), parseBaseAddress(entered)));

  it('is read in time in proportion to its length', () => {
    for (const part of ['a.', 'a', '1.', '[:'])
      assert.ok(growthOf((length) => `${part.repeat(length)}?`, parseEnteredAddress, 8000) < LINEAR, part);
  });
});
