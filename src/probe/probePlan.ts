/** The requests of a probe. All are small, and worded so that any model can follow them. */
import { toResponseFormat } from '../conversation/answerFormats/answerFormat.ts';
import type { Toolbox } from '../conversation/toolCalls/tools.ts';
import { estimateTokens } from '../conversation/usage/tokens.ts';
import type { TurnContent } from '../requests/turnContent.ts';
import { CACHE_BLOCK_TOKENS, CACHE_THRESHOLD_TOKENS, CONTEXT_WINDOW_TOKENS } from '../service/limits.ts';
import type { FunctionTool, UserMessage } from '../service/types.ts';
import type { CheckId } from './probe.ts';

/** Requests that belong together. */
export interface ProbeStep {
  readonly about: CheckId;
  readonly requests: readonly TurnContent[];
  /** The estimated output tokens of each request, including reasoning. Used only to estimate the cost. */
  readonly outputTokens: number;
}

/** The output budget of the request for `budget`. */
export const SMALL_BUDGET = 32;

export const TOOL_NAME = 'k3_probe_add';

/** The answers of a model that the tool or the image didn't reach. */
export const NO_TOOL = 'no tool';
export const NO_IMAGE = 'no image';

/** The colors of the image, from left to right. */
export const COLORS = ['red', 'blue'] as const;

/** An image of 512 × 512 pixels, which is large enough to show in the tokens, however the service counts. Its left half is red. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAgAAAAIAAQMAAADOtka5AAAABlBMVEX/AAAAAP9sof2OAAAAjUlEQVR42u3MMQ0AAAwDoPo3vUno3QQEkBRXRCAQCAQCgUAgEAgEAoFAIBAIBAKBQCAQCAQCgUAgEAgEAoFAIBAIBAKBQCAQCAQCgUAgEAgEAoFAIBAIBAKBQCAQCAQCgUAgEAgEAoFAIBAIBAKBQCAQCAQCgUAgEAgEAoFAIBAIBAKBQCAQCAQCgWA7eCC5w7IWiOh+AAAAAElFTkSuQmCC';

const TOOL: FunctionTool = {
  type: 'function',
  function: {
    name: TOOL_NAME,
    // Long enough to show in the input tokens.
    description: 'Adds two whole numbers and returns the sum. '.repeat(10).trim(),
    parameters: {
      type: 'object',
      properties: {
        a: { type: 'integer', description: 'The first number' },
        b: { type: 'integer', description: 'The second number' },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
};

/** The tokens by which a request grows if its tools reach the model. */
export const TOOL_TOKENS = estimateTokens(JSON.stringify([TOOL]));

const TOOLBOX: Toolbox = {
  definitions: [{ ...TOOL.function, description: TOOL.function.description ?? '', source: 'k3' }],
  run: async ({ arguments: { a, b } }) => ({ text: String(Number(a) + Number(b)) }),
};

/** Its properties are named nowhere else, so an answer with them shows that the model got the schema. */
export const SCHEMA = {
  kind: 'schema',
  name: 'k3_probe',
  schema: {
    type: 'object',
    properties: { heron_count: { type: 'integer' }, seen_at: { type: 'string', enum: ['lake', 'river'] } },
    required: ['heron_count', 'seen_at'],
    additionalProperties: false,
  },
} as const;

// All texts below are for the model.
export const PLAIN_QUESTION = 'Reply with the single word: ready';
export const TOOL_QUESTION = `Make two calls of the function ${TOOL_NAME} in one response: one for 2 and 3, one for 4 and 5. Then reply with both sums. If you have no such function, reply only with the words: ${NO_TOOL}`;
export const IMAGE_QUESTION = `Which color is the left half of the image, and which the right half? Reply with two words. If you see no image, reply only with the words: ${NO_IMAGE}`;
const FORMAT_QUESTION =
  'If this request has a response format (JSON), reply in it, with any values. Otherwise reply only with the words: no format';
const EFFORT_QUESTION = 'How many primes are there between 50 and 100? Reply with the number.';
const LONG_QUESTION = 'Write the numbers from 1 to 60 as words, separated by commas.';

/**
 * Two and a half blocks longer than the shortest prefix that is cached in blocks, with a margin in case tokens are longer than
 * estimated.
 */
const PREFIX_TOKENS = Math.ceil((CACHE_THRESHOLD_TOKENS + 2.5 * CACHE_BLOCK_TOKENS) * 1.1);

/** @param nonce different in each probe, so that the first of the two requests isn't cached */
function toLongQuestion(nonce: string): string {
  let text = `Test ${nonce}. The lines below are only there to be repeated in the next request.\n`;
  for (let line = 1; estimateTokens(text) < PREFIX_TOKENS; line++)
    text += `Line ${line}: the heron stands at the lake and waits for the evening.\n`;
  return `${text}${PLAIN_QUESTION}`;
}

const ask = (text: string, more: Partial<TurnContent['request']> = {}): TurnContent => ({
  request: { messages: [{ role: 'user', content: text }], ...more },
});

/** @param nonce see `toLongQuestion` */
export function toProbePlan(nonce: string): readonly ProbeStep[] {
  const long = ask(toLongQuestion(nonce));
  const image: UserMessage = {
    role: 'user',
    content: [
      { type: 'text', text: IMAGE_QUESTION },
      { type: 'image_url', image_url: { url: IMAGE } },
    ],
  };
  const [low, max] = [ask(EFFORT_QUESTION, { effort: 'low' }), ask(EFFORT_QUESTION, { effort: 'max' })];
  return [
    { about: 'model', requests: [ask(PLAIN_QUESTION)], outputTokens: 150 },
    { about: 'caching', requests: [long, long], outputTokens: 150 },
    {
      about: 'tools',
      requests: [{ ...ask(TOOL_QUESTION, { tools: [TOOL] }), toolbox: TOOLBOX }],
      outputTokens: 600,
    },
    { about: 'images', requests: [{ request: { messages: [image] } }], outputTokens: 300 },
    {
      about: 'json',
      requests: [ask(FORMAT_QUESTION, { responseFormat: { type: 'json_object' } })],
      outputTokens: 300,
    },
    {
      about: 'schema',
      requests: [ask(FORMAT_QUESTION, { responseFormat: toResponseFormat(SCHEMA) })],
      outputTokens: 300,
    },
    // Twice each, because one answer says nothing about an effort (F3).
    { about: 'effort', requests: [low, max, low, max], outputTokens: 800 },
    {
      about: 'budget',
      requests: [ask(LONG_QUESTION, { maxCompletionTokens: SMALL_BUDGET })],
      outputTokens: SMALL_BUDGET,
    },
    {
      about: 'ceiling',
      requests: [ask(PLAIN_QUESTION, { maxCompletionTokens: CONTEXT_WINDOW_TOKENS })],
      outputTokens: 150,
    },
  ];
}
