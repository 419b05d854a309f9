import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Hit } from '../../../../src/history/searchRows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toItems } = await withEditorStub(
  () => import('../../../../src/editor/conversations/conversationSearch.ts'),
);

const hit = (conversationId: string, snippet: string, part: Hit['part'] = 'answer'): Hit => ({
  conversationId,
  title: `Title $(zap) ${conversationId}`,
  ownerId: snippet,
  part,
  snippet,
  changedAt: 0,
});

describe('The results of a search', () => {
  it('have each conversation once, with what was found marked beneath', () => {
    const items = toItems([
      hit('c1', 'a \u0002heron\u0003\nstands', 'question'),
      hit('c1', '$(zap) \u0002heron\u0003'),
      hit('c2', 'no \u0002heron\u0003', 'reasoning'),
    ]);
    assert.deepEqual(
      items.map(({ label }) => label),
      [
        'Title $ (zap) c1',
        '$(account) a «heron» stands',
        '$(sparkle) $ (zap) «heron»',
        'Title $ (zap) c2',
        '$(list-tree) no «heron»',
      ],
    );
    assert.deepEqual(
      items.map((item) => item.hit?.part),
      [undefined, 'question', 'answer', undefined, 'reasoning'],
    );
    assert.ok(items.every(({ alwaysShow, conversationId }) => alwaysShow && conversationId !== ''));
  });
});
