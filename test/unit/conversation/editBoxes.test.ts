import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type BoxedEdit, boxOf, withBox, withLeft, withOpened } from '../../../src/conversation/editBoxes.ts';
import type { Editing } from '../../../src/conversation/unsent.ts';

const [PAGE, OTHER] = [{ name: 'page' }, { name: 'other' }];
const [ONE, TWO, THREE] = [
  { exchangeId: 'e1', text: 'One?' },
  { exchangeId: 'e2', text: 'Two?' },
  { exchangeId: 'e3', text: 'Three?' },
];
const asIs = (edit: Editing) => edit;

describe('The box of a page for an edited question', () => {
  it('replaces what it had, also when it goes to another question, and nothing of another page', () => {
    const before: readonly BoxedEdit[] = [
      { edit: ONE, page: OTHER },
      { edit: ONE, page: PAGE },
    ];
    const next = withBox(before, PAGE, 'e1', TWO);
    assert.deepEqual(next, [
      { edit: ONE, page: OTHER },
      { edit: TWO, page: PAGE },
    ]);
    assert.deepEqual(withBox(next, PAGE, 'e2', undefined), [{ edit: ONE, page: OTHER }]);
  });

  it('leaves an edit to the next page that its own page does not know of', () => {
    const next = withBox([{ edit: ONE, page: PAGE }], PAGE, undefined, TWO);
    assert.deepEqual(next, [
      { edit: ONE, page: undefined },
      { edit: TWO, page: PAGE },
    ]);
    assert.deepEqual(boxOf(withOpened(next, OTHER, asIs).edits, OTHER), ONE);
  });

  it('replaces what a page that has left the conversation sends too late, without a box', () => {
    const left = withLeft([{ edit: ONE, page: PAGE }], PAGE);
    const longer = { ...ONE, text: 'One, and more?' };
    assert.deepEqual(withBox(left, undefined, 'e1', longer), [{ edit: longer, page: undefined }]);
  });

  it('has one edit when a page opens the conversation, and the texts of others in no box are for the message box', () => {
    const free = [ONE, TWO, THREE].map((edit) => ({ edit, page: undefined }));
    const opened = withOpened([...free, { edit: ONE, page: OTHER }], PAGE, asIs);
    assert.deepEqual(opened, {
      edits: [
        { edit: THREE, page: PAGE },
        { edit: ONE, page: OTHER },
      ],
      texts: ['One?', 'Two?'],
    });
    const again = withOpened(opened.edits, PAGE, asIs);
    assert.deepEqual(again, { edits: opened.edits, texts: [] });
  });

  it('is at the version of its question that is shown, and only where there is one', () => {
    const toShown = (edit: Editing) =>
      edit.exchangeId === 'e3' ? undefined : { ...edit, exchangeId: `${edit.exchangeId} again` };
    const free = [ONE, THREE].map((edit) => ({ edit, page: undefined }));
    assert.deepEqual(withOpened(free, PAGE, toShown), {
      edits: [{ edit: { exchangeId: 'e1 again', text: 'One?' }, page: PAGE }],
      texts: ['Three?'],
    });
  });
});
