import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { describeSpending } = await withEditorStub(
  () => import('../../../../src/editor/wording/spendingWords.ts'),
);

describe('The words about the daily cap', () => {
  it('say that nothing is left of it, or that this request is too much for the rest', () => {
    const [atCap, above, below] = [2, 2.5, 1.9].map((spent) =>
      describeSpending({ spent, cap: 2, inputCost: 0.2 }, 'conversation'),
    );
    assert.match(
      atCap ?? '',
      /^You have spent \$2\.00 today, so nothing is left of the daily cap \(k3\.dailyCap\), which is \$2\.00 for today\. The input of this request costs about \$0\.200\. /,
    );
    assert.match(above ?? '', /^You have spent \$2\.50 today, so nothing is left/);
    assert.match(below ?? '', /^You have spent \$1\.90 today, .* about \$0\.200\. Together they exceed/);
  });

  it('say how much is estimated, if anything is', () => {
    const spending = { spent: 2, cap: 2, inputCost: 0.2 };
    assert.doesNotMatch(describeSpending(spending, 'conversation'), /estimated/);
    assert.match(
      describeSpending({ ...spending, estimated: 1.5 }, 'conversation'),
      / About \$1\.50 of what you spent is an estimate, because usage was not reported\. /,
    );
  });
});
