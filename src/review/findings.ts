/** The form in which the model is asked for remarks on code, and the door for what it answers. */
import * as v from 'valibot';
import { type Decoded, type Decoder, decode, oneOf, whole } from '../validation/decode.ts';
import { jsonObjectsIn } from './answerJson.ts';
import { EDIT_SCHEMA, edit, type ProposedEdit } from './proposalForm.ts';

export type FindingSeverity = 'error' | 'warning' | 'info';

/** One remark as the model made it: not placed yet, and not trusted. */
export interface Finding {
  /** The path as the model wrote it. */
  readonly file: string;
  /** Lines count from 1, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly severity: FindingSeverity;
  readonly claim: string;
  /** What the claim is about, quoted from the file. */
  readonly evidence: string;
  readonly edit: ProposedEdit | undefined;
}

export interface FindingsAnswer {
  readonly summary: string;
  readonly findings: readonly Finding[];
}

/** Name of the form on the wire. */
export const FINDINGS_FORM = 'k3_findings';

const SEVERITIES = { error: true, warning: true, info: true } as const satisfies Record<
  FindingSeverity,
  true
>;

/** JSON schema of a review: every field required and no others, as strict structured output wants it. */
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

/** One remark, as it stands in an answer and as it is kept. */
export const finding: Decoder<Finding> = v.object({
  file: text,
  startLine: whole,
  endLine: whole,
  severity: oneOf<FindingSeverity>(SEVERITIES),
  claim: text,
  evidence: text,
  edit: v.nullish(edit, () => undefined),
});

const answer: Decoder<FindingsAnswer> = v.object({
  summary: v.optional(text, ''),
  findings: v.array(finding),
});

/** Reads a whole answer: JSON alone, in a code fence, or with words around it. */
export function parseFindings(text: string): Decoded<FindingsAnswer> {
  let first: Decoded<FindingsAnswer> | undefined;
  for (const json of jsonObjectsIn(text)) {
    const decoded = decodeFindings(json);
    if (decoded.ok) return decoded;
    first ??= decoded;
  }
  return first ?? { ok: false, wrong: { field: '', expected: 'JSON' } };
}

/** Checks each field; the first that is wrong is named. */
export function decodeFindings(json: unknown): Decoded<FindingsAnswer> {
  return decode(answer, json);
}
