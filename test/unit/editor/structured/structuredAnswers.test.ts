import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FormatCheck } from '../../../../src/conversation/answerFormats/answerFormat.ts';
import type { Exchange } from '../../../../src/conversation/conversation.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { createStructuredAnswers } = await withEditorStub(
  () => import('../../../../src/editor/structured/structuredAnswers.ts'),
);

const question = { text: 'As JSON.', images: [], origin: undefined, format: { kind: 'json' } } as const;
const last: Turn = { ...completeTurn('2}'), id: 't2' };

/** A conversation with an answer in two parts. */
function inParts(first: string) {
  const cut: Turn = { ...completeTurn(first), id: 't1', outcome: 'truncated' };
  const exchanges: readonly Exchange[] = [
    { id: 'e1', question, attempts: [cut], shown: 0 },
    { id: 'e2', question: { ...question, continues: 't1' }, attempts: [last], shown: 0 },
  ];
  return conversationOf(...exchanges);
}

describe('The check of an answer', () => {
  let conversation: ReturnType<typeof inParts>;
  let answers: ReturnType<typeof createStructuredAnswers>;

  beforeEach(() => {
    conversation = inParts('{"a": ');
    const find = () => {
      const exchange = conversation.exchanges[1] ?? assert.fail();
      return { conversation, exchange, turn: last };
    };
    answers = createStructuredAnswers({ conversations: { find, ask: assert.fail } } as never);
  });

  async function verdict(): Promise<FormatCheck['verdict']> {
    const asked = conversation.exchanges[1]?.question;
    const known = answers.judged(last, asked)?.verdict;
    if (known !== undefined) return known;
    await new Promise<void>((resolve) => answers.onDidJudge(() => resolve()));
    return answers.judged(last, asked)?.verdict;
  }

  it('is made once, of all parts', async () => {
    assert.equal((await verdict())?.kind, 'fits');
    assert.equal((await verdict())?.kind, 'fits');
  });

  it('says when the file for it was not chosen, so that the chat has the focus again', async () => {
    Object.assign(window, { showSaveDialog: async () => undefined });
    try {
      const closed: (boolean | undefined)[] = [];
      await answers.perform('save', 't2', (chosen) => closed.push(chosen));
      assert.deepEqual(closed, [false]);
    } finally {
      Reflect.deleteProperty(window, 'showSaveDialog');
    }
  });

  it('is made again when the text of an earlier part is another one of the same length', async () => {
    await verdict();
    conversation = inParts('["a": ');
    assert.notEqual((await verdict())?.kind, 'fits');
    conversation = inParts('{"b": ');
    assert.equal((await verdict())?.kind, 'fits');
  });
});
