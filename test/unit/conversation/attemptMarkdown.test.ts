import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toAttemptDocument } from '../../../src/conversation/attemptMarkdown.ts';
import { completeTurn } from './turns.ts';

const WORDS = {
  title: 'Attempt 1',
  facts: [
    { label: 'Cost', value: '$1' },
    { label: 'Model', value: '*evil* [x](command:y)\n# z' },
  ],
  answerHeading: 'Answer',
  reasoningHeading: 'Reasoning',
  noAnswer: 'None.',
  noReasoning: 'No reasoning.',
};

describe('The document of an attempt', () => {
  it('has a line for each figure, the answer, and the reasoning', () => {
    const turn = { ...completeTurn(), reasoning: 'I think.', answer: 'not this one' };
    assert.equal(
      toAttemptDocument(turn, 'It **is**.\n', { ...WORDS, facts: WORDS.facts.slice(0, 1) }),
      [
        '# Attempt 1',
        '- Cost: $1',
        '## Answer',
        '```md\nIt **is**.\n```',
        '## Reasoning',
        '```md\nI think.\n```',
        '',
      ].join('\n'),
    );
  });

  it('has the figures last where it is rendered, with its text as that is made', () => {
    const turn = { ...completeTurn(), reasoning: 'I think.' };
    const words = { ...WORDS, facts: WORDS.facts.slice(0, 1) };
    assert.equal(
      toAttemptDocument(turn, 'It is.', words, (text) => `(${text})`),
      [
        '# Attempt 1',
        '## Answer',
        '(It is.)',
        '## Reasoning',
        '(I think.)',
        '',
        '---',
        '',
        '- Cost: $1',
        '',
      ].join('\n'),
    );
  });

  it('says when there is no answer or no reasoning', () => {
    const turn = { ...completeTurn(), reasoning: '', answer: '' };
    const text = toAttemptDocument(turn, ' ', WORDS);
    assert.match(text, /## Answer\nNone\.\n## Reasoning\nNo reasoning\.\n/);
  });

  it('shows what the service sent as text only', () => {
    const text = toAttemptDocument(completeTurn(), '```\n# x\n![](http://evil.example/x.png)', WORDS);
    assert.match(text, /\n- Model: \\\*evil\\\* \\\[x\\\]\(command:y\) \\# z\n/);
    assert.match(text, /\n````md\n```\n# x\n!/);
  });
});
