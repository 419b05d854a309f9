/** The form in which the model is asked for changes of files, and the door for what it answers. */

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
  readonly expected: 'an object' | 'a list' | 'text';
}

export type DecodedProposal =
  | { readonly ok: true; readonly answer: ProposalAnswer }
  | { readonly ok: false; readonly malformed: MalformedField };

/** Reads an answer that is JSON already. Fields that nobody asked for are passed over. */
export function decodeProposal(json: unknown): DecodedProposal {
  try {
    const answer = toObject(json, '');
    return {
      ok: true,
      answer: {
        explanation: typeof answer['explanation'] === 'string' ? answer['explanation'] : '',
        files: toList(answer['files'], 'files').map((file, index) => toFile(file, `files[${index}]`)),
      },
    };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, malformed: error.malformed };
    throw error;
  }
}

function toFile(json: unknown, field: string): ProposedFile {
  const file = toObject(json, field);
  return {
    path: toText(file['path'], `${field}.path`),
    edits: toList(file['edits'], `${field}.edits`).map((edit, index) =>
      toEdit(edit, `${field}.edits[${index}]`),
    ),
  };
}

function toEdit(json: unknown, field: string): ProposedEdit {
  const edit = toObject(json, field);
  return {
    find: toText(edit['find'], `${field}.find`),
    replace: toText(edit['replace'], `${field}.replace`),
  };
}

class Malformed extends Error {
  readonly malformed: MalformedField;

  constructor(field: string, expected: MalformedField['expected']) {
    super(`${field} should be ${expected}`);
    this.malformed = { field, expected };
  }
}

function toObject(json: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Malformed(field, 'an object');
  return { ...json };
}

function toList(json: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(json)) throw new Malformed(field, 'a list');
  return json;
}

function toText(json: unknown, field: string): string {
  if (typeof json !== 'string') throw new Malformed(field, 'text');
  return json;
}
