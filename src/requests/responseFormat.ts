/** The response format of a question, from its purpose or the user's selection, also in words. */
import { toResponseFormat } from '../conversation/answerFormats/answerFormat.ts';
import type { Question } from '../conversation/question.ts';
import { PROPOSAL_SCHEMA, PROPOSAL_SCHEMA_NAME } from '../review/edits/proposalAnswer.ts';
import { FINDINGS_SCHEMA, FINDINGS_SCHEMA_NAME } from '../review/findings/findings.ts';
import type { ResponseFormat } from '../service/types.ts';

/** The response format; undefined for text, the default of the service. */
export function responseFormatOf({
  purpose,
  format,
}: Pick<Question, 'purpose' | 'format'>): ResponseFormat | undefined {
  switch (purpose) {
    case 'proposal':
    case 'tests':
      return {
        type: 'json_schema',
        json_schema: { name: PROPOSAL_SCHEMA_NAME, schema: PROPOSAL_SCHEMA, strict: true },
      };
    case 'findings':
      return {
        type: 'json_schema',
        json_schema: { name: FINDINGS_SCHEMA_NAME, schema: FINDINGS_SCHEMA, strict: true },
      };
    case 'commit-message':
      return undefined;
    case undefined:
      return toResponseFormat(format);
  }
}

/** Describes a format in words for the model, if the route refuses the format as a field. */
export const formatInWords = (format: ResponseFormat): string =>
  format.type === 'json_schema'
    ? `Answer with one JSON value and nothing else. It has to match this JSON schema:\n${JSON.stringify(format.json_schema.schema)}`
    : 'Answer with one JSON value and nothing else.';
