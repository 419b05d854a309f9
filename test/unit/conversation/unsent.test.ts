import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutTail } from '../../../src/conversation/branches.ts';
import { type Conversation, withExchange } from '../../../src/conversation/conversation.ts';
import {
  type Editing,
  editingIn,
  mergeAttached,
  movedEdits,
  NOTHING_UNSENT,
  reopenDraft,
} from '../../../src/conversation/unsent.ts';
import { conversation, exchange } from '../history/support.ts';

const three = conversation('c1', [
  exchange('e1', 'First', []),
  exchange('e2', 'Second', []),
  exchange('e3', 'Third', []),
]);
const editing = { exchangeId: 'e2', text: 'Second, but shorter' };
const edits = (...otherEdits: readonly Editing[]) => ({ editing, otherEdits });

/** The conversation after another window has edited a question. */
function afterEditOf(exchangeId: string): Conversation {
  return withExchange(withoutTail(three, exchangeId), exchange('new', 'Asked in another window', []));
}

describe('A question that is being edited', () => {
  it('stays at its exchange', () => {
    assert.deepEqual(editingIn(three, editing), editing);
    assert.deepEqual(reopenDraft(three, 'Half', edits()), { draft: 'Half', editing });
  });

  it('is at the version that is shown, after another window edited the same question', () => {
    const moved = { exchangeId: 'new', text: editing.text };
    assert.deepEqual(editingIn(afterEditOf('e2'), editing), moved);
    assert.deepEqual(reopenDraft(afterEditOf('e2'), '', edits()), { draft: '', editing: moved });
  });

  it('is named with its new place, also when another one was edited later, and without one if no version is shown', () => {
    const first = { exchangeId: 'e1', text: 'First, edited' };
    const moved = [{ from: 'e2', to: 'new' }];
    assert.deepEqual(movedEdits(afterEditOf('e2'), { editing: first, otherEdits: [editing] }), moved);
    assert.deepEqual(movedEdits(afterEditOf('e2'), edits(first)), moved);
    assert.deepEqual(movedEdits(afterEditOf('e1'), edits()), [{ from: 'e2', to: undefined }]);
    assert.deepEqual(movedEdits(three, edits(first)), []);
  });

  it('is not shown while no version of it is, and then its text goes to the draft when it is opened again', () => {
    const changed = afterEditOf('e1');
    assert.equal(editingIn(changed, editing), undefined);
    assert.deepEqual(reopenDraft(changed, 'Half', edits()), {
      draft: 'Half\nSecond, but shorter',
      editing: undefined,
    });
    assert.equal(reopenDraft(changed, '', edits()).draft, 'Second, but shorter');
  });

  it('leaves the box to another one when its question is not shown, and each text is kept once', () => {
    const [first, third] = [
      { exchangeId: 'e1', text: 'First, edited' },
      { exchangeId: 'e3', text: 'Third, edited' },
    ];
    assert.deepEqual(reopenDraft(three, 'Half', edits(first, third)), {
      draft: 'Half\nFirst, edited\nThird, edited',
      editing,
    });
    assert.deepEqual(reopenDraft(afterEditOf('e2'), '', { editing: third, otherEdits: [first] }), {
      draft: 'Third, edited',
      editing: first,
    });
  });

  it('changes nothing when there is none', () => {
    assert.deepEqual(reopenDraft(three, 'Half', NOTHING_UNSENT), { draft: 'Half', editing: undefined });
  });
});

describe('What two windows have attached', () => {
  const file = (name: string, text: string) => ({
    kind: 'file' as const,
    label: name,
    uri: `file:///${name}`,
    parts: [{ label: name, text }],
  });
  const withContext = (...context: ReturnType<typeof file>[]) => ({ images: [], context });

  it('is one item for one file, with the text that was read last', () => {
    const before = withContext(file('a.ts', 'one'));
    const now = withContext(file('a.ts', 'two'), file('b.ts', 'b'));
    const stored = withContext(file('c.ts', 'c'), file('a.ts', 'one'));
    assert.deepEqual(
      mergeAttached(before, now, stored),
      withContext(file('c.ts', 'c'), file('a.ts', 'two'), file('b.ts', 'b')),
    );
  });

  it('is all that was selected in one line, and the outputs of commands that begin alike', () => {
    const selection = (text: string) => ({
      kind: 'selection' as const,
      label: 'a.ts:1',
      uri: 'file:///a.ts',
      parts: [{ label: 'a.ts', range: { startLine: 0, endLine: 0 }, text }],
    });
    const output = (command: string) => ({
      kind: 'terminal' as const,
      label: 'Terminal: run…',
      parts: [{ label: `${command}, exit code 0`, text: 'So.' }],
    });
    for (const [one, other] of [
      [selection('one'), selection('other')],
      [output('run a'), output('run b')],
    ] as const) {
      const now = { images: [], context: [one, other] };
      const stored = { images: [], context: [one, file('c.ts', 'c')] };
      assert.deepEqual(mergeAttached({ images: [], context: [one] }, now, stored), {
        images: [],
        context: [one, file('c.ts', 'c'), other],
      });
    }
  });

  it('stays as the other window has it where this one changed nothing', () => {
    const stored = withContext(file('a.ts', 'new'));
    const before = withContext(file('a.ts', 'old'));
    assert.deepEqual(mergeAttached(before, before, stored), stored);
    assert.deepEqual(mergeAttached(stored, withContext(), stored), withContext());
  });

  it('comes back neither when the other window has removed it nor when this one has', () => {
    const both = withContext(file('a.ts', 'a'), file('b.ts', 'b'));
    const merged = mergeAttached(both, withContext(file('b.ts', 'b')), withContext(file('a.ts', 'a')));
    assert.deepEqual(merged, withContext());
  });
});
