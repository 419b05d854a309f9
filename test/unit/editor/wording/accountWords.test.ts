import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, NO_USAGE, SOME_USAGE } from '../../conversation/turns.ts';

const { toCostLine } = await withEditorStub(() => import('../../../../src/editor/wording/accountWords.ts'));

const lineFor = (more: Partial<Turn>) => toCostLine({ ...completeTurn(), ...more }, DEFAULT_PRICES);

describe('The cost below an answer', () => {
  it('is that of its usage, and not known without usage', () => {
    assert.match(lineFor({ usage: SOME_USAGE }), /^\$0\.0\d+$/);
    assert.equal(lineFor({ usage: undefined }), 'usage not reported');
  });

  it('is not known when only a total was reported, of which input and output cost differently', () => {
    assert.equal(lineFor({ usage: { ...NO_USAGE, totalTokens: 2050 } }), 'usage not reported');
  });

  it('is left out where nothing was billed', () => {
    const refused = { kind: 'bad-key', details: { status: 401 } } as const;
    const nothing = { reasoning: '', answer: '', usage: undefined };
    assert.equal(lineFor({ ...nothing, outcome: 'failed', failure: refused }), '');
  });
});
