import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { suggestRouteName } from '../../../../src/editor/connection/routeNames.ts';

const NONE: ReadonlySet<string> = new Set();

describe('The suggested name of a route', () => {
  for (const [root, name] of [
    ['https://api.example.com/v1', 'example'],
    ['https://example.com/v1', 'example'],
    ['https://llm.gateway.example.co.uk/v1', 'example'],
    ['https://tools.intern/v1', 'tools'],
    ['https://intranet/v1', 'intranet'],
    ['https://api.ai/v1', 'api.ai'],
    ['http://localhost:8080/v1', 'local'],
    ['http://127.0.0.1:8080/v1', 'local'],
    ['http://[::1]:8080/v1', 'local'],
    ['https://10.0.0.7/v1', '10.0.0.7'],
    ['https://[2001:db8::1]/v1', '[2001:db8::1]'],
  ] as const)
    it(`is ${name} for ${root}`, () => assert.equal(suggestRouteName(root, NONE), name));

  it('has a number when the name is taken', () => {
    const root = 'https://api.example.com/v1';
    assert.equal(suggestRouteName(root, new Set(['example'])), 'example-2');
    assert.equal(suggestRouteName(root, new Set(['example', 'example-2'])), 'example-3');
  });
});
