import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { underReviewIn } from '../../../../src/review/proposals/proposalSet.ts';
import {
  accept,
  ask,
  askAndAccept,
  fileIn,
  reload,
  revert,
  shareText,
  statesIn,
  type,
} from '../../../support/review/messages.ts';
import { type EditorWindow, openWindow } from '../../../support/review/sharedWindow.ts';

const shown = (at: EditorWindow) => underReviewIn(at.all()).map(({ proposal }) => proposal.id);

/** Texts before and after a message, after the next one that takes one of its hunks back, and after all of that is reverted. */
const CASES = [
  ['a change', 'h\nX\nm\nP\nt\n', 'h\nY\nm\nQ\nt\n', 'h\nX\nm\nQ\nt\n'],
  ['added lines', 'a\nb\nP\n', 'a\nlog();\nb\nQ\n', 'a\nb\nQ\n'],
  ['a line that is added again below its own copy', 'a\nb\nP\n', 'a\na\nb\nQ\n', 'a\nb\nQ\n'],
  ['added lines at the start', 'b\nP\n', 'log();\nb\nQ\n', 'b\nQ\n'],
  ['deleted lines', 'a\nlog();\nb\nP\n', 'a\nb\nQ\n', 'a\nlog();\nb\nQ\n'],
] as const;

describe('A hunk whose original lines an accepted hunk of a later message has put back', () => {
  for (const [what, first, second, third] of CASES)
    it(`stays decided, and all is as it was before when both are reverted: ${what}`, () => {
      const shared = shareText(first);
      const at = openWindow('A', shared);
      const one = askAndAccept(at, shared, second);
      const two = askAndAccept(at, shared, third);
      assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['accepted']]);
      assert.deepEqual(shown(at), []);
      assert.deepEqual(revert(at, one, two), [3, 0]);
      assert.equal(at.text(), first);
    });

  const [, before, both, back] = CASES[0];
  function begin() {
    const shared = shareText(before);
    const at = openWindow('A', shared);
    const one = askAndAccept(at, shared, both);
    const two = askAndAccept(at, shared, back);
    return { shared, at, one, two };
  }

  it('is not written again by Accept All, and keeps its state when text is typed elsewhere', () => {
    const { shared, at, one } = begin();
    const three = ask(at, shared, back.replace('m', 'M'));
    type(at, 'm', 'm and more');
    accept(at, one);
    assert.equal(at.text(), back.replace('m', 'm and more'));
    assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['accepted'], ['stale']]);
    assert.deepEqual(shown(at), [three]);
  });

  it('is accepted again when the later one is undone, open when its own acceptance is undone, and decided again after redo', () => {
    const { at } = begin();
    at.undo();
    assert.deepEqual([at.text(), statesIn(at)], [both, [['accepted', 'accepted'], ['open']]]);
    at.undo();
    assert.deepEqual([at.text(), statesIn(at)[0]], [before, ['open', 'open']]);
    at.redo();
    at.redo();
    assert.deepEqual([at.text(), statesIn(at)], [back, [['put back', 'accepted'], ['accepted']]]);
  });

  it('is accepted again when the later one is reverted alone or undone by typing, and open when its own lines are typed', () => {
    const { at, one, two } = begin();
    assert.deepEqual(revert(at, two), [1, 0]);
    assert.deepEqual([at.text(), statesIn(at)], [both, [['accepted', 'accepted'], ['open']]]);
    accept(at, two);
    assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['accepted']]);
    type(at, 'X', 'Y');
    assert.deepEqual(statesIn(at), [['accepted', 'accepted'], ['open']]);
    at.changeFile(two, (file) => ({
      ...file,
      hunks: file.hunks.map((hunk) => ({ ...hunk, state: 'rejected' })),
    }));
    type(at, 'Y', 'X');
    assert.deepEqual(fileIn(at, one).hunks[0]?.state, 'open');
  });

  it('is kept when its own message is reverted alone, also if only an equal line is there', () => {
    const { at, one } = begin();
    assert.deepEqual(revert(at, one), [1, 1]);
    assert.equal(at.text(), before);
    const shared = shareText('a\nb\n');
    const other = openWindow('A', shared);
    const doubled = askAndAccept(other, shared, 'a\na\nb\n');
    askAndAccept(other, shared, 'a\nb\n');
    assert.deepEqual(revert(other, doubled), [0, 1]);
    assert.equal(other.text(), 'a\nb\n');
  });

  it('is taken back once with the later one, and both are as before when that revert is undone', () => {
    const { at, one, two } = begin();
    revert(at, one, two);
    assert.deepEqual(statesIn(at), [['open', 'open'], ['stale']]);
    type(at, 'm', 'M');
    assert.deepEqual(statesIn(at), [['open', 'open'], ['stale']]);
    at.undo();
    at.undo();
    assert.deepEqual([at.text(), statesIn(at)], [back, [['put back', 'accepted'], ['accepted']]]);
    assert.deepEqual(revert(at, one, two), [3, 0]);
    assert.equal(at.text(), before);
  });

  it('stays so after a reload, also with other changes of the file in between', () => {
    const { shared, at, one, two } = begin();
    reload(at, shared);
    shared.disk = `new\n${back}`;
    const next = openWindow('A', shared);
    assert.deepEqual(statesIn(next), [['put back', 'accepted'], ['accepted']]);
    type(next, 'm', 'M');
    assert.deepEqual(statesIn(next), [['put back', 'accepted'], ['accepted']]);
    assert.deepEqual(revert(next, one, two), [3, 0]);
    assert.equal(next.text(), `new\n${before.replace('m', 'M')}`);
  });

  it('is taken back with a third one that does it again, and with one that takes that back', () => {
    const { shared, at, one, two } = begin();
    const three = askAndAccept(at, shared, both);
    assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['put back'], ['accepted']]);
    const four = askAndAccept(at, shared, back);
    assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['put back'], ['put back'], ['accepted']]);
    assert.deepEqual(shown(at), []);
    at.undo();
    at.undo();
    assert.deepEqual(statesIn(at).slice(0, 3), [['put back', 'accepted'], ['accepted'], ['open']]);
    at.redo();
    at.redo();
    assert.deepEqual(revert(at, one, two, three, four), [5, 0]);
    assert.equal(at.text(), before);
  });

  it('stays accepted when only some of its lines are put back, and the others are reverted', () => {
    const texts = ['a\nX1\nX2\nX3\nb\n', 'a\nY1\nY2\nY3\nb\n', 'a\nX1\nY2\nX3\nb\n'] as const;
    const shared = shareText(texts[0]);
    const at = openWindow('A', shared);
    const one = askAndAccept(at, shared, texts[1]);
    const two = ask(at, shared, texts[2]);
    accept(at, two, '0');
    accept(at, two, '1');
    assert.deepEqual(statesIn(at), [['accepted'], ['accepted', 'accepted']]);
    assert.deepEqual(revert(at, one, two), [3, 0]);
    assert.equal(at.text(), texts[0]);
  });

  it('is put back by the last of several hunks that are accepted one by one', () => {
    const texts = ['a\nX1\nm\nX3\nb\n', 'a\nY1\nm\nY3\nb\n', 'a\nX1\nm\nX3\nb\n'] as const;
    const shared = shareText(texts[0]);
    const at = openWindow('A', shared);
    const one = askAndAccept(at, shared, texts[1]);
    const two = ask(at, shared, texts[2]);
    accept(at, two, '0');
    assert.deepEqual(statesIn(at), [
      ['put back', 'accepted'],
      ['accepted', 'open'],
    ]);
    accept(at, two, '1');
    assert.deepEqual(statesIn(at), [
      ['put back', 'put back'],
      ['accepted', 'accepted'],
    ]);
    assert.deepEqual(revert(at, one, two), [4, 0]);
    assert.equal(at.text(), texts[0]);
  });

  it('stays so when a formatter replaces the complete text', () => {
    const { at, one, two } = begin();
    at.change([{ offset: 0, removed: back.length, inserted: `// Formatted.\n${back}` }]);
    assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['accepted']]);
    assert.deepEqual(revert(at, one, two), [3, 0]);
    assert.equal(at.text(), `// Formatted.\n${before}`);
  });

  it('is decided in another window, too, whether that knows the later message before the file is saved or not', () => {
    for (const isKnown of [true, false]) {
      const shared = shareText(before);
      const [at, other] = [openWindow('A', shared), openWindow('B', shared)];
      const one = askAndAccept(at, shared, both);
      at.save();
      at.flush();
      other.diskChanged();
      other.focus();
      const two = ask(at, shared, back);
      if (isKnown) {
        at.flush();
        other.focus();
      }
      accept(at, two);
      at.save();
      other.diskChanged();
      at.flush();
      other.focus();
      assert.deepEqual(statesIn(other), [['put back', 'accepted'], ['accepted']]);
      other.flush();
      at.focus();
      assert.deepEqual(statesIn(at), [['put back', 'accepted'], ['accepted']]);
      assert.deepEqual(revert(other, one, two), [3, 0]);
      assert.equal(other.text(), before);
    }
  });

  it('stays so when its lines were changed before the later one deletes them', () => {
    const shared = shareText('a\nb\n');
    const at = openWindow('A', shared);
    askAndAccept(at, shared, 'a\nlog();\nb\n');
    type(at, 'log', 'trace');
    askAndAccept(at, shared, 'a\nb\n');
    assert.deepEqual(statesIn(at), [['put back'], ['accepted']]);
    assert.deepEqual(shown(at), []);
  });

  it('is open when another window has undone it and accepted a hunk below it', () => {
    const shared = shareText('a\nb\nc\nd\n');
    const at = openWindow('A', shared);
    askAndAccept(at, shared, 'a\nB\nc\nd\n');
    const two = ask(at, shared, 'a\nB\nC\nd\n');
    at.save();
    at.flush();
    const other = openWindow('B', shared);
    type(other, 'B', 'b');
    accept(other, two);
    other.save();
    at.diskChanged();
    assert.deepEqual([at.text(), statesIn(at)], ['a\nb\nC\nd\n', [['open'], ['accepted']]]);
  });

  it('is open when its original lines are back but for a line between them, which a later message deletes', () => {
    const shared = shareText('a\nX1\nX2\nb\n');
    const at = openWindow('A', shared);
    askAndAccept(at, shared, 'a\nY\nb\n');
    type(at, 'Y', 'X1\nmine\nX2');
    askAndAccept(at, shared, 'a\nX1\nX2\nb\n');
    assert.deepEqual(statesIn(at), [['open'], ['accepted']]);
  });
});
