import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallCheck } from '../../../../src/conversation/toolCalls/callCheck.ts';
import { startCpu } from '../../../support/growth.ts';

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

describe('The check of tool call arguments', () => {
  it('accepts arguments that match the schema of the tool', () => {
    assert.equal(check(PARAMETERS, { path: 'a.ts', lines: [1, 2] }), undefined);
    assert.equal(check({}, { anything: true }), undefined);
  });

  it('names the arguments that do not match', () => {
    assert.equal(check(PARAMETERS, {}), "must have required property 'path'");
    assert.equal(check(PARAMETERS, { path: 1 }), 'path must be string');
    assert.equal(check(PARAMETERS, { path: '', lines: [1.5] }), 'lines/0 must be integer');
    assert.equal(check(PARAMETERS, { path: '', more: 1 }), 'more is not a property of the schema');
  });

  it('tells arguments from the properties that every object has', () => {
    const named = { type: 'object', properties: { constructor: { type: 'string' } }, required: ['toString'] };
    assert.equal(check(named, {}), "must have required property 'toString'");
    assert.equal(check(named, { toString: '' }), undefined);
    assert.equal(check(named, { toString: '', constructor: 1 }), 'constructor must be string');
  });

  it('accepts patterns that only patterns without Unicode allow', () => {
    const dated = { type: 'object', properties: { on: { type: 'string', pattern: '^\\d+\\-[\\w-.]+$' } } };
    assert.equal(check(dated, { on: '1-a.b' }), undefined);
    assert.match(check(dated, { on: 'a' }) ?? '', /^on must match pattern/);
  });

  it('keeps tools apart when their schemas have the same name', () => {
    const other = { $id: 'tool', type: 'object', required: ['url'] };
    assert.equal(check(other, { path: 'a' }), "must have required property 'url'");
    assert.equal(check({ ...PARAMETERS }, { path: 'a' }), undefined);
  });

  it('uses the dialect of the schema, and a known dialect if that one is unknown', () => {
    const pair = { properties: { pair: { items: [{ type: 'string' }] } } };
    for (const $schema of [
      undefined,
      'http://json-schema.org/draft-07/schema#',
      'http://json-schema.org/draft-04/schema#',
      'https://example.com/unknown',
    ])
      assert.equal(check({ ...pair, ...($schema && { $schema }) }, { pair: [1] }), 'pair/0 must be string');
  });

  it('refuses all arguments if the schema cannot be used', () => {
    assert.match(check({ type: 'objet' }, {}) ?? '', /cannot be used/);
    assert.match(check({ $ref: 'https://example.org/schema' }, {}) ?? '', /cannot be used/);
  });

  it('refuses all arguments if the schema is asynchronous', () => {
    assert.match(check({ $async: true, required: ['a'] }, {}) ?? '', /cannot be used/);
  });

  it('refuses arguments if the check takes too long', () => {
    const endless = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const worked = startCpu();
    // A response can have more than a hundred calls.
    for (let call = 0; call < 100; call++)
      assert.match(check(endless, { a: `${'a'.repeat(60)}!${call}` }) ?? '', /in time/);
    assert.ok(worked() < 4000, `${worked()} ms`);
  });

  it('does not change the arguments', () => {
    const value = { path: 'a' };
    check({ properties: { path: { type: 'number' }, n: { default: 1 } } }, value);
    assert.deepEqual(value, { path: 'a' });
  });
});
