/** The schema of an exported conversation. A file of its own, because the library that checks it is loaded on import only. */
import { Ajv } from 'ajv';
import { EXPORT_FORMAT, EXPORT_VERSION, type ImportCheck } from './exportFormat.ts';

const text = { type: 'string' };
const count = { type: 'number', minimum: 0 };
const id = { type: 'string', minLength: 1, maxLength: 200 };

const times = { type: 'object', additionalProperties: { type: 'number' } };

const said = {
  reasoning: text,
  reasoningName: { enum: ['reasoning_content', 'reasoning', 'reasoning_details', 'tags'] },
  reasoningTags: {
    type: 'object',
    required: ['open', 'close'],
    properties: { open: text, close: text },
  },
  reasoningDetails: { type: 'array', items: { type: 'object' } },
  answer: text,
  toolCalls: {
    type: 'array',
    items: {
      type: 'object',
      required: ['id', 'name', 'arguments'],
      properties: { index: { type: 'number' }, id: text, name: text, arguments: text },
    },
  },
  finishReason: text,
  sawDone: { type: 'boolean' },
  responseId: text,
  responseModel: text,
  requestId: text,
  usage: { type: 'object', additionalProperties: { type: 'number' } },
};

/** A call that ran, or did not: each has a result, because without one it cannot go out again. */
const call = {
  type: 'object',
  required: ['id', 'name', 'arguments', 'state'],
  properties: {
    index: { type: 'number' },
    id: { type: 'string', minLength: 1 },
    name: text,
    arguments: text,
    state: { enum: ['waiting', 'running', 'done', 'refused', 'stopped', 'failed', 'not-run'] },
    result: {
      type: 'object',
      required: ['text'],
      properties: {
        text,
        failed: { const: true },
        refused: { const: true },
        stopped: { const: true },
        images: {
          type: 'array',
          items: {
            type: 'object',
            required: ['type', 'base64'],
            properties: {
              type: { enum: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
              base64: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
            },
          },
        },
      },
    },
    startedAt: { type: 'number' },
    endedAt: { type: 'number' },
  },
};

const round = {
  type: 'object',
  required: ['reasoning', 'answer', 'toolCalls'],
  properties: {
    ...said,
    toolCalls: { type: 'array', minItems: 1, items: call },
    tries: count,
    times,
  },
};

const turn = {
  type: 'object',
  required: ['id', 'startedAt', 'request', 'phase', 'reasoning', 'answer', 'toolCalls', 'timings', 'outline'],
  properties: {
    id,
    startedAt: count,
    request: {
      type: 'object',
      required: ['routeName', 'routeKind', 'model', 'prefix'],
      properties: {
        routeName: text,
        routeKind: { enum: ['direct', 'gateway'] },
        model: text,
        prompt: text,
        demo: { const: true },
        prefix: {
          type: 'array',
          items: { type: 'object', required: ['label', 'hash'], properties: { label: text, hash: text } },
        },
      },
    },
    phase: { enum: ['connecting', 'first-byte', 'waiting', 'reasoning', 'answering', 'calling', 'ended'] },
    ...said,
    rounds: { type: 'array', items: { $ref: '#/$defs/round' } },
    outline: {
      type: 'object',
      required: ['finished', 'partial', 'lines'],
      properties: {
        finished: { type: 'array', items: { $ref: '#/$defs/step' } },
        current: { $ref: '#/$defs/step' },
      },
    },
    roundTimes: times,
    timings: { type: 'object', additionalProperties: { type: 'number' } },
    outcome: {
      enum: [
        'complete',
        'truncated',
        'spent-on-reasoning',
        'empty',
        'filtered',
        'interrupted',
        'stalled',
        'stopped',
        'failed',
      ],
    },
    failure: {
      type: 'object',
      required: ['kind', 'details'],
      properties: { kind: text, details: { type: 'object' } },
    },
  },
};

const context = {
  type: 'object',
  required: ['kind', 'label', 'parts'],
  properties: {
    kind: { enum: ['file', 'folder', 'symbol', 'selection', 'problems', 'changes'] },
    label: text,
    uri: text,
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['label', 'text'],
        properties: {
          label: text,
          range: {
            type: 'object',
            required: ['startLine', 'endLine'],
            properties: { startLine: count, endLine: count },
          },
          language: text,
          text,
          linesInAll: count,
        },
      },
    },
    omitted: {
      type: 'array',
      items: {
        type: 'object',
        required: ['label', 'why'],
        properties: {
          label: text,
          why: {
            enum: [
              'ignored',
              'binary',
              'too-large',
              'over-budget',
              'outside',
              'unreadable',
              'untracked',
              'secret',
            ],
          },
        },
      },
    },
    omittedMore: count,
    older: { const: true },
  },
};

const exchange = {
  type: 'object',
  required: ['id', 'question', 'attempts', 'shown'],
  properties: {
    id,
    question: {
      type: 'object',
      required: ['text', 'images'],
      properties: {
        text,
        images: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'url'],
            properties: {
              omitted: { const: true },
              name: text,
              // Bytes, or a file of the service: an address that anything would be fetched from is none.
              url: { type: 'string', pattern: '^(data:image/(png|jpeg|gif|webp);base64,|ms://)' },
            },
          },
        },
        context: { type: 'array', items: { $ref: '#/$defs/context' } },
        origin: {
          type: 'object',
          required: ['uri', 'startLine', 'endLine'],
          properties: { uri: text, startLine: count, endLine: count, text },
        },
        revises: text,
        purpose: { enum: ['proposal', 'tests', 'findings', 'commit-message'] },
        format: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { enum: ['json', 'schema'] }, name: text, schema: { type: 'object' } },
          if: { properties: { kind: { const: 'schema' } } },
          // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
          then: { required: ['name', 'schema'] },
        },
      },
    },
    attempts: { type: 'array', items: { $ref: '#/$defs/turn' } },
    shown: { type: 'integer', minimum: 0 },
  },
};

const schema = {
  type: 'object',
  required: ['format', 'version', 'conversation'],
  properties: {
    format: { const: EXPORT_FORMAT },
    version: { type: 'integer', minimum: 1, maximum: EXPORT_VERSION },
    conversation: {
      type: 'object',
      required: ['id', 'createdAt', 'title', 'named', 'pinned', 'exchanges', 'branches'],
      properties: {
        id,
        createdAt: count,
        title: text,
        named: { type: 'boolean' },
        pinned: { type: 'boolean' },
        workspace: text,
        forkedFrom: text,
        exchanges: { type: 'array', items: { $ref: '#/$defs/exchange' } },
        branches: {
          type: 'array',
          items: {
            type: 'object',
            required: ['exchanges'],
            properties: { after: text, exchanges: { type: 'array', items: { $ref: '#/$defs/exchange' } } },
          },
        },
      },
    },
  },
  $defs: {
    context,
    exchange,
    round,
    turn,
    step: {
      type: 'object',
      required: ['title', 'line', 'startedAt', 'endedAt', 'weight', 'files'],
      properties: {
        title: text,
        line: count,
        startedAt: count,
        endedAt: count,
        weight: count,
        files: { type: 'array' },
      },
    },
  },
};

/** Makes the check. The message names the field and what it should be. */
export function createImportCheck(): ImportCheck {
  const ajv = new Ajv({ allErrors: false });
  const validate = ajv.compile(schema);
  return (exported) => {
    if (validate(exported)) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath.slice(1) ?? ''} ${error?.message ?? ''}`.trim();
  };
}
