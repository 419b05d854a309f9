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

export interface ProposalAnswer {
  readonly explanation: string;
  readonly files: readonly ProposedFile[];
}

/** Name of the form on the wire. */
export const PROPOSAL_FORM = 'k3_proposal';

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
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['find', 'replace'],
              properties: {
                find: {
                  type: 'string',
                  description:
                    'Whole lines of the file, verbatim, with enough of them to stand there exactly once. Empty for a new file.',
                },
                replace: { type: 'string', description: 'The lines that take their place.' },
              },
            },
          },
        },
      },
    },
  },
} as const;
