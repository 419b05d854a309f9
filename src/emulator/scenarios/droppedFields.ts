/** Gateways that silently leave out a part of the request, so that the service never gets it. */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MAX_COMPLETION_TOKENS } from '../../service/limits.ts';
import type { CompletionRequest, RequestMessage } from '../completionRequest.ts';
import { toList, toObject } from '../json.ts';
import { refuseInvalid } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { jsonReply } from '../steps.ts';
import { GATEWAYS, type Scenario } from './scenario.ts';

export const DROPPED_FIELD_SCENARIOS: readonly Scenario[] = [
  {
    name: 'drops-tools',
    row: GATEWAYS,
    title: 'A gateway leaves out the tools',
    passOn: withoutTools,
  },
  {
    name: 'drops-images',
    row: GATEWAYS,
    title: 'A gateway leaves out the images',
    passOn: withoutImages,
  },
  {
    name: 'drops-format',
    row: GATEWAYS,
    title: 'A gateway leaves out the answer format',
    passOn: withoutFormat,
  },
  {
    name: 'drops-budget',
    row: GATEWAYS,
    title: 'A gateway leaves out the output budget',
    passOn: withoutBudget,
  },
  {
    name: 'drops-cache',
    row: 'R11',
    title: 'A gateway spreads requests, so that nothing is cached',
    reply: uncached,
  },
  {
    name: 'small-ceiling',
    row: 'Q8',
    title: 'A gateway refuses an output budget at the ceiling of the service',
    instead: ({ route, request }) => {
      if (request.budget < CONTEXT_WINDOW_TOKENS) return undefined;
      const { status, body } = refuseInvalid(route, 'max_completion_tokens is too large: at most 65536');
      return jsonReply(status, body);
    },
  },
  {
    name: 'drops-much',
    row: 'R2, R4, Q15',
    title:
      'A gateway that leaves out tools, images and answer formats, ignores effort, and switches the model',
    passOn: (request) => ({ ...withoutFormat(withoutImages(withoutTools(request))), effort: undefined }),
    reply: (reply) => ({ ...uncached(reply), model: 'svc-k2-mini' }),
    fields({ reasoning_content: text, ...others }) {
      return typeof text === 'string' ? { ...others, reasoning: text } : others;
    },
    replayNames: ['reasoning'],
  },
];

function withoutTools(request: CompletionRequest): CompletionRequest {
  return { ...request, tools: [] };
}

function withoutFormat(request: CompletionRequest): CompletionRequest {
  return { ...request, format: { type: 'text' } };
}

function withoutBudget(request: CompletionRequest): CompletionRequest {
  return { ...request, budget: DEFAULT_MAX_COMPLETION_TOKENS };
}

function withoutImages(request: CompletionRequest): CompletionRequest {
  const withoutImage = (message: RequestMessage): RequestMessage => {
    const parts = toList(message.raw['content']);
    if (parts === undefined) return message;
    const content = parts.filter((part) => toObject(part)?.['type'] !== 'image_url');
    return { ...message, images: [], raw: { ...message.raw, content } };
  };
  return { ...request, messages: request.messages.map(withoutImage) };
}

function uncached(reply: Reply): Reply {
  return { ...reply, usage: { ...reply.usage, cachedTokens: 0 } };
}
