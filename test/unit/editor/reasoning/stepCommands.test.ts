import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  answer,
  conversationOf,
  exchangeOf,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
} from '../../chat/turns.ts';

const { toQuotation, toStepItems } = await withEditorStub(
  () => import('../../../../src/editor/reasoning/stepCommands.ts'),
);

const turn = (...texts: readonly string[]) =>
  turnOf([...texts.map((text) => reasoning(text)), answer('Yes.'), finish('stop'), SERVICE_ENDED]);

describe('Search Reasoning', () => {
  it('lists the steps of all shown turns, the latest turn first, with their text to be searched', () => {
    const first = turn('I read it.\n\n', 'It has $(zap) in it.\nAnd   more.');
    const again = turn('Not shown.');
    const conversation = conversationOf(
      exchangeOf('Does it work?\nPlease check.', again, first),
      exchangeOf('No reasoning', turn()),
      exchangeOf('And now?', turn('Now it does.')),
    );
    const items = toStepItems(conversation);
    assert.deepEqual(
      items.map(({ label, description, detail, index }) => [label, description, detail, index]),
      [
        ['Now it does', 'Step 1 of “And now?”', 'Now it does.', 0],
        ['I read it', 'Step 1 of “Does it work?”', 'I read it.', 0],
        ['It has \\$(zap) in it', 'Step 2 of “Does it work?”', 'It has \\$(zap) in it. And more.', 1],
      ],
    );
    assert.equal(items[1]?.turnId, first.id);
  });
});

describe('Ask About This Step', () => {
  it('quotes every line of the step, and leaves room for the question', () => {
    assert.equal(
      toQuotation('I read it.\n\n- a'),
      'About this step of your reasoning:\n\n> I read it.\n>\n> - a\n\n',
    );
  });
});
