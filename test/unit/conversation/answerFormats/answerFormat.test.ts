import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type AnswerFormat,
  checkAnswerFormat,
  type JsonSchema,
  parseSchema,
  toResponseFormat,
  toSchemaName,
} from '../../../../src/conversation/answerFormats/answerFormat.ts';
import { createSchemaCheck } from '../../../../src/conversation/answerFormats/schemaCheck.ts';
import { toChecks } from '../../../../src/conversation/outcomes/checks.ts';
import { toNotices } from '../../../../src/conversation/outcomes/notices.ts';
import { createCallCheck } from '../../../../src/conversation/toolCalls/callCheck.ts';
import { answerFormat } from '../../../../src/history/questionDecoders.ts';
import { buildRequest } from '../../../../src/service/request.ts';
import { tryDecode } from '../../../../src/validation/decode.ts';
import { completeTurn } from '../turns.ts';

const check = createSchemaCheck();
const schema: JsonSchema = {
  type: 'object',
  required: ['name', 'parts'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    parts: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
};
const format: AnswerFormat = { kind: 'schema', name: 'boat', schema };
const read = (value: unknown) => parseSchema(JSON.stringify(value), 'boat.schema.json', check);
const problemOf = (value: unknown) => {
  const result = read(value);
  return result.ok ? undefined : result.problem;
};
const judge = (value: unknown, by: AnswerFormat = format) =>
  checkAnswerFormat(JSON.stringify(value), by, check);
const placesOf = (value: unknown, by?: AnswerFormat) => {
  const verdict = judge(value, by);
  return verdict.kind === 'differs'
    ? verdict.errors.map(({ pointer, keyword }) => [pointer, keyword])
    : verdict;
};

describe('A schema for the answer format', () => {
  it('becomes the format of the request, with its title or the name of its file', () => {
    const result = read(schema);
    assert.ok(result.ok);
    assert.deepEqual(toResponseFormat(result.format), {
      type: 'json_schema',
      json_schema: { name: 'boat', schema },
    });
    assert.equal(toSchemaName({ title: 'A boat, or two' }, 'x.json'), 'A_boat_or_two');
    assert.equal(toSchemaName({}, '漢字.json'), 'answer');
    assert.equal(toSchemaName({}, ''), 'answer');
    assert.equal(toSchemaName({}, 'boat.schema.json'), 'boat');
    assert.equal(toSchemaName({}, '.boat.json'), 'boat');
    assert.equal(toSchemaName({ title: 'a'.repeat(100) }, '').length, 64);
  });

  it('is refused if it is larger than 512 KB', () => {
    const sized = (bytes: number) => parseSchema(`{"type":"object"${' '.repeat(bytes - 17)}}`, 'x', check);
    assert.ok(sized(512 * 1024).ok);
    const larger = sized(512 * 1024 + 1);
    assert.deepEqual(larger.ok ? undefined : larger.problem, { kind: 'too-large' });
    const wide = parseSchema(`{"type":"object","title":"${'漢'.repeat(200_000)}"}`, 'x', check);
    assert.deepEqual(wide.ok ? undefined : wide.problem, { kind: 'too-large' });
  });

  it('is accepted by the request builder and gives the same bytes each time', () => {
    const built = buildRequest({
      model: 'svc-k3',
      messages: [{ role: 'user', content: 'a' }],
      responseFormat: toResponseFormat(format),
    });
    assert.ok(built.ok);
    assert.deepEqual(
      built.request.response_format,
      toResponseFormat(tryDecode(answerFormat, JSON.parse(JSON.stringify(format)))),
    );
  });

  it('is refused if it is not JSON, not an object, or not a schema of objects', () => {
    const notJson = parseSchema('{"type": ', 'a.json', check);
    assert.deepEqual(notJson, { ok: false, problem: { kind: 'not-json' } });
    assert.deepEqual(problemOf([schema]), { kind: 'not-an-object' });
    assert.deepEqual(problemOf({ type: 'array' }), { kind: 'no-object-schema' });
    assert.deepEqual(problemOf({ properties: {} }), { kind: 'no-object-schema' });
  });

  it('is refused with the name of the wrong field', () => {
    const wrong = problemOf({ type: 'object', properties: { a: { type: 'strnig' } } });
    assert.ok(wrong?.kind === 'invalid');
    assert.equal(wrong.field, '/properties/a/type');
    assert.equal(wrong.detail, 'must be equal to one of the allowed values');
    // As for answers, so that the words can be translated and name the values.
    assert.equal(wrong.error?.keyword, 'enum');
    assert.ok((wrong.error.params['allowedValues'] as readonly string[]).includes('string'));
    const pattern = problemOf({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } });
    assert.equal(pattern?.kind, 'invalid');
    const dialect = problemOf({ $schema: 'http://json-schema.org/draft-03/schema#', type: 'object' });
    assert.equal(dialect?.kind === 'invalid' && dialect.field, '$schema');
  });

  it('is refused without a download if it refers to another address', () => {
    const problem = problemOf({ type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } });
    assert.deepEqual(problem, { kind: 'invalid', field: '$ref', detail: 'https://example.com/a.json' });
  });

  it('can use draft 4, 6, 7, 2019-09, or 2020-12, by each of its usual addresses', () => {
    for (const $schema of [
      'http://json-schema.org/draft-04/schema#',
      'http://json-schema.org/draft-04/schema',
      'https://json-schema.org/draft-04/schema#',
      'http://json-schema.org/draft-06/schema#',
      'http://json-schema.org/draft-06/schema',
      'http://json-schema.org/draft-07/schema#',
      'http://json-schema.org/draft-07/schema',
      'https://json-schema.org/draft-07/schema#',
      'https://json-schema.org/draft-07/schema',
      'https://json-schema.org/draft/2019-09/schema',
      'https://json-schema.org/draft/2019-09/schema#',
      'https://json-schema.org/draft/2020-12/schema',
      'http://json-schema.org/draft/2020-12/schema#',
    ]) {
      assert.equal(problemOf({ $schema, ...schema }), undefined, $schema);
      const by: AnswerFormat = { kind: 'schema', name: 'boat', schema: { $schema, ...schema } };
      assert.deepEqual(placesOf({ name: 1, parts: [] }, by), [['/name', 'type']], $schema);
    }
  });

  it('of draft 4 has limits that exclude their own value, and the id of that draft', () => {
    const old = {
      id: 'https://example.com/boat',
      type: 'object',
      properties: { size: { type: 'number', minimum: 0, exclusiveMinimum: true } },
    };
    for (const dialect of [{ $schema: 'http://json-schema.org/draft-04/schema#' }, {}]) {
      const by: AnswerFormat = { kind: 'schema', name: 'boat', schema: { ...dialect, ...old } };
      assert.deepEqual(placesOf({ size: 0 }, by), [['/size', 'minimum']]);
      assert.deepEqual(judge({ size: 1 }, by), { kind: 'fits' });
    }
  });

  it('is not taken for an earlier one with the same id', () => {
    for (const type of ['string', 'number']) {
      const $schema = 'https://json-schema.org/draft/2020-12/schema';
      const $id = 'https://example.com/boat';
      const named = { $schema, $id, type: 'object', properties: { size: { type } } };
      assert.equal(problemOf(named), undefined);
      const verdict = placesOf({ size: true }, { kind: 'schema', name: 'boat', schema: named });
      assert.deepEqual(verdict, [['/size', 'type']], type);
      assert.equal(problemOf({ ...named, required: 'size' })?.kind, 'invalid');
    }
  });

  it('is checked by the rules of its own draft', () => {
    const limits = { type: 'object', properties: { size: { exclusiveMinimum: true } } };
    for (const draft of ['draft-06', 'draft-07'])
      assert.equal(
        problemOf({ $schema: `http://json-schema.org/${draft}/schema#`, ...limits })?.kind,
        'invalid',
      );
  });

  it('can have patterns with escapes and ranges that only patterns without Unicode allow', () => {
    for (const pattern of ['^\\d{4}\\-\\d{2}$', '^[\\w-.]+$', '^\\_\\d']) {
      const by = (keyword: object): AnswerFormat => ({
        kind: 'schema',
        name: 'dated',
        schema: { type: 'object', ...keyword },
      });
      const dated = by({ properties: { at: { type: 'string', pattern } } });
      assert.equal(problemOf(dated.kind === 'schema' && dated.schema), undefined, pattern);
      assert.deepEqual(placesOf({ at: '!' }, dated), [['/at', 'pattern']], pattern);
      const named = by({ patternProperties: { [pattern]: { type: 'number' } }, additionalProperties: false });
      assert.deepEqual(placesOf({ '!': 1 }, named), [['/!', 'additionalProperties']], pattern);
    }
  });

  it('keeps the Unicode meaning of all other patterns', () => {
    const by = (pattern: string): AnswerFormat => ({
      kind: 'schema',
      name: 'word',
      schema: { type: 'object', properties: { word: { type: 'string', pattern } } },
    });
    assert.deepEqual(judge({ word: 'Ä漢' }, by('^\\p{L}+$')), { kind: 'fits' });
    assert.deepEqual(judge({ word: '🙂' }, by('^.$')), { kind: 'fits' });
    // Without Unicode, `\\p{L}` would mean the letters “p{L}”.
    assert.equal(
      problemOf({ type: 'object', properties: { a: { pattern: '^\\p{L}[\\w-.]$' } } })?.kind,
      'invalid',
    );
    assert.equal(
      problemOf({ type: 'object', properties: { a: { pattern: '^\\u{1F642}\\_$' } } })?.kind,
      'invalid',
    );
  });

  it('can refer to itself, and contain keywords of other tools', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    assert.equal(
      problemOf({
        ...tree,
        'x-order': 1,
        properties: { ...tree.properties, a: { type: 'string', format: 'sql' } },
      }),
      undefined,
    );
    const pair = (keyword: string) => ({
      type: 'object',
      properties: { pair: { type: 'array', [keyword]: [{ type: 'string' }, { type: 'number' }] } },
    });
    for (const keyword of ['items', 'prefixItems']) {
      const by: AnswerFormat = { kind: 'schema', name: 'pair', schema: pair(keyword) };
      assert.deepEqual(placesOf({ pair: ['a', 'b'] }, by), [['/pair/1', 'type']], keyword);
    }
  });
});

describe('A schema with nullable, which OpenAPI has and JSON Schema doesn’t know', () => {
  const nullable = true;
  const by: AnswerFormat = {
    kind: 'schema',
    name: 'crew',
    schema: {
      type: 'object',
      properties: {
        captain: { $ref: '#/$defs/person', nullable },
        cook: { anyOf: [{ $ref: '#/$defs/person' }, { type: 'string' }], nullable },
        name: { type: 'string', nullable },
        nullable: { type: 'string' },
      },
      $defs: { person: { type: 'object' } },
    },
  };

  it('can be used, and it counts beside a type only', () => {
    assert.equal(problemOf(by.schema), undefined);
    assert.deepEqual(judge({ captain: {}, cook: 'Jo', name: null, nullable: 'x' }, by), { kind: 'fits' });
    assert.deepEqual(placesOf({ captain: 'Jo', nullable: 1 }, by), [
      ['/captain', 'type'],
      ['/nullable', 'type'],
    ]);
  });

  it('stays the name of a property, and what a value must be', () => {
    const strict = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/any', nullable }, b: { enum: [{ nullable }] }, nullable: true },
      additionalProperties: false,
      $defs: { any: {} },
    };
    const named: AnswerFormat = { ...by, schema: strict };
    assert.deepEqual(judge({ a: 1, b: { nullable }, nullable: 'x' }, named), { kind: 'fits' });
    assert.deepEqual(placesOf({ b: {} }, named), [['/b', 'enum']]);
  });

  it('doesn’t keep a tool from being called', () => {
    const check = createCallCheck();
    assert.equal(check(by.schema, { captain: {} }), undefined);
    assert.equal(check(by.schema, { captain: 1 }), 'captain must be object');
  });
});

describe('The check of a complete answer', () => {
  it('passes, or reports each error with the position of its value', () => {
    assert.deepEqual(judge({ name: 'Argo', parts: [{ size: 1 }] }), { kind: 'fits' });
    assert.deepEqual(placesOf({ name: 1, parts: [{}, { size: 'big' }], 'a/b~': 1 }), [
      ['/a~1b~0', 'additionalProperties'],
      ['/name', 'type'],
      ['/parts/1/size', 'type'],
    ]);
    assert.deepEqual(placesOf({ name: 'Argo' }), [['', 'required']]);
  });

  it('tells the properties of the answer from those that every object has', () => {
    const by = (rest: object): AnswerFormat => ({
      kind: 'schema',
      name: 'class',
      schema: { type: 'object', ...rest },
    });
    const typed = by({ properties: { constructor: { type: 'string' }, toString: { type: 'string' } } });
    assert.deepEqual(judge({}, typed), { kind: 'fits' });
    assert.deepEqual(placesOf({ constructor: 1 }, typed), [['/constructor', 'type']]);
    const required = by({ required: ['constructor', 'valueOf'] });
    assert.deepEqual(placesOf({}, required), [
      ['', 'required'],
      ['', 'required'],
    ]);
    assert.deepEqual(judge({ constructor: '', valueOf: '' }, required), { kind: 'fits' });
    for (const $schema of [
      'http://json-schema.org/draft-04/schema#',
      'http://json-schema.org/draft-07/schema#',
    ])
      assert.deepEqual(placesOf({}, by({ $schema, required: ['toString'] })), [['', 'required']]);
    const dependent = by({ dependentRequired: { hasOwnProperty: ['name'] } });
    assert.deepEqual(judge({}, dependent), { kind: 'fits' });
  });

  it('counts prices with cents as multiples of 0.01, in every draft, and half cents not', () => {
    for (const draft of ['http://json-schema.org/draft-04/schema#', undefined]) {
      const price = { type: 'number', multipleOf: 0.01 };
      const $schema = draft && { $schema: draft };
      const by: AnswerFormat = {
        kind: 'schema',
        name: 'bill',
        schema: { ...$schema, type: 'object', properties: { price } },
      };
      for (const price of [0.07, 19.99, 1_234_567.89])
        assert.deepEqual(judge({ price }, by), { kind: 'fits' }, String(price));
      assert.deepEqual(placesOf({ price: 19.995 }, by), [['/price', 'multipleOf']]);
    }
  });

  it('takes no number for a multiple of a much larger one, nor the next one after a multiple', () => {
    for (const [multipleOf, wrong] of [
      [100_000_000, 5],
      [1_073_741_824, 1_073_741_825],
      [100_000_000, 0.5],
    ] as const) {
      const by: AnswerFormat = {
        kind: 'schema',
        name: 'size',
        schema: { type: 'object', properties: { bytes: { multipleOf } } },
      };
      assert.deepEqual(judge({ bytes: multipleOf * 3 }, by), { kind: 'fits' });
      assert.deepEqual(placesOf({ bytes: wrong }, by), [['/bytes', 'multipleOf']]);
    }
  });

  it('reports prose and fenced JSON as not JSON', () => {
    for (const text of ['Here it is: {}', '```json\n{}\n```', '{"a": 1', ''])
      assert.deepEqual(checkAnswerFormat(text, format, check), { kind: 'not-json' });
  });

  it('expects an object for JSON without a schema', () => {
    assert.deepEqual(judge({ any: 'thing' }, { kind: 'json' }), { kind: 'fits' });
    assert.deepEqual(placesOf([1], { kind: 'json' }), [['', 'type']]);
  });

  it('lists only the first errors and counts all of them', () => {
    const verdict = judge({ name: '', parts: Array.from({ length: 1000 }, () => ({ size: 'x' })) });
    assert.ok(verdict.kind === 'differs');
    assert.deepEqual([verdict.errors.length, verdict.count], [50, 1000]);
  });

  it('ends when a pattern takes too long', () => {
    const slow: AnswerFormat = {
      kind: 'schema',
      name: 'slow',
      schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    };
    const begun = performance.now();
    assert.equal(judge({ a: `${'a'.repeat(60)}!` }, slow).kind, 'unchecked');
    assert.ok(performance.now() - begun < 6000);
  });

  it('reports a mismatch as a failed parameters check and as a notice', () => {
    const turn = completeTurn('{"name": 1}');
    const judged = (answer: unknown) => ({ format, verdict: judge(answer) });
    const parameters = (answer: unknown) =>
      toChecks(turn, judged(answer)).find(({ name }) => name === 'parameters');
    const value = 'json_schema boat';
    assert.deepEqual(parameters({}), { name: 'parameters', passed: false, value });
    assert.deepEqual(parameters({ name: '', parts: [] }), { name: 'parameters', passed: true, value });
    const codes = (answer: unknown) => toNotices(turn, undefined, judged(answer)).map(({ code }) => code);
    assert.deepEqual(codes({}), ['format-mismatch']);
    assert.deepEqual(codes({ name: '', parts: [] }), []);
  });
});
