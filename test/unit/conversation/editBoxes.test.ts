import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type BoxChange,
  type BoxedEdit,
  boxOf,
  toFree,
  withBox,
  withLeft,
  withOpened,
} from '../../../src/conversation/editBoxes.ts';
import type { Editing } from '../../../src/conversation/unsent.ts';

const [PAGE, OTHER] = [{ name: 'page' }, { name: 'other' }];
const [ONE, TWO, THREE] = [
  { exchangeId: 'e1', text: 'One?' },
  { exchangeId: 'e2', text: 'Two?' },
  { exchangeId: 'e3', text: 'Three?' },
];
const isAt: BoxChange['isAt'] = ({ exchangeId }, id) => exchangeId === id;
const everywhere = () => true;
const inBox = (edit: Editing, page: object): BoxedEdit => ({ edit, page, isOpen: true });
/** The box of an open page has changed from a question to what is edited there now. */
const changed = (page: object, before: string | undefined, next: Editing | undefined): BoxChange => ({
  page,
  isOpen: true,
  before,
  next,
  isAt,
});

describe('The box of a page for an edited question', () => {
  it('replaces what it had, also when it goes to another question, and nothing of another page', () => {
    const next = withBox([inBox(ONE, OTHER), inBox(ONE, PAGE)], changed(PAGE, 'e1', TWO));
    assert.deepEqual(next, [inBox(ONE, OTHER), inBox(TWO, PAGE)]);
    assert.deepEqual(withBox(next, changed(PAGE, 'e2', undefined)), [inBox(ONE, OTHER)]);
  });

  it('replaces what it was given, of no page', () => {
    assert.deepEqual(withBox([toFree(ONE)], changed(PAGE, 'e1', undefined)), []);
    assert.deepEqual(withBox([toFree(ONE)], changed(PAGE, undefined, ONE)), [inBox(ONE, PAGE)]);
  });

  it('leaves an edit to the next page that its own page does not know of', () => {
    const next = withBox([inBox(ONE, PAGE)], changed(PAGE, undefined, TWO));
    assert.deepEqual(next, [toFree(ONE), inBox(TWO, PAGE)]);
    assert.deepEqual(boxOf(withOpened(next, OTHER, everywhere).edits, OTHER), ONE);
  });

  it('replaces what a page that has left the conversation sends too late, without a box, and nothing of others', () => {
    const edits = withLeft(withLeft([inBox(ONE, OTHER), inBox(ONE, PAGE)], PAGE), OTHER);
    const longer = { ...ONE, text: 'One, and more?' };
    assert.deepEqual(withBox(edits, { ...changed(PAGE, 'e1', longer), isOpen: false }), [
      { edit: ONE, page: OTHER, isOpen: false },
      { edit: longer, page: PAGE, isOpen: false },
    ]);
  });

  it('has one edit when a page opens the conversation, never that of another page that shows it', () => {
    const opened = withOpened([...[ONE, TWO, THREE].map(toFree), inBox(ONE, OTHER)], PAGE, everywhere);
    assert.deepEqual(opened, {
      edits: [toFree(ONE), toFree(TWO), inBox(THREE, PAGE), inBox(ONE, OTHER)],
      left: [toFree(ONE), toFree(TWO)],
    });
    assert.equal(boxOf(withOpened([inBox(ONE, OTHER)], PAGE, everywhere).edits, PAGE), undefined);
  });

  it('is only where a version of its question is shown', () => {
    const isShown = ({ exchangeId }: Editing) => exchangeId !== 'e3';
    assert.deepEqual(withOpened([ONE, THREE].map(toFree), PAGE, isShown), {
      edits: [inBox(ONE, PAGE), toFree(THREE)],
      left: [toFree(THREE)],
    });
  });
});
