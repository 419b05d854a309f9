import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { withLineEnd } from '../../../../src/review/edits/editPlacement.ts';
import { toTextEdit } from '../../../../src/review/hunks/anchors.ts';
import { toOpenText } from '../../../../src/review/proposals/openHunks.ts';
import {
  countHunks,
  type FileProposal,
  isUnderReview,
  type Proposal,
  toFileProposal,
  withFile,
  withRejected,
  withReplaced,
  withRestored,
} from '../../../../src/review/proposals/proposal.ts';
import { withChanges, withCreated, withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { propose } from '../proposals.ts';
import { changedText } from '../texts.ts';

function type(
  file: FileProposal,
  offset: number,
  removed: number,
  inserted: string,
  reason: 'undo' | 'edit' = 'edit',
): FileProposal {
  const text = file.text.slice(0, offset) + inserted + file.text.slice(offset + removed);
  return withChanges(file, [{ offset, removed, inserted }], text, undefined, reason);
}

const states = (file: FileProposal) => file.hunks.map(({ state }) => state);

describe('The proposal for a file', () => {
  const file = propose('a\nb\nc\nd\ne\n', 'a\nB\nc\nD\ne\n');

  it('counts its hunks by state', () => {
    const some = withRejected(type(file, 2, 1, 'B'), new Set(['1']));
    assert.deepEqual(countHunks(some), { open: 0, accepted: 1, rejected: 1, stale: 0 });
  });

  it('has the hunks of lines whose white space at their ends is trimmed, as when a file is saved', () => {
    for (const end of ['\n', '\r\n']) {
      const to = (text: string) => withLineEnd(text, end as '\n');
      const spaced = propose(to('a\nb  \nc\n'), to('a\nB\nc\n'));
      const trimmed = type(spaced, 2 + end.length, 2, '');
      assert.deepEqual([states(trimmed), toOpenText(trimmed)], [['open'], to('a\nB\nc\n')]);
      const undone = type(trimmed, 2 + end.length, 0, '  ', 'undo');
      assert.deepEqual([states(undone), toOpenText(undone)], [['open'], to('a\nB\nc\n')]);
      assert.deepEqual(states(type(trimmed, 1 + end.length, 1, 'x')), ['stale']);
    }
    const below = type(propose('a  \nc\n', 'a  \nb\nc\n'), 1, 2, '');
    assert.deepEqual([states(below), toOpenText(below)], [['open'], 'a\nb\nc\n']);
    assert.deepEqual(states(type(propose('a\nb \n', 'a\nB\n'), 2, 2, 'x')), ['stale']);
    // Another window has undone it, and saved.
    const spaced = propose('a\nb \n', 'a\nB\n');
    assert.deepEqual(states(type(type(spaced, 2, 2, 'B'), 2, 1, 'b')), ['open']);
  });

  it('has the hunks of lines that were trimmed while the file was closed', () => {
    const spaced = propose('a\nb  \nc\nd\n', 'a\nB\nc\nD\n');
    const trimmed = withText(spaced, 'a\nb\nc\nd\n');
    assert.deepEqual([states(trimmed), toOpenText(trimmed)], [['open', 'open'], 'a\nB\nc\nD\n']);
    assert.deepEqual(states(withText(spaced, 'a\nb \nc\nd\n')), ['stale', 'open']);
  });

  it('has the hunk of a last line that is trimmed and gets its line end, as by the hooks of Git', () => {
    const spaced = propose('a\nb  ', 'a\nB');
    const edited = withChanges(spaced, [{ offset: 3, removed: 2, inserted: '\n' }], 'a\nb\n');
    for (const saved of [withText(spaced, 'a\nb\n'), edited])
      assert.deepEqual([states(saved), toOpenText(saved)], [['open'], 'a\nB\n']);
  });

  it('has the hunks of lines of which only some are trimmed, as all but that of the cursor are by auto save', () => {
    const spaced = propose('a\nb  \nc \nd\n', 'a\nB\nC\nd\n');
    const some = type(spaced, 7, 1, '');
    assert.deepEqual([states(some), toOpenText(some)], [['open'], 'a\nB\nC\nd\n']);
    const all = type(some, 3, 2, '');
    assert.deepEqual([states(all), toOpenText(all)], [['open'], 'a\nB\nC\nd\n']);
  });

  it('has its rejected hunks again when they are restored, where their lines are', () => {
    const rejected = withRejected(file, new Set(['0', '1']));
    assert.deepEqual(withRestored(rejected), file);
    const typed = withRestored(type(rejected, 6, 1, 'x'));
    assert.deepEqual(states(typed), ['open', 'stale']);
    assert.deepEqual(states(type(typed, 6, 1, 'd')), ['open', 'open']);
    const torn = withRestored(type(rejected, 1, 3, ''));
    assert.deepEqual(states(torn), ['stale', 'open']);
  });

  it('has its restored hunks also after undo and redo, and keeps what was accepted', () => {
    const typed = type(withRejected(file, new Set(['0', '1'])), 0, 0, 'x');
    const undone = type(withRestored(typed), 0, 1, '', 'undo');
    assert.deepEqual(states(undone), ['open', 'open']);
    const some = withRejected(type(file, 2, 1, 'B'), new Set(['1']));
    assert.deepEqual(states(withRestored(some)), ['accepted', 'open']);
  });

  it('is restored when a change across a hunk is undone', () => {
    const cut = type(file, 1, 3, '');
    assert.deepEqual(states(cut), ['stale', 'open']);
    assert.deepEqual(states(type(cut, 1, 0, '\nb\n')), ['open', 'open']);
  });

  const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(6), fc.constantFrom('', 'x', '\n', 'y\nz', '}\n')), {
    minLength: 1,
    maxLength: 6,
  });
  type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

  /** Types something and takes it back, the last edit first: with Undo, or by typing. */
  function assertRestored(before: string, after: string, typed: Edits, reason: 'undo' | 'edit'): void {
    let edited = propose(before, after);
    const initial = states(edited);
    const undo: (readonly [number, number, string])[] = [];
    for (const [at, count, inserted] of typed) {
      const offset = at % (edited.text.length + 1);
      const removed = Math.min(count, edited.text.length - offset);
      undo.push([offset, inserted.length, edited.text.slice(offset, offset + removed)]);
      edited = type(edited, offset, removed, inserted);
    }
    for (const [offset, removed, inserted] of undo.reverse())
      edited = type(edited, offset, removed, inserted, reason);
    assert.equal(edited.text, before);
    assert.deepEqual(states(edited), initial);
  }

  // Editors use one kind of line end in a text.
  const texts = changedText.map(
    ({ before, after }) => [withLineEnd(before, '\n'), withLineEnd(after, '\n')] as const,
  );

  it('is restored when changes are undone step by step', () => {
    fc.assert(
      fc.property(texts, edits, ([before, after], typed) => assertRestored(before, after, typed, 'undo')),
      { numRuns: 3000 },
    );
  });

  it('is restored when changes are taken back by typing, if no line is there twice', () => {
    const linesOf = (text: string) => text.split(/(?<=\n)/);
    fc.assert(
      fc.property(texts, edits, ([before, after], typed) => {
        // To delete one of two equal lines, or to type one beside the other, is what a hunk does as well:
        // also the last line, which may have no line end.
        const written = typed.flatMap(([, , inserted]) =>
          linesOf(inserted).filter((line) => line.endsWith('\n')),
        );
        for (const text of [before, after]) {
          const lines = [...linesOf(text), ...new Set(written)].map((line) => line.trimEnd());
          fc.pre(new Set(lines).size === lines.length);
        }
        assertRestored(before, after, typed, 'edit');
      }),
      { numRuns: 3000 },
    );
  });

  it('is restored when the last line was deleted in parts, and is typed again with the line end before it', () => {
    const deleted = type(type(propose('a\nbc', 'a'), 2, 1, ''), 1, 2, '');
    assert.deepEqual(states(deleted), ['accepted']);
    assert.deepEqual(states(type(type(deleted, 1, 0, '\nc'), 2, 0, 'b')), ['open']);
  });

  it('is restored when the last line end was deleted with other letters, and they are typed again', () => {
    const accepted = type(type(propose('b\n', 'b'), 1, 0, 'x'), 1, 2, '');
    assert.deepEqual(states(accepted), ['accepted']);
    const typed = type(type(accepted, 1, 0, 'x\n'), 1, 1, '');
    assert.equal(typed.text, 'b\n');
    assert.deepEqual(states(typed), ['open']);
  });

  it('is accepted when accepting it leads back to an earlier text', () => {
    const typed = type(propose('x\n', ''), 0, 0, 'x\n');
    assert.deepEqual(states(typed), ['open']);
    const accepted = type(typed, 2, 2, '');
    assert.equal(accepted.text, 'x\n');
    assert.deepEqual(states(accepted), ['accepted']);
  });

  it('stays open when other lines are changed to an earlier text in which it was lost', () => {
    const cut = type(propose('x\n ', ' '), 1, 2, '\n');
    assert.deepEqual(states(cut), ['stale']);
    const back = type(cut, 1, 1, '\n ');
    assert.deepEqual(states(back), ['open']);
    const other = type(back, 2, 1, '');
    assert.equal(other.text, cut.text);
    assert.deepEqual(states(other), ['open']);
  });

  it('is restored where it was when equal lines are typed and others deleted', () => {
    const typed = type(type(propose('\n\n', '\n\na\n'), 2, 0, '\n'), 0, 1, '');
    assert.equal(typed.text, '\n\n');
    assert.deepEqual(
      typed.hunks.map(({ from, to, state }) => [from, to, state]),
      [[1, 2, 'open']],
    );
  });

  describe('of a text without a last line end', () => {
    const last = propose('a\nb', 'A\nB');
    const accepted = (one: FileProposal) => {
      const edit = one.hunks[0] && toTextEdit(one.hunks[0]);
      assert.ok(edit);
      return type(one, edit.from, edit.to - edit.from, edit.text).text;
    };

    it('is open, accepted, and rejected as before when it gets one', () => {
      for (const end of ['\n', '\nc', '\n\n']) {
        const open = type(last, 3, 0, end);
        assert.deepEqual([states(open), accepted(open)], [['open'], `A\nB${end}`]);
        assert.deepEqual(states(type(open, 3, end.length, '', 'undo')), ['open']);
        assert.deepEqual(states(type(type(last, 0, 3, 'A\nB'), 3, 0, end)), ['accepted']);
        assert.deepEqual(states(type(withRejected(last, new Set(['0'])), 3, 0, end)), ['rejected']);
      }
    });

    it('is so with hunks of its last lines that add or delete some', () => {
      for (const [after, expected] of [
        ['a\nb\nc', 'a\nb\nc\n'],
        ['a\n', 'a\n'],
        ['a', 'a\n'],
      ] as const) {
        const saved = type(propose('a\nb', after), 3, 0, '\n');
        assert.deepEqual([states(saved), accepted(saved)], [['open'], expected]);
      }
    });

    it('is accepted when it only adds the end, and the user types it', () => {
      for (const [end, expected] of [
        ['\n', 'accepted'],
        ['\nc', 'accepted'],
        ['c', 'stale'],
      ] as const) {
        const ended = propose('a\nb', 'a\nb\n');
        const typed = type(ended, 3, 0, end);
        assert.deepEqual([states(typed), typed.text], [[expected], `a\nb${end}`]);
        assert.deepEqual(states(type(typed, 3, end.length, '', 'undo')), ['open']);
        // What was rejected is accepted when the user types it.
        const again = type(withRejected(ended, new Set(['0'])), 3, 0, end);
        assert.deepEqual(states(again), [expected === 'accepted' ? expected : 'rejected']);
      }
    });

    it('ends with the text when the lines behind it are deleted, and the one above them is the last one', () => {
      const cut = type(withText(propose('b', ''), 'b\nb\na'), 2, 3, '');
      assert.deepEqual([cut.hunks[0]?.from, cut.hunks[0]?.to, cut.text], [0, 2, 'b\n']);
      assert.deepEqual([states(cut), accepted(cut)], [['open'], '']);
    });

    it('has the line ends of the text', () => {
      const crlf = type(propose('a\r\nb', 'a\r\nB'), 4, 0, '\r\n');
      assert.deepEqual([states(crlf), accepted(crlf)], [['open'], 'a\r\nB\r\n']);
    });

    it('is open when another program adds one, or a formatter replaces the text', () => {
      assert.deepEqual(states(withText(last, 'a\nb\n')), ['open']);
      assert.deepEqual(states(type(last, 0, 3, 'a\nb\n')), ['open']);
      assert.deepEqual(states(withText(last, 'a\nc\n')), ['stale']);
    });

    it('keeps its hunks above the last line', () => {
      const saved = type(propose('a\nb\nc', 'A\nb\nC'), 5, 0, '\n');
      assert.deepEqual([states(saved), accepted(saved)], [['open', 'open'], 'A\nb\nc\n']);
    });
  });

  it('keeps rejected hunks after an undo', () => {
    const cut = withRejected(type(file, 1, 3, ''), new Set(['0']));
    assert.deepEqual(states(type(cut, 1, 0, '\nb\n')), ['rejected', 'open']);
  });

  it('keeps rejected hunks after the undo of a formatter, also if their lines are elsewhere in its text', () => {
    const text = '}\n}\n}\nü\n  b\n}\n}';
    const inserting = propose(text, `ü\n  b\n${text}`);
    const formatted = type(inserting, 0, text.length, '}\n}\n}\nü\n}\n  b\n}\n}');
    const rejected = withRejected(formatted, new Set(['0']));
    assert.deepEqual(states(type(rejected, 0, rejected.text.length, text, 'undo')), ['rejected']);
  });

  it('is placed in the text found after a reload', () => {
    assert.deepEqual(states(withText(file, 'new\na\nb\nc\nD\ne\n')), ['open', 'accepted']);
  });

  it('keeps its states when the line ends change', () => {
    const accepted = withRejected(type(file, 2, 1, 'B'), new Set(['1']));
    const crlf = accepted.text.replaceAll('\n', '\r\n');
    const changed = withChanges(
      accepted,
      [{ offset: 0, removed: accepted.text.length, inserted: crlf }],
      crlf,
    );
    assert.deepEqual(states(changed), ['accepted', 'rejected']);
    const open = withText(file, file.text.replaceAll('\n', '\r\n'));
    assert.deepEqual(states(open), ['open', 'open']);
    const first = open.hunks[0];
    assert.ok(first);
    assert.equal(open.text.slice(first.from, first.to), first.hunk.before);
    assert.equal(first.hunk.after, 'B\r\n');
  });

  describe('in a document with CRLF whose text has no line end', () => {
    const inCrlf = (before: string, after: string, lineEnd: '\r\n' | undefined): FileProposal =>
      toFileProposal({ ...propose(before, after), before, after, lineEnd });
    const accept = (one: FileProposal): FileProposal => {
      const edit = one.hunks[0] && toTextEdit(one.hunks[0]);
      assert.ok(edit);
      const text = withLineEnd(one.text.slice(0, edit.from) + edit.text + one.text.slice(edit.to), '\r\n');
      // Editors insert a text with the line ends of the document.
      const inserted = withLineEnd(edit.text, '\r\n');
      return withChanges(one, [{ offset: edit.from, removed: edit.to - edit.from, inserted }], text, '\r\n');
    };

    for (const [before, after] of [
      ['', 'a\nb\n'],
      ['a', 'a\nb'],
      ['a', 'b\nc\n'],
      ['a', 'new\na'],
    ] as const) {
      it(`is accepted as a whole, and open again after undo: ${JSON.stringify([before, after])}`, () => {
        // Earlier versions did not store the line end, and made the hunks with LF.
        for (const one of [
          inCrlf(before, withLineEnd(after, '\r\n'), '\r\n'),
          inCrlf(before, after, undefined),
        ]) {
          const accepted = accept(one);
          assert.deepEqual(states(accepted), ['accepted']);
          assert.equal(accepted.text, accepted.after);
          const undone = withChanges(
            accepted,
            [{ offset: 0, removed: accepted.text.length, inserted: before }],
            before,
            '\r\n',
          );
          assert.deepEqual(states(undone), ['open']);
          assert.deepEqual(states(accept(undone)), ['accepted']);
        }
      });
    }

    it('is accepted after the line end of the document was changed', () => {
      const changed = withChanges(inCrlf('a', 'a\nb', undefined), [], 'a', '\r\n');
      assert.equal(changed.hunks[0]?.hunk.after, 'a\r\nb');
      assert.deepEqual(states(accept(changed)), ['accepted']);
    });

    it('is open again when all text was deleted and that is undone', () => {
      const crlf = propose('a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n');
      const deleted = type(crlf, 0, 9, '');
      assert.deepEqual(states(deleted), ['stale']);
      assert.deepEqual(states(type(deleted, 0, 0, 'a\r\nb\r\nc\r\n')), ['open']);
    });
  });

  it('is accepted when the new file is created with the same text, otherwise placed in its text', () => {
    const fresh = { ...propose('', 'all\nnew\n'), isNew: true };
    assert.deepEqual(states(withCreated(fresh, 'all\r\nnew\r\n')), ['accepted']);
    const other = withCreated(fresh, 'all\nold\n');
    assert.deepEqual(states(other), ['open']);
    assert.equal(other.isNew, false);
  });

  it('is accepted when the new file begins with a byte order mark, which isn’t in the text of its document', () => {
    for (const after of ['\ufeffall\nnew\n', '\ufeffall\nnew  ', '\ufeffall\nnew']) {
      const fresh = { ...propose('', after), isNew: true };
      assert.deepEqual(states(withCreated(fresh, 'all\nnew\n')), ['accepted'], JSON.stringify(after));
    }
    assert.deepEqual(states(withCreated({ ...propose('', '\ufeffall\n'), isNew: true }, 'old\n')), ['open']);
  });

  it('changes nothing in a file that wasn’t there or couldn’t be read, when there is one', () => {
    const edit = { find: 'a', replace: 'b' };
    const unread = { ...propose('', ''), isNew: true, unplaced: [{ edit, reason: 'refused' as const }] };
    assert.equal(withCreated(unread, 'all\nold\n'), unread);
  });

  it('has the differences from the first text that is written into its new file, which someone else created empty', () => {
    const fresh = toFileProposal({
      ...{ uri: 'file:///u.ts', label: 'u.ts', isNew: true, asked: undefined, unplaced: [] },
      ...{ before: '', after: 'a\nb\n' },
    });
    const empty = withCreated(fresh, '', '\n');
    assert.deepEqual([states(empty), empty.created], [['open'], false]);
    const written = type(empty, 0, 0, 'a\nc\n');
    assert.deepEqual([states(written), toOpenText(written)], [['open'], 'a\nb\n']);
    // A dialog about the whole file must not decide about this hunk.
    assert.notEqual(written.hunks[0]?.hunk.id, empty.hunks[0]?.hunk.id);
    const deleted = type(written, 0, 4, '');
    assert.deepEqual([states(deleted), toOpenText(deleted)], [['open'], 'a\nb\n']);
    const accepted = type(written, 2, 2, 'b\n');
    assert.deepEqual([states(accepted), accepted.created], [['accepted'], false]);
    assert.deepEqual(states(type(accepted, 2, 2, 'c\n', 'undo')), ['open']);
    const rejected = withRejected(written, new Set(written.hunks.map(({ hunk }) => hunk.id)));
    assert.deepEqual(states(type(rejected, 0, 4, '')), ['rejected']);
  });

  it('never deletes later text in its new file that someone else created empty', () => {
    const fresh = toFileProposal({
      ...{ uri: 'file:///u.ts', label: 'u.ts', isNew: true, asked: undefined, unplaced: [] },
      ...{ before: '', after: 'a\nb\n' },
    });
    const typed = [...'mine\n'].reduce(
      (file, letter, at) => type(file, at, 0, letter),
      withCreated(fresh, '', '\n'),
    );
    assert.deepEqual([states(typed), toOpenText(typed)], [['stale'], 'mine\n']);
  });

  it('stays rejected when someone creates the new file with another text', () => {
    const fresh = { ...propose('', 'all\nnew\n'), isNew: true };
    const created = withCreated(withRejected(fresh, new Set(['0'])), 'all\nold\n');
    assert.deepEqual(states(created), ['rejected']);
    assert.equal(created.isNew, false);
  });

  it('is found by its lines when the text was changed before without a report', () => {
    const accepted = type(propose('', 'a\nb\n'), 0, 0, 'a\nb\n');
    const changed = withChanges(accepted, [{ offset: 0, removed: 2, inserted: 'z\n' }], 'z\n');
    assert.deepEqual(
      changed.hunks.map(({ from, to, state }) => [from, to, state]),
      [[0, 2, 'accepted']],
    );
  });

  it('follows the lines that the question was about', () => {
    const asked = { ...file, asked: { from: 2, to: 8 } };
    assert.deepEqual(type(asked, 0, 0, 'xx').asked, { from: 4, to: 10 });
    assert.deepEqual(type(asked, 4, 0, 'xx').asked, { from: 2, to: 10 });
    assert.deepEqual(type(asked, 9, 0, 'xx').asked, { from: 2, to: 8 });
    assert.deepEqual(type(asked, 0, 2, '').asked, { from: 0, to: 6 });
  });

  it('takes in what replaces the beginning or the end of the lines that the question was about', () => {
    const asked = { ...file, asked: { from: 2, to: 8 } };
    assert.deepEqual(type(asked, 1, 3, '').asked, { from: 1, to: 5 });
    assert.deepEqual(type(asked, 2, 0, 'xx').asked, { from: 2, to: 10 });
    assert.deepEqual(type(asked, 6, 4, '').asked, { from: 2, to: 6 });
  });
});

describe('A proposal', () => {
  const proposal: Proposal = {
    id: 'p',
    turnId: 't',
    conversationId: 'c',
    createdAt: 0,
    files: [propose('a\n', 'b\n')],
    trouble: undefined,
    revises: undefined,
  };

  it('is under review until every hunk is decided or replaced', () => {
    assert.equal(isUnderReview(proposal), true);
    assert.equal(isUnderReview(withReplaced(proposal, { ...proposal, id: 'q' })), false);
    assert.equal(
      isUnderReview(withFile(proposal, 'file:///a', (file) => withRejected(file, new Set(['0'])))),
      false,
    );
  });

  it('is replaced only in the files that a later one changes', () => {
    const two = {
      ...proposal,
      files: [propose('a\n', 'b\n'), { ...propose('a\n', 'b\n'), uri: 'file:///b' }],
    };
    const nothing = { id: 'q', files: [propose('a\n', 'a\n')] };
    assert.equal(withReplaced(two, nothing), two);
    const later = withReplaced(two, { id: 'q', files: [propose('a\n', 'c\n')] });
    assert.deepEqual(
      later.files.map(({ replacedBy }) => replacedBy),
      ['q', undefined],
    );
    assert.equal(isUnderReview(later), true);
  });

  it('is the same object when nothing changed', () => {
    assert.equal(
      withFile(proposal, 'file:///a', (file) => withText(file, 'a\n')),
      proposal,
    );
    assert.equal(
      withFile(proposal, 'file:///b', (file) => withText(file, 'x')),
      proposal,
    );
  });
});
