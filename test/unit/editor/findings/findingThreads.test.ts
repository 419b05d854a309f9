import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commentThreads, EventEmitter, languages, Uri } from '../../../support/editorStub.ts';
import { plainControllers, renewals } from '../../../support/plainControllers.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findingOf, registerFindingThreads } = await withEditorStub(
  () => import('../../../../src/editor/findings/findingThreads.ts'),
);

const finding = {
  severity: 'error',
  claim: 'No.',
  evidence: 'x',
  edit: undefined as { find: string; replace: string } | undefined,
};
const at = (id: string, line: number, uri = 'file:///a.ts') => ({
  id,
  uri: Uri.parse(uri),
  startLine: line,
  endLine: line,
  finding,
  stale: false,
});

describe('The threads of findings', () => {
  let open: ReturnType<typeof at>[];
  /** The IDs of findings whose file or conversation is deleted. */
  let gone: string[];
  let changed: EventEmitter<void>;
  let threads: ReturnType<typeof registerFindingThreads>;

  beforeEach(() => {
    open = [at('a', 1), at('b', 5)];
    gone = [];
    changed = new EventEmitter();
    Object.assign(languages, {
      createDiagnosticCollection: () => ({
        forEach: () => undefined,
        set: () => undefined,
        dispose: () => undefined,
      }),
    });
    const isOpen = (id: string) => [...open.map((one) => one.id), ...gone].includes(id);
    threads = registerFindingThreads({
      controllers: plainControllers,
      findings: { list: () => open, isOpen, onDidChange: changed.event },
    } as never);
  });
  afterEach(() => {
    threads.dispose();
    Reflect.deleteProperty(languages, 'createDiagnosticCollection');
    commentThreads.length = 0;
  });

  /** The findings that are shown, with the number of their comments. */
  const shown = () =>
    commentThreads
      .map((thread) => `${threads.idOf(thread as never)} ${(thread['comments'] as unknown[]).length}`)
      .toSorted();
  const hide = (line: number) => threads.hide(Uri.parse('file:///a.ts') as never, line);

  it('are hidden as long as each of them has to be', () => {
    const first = hide(1);
    const second = hide(5);
    const third = hide(5);
    assert.deepEqual(shown(), []);
    first.dispose();
    assert.deepEqual(shown(), ['a 1']);
    changed.fire();
    second.dispose();
    assert.deepEqual(shown(), ['a 1'], 'one of two is left');
    third.dispose();
    assert.deepEqual(shown(), ['a 1', 'b 1']);
  });

  it('are shown again with their replies when their controller was created again', () => {
    threads.addReply('a', 'Why?');
    const hiding = hide(5);
    // They are gone with the earlier controller.
    commentThreads.length = 0;
    renewals.at(-1)?.();
    assert.deepEqual(shown(), ['a 2']);
    hiding.dispose();
    assert.deepEqual(shown(), ['a 2', 'b 1']);
  });

  const textOf = (more: Partial<typeof finding>) => {
    open = [];
    changed.fire();
    open = [{ ...at('c', 9), finding: { ...finding, ...more } }];
    changed.fire();
    const [comment] = commentThreads.flatMap((thread) => thread['comments'] as { body: { value: string } }[]);
    return comment?.body.value ?? '';
  };

  it('show a suggested edit as a diff, with what differs in long lines', () => {
    const long = 'item.price + '.repeat(12);
    const text = textOf({ edit: { find: `${long} <= 1`, replace: `${long} < 1` } });
    assert.match(text, /Suggested edit:[\s\S]*-….*<= 1\n\+….*< 1/);
    assert.ok(!text.includes(long));
  });

  it('leave room for a scroll bar below a long line only', () => {
    assert.match(textOf({ evidence: 'x'.repeat(90) }), /&nbsp;$/);
    assert.doesNotMatch(textOf({ edit: { find: 'x', replace: 'y' } }), /&nbsp;/);
  });

  it('have the replies from before and meanwhile when they are shown again', () => {
    threads.addReply('a', 'Why?');
    const hidden = hide(1);
    threads.addReply('a', 'And how?');
    hidden.dispose();
    assert.deepEqual(shown(), ['a 3', 'b 1']);
    open = [at('b', 5)];
    changed.fire();
    open = [at('a', 1), at('b', 5)];
    changed.fire();
    assert.deepEqual(shown(), ['a 1', 'b 1'], 'not after it was dismissed');
  });

  it('stay, with what is being written in them, when a later review has a finding in the same lines', () => {
    const [first, second] = [...commentThreads];
    assert.ok(first && second);
    threads.addReply('b', 'Why?');
    open = [{ ...at('c', 1), finding: { ...finding, claim: 'Yes.' } }, at('d', 5)];
    changed.fire();
    assert.deepEqual(shown(), ['c 1', 'd 1']);
    assert.deepEqual(
      [first, second].map((one) => commentThreads.includes(one)),
      [true, false],
    );
    const [comment] = first['comments'] as { body: { value: string } }[];
    assert.match(comment?.body.value ?? '', /^Yes\./);
    open = [at('e', 2), at('d', 5)];
    changed.fire();
    assert.ok(!commentThreads.includes(first), 'another place');
  });

  it('have their replies when their file is back, also under another name', () => {
    threads.addReply('a', 'Why?');
    open = [at('b', 5)];
    gone = ['a'];
    changed.fire();
    assert.deepEqual(shown(), ['b 1']);
    changed.fire();
    open = [at('a', 1, 'file:///b.ts'), at('b', 5)];
    gone = [];
    changed.fire();
    assert.deepEqual(shown(), ['a 2', 'b 1']);
  });

  it('keep their replies when their file is renamed', () => {
    threads.addReply('a', 'Why?');
    open = [at('a', 1, 'file:///b.ts'), at('b', 5)];
    changed.fire();
    assert.deepEqual(shown(), ['a 2', 'b 1']);
  });
});

describe('The problem of a finding', () => {
  const one = { ...at('a', 1), finding: { ...finding, claim: '`var` is visible outside its block.' } };
  const message = 'var is visible outside its block.';
  const found = (line: number, text = message, uri = 'file:///a.ts') =>
    findingOf(
      Uri.parse(uri) as never,
      { message: text, range: { start: { line } } } as never,
      [at('b', 1), one] as never,
    )?.id;

  it('is found again by its place and its text, which has no marks of Markdown', () => {
    assert.equal(found(1), 'a');
    assert.equal(found(2), undefined);
    assert.equal(found(1, 'Another one.'), undefined);
    assert.equal(found(1, message, 'file:///b.ts'), undefined);
  });
});
