import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findMatches, MAX_MATCHES } from '../../../src/conversation/findMatches.ts';
import { toRound } from '../../../src/conversation/rounds.ts';
import { completeTurn, conversationOf, exchangeOf } from './turns.ts';

describe('Find in a conversation', () => {
  const conversation = conversationOf(
    exchangeOf('Why a Heron?', completeTurn('A heron is no heron here.')),
    exchangeOf('And a duck?', completeTurn('No.')),
  );

  it('finds all matches in reading order and ignores case', () => {
    assert.deepEqual(
      findMatches(conversation, 'HERON').map(({ part, occurrence }) => [part, occurrence]),
      [
        ['question', 0],
        ['answer', 0],
        ['answer', 1],
      ],
    );
    assert.deepEqual(
      findMatches(conversation, 'hm').map(({ exchangeId, part }) => [exchangeId, part]),
      [
        ['Why a Heron?', 'reasoning'],
        ['And a duck?', 'reasoning'],
      ],
    );
  });

  it('finds letters with marks in both of their forms', () => {
    for (const [text, words] of [
      ['The Café.'.normalize('NFD'), 'café'],
      ['The Café.', 'café'.normalize('NFD')],
    ] as const)
      assert.equal(findMatches(conversationOf(exchangeOf(text)), words).length, 1);
  });

  it('finds the text of a response with tool calls before the answer', () => {
    const said = toRound(completeTurn('First I look at the heron.'), [], 5);
    const turn = { ...completeTurn('The heron is grey.'), rounds: [said] };
    assert.deepEqual(findMatches(conversationOf(exchangeOf('What colour?', turn)), 'heron'), [
      { exchangeId: 'What colour?', part: 'answer', round: 0, occurrence: 0 },
      { exchangeId: 'What colour?', part: 'answer', occurrence: 0 },
    ]);
  });

  it('searches the prompt of a command as the attempt that is shown has sent it, with the code as it was then', () => {
    const request = { origin: { uri: 'a.ts', startLine: 0, endLine: 0 }, prompt: 'Explain `heron`.' };
    const asked = exchangeOf('Explain `duck`.', completeTurn('Yes.', request));
    const question = { ...asked.question, asked: 'Explain' };
    const countOf = (words: string) => findMatches(conversationOf({ ...asked, question }), words).length;
    assert.deepEqual([countOf('duck'), countOf('heron')], [0, 1]);
  });

  it('searches an answer as it is shown, for example with its earlier part', () => {
    const found = findMatches(conversation, 'heron', ({ question }) =>
      question.text === 'And a duck?' ? 'A heron. No.' : '',
    );
    assert.deepEqual(
      found.map(({ exchangeId, part }) => [exchangeId, part]),
      [
        ['Why a Heron?', 'question'],
        ['And a duck?', 'answer'],
      ],
    );
  });

  it('finds a prompt only where a command made one', () => {
    const found = [...'abcdefghijklmnopqrstuvwxyz0123456789'].flatMap((one) =>
      findMatches(conversation, one),
    );
    assert.ok(found.length > 0 && found.every(({ part }) => part !== 'prompt'));
  });

  it('finds the instruction of Continue where it is shown: in the details of the question', () => {
    const cut = { ...completeTurn('The heron'), outcome: 'truncated' as const };
    const { question } = exchangeOf('Go on where it was cut off.');
    const rest = {
      ...exchangeOf('rest', completeTurn('is grey.')),
      question: { ...question, continues: cut.id },
    };
    assert.deepEqual(
      findMatches(conversationOf(exchangeOf('Why?', cut), rest), 'cut off').map(({ part }) => part),
      ['prompt'],
    );
  });

  it('finds words as they are shown of Markdown, and still what only its source has', () => {
    const source =
      'See the **main** function, `a` then *b*, [the guide](https://x.test/y) here, snake\\_case, and __it__.\n\n## The end\n\n```ts\nlet **a = 1;\n```';
    const said = (text: string) =>
      conversationOf(exchangeOf('Why?', { ...completeTurn(text), reasoning: text }));
    for (const words of [
      'the main function',
      'a then b,',
      'the guide here',
      'snake_case',
      ', and it.',
      'https://x.test/y',
      '**main**',
      'let **a = 1',
    ])
      assert.deepEqual(
        findMatches(said(source), words).map(({ part }) => part),
        ['reasoning', 'answer'],
        words,
      );
    // A place with marks is one, beside one without.
    assert.equal(findMatches(said('The main function: the **main** function.'), 'main function').length, 4);
    assert.deepEqual(findMatches(said(source), 'the function'), []);
    // A question is shown as it was written.
    assert.deepEqual(findMatches(conversationOf(exchangeOf('Is *a* b?')), 'is a b'), []);
  });

  it('leaves out the earliest of too many matches: the search begins with the last one', () => {
    const many = exchangeOf('x'.repeat(MAX_MATCHES));
    const found = findMatches(conversationOf(many, exchangeOf('The last x.')), 'x');
    assert.equal(found.length, MAX_MATCHES);
    assert.deepEqual(
      [found[0], found.at(-1)].map((one) => [one?.exchangeId === many.id, one?.occurrence]),
      [
        [true, 1],
        [false, 0],
      ],
    );
  });

  it('finds nothing for an empty search text', () => {
    assert.deepEqual(findMatches(conversation, ''), []);
    assert.deepEqual(findMatches(conversation, 'pelican'), []);
  });
});
