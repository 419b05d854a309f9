import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_PRICES } from '../../../../src/service/limits.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../chat/turns.ts';

const { noticeBody } = await withEditorStub(() => import('../../../../src/editor/wording/noticeWords.ts'));

describe('The words of a notice', () => {
  const linesOf = (damagedEvents: number) =>
    noticeBody({ code: 'damaged-events' }, { ...completeTurn(), damagedEvents }, DEFAULT_PRICES).join(' ');

  it('are in the singular for one event', () => {
    assert.equal(linesOf(1), '1 event was not valid JSON and was skipped. Some text may be missing.');
    assert.equal(linesOf(2), '2 events were not valid JSON and were skipped. Some text may be missing.');
  });
});
