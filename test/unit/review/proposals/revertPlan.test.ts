import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toAcceptance } from '../../../../src/review/proposals/openHunks.ts';
import {
  type FileProposal,
  type Proposal,
  toFileProposal,
} from '../../../../src/review/proposals/proposal.ts';
import { withChanges, withCreated, withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { planRevert, type RevertPlan, toTextWithout } from '../../../../src/review/proposals/revertPlan.ts';
import { storedProposal } from '../../../../src/review/proposals/storedProposal.ts';
import { decode } from '../../../../src/validation/decode.ts';
import { askAndAccept, reload, shareText } from '../../../support/review/messages.ts';
import { openWindow } from '../../../support/review/sharedWindow.ts';
import { propose } from '../proposals.ts';

const inProposal = (id: string, ...files: readonly FileProposal[]): Proposal => ({
  id,
  turnId: id,
  conversationId: 'c',
  createdAt: 0,
  files,
  trouble: undefined,
  revises: undefined,
});

/** The file with another text, which the editor reported. */
const edited = (file: FileProposal, find: string, inserted: string): FileProposal => {
  const offset = file.text.indexOf(find);
  assert.notEqual(offset, -1);
  const text = file.text.replace(find, () => inserted);
  return withChanges(file, [{ offset, removed: find.length, inserted }], text);
};

const accepted = (before: string, after: string, wanted?: readonly string[]): FileProposal => {
  const file = propose(before, after);
  const ids = new Set(wanted ?? file.hunks.map(({ hunk }) => hunk.id));
  const changes = toAcceptance(file, ids).edits.map(({ from, to, text }) => ({
    offset: from,
    removed: to - from,
    inserted: text,
  }));
  const text = changes
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (all, { offset, removed, inserted }) => all.slice(0, offset) + inserted + all.slice(offset + removed),
      before,
    );
  return withChanges(file, changes, text);
};

const plan = (text: string, ...files: readonly FileProposal[]): RevertPlan =>
  planRevert(
    files.map((file, index) => inProposal(String(index), file)),
    () => ({ text }),
  );

const next = (made: RevertPlan) => made.files.map((file) => file.next);
const states = (made: RevertPlan) =>
  made.files.flatMap(({ files }) => files.map(({ file }) => file.hunks.map(({ state }) => state).join()));

describe('Taking accepted hunks back', () => {
  it('brings the old lines back where they were, and keeps what was typed elsewhere', () => {
    const file = edited(accepted('a\nb\nc\nd\n', 'A\nb\nc\nD\n'), 'b\n', 'b and more\n');
    const made = plan(file.text, file);
    assert.deepEqual(next(made), ['a\nb and more\nc\nd\n']);
    assert.deepEqual(made.kept, []);
    assert.equal(made.count, 2);
    assert.deepEqual(states(made), ['open,open']);
  });

  it('leaves hunks alone that are open, rejected, or were undone by hand', () => {
    const file = accepted('a\nb\nc\n', 'A\nb\nC\n', ['0']);
    assert.deepEqual(next(plan(file.text, file)), ['a\nb\nc\n']);
    const undone = edited(file, 'A', 'a');
    assert.deepEqual(plan(undone.text, undone), { files: [], kept: [], count: 0 });
  });

  it('takes a hunk back whose lines have lost the white space at their ends, as when a file is saved', () => {
    for (const [before, after] of [
      ['a\nb\nc\n', 'a\nB  \n  \nc\n'],
      ['a  \nc\n', 'a  \nB\n  \nc\n'],
    ] as const) {
      const file = edited(edited(accepted(before, after), '\n  \n', '\n\n'), '  \n', '\n');
      assert.equal(file.text, after.replaceAll(' ', ''));
      const made = plan(file.text, file);
      assert.deepEqual([next(made), made.kept], [[before.replace('  ', '')], []]);
    }
    const changed = edited(accepted('a\nb\n', 'a\n  B  \n'), '  B  ', 'B');
    assert.deepEqual(plan(changed.text, changed).kept.length, 1);
  });

  it('keeps a hunk whose lines were changed by hand, and takes the others back', () => {
    const file = edited(accepted('a\nb\nc\n', 'A\nb\nC\n'), 'C', 'C, but mine');
    const made = plan(file.text, file);
    assert.deepEqual(next(made), ['a\nb\nC, but mine\n']);
    assert.deepEqual(
      made.kept.map(({ hunkId, reason }) => [hunkId, reason]),
      [['1', 'changed']],
    );
    assert.equal(toTextWithout(file, '1', { text: 'a\nb\nC, but mine\n' }), 'a\nb\nc\n');
  });

  it('removes inserted lines also when the line above them was changed by hand', () => {
    const file = edited(accepted('a\nb\n', 'a\nnew\nb\n'), 'a\n', 'a, but mine\n');
    const made = plan(file.text, file);
    assert.deepEqual(next(made), ['a, but mine\nb\n']);
    assert.deepEqual(states(made), ['stale']);
  });

  it('brings deleted lines back, and keeps what was typed in their place', () => {
    const file = accepted('a\nold\nb\n', 'a\nb\n');
    assert.deepEqual(next(plan(file.text, file)), ['a\nold\nb\n']);
    const typed = edited(file, 'b\n', 'mine\nb\n');
    assert.match(next(plan(typed.text, typed))[0] ?? '', /^a\n(old\nmine|mine\nold)\nb\n$/);
  });

  it('takes the last message back first, so that an earlier one is there again', () => {
    const first = accepted('a\nb\n', 'B\nb\n');
    const second = accepted('B\nb\n', 'C\nb\n');
    const made = plan('C\nb\n', first, second);
    assert.deepEqual(next(made), ['a\nb\n']);
    assert.deepEqual([made.count, made.kept], [2, []]);
    assert.equal(made.files[0]?.files.length, 2);
    const alone = plan('C\nb\n', first);
    assert.deepEqual([alone.files, alone.kept.length], [[], 1]);
  });

  it('brings deleted lines back between lines that later hunks had deleted, and below a changed line', () => {
    const first = accepted('a\nb\nc\nd\ne\n', 'a\nb\nd\ne\n');
    const second = accepted(first.text, 'a\nb\ne\n');
    const third = accepted(second.text, 'a\ne\n');
    const earlier = [edited(edited(first, 'd\n', ''), 'b\n', ''), edited(second, 'b\n', '')];
    const all = [...earlier, edited(third, 'e', 'e, but mine')];
    const made = plan('a\ne, but mine\n', ...all);
    assert.deepEqual([next(made), made.kept], [['a\nb\nc\nd\ne, but mine\n'], []]);
  });

  describe('of which later ones have changed lines, after a reload', () => {
    /** Takes all messages back that have led from each text to the next one, after the window was closed. */
    function backTo(...texts: readonly string[]): readonly [text: string | undefined, kept: number] {
      const shared = shareText(texts[0] ?? '');
      const at = openWindow('A', shared);
      for (const text of texts.slice(1)) askAndAccept(at, shared, text);
      const next = reload(at, shared);
      const made = planRevert(next.all(), () => ({ text: next.text(), lineEnd: '\n' }));
      return [made.files[0]?.next, made.kept.length];
    }
    const BASE = 'import a;\n\nrun();\n';
    const BLOCK = 'function sum(list) {\n  return list;\n}\n';

    it('takes added lines back of which one was changed, and below which others were added', () => {
      const added = BASE.replace('a;\n', 'a;\nimport b;\nimport c;\n');
      const later = BASE.replace('a;\n', 'a;\nimport b2;\nimport c;\nimport d;\n');
      assert.deepEqual(backTo(BASE, added, later), [BASE, 0]);
      const start = added.slice('import a;\n'.length);
      assert.deepEqual(backTo('run();\n', start, start.replace('b;', 'b2;').replace('c;', 'c;\nd();')), [
        'run();\n',
        0,
      ]);
    });

    it('takes the lines back that a message has written in an empty file', () => {
      assert.deepEqual(backTo('', BLOCK, `${BLOCK.replace('(list)', '(list = [])')}\nend();\n`), ['', 0]);
      const others = BLOCK.replace('(list)', '(list = [])').replace(/\}\n$/, '}\nend();\n');
      assert.deepEqual(backTo('', BLOCK, others), ['', 0]);
    });

    it('takes lines back that are in the text several times, where they were', () => {
      const first = 'a\nN2\n  c\n}\n';
      assert.deepEqual(backTo('', first, '\nN2\nN3\nN2\n}\na\n  c\n'), ['', 0]);
      const before = 'a\n}\nb\n}\n';
      const one = 'a\n}\nx\n}\nb\n}\n';
      assert.deepEqual(backTo(before, one, 'a\n}\ny\n}\n}\nb\n}\n'), [before, 0]);
    });

    it('takes a hunk back whose last line was changed together with the line below', () => {
      assert.deepEqual(backTo('a\nb\nc\nd\n', 'a\nB1\nB2\nc\nd\n', 'a\nB1\nC2\nC\nd\n'), ['a\nb\nc\nd\n', 0]);
    });
  });

  it('opens an earlier hunk, and has a later one of the same lines outdated until it is accepted again', () => {
    const made = plan('C\nb\n', accepted('a\nb\n', 'B\nb\n'), accepted('B\nb\n', 'C\nb\n'));
    assert.deepEqual(states(made), ['stale', 'open']);
  });

  it('finds unique lines again after a change beside them that was not observed, and no others', () => {
    const unique = accepted('a\nb\nc\n', 'a\nfrom the model\nc\n');
    assert.deepEqual(next(plan('mine\nfrom the model\nc\n', unique)), ['mine\nb\nc\n']);
    const repeated = accepted('a\nb\nc\n}\n', 'a\n}\nc\n}\n');
    assert.deepEqual(plan('mine\n}\nc\n}\n', repeated).files, []);
  });

  it('doesn’t choose between two places with the same lines', () => {
    const file = accepted('a\nb\nc\n', 'a\nnew\nc\n');
    assert.deepEqual(plan('mine\nnew\nc\nnew\n', file).files, []);
    const two = accepted('a\nb\nc\nnew\nd\n', 'a\nnew\nc\nnew\nd\n');
    assert.deepEqual(plan('mine\nnew\nc\nd\n', two).files, []);
  });

  it('takes hunks back that are side by side since the lines between them were deleted', () => {
    const file = edited(edited(accepted('old\nb\nc\n', 'b\nc\nnew\n'), 'b\n', ''), 'c\n', '');
    assert.deepEqual(next(plan(file.text, file)), ['old\n']);
  });

  it('has nothing to do with lines of the same text elsewhere', () => {
    const file = accepted('a\nb\nc\nd\n', 'a\nB\nc\nd\n');
    const moved = plan('a\nc\nd\nB\n', file);
    assert.deepEqual([moved.files, moved.kept.length], [[], 1]);
  });

  it('works with the line ends of the document', () => {
    const file = accepted('a\nb\n', 'a\nB\n');
    const made = planRevert([inProposal('0', file)], () => ({ text: 'a\r\nB\r\nc\r\n', lineEnd: '\r\n' }));
    assert.deepEqual(next(made), ['a\r\nb\r\nc\r\n']);
  });

  it('names files that are gone or can’t be read', () => {
    const file = accepted('a\n', 'A\n');
    for (const reason of ['missing', 'unreadable', 'read-only'] as const) {
      const made = planRevert([inProposal('0', file)], () => reason);
      assert.deepEqual([made.files, made.kept.map((one) => one.reason)], [[], [reason]]);
    }
  });

  it('deletes a file that a hunk created only if nothing was changed in it', () => {
    const fresh = toFileProposal({ ...propose('', 'new\n'), isNew: true });
    const file = withCreated(fresh, 'new\n');
    const made = plan('new\n', file);
    assert.deepEqual(next(made), [undefined]);
    assert.equal(made.files[0]?.files[0]?.file.isNew, true);
    assert.deepEqual(states(made), ['open']);
    const mine = plan('new\nmine\n', file);
    assert.deepEqual([mine.files, mine.kept.length], [[], 1]);
    // A file that was there, but empty, isn't deleted.
    assert.deepEqual(next(plan('new\n', accepted('', 'new\n'))), ['']);
  });

  it('takes back what has a last line end since it was saved', () => {
    for (const after of ['a\nB', 'a\nb\nc']) {
      const text = `${after}\n`;
      const end = { offset: after.length, removed: 0, inserted: '\n' };
      const saved = withChanges(accepted('a\nb', after), [end], text);
      assert.deepEqual(next(plan(text, saved)), ['a\nb\n']);
    }
    // Its white space at the ends of lines was trimmed before that.
    const trimmed = edited(accepted('a\nb', 'a\nB \nC'), 'B ', 'B');
    const both = withChanges(trimmed, [{ offset: 5, removed: 0, inserted: '\n' }], 'a\nB\nC\n');
    assert.deepEqual(next(plan(both.text, both)), ['a\nb\n']);
    const fresh = toFileProposal({ ...propose('', 'new'), isNew: true });
    const made = plan('new\n', withCreated(fresh, 'new'));
    assert.deepEqual([next(made), made.kept], [[undefined], []]);
  });

  it('deletes a file that a hunk created also if its lines have lost the white space at their ends', () => {
    for (const saved of ['new\n\nmore\n', 'new\r\n\r\nmore\r\n']) {
      const fresh = toFileProposal({ ...propose('', 'new  \n  \nmore '), isNew: true });
      const made = plan(saved, withCreated(fresh, 'new  \n  \nmore '));
      assert.deepEqual([next(made), made.kept], [[undefined], []]);
    }
  });

  it('deletes a file that a hunk created with a byte order mark', () => {
    const made = plan(
      'new\n',
      withCreated(toFileProposal({ ...propose('', '\ufeffnew\n'), isNew: true }), 'new\n'),
    );
    assert.deepEqual([next(made), made.kept], [[undefined], []]);
  });

  it('knows after a reload which file a hunk created', () => {
    const file = withCreated(toFileProposal({ ...propose('', 'new\n'), isNew: true }), 'new\n');
    const read = decode(storedProposal, JSON.parse(JSON.stringify(inProposal('0', file))));
    assert.ok(read.ok);
    assert.deepEqual(next(planRevert([read.value], () => ({ text: 'new\n' }))), [undefined]);
  });

  it('replaces only the lines that differ', () => {
    const file = accepted('a\nb\nc\n', 'a\nB\nc\n');
    assert.deepEqual(plan('a\nB\nc\n', file).files[0]?.edits, [{ from: 2, to: 4, text: 'b\n' }]);
  });

  it('is undone with the undo of the editor', () => {
    const made = plan('C\nb\n', accepted('a\nb\n', 'B\nb\n'), accepted('B\nb\n', 'C\nb\n'));
    const back = made.files[0]?.files.map(({ file }) => withText(file, 'C\nb\n', undefined, 'undo'));
    assert.equal(back?.[0]?.hunks[0]?.state, 'accepted');
  });
});
