/** The response format for findings, and its decoder. */
import * as v from 'valibot';
import {
  type Decoded,
  type Decoder,
  decode,
  oneOf,
  type WrongField,
  whole,
} from '../../validation/decode.ts';
import { jsonObjectsIn, parseJson } from '../answers/answerJson.ts';
import { createIsFirst, joinTexts } from '../answers/joinedAnswers.ts';
import { jsonObjectTextsIn } from '../answers/jsonPrefix.ts';
import { EDIT_SCHEMA, edit, type ProposedEdit } from '../edits/proposalAnswer.ts';

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

/** A finding that doesn't match the schema. Some services don't enforce the schema. */
export interface LeftOutFinding {
  readonly json: unknown;
  /** The invalid field in the answer, such as `findings[1].severity`. */
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

/**
 * Parses a complete answer: only JSON, JSON in a fence, or JSON with text around it. Objects with invalid findings are ignored if
 * another object has only valid ones.
 */
export function parseFindings(text: string): Decoded<FindingsAnswer> {
  const all = [...jsonObjectsIn(text)].map(decodeFindings);
  const read = all.flatMap((one) => (one.ok ? [one.value] : []));
  const valid = read.filter(({ leftOut }) => leftOut.length === 0);
  const used = valid.some(({ findings }) => findings.length > 0) ? valid : read;
  if (used.length > 0) return { ok: true, value: joined(used) };
  return all[0] ?? { ok: false, wrong: { field: '', expected: 'JSON' } };
}

/** Joins the answers and removes duplicate findings. */
function joined(answers: readonly FindingsAnswer[]): FindingsAnswer {
  const isFirst = createIsFirst();
  return {
    summary: joinTexts(
      answers.map(({ summary }) => summary),
      isFirst,
    ),
    findings: answers.flatMap(({ findings }) => findings).filter(isFirst),
    leftOut: answers.flatMap(({ leftOut }) => leftOut),
  };
}

/** The text around the objects that `parseFindings` has read, without fences that are empty without them. */
export function textAroundFindings(text: string, { leftOut }: FindingsAnswer): string {
  const around: string[] = [];
  let from = 0;
  for (const json of jsonObjectTextsIn(text)) {
    const decoded = decodeFindings(parseJson(json));
    if (!decoded.ok || (decoded.value.leftOut.length > 0 && leftOut.length === 0)) continue;
    const at = text.indexOf(json, from);
    around.push(text.slice(from, at));
    from = at + json.length;
  }
  // The texts between several objects are separate paragraphs.
  return [...around, text.slice(from)]
    .join('\n\n')
    .replace(/^```(?:json)?\s*```$/gim, '')
    .trim();
}

/** Checks each field and leaves out findings with an invalid one. If no finding is valid, the error names the first invalid field. */
export function decodeFindings(json: unknown): Decoded<FindingsAnswer> {
  const decoded = decode(answer, json);
  if (!decoded.ok) return decoded;
  const read = readFindings(decoded.value.findings);
  const [first] = read.leftOut;
  if (read.findings.length === 0 && first !== undefined) return { ok: false, wrong: first.wrong };
  return { ok: true, value: { summary: decoded.value.summary, ...read } };
}

/** The valid findings of a list, and the reasons why the others are left out. */
export function readFindings(list: readonly unknown[]): Pick<FindingsAnswer, 'findings' | 'leftOut'> {
  const findings: Finding[] = [];
  const leftOut: LeftOutFinding[] = [];
  for (const [index, one] of list.entries()) {
    const read = decode(finding, one);
    if (read.ok) findings.push(read.value);
    else leftOut.push({ json: one, wrong: inList(read.wrong, index) });
  }
  return { findings, leftOut };
}

const inList = ({ field, expected }: WrongField, index: number): WrongField => ({
  field: `findings[${index}]${field === '' ? '' : `.${field}`}`,
  expected,
});
