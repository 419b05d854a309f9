/** The form in which the model is asked for changes of files, and the door for what it answers. */
import * as v from 'valibot';
import { type Decoder, decode } from '../validation/decode.ts';

/** A replacement of text that stands exactly once in its file. An empty `find` makes a new file. */
export interface ProposedEdit {
  readonly find: string;
  readonly replace: string;
}

/** What is to change in one file. */
export interface ProposedFile {
  /** As the model wrote it: not checked yet, and not trusted. */
  readonly path: string;
  readonly edits: readonly ProposedEdit[];
}

/** What the model proposed. */
export interface ProposalAnswer {
  readonly explanation: string;
  readonly files: readonly ProposedFile[];
}

/** Name of the form on the wire. */
export const PROPOSAL_FORM = 'k3_proposal';

/** JSON schema of one edit, wherever the model is asked for one. */
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

/** JSON schema of a proposal: every field required and no others, as strict structured output wants it. */
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

/** A field that is not as the form says, like `files[0].edits[1].find`. */
export interface MalformedField {
  readonly field: string;
  readonly expected: (typeof EXPECTED)[number];
}

const EXPECTED = ['an object', 'a list', 'text'] as const;

export type DecodedProposal =
  | { readonly ok: true; readonly answer: ProposalAnswer }
  | { readonly ok: false; readonly malformed: MalformedField };

const text = v.string();

/** The field of an answer that was not as the form says, as it is kept. */
export const malformedField: Decoder<MalformedField> = v.object({
  field: text,
  expected: v.picklist(EXPECTED),
});

/** One edit, wherever the model is asked for one. */
export const edit: Decoder<ProposedEdit> = v.object({ find: text, replace: text });

const answer: Decoder<ProposalAnswer> = v.object({
  // What the changes are counts more than what is said about them.
  explanation: v.fallback(v.optional(text, ''), ''),
  files: v.array(v.object({ path: text, edits: v.array(edit) })),
});

/** Reads an answer that is JSON already. Fields that nobody asked for are passed over. */
export function decodeProposal(json: unknown): DecodedProposal {
  const decoded = decode(answer, json);
  if (decoded.ok) return { ok: true, answer: decoded.value };
  const { field, expected } = decoded.wrong;
  return {
    ok: false,
    malformed: { field, expected: EXPECTED.find((known) => known === expected) ?? 'text' },
  };
}
