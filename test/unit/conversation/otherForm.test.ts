import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnStep } from '../../../src/conversation/events.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import { totalTriesOf } from '../../../src/conversation/rounds.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import { isUnbilled } from '../../../src/conversation/usage/cost.ts';
import { estimateUnreported } from '../../../src/conversation/usage/unreportedCost.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import type { ChatRequest } from '../../../src/service/types.ts';
import { collect, REQUEST } from '../service/wire.ts';
import { chunk, FACTS } from './turns.ts';

const WITH_IMAGE: ChatRequest = {
  ...REQUEST,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ms://f1' } }] },
  ],
};
const WITH_REASONING: ChatRequest = {
  ...REQUEST,
  messages: [
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' },
    { role: 'user', content: 'And?' },
  ],
};
const refused = new ServiceError('invalid-request', { status: 400, serviceMessage: 'the first refusal' });
const IN_PLACE = new ServiceError('invalid-request', {
  status: 200,
  serviceMessage: 'unknown field "reasoning_content"',
});
const HEADERS: StreamEvent = { type: 'headers', requestId: undefined };
const TEXT = chunk({ answer: 'A cat.', finishReason: 'stop' });

/** Runs a turn with a service that gives these replies, one for each request. */
async function ask(
  replies: readonly (readonly StreamEvent[] | Error | (() => AsyncIterable<StreamEvent>))[],
  { request = WITH_IMAGE, controller = new AbortController(), agrees = true } = {},
) {
  const sent: ChatRequest[] = [];
  const client = {
    async *stream(one: ChatRequest) {
      const reply = replies[sent.length] ?? [];
      sent.push(one);
      yield { type: 'try', tries: 1 } as const;
      if (reply instanceof Error) throw reply;
      yield* typeof reply === 'function' ? reply() : reply;
    },
  };
  const deps = { client, now: () => 0, mayContinue: async () => agrees };
  const steps = await collect(runTurn(deps, createTurn('t', 0, FACTS), request, controller.signal));
  const { outcome, failure } = steps.at(-1)?.turn ?? {};
  return { sent, steps, outcome, message: failure?.details.serviceMessage };
}

/** What the turn knows about the form of its request, after each step. */
const formsOf = (steps: readonly TurnStep[]) => steps.map(({ turn }) => turn.request.contentParts?.refused);

describe('A request that can be sent in two forms', () => {
  it('is sent once if it is accepted', async () => {
    const { sent, steps } = await ask([[HEADERS, TEXT]]);
    assert.deepEqual(sent, [WITH_IMAGE]);
    assert.deepEqual(formsOf(steps), [undefined, undefined, undefined, undefined]);
  });

  it('is sent again with arrays if it is refused, and says so once that is accepted', async () => {
    const { sent, steps, outcome } = await ask([refused, [HEADERS, TEXT]]);
    assert.deepEqual(sent[1]?.messages[0], {
      role: 'system',
      content: [{ type: 'text', text: 'Be brief.' }],
    });
    assert.equal(outcome, 'complete');
    // Two tries, the headers, the form, the text, and the end.
    assert.deepEqual(formsOf(steps), [undefined, undefined, undefined, true, true, true]);
  });

  it('is counted each time it was sent', async () => {
    for (const replies of [[[HEADERS, TEXT]], [refused, [HEADERS, TEXT]], [refused, refused]]) {
      const { sent, steps } = await ask(replies);
      assert.equal(totalTriesOf(steps.at(-1)?.turn ?? assert.fail()), sent.length);
    }
  });

  it('is not sent a third time, and ends with the first refusal', async () => {
    const again = new ServiceError('invalid-request', { status: 400, serviceMessage: 'the second refusal' });
    const { sent, steps, message } = await ask([refused, again]);
    assert.equal(sent.length, 2);
    assert.deepEqual(formsOf(steps), [undefined, undefined, undefined]);
    assert.equal(message, 'the first refusal');
  });

  it('ends with the other failure if the second request fails in another way', async () => {
    const limited = new ServiceError('rate-limited', { status: 429, serviceMessage: 'too many' });
    assert.equal((await ask([refused, limited])).message, 'too many');
  });

  it('is not sent again without an image, after another failure, or once it was stopped', async () => {
    assert.equal((await ask([refused], { request: REQUEST })).sent.length, 1);
    assert.equal((await ask([new ServiceError('bad-key', { status: 401 })])).sent.length, 1);
    const controller = new AbortController();
    controller.abort();
    assert.equal((await ask([refused], { controller })).sent.length, 1);
  });

  it('R4 is sent again without reasoning only if that was refused, not the effort', async () => {
    const request = WITH_REASONING;
    const refusal = (serviceMessage: string) =>
      new ServiceError('invalid-request', { status: 400, serviceMessage });
    const field = refusal("'messages.1': property 'reasoning_content' is unsupported");
    const { sent, outcome } = await ask([field, [HEADERS, TEXT]], { request });
    assert.deepEqual([sent.length, outcome], [2, 'complete']);
    assert.deepEqual(sent[1]?.messages[1], { role: 'assistant', content: 'So.' });
    for (const words of [
      'messages.1.reasoning_content: Extra inputs are not permitted',
      "Unrecognized key(s) in object: 'reasoning_content'",
      'json: unknown field "reasoning_content"',
      'messages.1.property reasoning_content should not exist',
      '不支持的参数：reasoning_content',
      'messages[1]: unrecognised field reasoning_content',
      "Invalid field 'reasoning_content' in message 1",
      "messages[1]: 'reasoning_content' is not a valid property",
      'Input messages must not contain reasoning_content',
      'The field reasoning_content should not be sent',
      'body.messages.1.reasoning_content: value is forbidden',
    ])
      assert.equal((await ask([refusal(words), [HEADERS, TEXT]], { request })).outcome, 'complete', words);
    for (const words of [
      'reasoning_effort is not supported for this model',
      "Invalid parameter: 'reasoning.effort' must be high",
    ])
      assert.equal((await ask([refusal(words)], { request })).sent.length, 1, words);
  });

  it('R4 is sent again without reasoning that its calls have only if that is missed, not for other words about reasoning', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
    const request: ChatRequest = {
      ...REQUEST,
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: '', reasoning_content: 'Hm.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'A cat.' },
      ],
    };
    for (const [serviceMessage, isAgain] of [
      [
        'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
        true,
      ],
      ['The reasoning_content in the thinking mode must be passed back to the API.', true],
      ['messages.1.reasoning_content: Field required', true],
      ["messages.1: missing field 'reasoning'", true],
      ['Calls without reasoning are not allowed', true],
      ["'reasoning_details' are required", true],
      ['缺少reasoning_content', true],
      ['messages.1.reasoning: Field required', true],
      ['{"type":"missing","loc":["body","messages",1,"assistant","reasoning"],"msg":"Field required"}', true],
      ["'reasoning' field is required", true],
      ["The 'reasoning' field is missing", true],
      ["messages[1]['reasoning'] is required", true],
      ['Missing required field: messages[1].reasoning_content', true],
      ["Assistant messages with tool calls must include 'reasoning'", true],
      ['Assistant messages with tool calls must have reasoning_content', true],
      ['The message with tool calls does not contain reasoning_content', true],
      ['messages.1: tool call message lacks reasoning_content', true],
      ["Missing parameter: 'reasoning.effort'", false],
      ["Invalid parameter: 'reasoning.effort' must be high", false],
      ['This model does not have reasoning support', false],
      ["'reasoning effort' is required", false],
      ['This model is not available without reasoning enabled', false],
      ['reasoning_content is too long. An account is required', false],
      ['max_completion_tokens must be larger than the reasoning budget of this model', false],
      ['reasoning effort is required for this model', false],
      ['A reasoning model cannot be used without a temperature of 1', false],
      ['A model for reasoning must be paid in advance; an account is required', false],
    ] as const) {
      const refusal = new ServiceError('invalid-request', { status: 400, serviceMessage });
      const { sent } = await ask([refusal, [HEADERS, TEXT]], { request });
      assert.equal(sent.length, isAgain ? 2 : 1, serviceMessage);
    }
  });

  it('R4 keeps its reasoning, under the documented name, if that is missed in words that begin like those about an unknown field', async () => {
    const request: ChatRequest = {
      ...REQUEST,
      messages: [
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'So.', reasoning: 'Hm.' },
        { role: 'user', content: 'And?' },
      ],
    };
    for (const serviceMessage of [
      'invalid params, messages[1] reasoning_content is missing',
      'Invalid argument: thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
      'Invalid parameter: messages.1.reasoning_content: Field required',
    ]) {
      const refusal = new ServiceError('invalid-request', { status: 400, serviceMessage });
      const { sent } = await ask([refusal, [HEADERS, TEXT]], { request });
      const kept = { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' };
      assert.deepEqual(sent[1]?.messages[1], kept, serviceMessage);
    }
  });

  describe('whose refusal has the status of success, as an error in place of an answer', () => {
    const request = WITH_REASONING;
    const inPlace = IN_PLACE;
    const begins = (error: Error, ...events: readonly StreamEvent[]) =>
      async function* () {
        yield HEADERS;
        yield* events;
        throw error;
      };

    it('is sent again, and says so once the answer begins', async () => {
      const { steps, outcome } = await ask([begins(inPlace), [HEADERS, { type: 'keep-alive' }, TEXT]], {
        request,
      });
      assert.equal(outcome, 'complete');
      const isBare = steps.map(({ turn }) => turn.request.withoutReasoning === true);
      assert.deepEqual(isBare.slice(-5), [false, false, true, true, true]);
    });

    it('is not kept in the other form if that is refused as well', async () => {
      const { steps, sent, message } = await ask([begins(inPlace), begins(inPlace)], { request });
      assert.deepEqual([sent.length, message], [2, IN_PLACE.details.serviceMessage]);
      assert.ok(steps.every(({ turn }) => turn.request.withoutReasoning === undefined));
    });

    it('is not kept in another form that the first refusal asked for, with its own status', async () => {
      for (const second of [
        IN_PLACE,
        new ServiceError('server-failed', { status: 200, serviceMessage: 'engine gone' }),
      ]) {
        const { steps, sent, outcome } = await ask([refused, begins(second), begins(second)]);
        assert.deepEqual([sent.length, outcome], [2, 'failed']);
        assert.deepEqual(
          formsOf(steps).filter((form) => form !== undefined),
          [],
        );
      }
    });

    it('is not sent again if no field is named, as by an engine that failed', async () => {
      for (const message of ['Unknown error in the reasoning engine', 'reasoning timed out']) {
        const failed = new ServiceError('stream-error', { status: 200, serviceMessage: message });
        assert.equal((await ask([begins(failed)], { request })).sent.length, 1, message);
      }
    });

    it('is not sent again behind the beginning of an answer', async () => {
      const { sent, outcome } = await ask([begins(inPlace, chunk({ answer: 'A c' }))], { request });
      assert.deepEqual([sent.length, outcome], [1, 'failed']);
    });
  });

  it('is not sent again if the user does not agree to its cost', async () => {
    const { sent, outcome } = await ask([refused, [HEADERS, TEXT]], { agrees: false });
    assert.deepEqual([sent.length, outcome], [1, 'stopped']);
  });

  for (const [title, refusal, request] of [
    ['refused it', refused, WITH_IMAGE],
    ['refused it with the status of success', IN_PLACE, WITH_REASONING],
  ] as const)
    it(`E6 is not billed if the user does not agree, because the service ${title}`, async () => {
      const client = {
        async *stream() {
          yield { type: 'try', tries: 1 } as const;
          yield { type: 'connected' } as const;
          throw refusal;
        },
      };
      const deps = { client, now: () => 0, mayContinue: async () => false };
      const steps = await collect(
        runTurn(deps, createTurn('t', 0, FACTS), request, new AbortController().signal),
      );
      const turn = steps.at(-1)?.turn;
      assert.ok(turn !== undefined && isUnbilled(turn));
      const basis = { inputCosts: [1], prices: DEFAULT_PRICES, ratio: 1 };
      assert.equal(estimateUnreported(turn, basis), undefined);
    });

  it('E6 is not billed either if the user agrees to one change, and not to both', async () => {
    const refusals = ['reasoning_content is missing', 'content must be an array'];
    const client = {
      async *stream() {
        yield { type: 'try', tries: 1 } as const;
        yield { type: 'connected' } as const;
        throw new ServiceError('invalid-request', { status: 400, serviceMessage: refusals.shift() ?? '' });
      },
    };
    const answers = [true, false];
    const deps = {
      client,
      now: () => 0,
      mayContinue: async () => answers.shift() ?? assert.fail(),
      withoutEarlier: () => [{ role: 'user', content: 'As text.' } as const, ...WITH_IMAGE.messages],
    };
    const steps = await collect(
      runTurn(deps, createTurn('t', 0, FACTS), WITH_IMAGE, new AbortController().signal),
    );
    const turn = steps.at(-1)?.turn;
    assert.deepEqual([turn?.outcome, answers.length], ['stopped', 0]);
    assert.ok(turn !== undefined && isUnbilled(turn));
  });
});
