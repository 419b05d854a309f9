import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { behindTitle, isolated } from '../../../src/panel/direction.ts';

describe('What stands behind a title', () => {
  it('begins with a mark if the title has letters from right to left, so that a number stays behind it', () => {
    for (const title of ['צעד ראשון', 'الخطوة', 'Why שלום?'])
      assert.equal(behindTitle(title, '53 tokens'), '\u200e53 tokens', title);
  });

  it('is unchanged otherwise', () => {
    for (const title of ['Step', '問', 'é', ''])
      assert.equal(behindTitle(title, '53 tokens'), '53 tokens', title);
  });
});

describe('A title among other words', () => {
  it('stands between marks if it has letters from right to left', () => {
    assert.equal(isolated('צעד ראשון'), '\u2068צעד ראשון\u2069');
    assert.equal(isolated('Step'), 'Step');
  });
});
