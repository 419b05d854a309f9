import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallCheck } from '../../../src/chat/callCheck.ts';

const check = createCallCheck();
const PARAMETERS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'tool',
  type: 'object',
  properties: {
    path: { type: 'string', markdownDescription: 'words of others' },
    lines: { type: 'array', items: { type: 'integer' } },
  },
  required: ['path'],
  additionalProperties: false,
};

describe('The arguments of a call', () => {
  it('pass when they fit the schema of the tool', () => {
    assert.equal(check(PARAMETERS, { path: 'a.ts', lines: [1, 2] }), undefined);
    assert.equal(check({}, { anything: true }), undefined);
  });

  it('are named where they do not', () => {
    assert.equal(check(PARAMETERS, {}), "must have required property 'path'");
    assert.equal(check(PARAMETERS, { path: 1 }), 'path must be string');
    assert.equal(check(PARAMETERS, { path: '', lines: [1.5] }), 'lines/0 must be integer');
    assert.equal(check(PARAMETERS, { path: '', more: 1 }), 'more is not a property of the schema');
  });

  it('are checked for each tool apart, also when two schemas have one name', () => {
    const other = { $id: 'tool', type: 'object', required: ['url'] };
    assert.equal(check(other, { path: 'a' }), "must have required property 'url'");
    assert.equal(check({ ...PARAMETERS }, { path: 'a' }), undefined);
  });

  it('are checked in the dialect of the schema, and in one that is known when that is not', () => {
    const pair = { properties: { pair: { items: [{ type: 'string' }] } } };
    for (const $schema of [
      undefined,
      'http://json-schema.org/draft-07/schema#',
      'http://json-schema.org/draft-04/schema#',
    ])
      assert.equal(check({ ...pair, ...($schema && { $schema }) }, { pair: [1] }), 'pair/0 must be string');
  });

  it('never pass a schema that cannot be used', () => {
    assert.match(check({ type: 'objet' }, {}) ?? '', /cannot be used/);
    assert.match(check({ $ref: 'https://example.org/schema' }, {}) ?? '', /cannot be used/);
  });

  it('never pass a schema that would answer later', () => {
    assert.match(check({ $async: true, required: ['a'] }, {}) ?? '', /cannot be used/);
  });

  it('do not fit when checking them takes for ever', () => {
    const endless = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    assert.match(check(endless, { a: `${'a'.repeat(60)}!` }) ?? '', /in time/);
  }).timeout(20_000);

  it('are left as they are: nothing is filled in or taken away', () => {
    const value = { path: 'a' };
    check({ properties: { path: { type: 'number' }, n: { default: 1 } } }, value);
    assert.deepEqual(value, { path: 'a' });
  });
});
