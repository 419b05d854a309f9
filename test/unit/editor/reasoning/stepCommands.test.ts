import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toQuotation } = await withEditorStub(
  () => import('../../../../src/editor/reasoning/stepCommands.ts'),
);

describe('Ask About This Step', () => {
  it('quotes every line of the step, and leaves room for the question', () => {
    assert.equal(
      toQuotation('I read it.\n\n- a'),
      'About this step of your reasoning:\n\n> I read it.\n>\n> - a\n\n',
    );
  });

  it('shows no marks of Markdown, which the message box does not render', () => {
    assert.equal(
      toQuotation('**Making a plan.** I call `ask` first.'),
      'About this step of your reasoning:\n\n> Making a plan. I call ask first.\n\n',
    );
  });
});
