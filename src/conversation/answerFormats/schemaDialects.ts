/** The supported drafts of JSON Schema, each with its Ajv validator. */
import { _, Ajv, type FuncKeywordDefinition, type Options, str } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import Draft4 from 'ajv-draft-04';

export interface Dialect {
  /** The address of the draft, as Ajv knows it. */
  readonly address: string;
  /** @param options the options that differ from those for all schemas */
  readonly create: (options?: Options) => Validator;
}

export type Validator = Pick<Ajv, 'validateSchema' | 'compile' | 'errors'>;

/**
 * Compiles a pattern of a schema as Unicode, as JSON Schema requires. Many schemas have escapes and ranges that are valid only
 * without Unicode (`\-`, `[\w-.]`), so these are compiled without Unicode. A pattern that needs both would then have another
 * meaning, so it throws instead.
 */
const toPattern: NonNullable<NonNullable<Options['code']>['regExp']> = Object.assign(
  (pattern: string, flags: string) => {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      if (/\\[pP]\{|\\u\{/.test(pattern)) throw error;
      return new RegExp(pattern);
    }
  },
  // Ajv uses this only for code that is written to a file.
  { code: 'new RegExp' },
);

/** The maximum rounding error of a quotient of floating-point numbers. */
const PRECISION = 1e-9;

function isMultiple(of: number, value: number): boolean {
  if (Number.isInteger(of) && Number.isInteger(value)) return value % of === 0;
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= PRECISION * Math.max(1, Math.abs(quotient));
}

/**
 * Replaces Ajv's own check, for which 0.07 isn't a multiple of 0.01, because of rounding, or, with `multipleOfPrecision`, 5 is a
 * multiple of 100,000,000.
 */
const MULTIPLE_OF: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  validate: isMultiple,
  errors: false,
  error: {
    // The wording of Ajv, not translated.
    message: ({ schema }) => str`must be multiple of ${schema}`,
    // Code, not translated.
    params: ({ schema }) => _`{multipleOf: ${schema}}`,
  },
};

const withMultiples = <Draft extends Ajv>(ajv: Draft): Draft => {
  ajv.removeKeyword('multipleOf').addKeyword(MULTIPLE_OF);
  return ajv;
};

const OPTIONS: Options = {
  // User schemas contain keywords of other tools and undefined formats.
  strict: false,
  validateFormats: false,
  allErrors: true,
  // Otherwise every object has a property `constructor`.
  ownProperties: true,
  code: { regExp: toPattern },
  logger: false,
};

const DRAFT_4: Dialect = {
  address: 'http://json-schema.org/draft-04/schema',
  create: (options) => withMultiples(new Draft4({ ...OPTIONS, ...options })),
};
const DRAFT_6: Dialect = {
  address: 'http://json-schema.org/draft-06/schema',
  create: (options) => withMultiples(new Ajv({ ...OPTIONS, ...options })).addMetaSchema(draft6),
};
const DRAFT_7: Dialect = {
  address: 'http://json-schema.org/draft-07/schema',
  create: (options) => withMultiples(new Ajv({ ...OPTIONS, ...options })),
};
const DRAFT_2019: Dialect = {
  address: 'https://json-schema.org/draft/2019-09/schema',
  create: (options) => withMultiples(new Ajv2019({ ...OPTIONS, ...options })),
};
const DRAFT_2020: Dialect = {
  address: 'https://json-schema.org/draft/2020-12/schema',
  create: (options) => withMultiples(new Ajv2020({ ...OPTIONS, ...options })),
};

const DIALECTS = [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020];

/**
 * The dialects to try for the value of `$schema`, in order; empty for an unknown one. A schema without `$schema`
 * may use an older draft, which treats lists of items and exclusive limits differently.
 */
export function dialectsOf($schema: unknown): readonly Dialect[] {
  if ($schema === undefined) return [DRAFT_2020, DRAFT_7, DRAFT_4];
  const place = placeOf(String($schema));
  return DIALECTS.filter(({ address }) => placeOf(address) === place);
}

/** The address without the parts that differ between schemas: the protocol, and the `#` at its end. */
const placeOf = (address: string) => address.replace(/^https?:\/\//i, '').replace(/#$/, '');
