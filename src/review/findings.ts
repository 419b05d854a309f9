/** The response format for findings, and its decoder. */
import * as v from 'valibot';
import { type Decoded, type Decoder, decode, oneOf, type WrongField, whole } from '../validation/decode.ts';
import { jsonObjectsIn } from './answerJson.ts';
import { EDIT_SCHEMA, edit, type ProposedEdit } from './proposalAnswer.ts';

export type FindingSeverity = 'error' | 'warning' | 'info';

/** One finding as reported by the model: not placed yet and not trusted. */
export interface Finding {
  /** The path as written by the model. */
  readonly file: string;
  /** Lines count from 1, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly severity: FindingSeverity;
  readonly claim: string;
  /** The code that the claim is about, quoted from the file. */
  readonly evidence: string;
  readonly edit: ProposedEdit | undefined;
}

export interface FindingsAnswer {
  readonly summary: string;
  readonly findings: readonly Finding[];
  readonly leftOut: readonly LeftOutFinding[];
}

/** A finding that isn't as the schema says, which some services don't enforce. */
export interface LeftOutFinding {
  readonly json: unknown;
  /** Its field in the answer, such as `findings[1].severity`. */
  readonly wrong: WrongField;
}

/** The schema's name in requests. */
export const FINDINGS_SCHEMA_NAME = 'k3_findings';

const SEVERITIES = { error: true, warning: true, info: true } as const satisfies Record<
  FindingSeverity,
  true
>;

/**
 * The JSON schema of a review. As strict structured output requires, all fields are required and no others are allowed.
 */
export const FINDINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'findings'],
  properties: {
    summary: { type: 'string', description: 'The verdict, in one or two sentences.' },
    findings: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'startLine', 'endLine', 'severity', 'claim', 'evidence', 'edit'],
        properties: {
          file: { type: 'string', description: 'The path of the file as it was given.' },
          startLine: { type: 'integer', description: 'First line of the range, counted from 1.' },
          endLine: { type: 'integer', description: 'Last line of the range, included.' },
          severity: { type: 'string', enum: Object.keys(SEVERITIES) },
          claim: { type: 'string', description: 'What is wrong and why it matters, in plain sentences.' },
          evidence: {
            type: 'string',
            description: 'A quotation from these lines, verbatim and without the line numbers.',
          },
          edit: {
            ...EDIT_SCHEMA,
            type: ['object', 'null'],
            description: 'What would put it right; null when that is not a small change.',
          },
        },
      },
    },
  },
} as const;

const text = v.string();

/** One finding, in an answer or in storage. */
export const finding: Decoder<Finding> = v.object({
  file: text,
  startLine: whole,
  endLine: whole,
  severity: oneOf<FindingSeverity>(SEVERITIES),
  claim: text,
  evidence: text,
  edit: v.nullish(edit, () => undefined),
});

const answer: Decoder<{ readonly summary: string; readonly findings: readonly unknown[] }> = v.object({
  summary: v.optional(text, ''),
  findings: v.array(v.unknown()),
});

/** Parses a complete answer: only JSON, JSON in a fence, or JSON with text around it. */
export function parseFindings(text: string): Decoded<FindingsAnswer> {
  let some: Decoded<FindingsAnswer> | undefined;
  let first: Decoded<FindingsAnswer> | undefined;
  for (const json of jsonObjectsIn(text)) {
    const decoded = decodeFindings(json);
    if (decoded.ok && decoded.value.leftOut.length === 0) return decoded;
    if (decoded.ok) some ??= decoded;
    first ??= decoded;
  }
  return some ?? first ?? { ok: false, wrong: { field: '', expected: 'JSON' } };
}

/** Checks each field, and leaves out findings with an invalid one. Without any valid finding, the error names the first invalid field. */
export function decodeFindings(json: unknown): Decoded<FindingsAnswer> {
  const decoded = decode(answer, json);
  if (!decoded.ok) return decoded;
  const findings: Finding[] = [];
  const leftOut: LeftOutFinding[] = [];
  for (const [index, one] of decoded.value.findings.entries()) {
    const read = decode(finding, one);
    if (read.ok) findings.push(read.value);
    else leftOut.push({ json: one, wrong: inList(read.wrong, index) });
  }
  const [first] = leftOut;
  if (findings.length === 0 && first !== undefined) return { ok: false, wrong: first.wrong };
  return { ok: true, value: { summary: decoded.value.summary, findings, leftOut } };
}

const inList = ({ field, expected }: WrongField, index: number): WrongField => ({
  field: `findings[${index}]${field === '' ? '' : `.${field}`}`,
  expected,
});
