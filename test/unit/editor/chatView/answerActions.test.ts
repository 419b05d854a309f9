import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toContinuingQuestion } from '../../../../src/conversation/continuingQuestion.ts';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import type { Placement } from '../../../../src/review/findings/findingPlacement.ts';
import { env } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';

const { copyAnswer, toEditing } = await withEditorStub(
  () => import('../../../../src/editor/chatView/answerActions.ts'),
);

describe('The question that is edited', () => {
  const question = { text: 'One?', images: [], origin: undefined };
  const turn = { ...completeTurn(), id: 't1', outcome: 'truncated' as const };
  const toExchange = (id: string, asked: Exchange['question']): Exchange => ({
    id,
    question: asked,
    attempts: [],
    shown: 0,
  });
  const one = toExchange('e1', question);
  const rest = toExchange('e2', toContinuingQuestion(question, turn, 'Continue.'));
  const two = toExchange('e3', { ...question, text: 'Two?' });

  it('is the one whose answer is continued, not the words of Continue, by Up and from the card of the rest', () => {
    const edits = { edit: { exchangeId: 'e1', text: 'One?' } };
    assert.deepEqual(toEditing({ exchanges: [one, rest] }), edits);
    assert.deepEqual(toEditing({ exchanges: [one, rest, two] }, rest), edits);
    assert.deepEqual(toEditing({ exchanges: [one, rest, two] })?.edit?.exchangeId, 'e3');
    for (const exchanges of [[], [rest]]) assert.deepEqual(toEditing({ exchanges }), {});
    assert.deepEqual(toEditing(undefined), {});
  });
});

describe('Copying the answer of a review', () => {
  const finding = { severity: 'error', claim: 'It leaks.', evidence: 'open(a)' };
  const findings = [
    { ...finding, file: 'a.ts', startLine: 3, endLine: 3 },
    { ...finding, file: 'b.ts', startLine: 5, endLine: 5, evidence: 'close(b)' },
  ];
  const placements: readonly Placement[] = [
    { placed: true, startLine: 11, endLine: 11 },
    { placed: false, reason: 'not-found' },
  ];

  it('copies the lines in the files that the page shows, and why a finding has none', async () => {
    const written: string[] = [];
    const { writeText } = env.clipboard;
    Object.assign(env.clipboard, { writeText: async (text: string) => void written.push(text) });
    const turn = completeTurn(JSON.stringify({ summary: 'Two.', findings }));
    const plain = exchangeOf('q', turn);
    const exchange: Exchange = { ...plain, question: { ...plain.question, purpose: 'findings' } };
    await copyAnswer(
      { conversation: conversationOf(exchange), exchange, turn },
      { placementsOf: (turnId) => (turnId === turn.id ? placements : undefined) },
    );
    Object.assign(env.clipboard, { writeText });
    const [text = ''] = written;
    assert.match(text, /`a\.ts:12`/);
    assert.doesNotMatch(text, /a\.ts:3/);
    assert.match(text, /`b\.ts:5`\n\n> \S/);
  });
});
