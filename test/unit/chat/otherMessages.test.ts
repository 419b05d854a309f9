import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  beginningOf,
  estimateParts,
  newestOf,
  type OtherMessage,
  type OtherPart,
  toFunctionTools,
  toServiceMessages,
} from '../../../src/chat/otherMessages.ts';
import { createReasoningMemory } from '../../../src/chat/reasoningMemory.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Message } from '../../../src/service/types.ts';
import { answer, chunk, finish, reasoning, SERVICE_ENDED, turnOf } from './turns.ts';

const text = (words: string): OtherPart => ({ type: 'text', text: words });
const call = (id: string, input: object = {}): OtherPart => ({ type: 'call', id, name: 'read', input });
const result = (callId: string, ...parts: OtherPart[]): OtherPart => ({ type: 'result', callId, parts });
const user = (...parts: OtherPart[]): OtherMessage => ({ role: 'user', parts });
const assistant = (...parts: OtherPart[]): OtherMessage => ({ role: 'assistant', parts });
const system = (...parts: OtherPart[]): OtherMessage => ({ role: 'system', parts });
const data = (mime: string, bytes: Uint8Array | string): OtherPart => ({
  type: 'data',
  mime,
  bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes,
});
const GIF = new TextEncoder().encode('GIF89a-----');
const GIF_URL = `data:image/gif;base64,${Buffer.from(GIF).toString('base64')}`;

const NOTHING = createReasoningMemory();

function messagesOf(others: OtherMessage[], memory = NOTHING): readonly Message[] {
  const transcript = toServiceMessages(others, memory);
  assert.ok(transcript.ok);
  return transcript.messages;
}

function isAccepted(messages: readonly Message[]): boolean {
  return buildRequest({ model: 'svc-k3', routeKind: 'direct', messages }).ok;
}

describe('The messages of another chat', () => {
  it('keep their roles, the system’s first', () => {
    assert.deepEqual(
      messagesOf([system(text('Be brief.')), user(text('Why?')), assistant(text('So.')), user(text('And?'))]),
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'So.' },
        { role: 'user', content: 'And?' },
      ],
    );
  });

  it('are one where two of a role follow each other, or one between them says nothing', () => {
    assert.deepEqual(
      messagesOf([user(text('A file.')), user(text('Why?')), assistant(text(' ')), user(text('Really?'))]),
      [{ role: 'user', content: 'A file.\n\nWhy?\n\nReally?' }],
    );
  });

  it('carry images by their first bytes, whatever type is declared', () => {
    assert.deepEqual(messagesOf([user(text('What is this?'), data('image/png', GIF))]), [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: GIF_URL } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ]);
  });

  it('carry data that is text as text', () => {
    assert.deepEqual(messagesOf([user(text('Sum: '), data('application/json', '{"a":1}'))]), [
      { role: 'user', content: 'Sum: {"a":1}' },
    ]);
  });

  it('are refused with the name of what svc-k3 does not take', () => {
    const refused = (part: OtherPart) => {
      const transcript = toServiceMessages([user(text('See'), part)], NOTHING);
      return transcript.ok ? undefined : transcript.unsupported;
    };
    assert.deepEqual(refused(data('application/pdf', '%PDF-1.7')), { mime: 'application/pdf', found: 'PDF' });
    assert.deepEqual(refused(data('image/png', '<svg></svg>')), { mime: 'image/png', found: 'SVG' });
    assert.deepEqual(refused(data('audio/wav', 'RIFF')), { mime: 'audio/wav', found: undefined });
  });

  it('leave out what the other chat notes for itself', () => {
    assert.deepEqual(messagesOf([user(text('Why?'), data('cache_control', 'ephemeral'))]), [
      { role: 'user', content: 'Why?' },
    ]);
  });
});

describe('Tool calls of another chat', () => {
  it('keep their ids, and have their results right behind them in their order, before what else was said', () => {
    const messages = messagesOf([
      user(text('Compare.')),
      assistant(text('I read.'), call('a', { path: 'a' }), call('b')),
      user(text('Be quick.'), result('b', text('B')), result('a', text('A'))),
    ]);
    assert.deepEqual(messages.slice(1), [
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      { role: 'user', content: 'Be quick.' },
    ]);
    assert.ok(isAccepted(messages));
  });

  it('have no content when nothing was said beside them', () => {
    const [, message] = messagesOf([user(text('Go.')), assistant(call('a')), user(result('a'))]);
    assert.ok(message !== undefined && !('content' in message));
  });

  it('have results in messages of their own as well', () => {
    const messages = messagesOf([
      user(text('Go.')),
      assistant(call('a'), call('b')),
      user(result('b', text('B'))),
      user(result('a', text('A'))),
    ]);
    assert.ok(isAccepted(messages));
  });

  it('are refused without a result, and results without a call', () => {
    assert.ok(!isAccepted(messagesOf([user(text('Go.')), assistant(call('a')), user(text('And?'))])));
    assert.ok(
      !isAccepted(messagesOf([user(text('Go.')), assistant(text('So.')), user(result('a', text('A')))])),
    );
  });

  it('carry images of results in the next message, and name what is not taken', () => {
    const messages = messagesOf([
      user(text('Look.')),
      assistant(call('a')),
      user(result('a', text('Taken.'), data('image/gif', GIF), data('application/pdf', '%PDF-'))),
    ]);
    assert.deepEqual(messages.slice(2), [
      {
        role: 'tool',
        tool_call_id: 'a',
        content: 'Taken.\n[an image, in the next message]\n[left out: application/pdf]',
      },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: GIF_URL } }] },
    ]);
  });
});

describe('Reasoning in the messages of another chat', () => {
  const question = user(text('Look.'));
  const looped = [question, assistant(call('a', { path: 'x' })), user(result('a', text('A')))];
  const args = '{ "path": "x" }';
  const called = (...more: Parameters<typeof turnOf>[0]) =>
    turnOf([
      ...more,
      chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: args }] }),
      finish('tool_calls'),
      SERVICE_ENDED,
    ]);

  it('comes back under its own name, with the arguments as they were written', () => {
    const memory = createReasoningMemory();
    memory.remember('Look.', called(reasoning('I look.', 'reasoning')));
    assert.deepEqual(messagesOf(looped, memory)[1], {
      role: 'assistant',
      reasoning: 'I look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: args } }],
    });
  });

  it('comes back in its tags where it came in them', () => {
    const memory = createReasoningMemory();
    memory.remember('Look.', called(reasoning('I look.', 'tags'), answer('So.')));
    const said = [question, assistant(text('So.'), call('a', { path: 'x' })), user(result('a', text('A')))];
    const message = messagesOf(said, memory)[1];
    assert.equal(message?.content, '<think>I look.</think>So.');
  });

  it('comes back before an answer without calls as well', () => {
    const memory = createReasoningMemory();
    memory.remember('Look.', turnOf([reasoning('Hm.'), answer('So.'), finish('stop'), SERVICE_ENDED]));
    const message = messagesOf([question, assistant(text('So.')), user(text('And?'))], memory)[1];
    assert.deepEqual(message, { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' });
  });

  it('is what the other chat tells, when it kept it and we did not', () => {
    const [, message] = messagesOf([
      question,
      assistant({ type: 'thinking', text: 'I look.' }, call('a')),
      user(result('a', text('A'))),
    ]);
    assert.ok(message?.role === 'assistant');
    assert.equal(message.reasoning_content, 'I look.');
  });

  it('is missing when nobody has it, which is counted', () => {
    const transcript = toServiceMessages(looped, NOTHING);
    assert.ok(transcript.ok);
    assert.equal(transcript.forgotten, 1);
    assert.ok(isAccepted(transcript.messages));
  });
});

describe('What is known of a conversation of another chat', () => {
  const loop = [
    system(text('Be brief.')),
    user(text('First?')),
    assistant(text('So.'), call('a')),
    user(result('a', text('Read.')), text('Then?')),
  ];
  it('is how it began, and what is new in it', () => {
    assert.equal(beginningOf(loop), 'First?');
    assert.equal(newestOf(loop), 'Read.\n\nThen?');
  });

  it('is how long it is, about', () => {
    assert.equal(estimateParts([text('Twelve chars'), data('image/png', GIF)]), 3 + 2000);
    assert.equal(estimateParts([result('a', text('Twelve chars'))]), 3);
  });
});

describe('Tools of another chat', () => {
  it('are in one order, however they were offered, with a schema that is an object', () => {
    const tool = (name: string) => ({ name, description: '', schema: undefined });
    const one = toFunctionTools([tool('b'), tool('a'), tool('B')]);
    assert.deepEqual(one, toFunctionTools([tool('a'), tool('B'), tool('b')]));
    assert.deepEqual(one[0], {
      type: 'function',
      function: { name: 'B', parameters: { type: 'object', properties: {} } },
    });
  });
});
