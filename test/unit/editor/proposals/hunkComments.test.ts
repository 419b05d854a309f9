import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { anchorHunks } from '../../../../src/review/hunks/anchors.ts';
import { toHunks } from '../../../../src/review/hunks/hunks.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toHunkComment } = await withEditorStub(
  () => import('../../../../src/editor/proposals/hunkComments.ts'),
);

/** The editor shows only so much of Markdown, in characters. */
const SHOWN = 100_000;

describe('The comment of a hunk', () => {
  const commentOf = (after: string) => {
    const [one] = anchorHunks(toHunks('one\ntwo\n', `one\n${after}`));
    assert.ok(one);
    return toHunkComment(one, false).body;
  };

  it('has the added lines in color', () => {
    const body = commentOf('TWO\n');
    assert.ok(typeof body === 'object');
    assert.match(body.value, /<span style=.*TWO/);
  });

  it('has all added lines, also if the editor would cut them off in color', () => {
    for (const count of [300, 600, 2000]) {
      const body = commentOf(`${'let a = 1;\n'.repeat(count)}last();\n`);
      const shown = typeof body === 'string' ? body : body.value.slice(0, SHOWN);
      assert.match(shown, /last\(\);/, `${count}`);
    }
    assert.match(
      String(commentOf(`${'let a = 1;\n'.repeat(2000)}\u202elast\n`)),
      /^It adds[\s\S]*\n\+ ⟦U\+202E⟧last$/,
    );
  });
});
