import assert from 'node:assert/strict';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { anchorHunks, foldChanges, toTextEdit } from '../../../../src/review/hunks/anchors.ts';
import {
  addedLinesOf,
  deletedLinesOf,
  type Hunk,
  toHunks,
  toLines,
} from '../../../../src/review/hunks/hunks.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';
import { changedText, someText } from '../texts.ts';

/** The text before with some of its hunks accepted. */
function mergeHunks(before: string, hunks: readonly Hunk[], accepted: ReadonlySet<string>): string {
  let text = '';
  let at = 0;
  for (const hunk of hunks) {
    text += before.slice(at, hunk.offset) + (accepted.has(hunk.id) ? hunk.after : hunk.before);
    at = hunk.offset + hunk.before.length;
  }
  return text + before.slice(at);
}

/** The expected merge, computed from the library's own changes: line by line, without hunks, offsets, or anchors. */
function referenceMerge(before: string, after: string, takes: (index: number) => boolean): string {
  let index = -1;
  let inside = false;
  let text = '';
  for (const { value, added, removed } of diffArrays(toLines(before), toLines(after))) {
    if ((added || removed) && !inside) index += 1;
    inside = added || removed;
    if (!inside || (added && takes(index)) || (removed && !takes(index))) text += value.join('');
  }
  return text;
}

describe('The hunks between two texts', () => {
  it('have complete deleted and added lines', () => {
    const [hunk, ...more] = toHunks('one\ntwo\nthree\n', 'one\nTWO\nthree\n');
    assert.deepEqual(more, []);
    assert.deepEqual(hunk, { id: '0', offset: 4, line: 1, before: 'two\n', after: 'TWO\n', lead: 0 });
  });

  it('include the line above when lines are only added', () => {
    const [hunk] = toHunks('one\ntwo\n', 'one\nnew\ntwo\n');
    assert.ok(hunk);
    assert.equal(hunk.line, 0);
    assert.equal(deletedLinesOf(hunk), '');
    assert.equal(addedLinesOf(hunk), 'new\n');
  });

  it('start at the first line when lines are added before it', () => {
    const [hunk] = toHunks('one\n', 'new\none\n');
    assert.deepEqual(hunk, { id: '0', offset: 0, line: 0, before: '', after: 'new\n', lead: 0 });
  });

  it('distinguish a missing line end at the end from an existing one', () => {
    const [hunk] = toHunks('one\ntwo', 'one\ntwo\n');
    assert.equal(hunk?.before, 'two');
    assert.equal(hunk?.after, 'two\n');
  });

  it('keep CRLF and treat a changed line end as a change', () => {
    assert.equal(toHunks('one\r\ntwo\r\n', 'one\r\nTWO\r\n')[0]?.before, 'two\r\n');
    assert.equal(toHunks('one\r\ntwo\r\n', 'one\ntwo\r\n').length, 1);
  });

  it('are none between equal texts, and one between completely different texts', () => {
    assert.deepEqual(toHunks('same\n', 'same\n'), []);
    assert.equal(toHunks('a\nb\n', 'c\nd\n').length, 1);
  });

  it('are one for a merge conflict whose markers go, and stay apart outside it and in one that stays', () => {
    const conflict = (name: string) => `<<<<<<< HEAD\n${name}\n=======\ntheirs\n>>>>>>> topic\n`;
    const kept = 'mine\ntheirs\n';
    const [hunk, ...more] = toHunks(`a\n${conflict('mine')}b\n`, `a\n${kept}b\n`);
    assert.deepEqual(more, []);
    assert.deepEqual([hunk?.line, hunk?.before, hunk?.after], [1, conflict('mine'), kept]);
    const two = `x\n${conflict('mine')}b\n${conflict('other')}y\n`;
    const changes = (after: string) => toHunks(two, after).map(({ before }) => before);
    assert.deepEqual(changes(`X\n${kept}b\n${conflict('other')}Y\n`), [`x\n${conflict('mine')}`, 'y\n']);
    assert.deepEqual(changes(`x\n${kept}b\nother\ntheirs\ny\n`), [conflict('mine'), conflict('other')]);
    assert.deepEqual(changes(two.replace('mine', 'MINE').replace('theirs', 'THEIRS')), [
      'mine\n',
      'theirs\n',
    ]);
    const crlf = conflict('mine').replaceAll('\n', '\r\n');
    assert.deepEqual(
      toHunks(crlf, 'mine\r\ntheirs\r\n').map(({ before }) => before),
      [crlf],
    );
  });

  it('are one for a merge conflict behind which the next one begins at once, and leave that one alone', () => {
    const conflict = (name: string, other = name) =>
      `<<<<<<< HEAD\nmine ${name}\n=======\ntheirs ${other}\n>>>>>>> topic\n`;
    const changes = (before: string, after: string) => toHunks(before, after).map((hunk) => hunk.before);
    const [one, two, three] = [conflict('1'), conflict('2'), conflict('3')];
    assert.deepEqual(changes(one + two, `both\n${two}`), [one]);
    assert.deepEqual(changes(one + two, `${one}both\n`), [two]);
    assert.deepEqual(changes(one + two + three, `${one}both\n${three}`), [two]);
    assert.deepEqual(changes(`a\n${one}${two}`, `a\n${two}`), [one]);
    // The same lines begin both.
    const same = conflict('1', '2');
    assert.deepEqual(changes(one + same, `both\n${same}`), [one]);
    assert.deepEqual(
      changes(`${one}${two}b\n`.replaceAll('\n', '\r\n'), `x\r\n${two}b\n`.replaceAll('\n', '\r\n')),
      [one.replaceAll('\n', '\r\n')],
    );
  });

  it('of a file with many merge conflicts take time in proportion to its length', () => {
    const conflicts = (count: number) => '<<<<<<< a\n=======\n>>>>>>> b\n'.repeat(count);
    assert.ok(growthOf(conflicts, (text) => toHunks(text, `${text}x\n`), 500) < LINEAR);
  });

  it('of merge conflicts give the text before or after, too', () => {
    const line = fc.constantFrom('<<<<<<< a\n', '=======\n', '>>>>>>> b\n', 'x\n', 'y\n', 'z\r\n');
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = toHunks(before, after);
        assert.equal(mergeHunks(before, hunks, new Set(hunks.map(({ id }) => id))), after);
        assert.equal(mergeHunks(before, hunks, new Set()), before);
      }),
    );
  });

  it('split a text into lines that can be joined again', () => {
    fc.assert(fc.property(someText, (text) => toLines(text).join('') === text));
  });

  it('give the new text when all are accepted, and the old text when none is, for any pair of texts', () => {
    fc.assert(
      fc.property(changedText, ({ before, after }) => {
        const hunks = toHunks(before, after);
        assert.equal(mergeHunks(before, hunks, new Set(hunks.map(({ id }) => id))), after);
        assert.equal(mergeHunks(before, hunks, new Set()), before);
      }),
      { numRuns: 10_000 },
    );
  });

  it('are accepted or open after any subset is accepted at once, and all are open after that is undone', () => {
    fc.assert(
      fc.property(changedText, fc.infiniteStream(fc.boolean()), ({ before, after }, dice) => {
        const hunks = toHunks(before, after);
        const chosen = new Set(hunks.filter(() => dice.next().value).map(({ id }) => id));
        const open = anchorHunks(hunks);
        const edits = open.filter(({ hunk }) => chosen.has(hunk.id)).flatMap((one) => toTextEdit(one) ?? []);
        const text = mergeHunks(before, hunks, chosen);
        const done = edits.map(({ from, to, text: inserted }) => ({
          offset: from,
          removed: to - from,
          inserted,
        }));
        const accepted = foldChanges(open, done, before, text);
        for (const { hunk, state } of accepted)
          assert.equal(state, chosen.has(hunk.id) ? 'accepted' : 'open', `hunk ${hunk.id}`);
        let shift = 0;
        const undone = done.map(({ offset, removed, inserted }) => {
          const change = {
            offset: offset + shift,
            removed: inserted.length,
            inserted: before.slice(offset, offset + removed),
          };
          shift += inserted.length - removed;
          return change;
        });
        for (const { hunk, state } of foldChanges(accepted, undone, text, before))
          assert.equal(state, 'open', `hunk ${hunk.id} after undo`);
      }),
      { numRuns: 10_000 },
    );
  });

  it('give the expected merge for any accepted subset in any order', () => {
    fc.assert(
      fc.property(changedText, fc.infiniteStream(fc.nat()), ({ before, after }, dice) => {
        const hunks = toHunks(before, after);
        const order = hunks
          .map((hunk) => ({ hunk, at: dice.next().value as number }))
          .filter(({ at }) => at % 3 !== 0)
          .sort((a, b) => a.at - b.at)
          .map(({ hunk }) => hunk.id);
        let text = before;
        let anchored = anchorHunks(hunks);
        for (const id of order) {
          const edit = anchored
            .map((one) => (one.hunk.id === id ? toTextEdit(one) : undefined))
            .find(Boolean);
          assert.ok(edit, `hunk ${id} can be taken`);
          const next = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
          const change = { offset: edit.from, removed: edit.to - edit.from, inserted: edit.text };
          anchored = foldChanges(anchored, [change], text, next);
          text = next;
        }
        assert.equal(
          text,
          referenceMerge(before, after, (index) => order.includes(String(index))),
        );
        assert.equal(text, mergeHunks(before, hunks, new Set(order)));
        for (const { hunk, state } of anchored)
          assert.equal(state, order.includes(hunk.id) ? 'accepted' : 'open');
      }),
      { numRuns: 10_000 },
    );
  });
});
