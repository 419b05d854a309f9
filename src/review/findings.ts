/** The form in which the model is asked for remarks on code, and the door for what it answers. */
import { EDIT_SCHEMA } from './proposalForm.ts';

export type FindingSeverity = 'error' | 'warning' | 'info';

/** A replacement of text that stands exactly once in its file. */
export interface SuggestedEdit {
  readonly find: string;
  readonly replace: string;
}

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
  readonly edit: SuggestedEdit | undefined;
}

export interface FindingsAnswer {
  readonly summary: string;
  readonly findings: readonly Finding[];
}

/** Name of the form on the wire. */
export const FINDINGS_FORM = 'k3_findings';

const SEVERITIES: readonly FindingSeverity[] = ['error', 'warning', 'info'];

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
          severity: { type: 'string', enum: SEVERITIES },
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

export type DecodedFindings =
  | { readonly ok: true; readonly answer: FindingsAnswer }
  /** `problem` names the field and what is wrong with it, for whoever looks into the answer. */
  | { readonly ok: false; readonly problem: string };

/** Reads a whole answer: JSON alone, in a code fence, or with words around it. */
export function parseFindings(text: string): DecodedFindings {
  let problem: string | undefined;
  for (const candidate of jsonCandidates(text)) {
    const json = parseJson(candidate);
    if (json === undefined) continue;
    const decoded = decodeFindings(json);
    if (decoded.ok) return decoded;
    problem ??= decoded.problem;
  }
  return { ok: false, problem: problem ?? 'there is no JSON in it' };
}

function jsonCandidates(text: string): readonly string[] {
  const fenced = [...text.matchAll(/^(`{3,})[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm)].map((match) => match[2] ?? '');
  const from = text.indexOf('{');
  const braced = from === -1 ? [] : [text.slice(from, text.lastIndexOf('}') + 1)];
  return [text, ...fenced, ...braced];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks each field; the first that is wrong is named. */
export function decodeFindings(json: unknown): DecodedFindings {
  try {
    return { ok: true, answer: toAnswer(json) };
  } catch (error) {
    if (error instanceof WrongField) return { ok: false, problem: error.message };
    throw error;
  }
}

class WrongField extends Error {}

function wrong(field: string, what: string): never {
  throw new WrongField(`${field} ${what}`);
}

type Fields = Readonly<Record<string, unknown>>;

function toFields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(name, 'is not an object');
  return { ...value };
}

function toAnswer(json: unknown): FindingsAnswer {
  const fields = toFields(json, 'the answer');
  const { findings, summary = '' } = fields;
  if (!Array.isArray(findings)) wrong('findings', 'is not a list');
  if (typeof summary !== 'string') wrong('summary', 'is not a text');
  return { summary, findings: findings.map((one, index) => toFinding(one, `findings[${index}]`)) };
}

function toFinding(json: unknown, name: string): Finding {
  const fields = toFields(json, name);
  const text = (field: string) => toText(fields[field], `${name}.${field}`);
  const line = (field: string) => toLine(fields[field], `${name}.${field}`);
  const severity = SEVERITIES.find((one) => one === fields['severity']);
  if (severity === undefined) wrong(`${name}.severity`, `is not one of ${SEVERITIES.join(', ')}`);
  return {
    file: text('file'),
    startLine: line('startLine'),
    endLine: line('endLine'),
    severity,
    claim: text('claim'),
    evidence: text('evidence'),
    edit: toEdit(fields['edit'], `${name}.edit`),
  };
}

function toEdit(json: unknown, name: string): SuggestedEdit | undefined {
  if (json === null || json === undefined) return undefined;
  const fields = toFields(json, name);
  return {
    find: toText(fields['find'], `${name}.find`),
    replace: toText(fields['replace'], `${name}.replace`),
  };
}

function toText(value: unknown, name: string): string {
  return typeof value === 'string' ? value : wrong(name, 'is not a text');
}

function toLine(value: unknown, name: string): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : wrong(name, 'is not a whole number');
}
