import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  newestOf,
  toFunctionTools,
  toServiceMessages,
  withWantedCall,
} from '../../../../src/conversation/otherChats/otherMessages.ts';
import type { OtherMessage, OtherPart } from '../../../../src/conversation/otherChats/otherParts.ts';
import {
  createReasoningMemory,
  type KnownAnswer,
  type ReasoningMemory,
} from '../../../../src/conversation/otherChats/reasoningMemory.ts';
import { buildRequest } from '../../../../src/service/request.ts';
import type { Message } from '../../../../src/service/types.ts';
import { assistant, call, data, GIF, result, system, text, user } from '../otherTurns.ts';
import { answer, chunk, finish, reasoning, SERVICE_ENDED, turnOf } from '../turns.ts';

const GIF_URL = `data:image/gif;base64,${Buffer.from(GIF).toString('base64')}`;

const ROUTE = 'direct';
const NOTHING: ReasoningMemory = {
  remember: () => undefined,
  recall: () => undefined,
  refuse: () => undefined,
  refuses: () => false,
};
/** Returns every answer with reasoning and unchanged calls. */
const EVERYTHING: ReasoningMemory = {
  remember: () => undefined,
  refuse: () => undefined,
  refuses: () => false,
  recall: (_, said) => ({
    answer: said.answer,
    toolCalls: [],
    reasoning: 'Hm.',
    reasoningName: 'reasoning_content',
    reasoningTags: undefined,
    reasoningDetails: [],
  }),
};

function transcriptOf(others: readonly OtherMessage[], memory = NOTHING) {
  const transcript = toServiceMessages(others, memory, ROUTE);
  assert.ok(transcript.ok);
  return transcript;
}

const messagesOf = (others: readonly OtherMessage[], memory = NOTHING): readonly Message[] =>
  transcriptOf(others, memory).messages;

/** Stores an answer to these messages as if it had just arrived. */
function remember(memory: ReasoningMemory, others: readonly OtherMessage[], answered: KnownAnswer): void {
  memory.remember(transcriptOf(others, memory).next, answered);
}

function isAccepted(messages: readonly Message[]): boolean {
  return buildRequest({ model: 'svc-k3', messages }).ok;
}

describe('Messages of another chat', () => {
  it('have a note in place of an answer that was stopped in its reasoning, because an empty one is refused', () => {
    const stopped = assistant({ type: 'thinking', text: 'Hm.' }, text(' '));
    assert.deepEqual(messagesOf([user(text('Why?')), stopped, user(text('And?'))]), [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: '[no answer]' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('keep their roles, with the system message first', () => {
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

  it('are merged if two of the same role are consecutive or separated only by an empty message', () => {
    assert.deepEqual(
      messagesOf([user(text('A file.')), user(text('Why?')), assistant(text(' ')), user(text('Really?'))]),
      [{ role: 'user', content: 'A file.\n\nWhy?\n\nReally?' }],
    );
  });

  it('keep the white space between and inside their parts', () => {
    assert.deepEqual(
      messagesOf([
        user(text('line one'), text('\n'), text('line two')),
        assistant(text('So'), text(' '), text('it is.\n')),
        user(text('  '), text('  if (a) {\n    b();\n')),
      ]),
      [
        { role: 'user', content: 'line one\nline two' },
        { role: 'assistant', content: 'So it is.' },
        { role: 'user', content: '    if (a) {\n    b();' },
      ],
    );
  });

  it('are left out if all of their parts are blank', () => {
    assert.deepEqual(
      messagesOf([system(text(' ')), user(text('\n'), text(' ')), user(text('Why?')), user(text(' \n'))]),
      [{ role: 'user', content: 'Why?' }],
    );
  });

  it('alternate also around a system message without text, and around an empty file', () => {
    const nothing = [system(data('image/gif', GIF)), user(data('text/plain', ' \n'))];
    for (const one of nothing) {
      assert.deepEqual(messagesOf([user(text('Why?')), one, user(text('Really?'))]), [
        { role: 'user', content: 'Why?\n\nReally?' },
      ]);
      assert.deepEqual(
        messagesOf([user(text('Why?')), assistant(text('So')), one, assistant(text('it is.'))]).slice(1),
        [{ role: 'assistant', content: 'So\n\nit is.' }],
      );
    }
  });

  it('contain images by their first bytes, whatever their declared type is', () => {
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

  it('contain text data as text', () => {
    assert.deepEqual(messagesOf([user(text('Sum: '), data('application/json', '{"a":1}'))]), [
      { role: 'user', content: 'Sum: {"a":1}' },
    ]);
  });

  it('are refused with the name of unsupported data', () => {
    const refused = (part: OtherPart) => {
      const transcript = toServiceMessages([user(text('See'), part)], NOTHING, ROUTE);
      return transcript.ok ? undefined : transcript.unsupported;
    };
    assert.deepEqual(refused(data('application/pdf', '%PDF-1.7')), { mime: 'application/pdf', found: 'PDF' });
    assert.deepEqual(refused(data('image/png', '<svg></svg>')), { mime: 'image/png', found: 'SVG' });
    assert.deepEqual(refused(data('audio/wav', 'RIFF')), { mime: 'audio/wav', found: undefined });
  });

  it('omit data that is only for the other chat', () => {
    assert.deepEqual(messagesOf([user(text('Why?'), data('cache_control', 'ephemeral'))]), [
      { role: 'user', content: 'Why?' },
    ]);
  });
});

describe('Tool calls of another chat', () => {
  it('Q4 Q12 are not asked for in words where nothing else is asked', () => {
    for (const messages of [[], messagesOf([system(text('Be brief.')), assistant(text('So.'))])])
      assert.deepEqual(withWantedCall(messages, [{ name: 'read' }]), messages);
  });

  const messagesOf = (others: readonly OtherMessage[]) => transcriptOf(others, EVERYTHING).messages;

  it('keep their ids, and are followed by their results in the same order, before other text', () => {
    const messages = messagesOf([
      user(text('Compare.')),
      assistant(text('I read.'), call('a', { path: 'a' }), call('b')),
      user(text('Be quick.'), result('b', text('B')), result('a', text('A'))),
    ]);
    assert.deepEqual(messages.slice(1), [
      {
        role: 'assistant',
        content: 'I read.',
        reasoning_content: 'Hm.',
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

  it('have results with the indentation of their first line', () => {
    const messages = messagesOf([
      user(text('Read.')),
      assistant(call('a')),
      user(result('a', text('\n    return 1;\n'), text('  }\n'))),
    ]);
    assert.deepEqual(messages.at(-1), { role: 'tool', tool_call_id: 'a', content: '    return 1;\n  }' });
  });

  it('have no content if there is no text next to them', () => {
    const [, message] = messagesOf([user(text('Go.')), assistant(call('a')), user(result('a'))]);
    assert.ok(message !== undefined && !('content' in message));
  });

  it('accept results in separate messages', () => {
    const messages = messagesOf([
      user(text('Go.')),
      assistant(call('a'), call('b')),
      user(result('b', text('B'))),
      user(result('a', text('A'))),
    ]);
    assert.ok(isAccepted(messages));
  });

  /** Calls that the service would refuse as calls. */
  const unanswered: Readonly<Record<string, readonly OtherMessage[]>> = {
    'without a result': [assistant(text('I read.'), call('a'), call('b')), user(result('b'), text('And?'))],
    'without any message after them': [assistant(text('I read.'), call('a'), call('b'))],
    'with two results': [assistant(call('a')), user(result('a', text('A')), result('a', text('B')))],
    'with the same id twice': [assistant(call('a'), call('a')), user(result('a'))],
    'without an id': [assistant(call('')), user(result(''))],
    'without a question before them': [],
    'before a system message': [assistant(call('a')), system(text('Be brief.')), user(result('a'))],
  };
  for (const [how, others] of Object.entries(unanswered))
    it(`are sent as text ${how}, with their results, so that the conversation can go on`, () => {
      // A chat that has shortened its history begins with calls.
      const shortened = [assistant(text('So.')), user(), assistant(call('a')), user(result('a', text('A')))];
      const messages = messagesOf(others.length === 0 ? shortened : [user(text('Go.')), ...others]);
      assert.ok(isAccepted(messages));
      assert.ok(messages.every((message) => message.role !== 'tool' && !('tool_calls' in message)));
      assert.match(JSON.stringify(messages), /\[Tool call 1: read \{\}\]/);
    });

  it('are sent as text with arguments that are no object, as another model of the chat may have written them', () => {
    for (const input of ['of a', ['a'], 7]) {
      const made = { type: 'call', id: 'a', name: 'read', input } as const;
      const messages = messagesOf([user(text('Go.')), assistant(made), user(result('a', text('A')))]);
      assert.deepEqual(messages.slice(1), [
        { role: 'assistant', content: `[Tool call 1: read ${JSON.stringify(input)}]` },
        { role: 'user', content: '[Result of tool call 1: read]\nA' },
      ]);
    }
  });

  it('keep a result without a call as text, beside other results', () => {
    const messages = messagesOf([
      user(text('Go.')),
      assistant(call('a')),
      user(result('gone', text('Old.')), result('a', text('A'))),
    ]);
    assert.deepEqual(messages.slice(2), [
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'user', content: '[Result of a tool call]\nOld.' },
    ]);
    assert.ok(isAccepted(messages));
    // A chat that has shortened its history begins with results.
    assert.deepEqual(messagesOf([user(result('gone', data('image/gif', GIF)), text('And?'))]), [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: GIF_URL } },
          { type: 'text', text: '[Result of a tool call]\n[an image, in this message]\n\nAnd?' },
        ],
      },
    ]);
  });

  it('have images of results in the next message, and name unsupported data', () => {
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

  it('is sent back under its own name, with the original arguments', () => {
    const memory = createReasoningMemory();
    remember(memory, [question], called(reasoning('I look.', 'reasoning')));
    assert.deepEqual(messagesOf(looped, memory)[1], {
      role: 'assistant',
      reasoning: 'I look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: args } }],
    });
  });

  it('is sent back in its tags if it arrived in them', () => {
    const memory = createReasoningMemory();
    remember(memory, [question], called(reasoning('I look.', 'tags'), answer('So.')));
    const said = [question, assistant(text('So.'), call('a', { path: 'x' })), user(result('a', text('A')))];
    const message = messagesOf(said, memory)[1];
    assert.equal(message?.content, '<think>I look.</think>So.');
  });

  it('is sent back for an answer without calls too', () => {
    const memory = createReasoningMemory();
    remember(memory, [question], turnOf([reasoning('Hm.'), answer('So.'), finish('stop'), SERVICE_ENDED]));
    const message = messagesOf([question, assistant(text('So.')), user(text('And?'))], memory)[1];
    assert.deepEqual(message, { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' });
  });

  it('has no content beside calls if the model wrote only white space', () => {
    const memory = createReasoningMemory();
    remember(memory, [question], { ...called(reasoning('Hm.')), answer: '\n' });
    const path = { path: 'x' };
    const [, message] = messagesOf(
      [question, assistant(call('a', path)), user(result('a', text('A')))],
      memory,
    );
    assert.ok(message?.role === 'assistant' && !('content' in message));
    assert.equal(message.reasoning_content, 'Hm.');
  });

  it('is taken from the other chat if only that chat kept it', () => {
    const [, message] = messagesOf([
      question,
      assistant({ type: 'thinking', text: 'I ' }, { type: 'thinking', text: 'look.' }, call('a')),
      user(result('a', text('A'))),
    ]);
    assert.ok(message?.role === 'assistant');
    assert.equal(message.reasoning_content, 'I look.');
  });

  it('belongs to its position if two answers or calls are equal', () => {
    const memory = createReasoningMemory();
    const others: OtherMessage[] = [];
    const turns = ['First.', 'Second.'].map((why) => {
      others.push(question);
      remember(memory, others, turnOf([reasoning(why), answer('Done.'), finish('stop'), SERVICE_ENDED]));
      others.push(assistant(text('Done.')), question);
      remember(memory, others, called(reasoning(`${why} Call.`)));
      others.push(assistant(call('a', { path: 'x' })), user(result('a', text('A'))));
      others.push(assistant(text('So.')));
      return messagesOf(others, memory);
    });
    const [first = [], second = []] = turns;
    assert.deepEqual(second.slice(0, first.length), first);
    assert.deepEqual(
      second.flatMap((message) =>
        message.role === 'assistant' && message.reasoning_content ? [message.reasoning_content] : [],
      ),
      ['First.', 'First. Call.', 'Second.', 'Second. Call.'],
    );
  });

  it('is not taken from another conversation with an equal answer', () => {
    const memory = createReasoningMemory();
    remember(memory, [question], turnOf([reasoning('Hm.'), answer('Yes.'), finish('stop'), SERVICE_ENDED]));
    const [, message] = messagesOf(
      [user(text('Something else?')), assistant(text('Yes.')), user(text('And?'))],
      memory,
    );
    assert.deepEqual(message, { role: 'assistant', content: 'Yes.' });
  });

  it('is found if the other chat splits its text differently, keeps thoughts, or reorders results', () => {
    const memory = createReasoningMemory();
    const results = [result('a', text('A')), result('b', text('B'))];
    const round = (before: OtherMessage[], ...parts: OtherMessage['parts']) => [
      ...before,
      assistant(text('Look'), text('ing.'), call('a'), call('b')),
      user(...parts),
    ];
    const asked = round([question], ...results);
    remember(memory, asked, turnOf([reasoning('Hm.'), answer('So.'), finish('stop'), SERVICE_ENDED]));
    const changed = [
      user(text('Lo'), text('ok.'), data('cache_control', 'ephemeral')),
      assistant({ type: 'thinking', text: 'Well.' }, text('Looking.'), call('a'), call('b')),
      user(...results.toReversed()),
      assistant(text('So.')),
      user(text('And?')),
    ];
    const message = messagesOf(changed, memory).at(-2);
    assert.deepEqual(message, { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' });
  });

  it('is found if a part of the answer is only white space, and an indentation before it was removed', () => {
    const memory = createReasoningMemory();
    const said = [reasoning('Hm.'), answer('  One.\n\nTwo.'), finish('stop'), SERVICE_ENDED];
    remember(memory, [user(text('  Why?'))], turnOf(said));
    const back = assistant(text('One.'), text('\n\n'), text('Two.'));
    const message = messagesOf([user(text('Why?')), back, user(text('And?'))], memory)[1];
    assert.deepEqual(message, { role: 'assistant', content: '  One.\n\nTwo.', reasoning_content: 'Hm.' });
  });
});

describe('Calls of another chat without known reasoning', () => {
  const rounds = [
    user(text('Compare.')),
    assistant(text('I read.'), call('a', { path: 'a' }), call('b', { path: 'b' })),
    user(text('Be quick.'), result('b', data('image/gif', GIF)), result('a', text('A'))),
    assistant(call('a')),
    user(result('a', data('application/pdf', '%PDF-'))),
  ];

  it('are sent as text with their results, so that nothing is lost or refused', () => {
    const { messages, forgotten } = transcriptOf(rounds);
    assert.equal(forgotten, 2);
    assert.deepEqual(messages, [
      { role: 'user', content: 'Compare.' },
      {
        role: 'assistant',
        content: 'I read.\n\n[Tool call 1: read {"path":"a"}]\n[Tool call 2: read {"path":"b"}]',
      },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: GIF_URL } },
          {
            type: 'text',
            text: '[Result of tool call 1: read]\nA\n\n[Result of tool call 2: read]\n[an image, in this message]\n\nBe quick.',
          },
        ],
      },
      { role: 'assistant', content: '[Tool call 1: read {}]' },
      { role: 'user', content: '[Result of tool call 1: read]\n[left out: application/pdf]' },
    ]);
    assert.ok(isAccepted(messages));
  });

  it('are sent as the same text each time, whatever is called later', () => {
    const memory = createReasoningMemory();
    const first = messagesOf(rounds, memory);
    const asked = [...rounds, assistant(text('So.')), user(text('Again.'))];
    const called = turnOf([
      reasoning('Hm.'),
      chunk({ toolCalls: [{ index: 0, id: 'a', name: 'read', arguments: '{}' }] }),
      finish('tool_calls'),
      SERVICE_ENDED,
    ]);
    remember(memory, asked, called);
    const { messages, forgotten } = transcriptOf(
      [...asked, assistant(call('a')), user(result('a', text('A')))],
      memory,
    );
    assert.deepEqual(messages.slice(0, first.length), first);
    assert.equal(forgotten, 2);
    assert.deepEqual(
      messages.slice(-2).map(({ role }) => role),
      ['assistant', 'tool'],
    );
    assert.ok(isAccepted(messages));
  });

  it('do not remove a result without a call', () => {
    const messages = messagesOf([...rounds, assistant(call('c')), user(result('other', text('O.')))]);
    assert.deepEqual(messages.at(-1), { role: 'user', content: '[Result of a tool call]\nO.' });
    assert.ok(isAccepted(messages));
  });
});

describe('The new text in a conversation of another chat', () => {
  it('is everything after the last answer, including results', () => {
    const loop = [
      user(text('First?')),
      assistant(text('So.'), call('a')),
      user(result('a', text('Read.')), text('Then?')),
    ];
    assert.equal(newestOf(loop), 'Read.\n\nThen?');
    const split = [user(text('line one'), text('\n'), text('line two')), user(text('And?'))];
    assert.equal(newestOf(split), 'line one\nline two\n\nAnd?');
  });
});

describe('Tools of another chat', () => {
  it('have a stable order and an object schema', () => {
    const tool = (name: string) => ({ name, description: '', schema: undefined });
    const one = toFunctionTools([tool('b'), tool('a'), tool('B')]);
    assert.deepEqual(one, toFunctionTools([tool('a'), tool('B'), tool('b')]));
    assert.deepEqual(one[0], {
      type: 'function',
      function: { name: 'B', parameters: { type: 'object', properties: {} } },
    });
  });

  it('have a schema of an object whatever other type it names, which the service would refuse', () => {
    for (const type of [['object', 'null'], null, 'array', 'string']) {
      const schema = { description: 'A place.', type, properties: {} };
      const [made] = toFunctionTools([{ name: 'a', description: '', schema }]);
      assert.equal(
        JSON.stringify(made?.function.parameters),
        '{"type":"object","description":"A place.","properties":{}}',
      );
    }
  });
});
