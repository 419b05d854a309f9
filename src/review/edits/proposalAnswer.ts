/** The response format for changes of files, and its decoder. */
import * as v from 'valibot';
import { type Decoder, decode } from '../../validation/decode.ts';

/** A replacement of text that occurs exactly once in its file. An empty `find` creates a file. */
export interface ProposedEdit {
  readonly find: string;
  readonly replace: string;
  /**
   * The possible readings of an ambiguous edit: this edit first, then those with more lines to find. Empty if the edit isn't
   * complete.
   */
  readonly readings?: readonly ProposedEdit[];
}

/** The proposed edits of one file. */
export interface ProposedFile {
  /** As written by the model: not checked yet and not trusted. */
  readonly path: string;
  readonly edits: readonly ProposedEdit[];
}

/** A decoded proposal of the model. */
export interface ProposalAnswer {
  readonly explanation: string;
  readonly files: readonly ProposedFile[];
}

/** The schema's name in requests. */
export const PROPOSAL_SCHEMA_NAME = 'k3_proposal';

/** The JSON schema of one edit, used in all schemas with edits. */
export const EDIT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['find', 'replace'],
  properties: {
    find: {
      type: 'string',
      description:
        'Whole lines of the file, verbatim and without line numbers, with enough of them to stand there exactly once.',
    },
    replace: { type: 'string', description: 'The lines that take their place.' },
  },
} as const;

/**
 * The JSON schema of a proposal. As strict structured output requires, all fields are required and no others are
 * allowed.
 */
export const PROPOSAL_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['explanation', 'files'],
  properties: {
    explanation: {
      type: 'string',
      description: 'What changes and why, in short Markdown without the code.',
    },
    files: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'edits'],
        properties: {
          path: { type: 'string', description: 'The path of the file as it was given.' },
          edits: {
            type: 'array',
            description: 'For a new file one edit with an empty find.',
            items: EDIT_SCHEMA,
          },
        },
      },
    },
  },
} as const;

/** A field that doesn't match the schema, such as `files[0].edits[1].find`. */
export interface MalformedField {
  readonly field: string;
  readonly expected: (typeof EXPECTED)[number];
}

const EXPECTED = ['an object', 'a list', 'text'] as const;

export type DecodedProposal =
  | { readonly ok: true; readonly answer: ProposalAnswer }
  | { readonly ok: false; readonly malformed: MalformedField };

const text = v.string();

/** A stored `MalformedField`. */
export const malformedField: Decoder<MalformedField> = v.object({
  field: text,
  expected: v.picklist(EXPECTED),
});

/** One edit, used in all answers with edits. */
export const edit: Decoder<ProposedEdit> = v.object({ find: text, replace: text });

const answer: Decoder<ProposalAnswer> = v.object({
  // A proposal without an explanation is still usable.
  explanation: v.fallback(text, ''),
  files: v.array(v.object({ path: text, edits: v.array(edit) })),
});

/** Decodes parsed JSON. Unknown fields are ignored. */
export function decodeProposal(json: unknown): DecodedProposal {
  const decoded = decode(answer, json);
  if (decoded.ok) return { ok: true, answer: decoded.value };
  const { field, expected } = decoded.wrong;
  return {
    ok: false,
    malformed: { field, expected: EXPECTED.find((known) => known === expected) ?? 'text' },
  };
}
