/** Labels and messages about structured answers and their schemas. */
import * as vscode from 'vscode';
import {
  type AnswerFormat,
  type FormatCheck,
  type FormatVerdict,
  MAX_SCHEMA_BYTES,
  type SchemaError,
  type SchemaProblem,
} from '../../conversation/answerFormats/answerFormat.ts';
import type { Turn } from '../../conversation/turn.ts';
import { type JsonProblem, readJsonText } from '../../panel/jsonText.ts';
import type { StructuredView } from '../../panel/views.ts';
import { plural } from '../base/plural.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';

const t = vscode.l10n.t;

export const toFormatLabel = (format: AnswerFormat) => (format.kind === 'json' ? 'JSON' : format.name);

/**
 * A structured answer for the webview.
 *
 * @param last whether its exchange is the last one; only then a repair can be requested
 */
export function toStructuredView(
  turn: Turn,
  { format, verdict }: FormatCheck,
  last: boolean,
): StructuredView {
  const problem = verdict?.kind === 'not-json' ? problemOf(turn.answer) : undefined;
  return {
    name: toFormatLabel(format),
    state: stateOf(turn, verdict),
    summary: toSummary(turn, format, verdict, problem),
    errors:
      verdict?.kind === 'differs'
        ? verdict.errors.map((error) => ({ pointer: error.pointer, message: describeError(error) }))
        : [],
    brokenAt: problem?.offset,
    repairable: last && (verdict?.kind === 'differs' || verdict?.kind === 'not-json'),
  };
}

function stateOf({ outcome }: Turn, verdict: FormatVerdict | undefined): StructuredView['state'] {
  if (outcome === undefined) return 'running';
  if (outcome !== 'complete') return 'cut';
  return verdict?.kind ?? 'checking';
}

function toSummary(
  { outcome }: Turn,
  format: AnswerFormat,
  verdict: FormatVerdict | undefined,
  problem: JsonProblem | undefined,
): string {
  if (outcome === undefined) return '';
  if (outcome !== 'complete') return t('Incomplete, not checked');
  switch (verdict?.kind) {
    case undefined:
      return t('Checking…');
    case 'fits':
      return format.kind === 'json' ? t('A JSON object') : t('Matches the schema');
    case 'not-json':
      return problem === undefined ? t('Not valid JSON') : describeJsonProblem(problem);
    case 'differs':
      return plural(
        t('Doesn’t match the schema: {0, plural, one {# error} other {# errors}}'),
        verdict.count,
      );
    case 'unchecked':
      return t('Couldn’t check the answer: {0}', verdict.why);
  }
}

/** The syntax error in a text; undefined for valid JSON. */
function problemOf(text: string): JsonProblem | undefined {
  const read = readJsonText(text);
  return read.ok ? undefined : read.problem;
}

function describeJsonProblem({ kind, line, column }: JsonProblem): string {
  switch (kind) {
    case 'unexpected':
      return t('Not valid JSON: unexpected character at line {0}, column {1}', line, column);
    case 'ends-early':
      return t('Not valid JSON: unexpected end at line {0}, column {1}', line, column);
    case 'after-the-end':
      return t('Not valid JSON: extra content after the value at line {0}, column {1}', line, column);
    case 'too-deep':
      return t('Nested too deeply to display at line {0}, column {1}', line, column);
  }
}

/** Errors of the most common keywords are translated. Others have the message of the validator. */
function describeError({ keyword, params, message }: SchemaError): string {
  const param = (name: string) => {
    const value = params[name];
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  };
  switch (keyword) {
    case 'type':
      return t('must be of type {0}', param('type'));
    case 'required':
      return t('“{0}” is missing', param('missingProperty'));
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return t('is not allowed');
    case 'enum':
      return t('must be one of {0}', param('allowedValues'));
    case 'const':
      return t('must be {0}', param('allowedValue'));
    case 'pattern':
      return t('must match the pattern {0}', param('pattern'));
    default:
      return message;
  }
}

/** The question that asks the model to repair an answer. It lists the errors and their locations. */
export function toRepairText(answer: string, verdict: FormatVerdict): string {
  const asked = t('Answer again with the whole corrected JSON, and nothing else.');
  if (verdict.kind === 'differs') {
    const lines = verdict.errors.map((error) => `- ${error.pointer || '/'}: ${describeError(error)}`);
    const more = verdict.count - verdict.errors.length;
    return [
      t('Your last answer doesn’t match the schema:'),
      ...lines,
      ...(more > 0 ? [t('… and {0} more', more)] : []),
      '',
      asked,
    ].join('\n');
  }
  const problem = problemOf(answer);
  const what = problem === undefined ? t('Not valid JSON') : describeJsonProblem(problem);
  const said = joinSentences([t('Your last answer can’t be read.'), toSentence(what)]);
  return `${said}\n\n${asked}`;
}

/** Why a schema was refused. Names the field and the source of the schema. */
export function describeSchemaProblem(problem: SchemaProblem, label: string, text: string): string {
  switch (problem.kind) {
    case 'too-large':
      return t('Answer format: {0} is larger than {1} KB.', label, MAX_SCHEMA_BYTES / 1024);
    case 'not-json': {
      const found = problemOf(text);
      const what = found === undefined ? t('Not valid JSON') : describeJsonProblem(found);
      return t('Answer format: {0} is not a JSON Schema. {1}.', label, what);
    }
    case 'not-an-object':
      return t('Answer format: {0} is not a JSON Schema. It must be a JSON object.', label);
    case 'no-object-schema':
      return t(
        'Answer format: In {0}, “type” must be “object”. The service accepts only object schemas.',
        label,
      );
    case 'invalid':
      return problem.field === '$ref'
        ? t(
            'Answer format: In {0}, “$ref” refers to {1}, which is not in the schema. External references are not loaded.',
            label,
            problem.detail,
          )
        : toSentence(
            t(
              'Answer format: {0} is not a valid schema. {1}: {2}',
              label,
              problem.field,
              problem.error === undefined ? problem.detail : describeError(problem.error),
            ),
          );
  }
}
