import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import {
  activeTab,
  closedDocuments,
  commands,
  comments,
  commentThreads,
  EventEmitter,
  registered,
  TabInputText,
  textDocuments,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { plainControllers, renewals } from '../../../support/plainControllers.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerProposalThreads } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalThreads.ts'),
);

const URI = 'file:///code.txt';
const moved = { follow: () => undefined };
const TEXT = 'one\ntwo\nthree\nfour\nfive\nsix\n';

describe('The comment box of a hunk', () => {
  const { executeCommand } = commands;
  const file = toFileProposal({
    uri: URI,
    label: 'code.txt',
    isNew: false,
    before: TEXT,
    after: TEXT.replace('two', 'TWO').replace('five', 'FIVE  '),
    asked: undefined,
    unplaced: [],
  });
  let shownFile: typeof file = file;
  let shownId: string;
  const proposal = { id: 'p', files: [file] };
  const targetOf = (at: number) => ({
    proposalId: 'p',
    uri: URI,
    hunkId: file.hunks[at]?.hunk.id ?? assert.fail(),
  });
  const target = targetOf(0);
  let threads: ReturnType<typeof registerProposalThreads>;
  let changed: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [shownFile, shownId] = [file, 'p'];
    const lines = TEXT.split('\n');
    const document = {
      uri: { scheme: 'file', toString: () => URI },
      lineCount: lines.length,
      getText: () => TEXT,
      positionAt(at: number) {
        const before = TEXT.slice(0, at).split('\n');
        return { line: before.length - 1, character: before.at(-1)?.length };
      },
      lineAt: (line: number) => ({ range: { end: { line } }, text: lines[line] }),
    };
    textDocuments.push(document);
    Object.assign(window, { activeTextEditor: { document } });
    threads = registerProposalThreads({
      controllers: plainControllers,
      proposals: {
        underReview: () => [proposal],
        ofFile: () => [{ proposal: { ...proposal, id: shownId }, file: shownFile }],
        onDidChange: (listener: () => void) => {
          changed = listener;
          return { dispose: () => undefined };
        },
      },
      remarks: { list: () => [], onDidChange: () => ({ dispose: () => undefined }) },
      moved,
    } as never);
  });
  afterEach(() => {
    threads.dispose();
    mock.timers.reset();
    Object.assign(commands, { executeCommand });
    Reflect.deleteProperty(window, 'activeTextEditor');
    textDocuments.length = 0;
    commentThreads.length = 0;
  });

  it('has the lines as plain text for screen readers, which read the tags of colors', () => {
    const { getConfiguration } = workspace;
    const bodies = () => commentThreads.map(({ comments }) => (comments as [{ body: unknown }])[0].body);
    changed();
    mock.timers.tick(10_000);
    assert.deepEqual(
      bodies().map((body) => typeof body),
      ['object', 'object'],
    );
    Object.assign(workspace, { getConfiguration: () => ({ get: () => 'on' }) });
    changed();
    mock.timers.tick(10_000);
    Object.assign(workspace, { getConfiguration });
    assert.deepEqual(bodies(), ['- two\n+ TWO', '- five\n+ FIVE  ']);
  });

  it('is shown again when the controller was created again', () => {
    changed();
    mock.timers.tick(10_000);
    assert.equal(commentThreads.length, 2);
    // They are gone with the earlier controller.
    commentThreads.length = 0;
    renewals.at(-1)?.();
    assert.equal(commentThreads.length, 2);
  });

  it('has no button to accept a hunk whose lines have changed', () => {
    const kinds = () => commentThreads.map(({ contextValue }) => contextValue);
    changed();
    mock.timers.tick(10_000);
    assert.deepEqual(kinds(), ['hunk', 'hunk']);
    const [first, ...others] = file.hunks;
    shownFile = { ...file, hunks: [{ ...(first ?? assert.fail()), state: 'stale' }, ...others] };
    changed();
    mock.timers.tick(10_000);
    assert.deepEqual(kinds(), ['hunk.stale', 'hunk']);
    const { menus } = JSON.parse(readFileSync('package.json', 'utf8')).contributes;
    const buttons = (kind: string) =>
      menus['comments/commentThread/title']
        .filter(({ when }: { when: string }) => when.includes(`k3.proposal && commentThread ${kind}`))
        .map(({ command }: { command: string }) => command);
    assert.deepEqual([buttons('== hunk'), buttons('=~ /^hunk/')], [['k3.acceptHunk'], ['k3.rejectHunk']]);
  });

  it('stays, with what is being written in it, when a later proposal has the same hunk', () => {
    mock.timers.tick(600);
    const [first, second] = [...commentThreads];
    assert.ok(first && second);
    shownId = 'later';
    shownFile = toFileProposal({ ...file, after: file.after.replace('FIVE  ', 'five').replace('six', '6') });
    changed();
    mock.timers.tick(1000);
    assert.deepEqual([commentThreads.length, commentThreads.includes(second)], [2, false]);
    assert.ok(commentThreads.includes(first));
    assert.deepEqual(
      commentThreads.map((thread) => threads.targetOf(thread as never)),
      shownFile.hunks.map(({ hunk }) => ({ proposalId: 'later', uri: URI, hunkId: hunk.id })),
    );
  });

  it('stays, with what is being written in it, when a later proposal changes the same lines in another way', () => {
    mock.timers.tick(600);
    const [first, second] = [...commentThreads];
    assert.ok(first && second);
    shownId = 'later';
    // The second hunk has one more line now.
    shownFile = toFileProposal({ ...file, after: TEXT.replace('two', 'Two').replace('five\nsix', '5\n6') });
    changed();
    mock.timers.tick(1000);
    assert.deepEqual(commentThreads, [first, second]);
    assert.deepEqual(
      commentThreads.map(({ range }) => (range as { end: { line: number } }).end.line),
      [1, 5],
    );
    assert.deepEqual(
      commentThreads.map((thread) => threads.targetOf(thread as never)),
      shownFile.hunks.map(({ hunk }) => ({ proposalId: 'later', uri: URI, hunkId: hunk.id })),
    );
    // One of other lines is another one.
    shownId = 'last';
    shownFile = toFileProposal({ ...file, after: TEXT.replace('two', 'Two').replace('four', '4') });
    changed();
    mock.timers.tick(1000);
    assert.deepEqual(
      commentThreads.map((thread) => [first, second].includes(thread)),
      [true, false],
    );
  });

  it('is opened on a line only when the editor has processed new commenting ranges', async () => {
    const ran: string[] = [];
    Object.assign(commands, { executeCommand: async (command: string) => void ran.push(command) });
    mock.timers.tick(300);
    const opening = registered.get('k3.commentLine')?.();
    await new Promise(setImmediate);
    assert.deepEqual([ran, commentThreads.length], [[], 0]);
    mock.timers.tick(300);
    await opening;
    assert.deepEqual([ran, commentThreads.length], [['workbench.action.addComment'], 2]);
  });

  it('shows the hidden threads again when the editor can’t open it', async () => {
    mock.timers.tick(600);
    assert.equal(commentThreads.length, 2);
    let hidden = 0;
    threads.hideOthersWith(() => {
      hidden++;
      return { dispose: () => void hidden-- };
    });
    Object.assign(commands, {
      executeCommand: async () => {
        assert.deepEqual([hidden, commentThreads.length], [1, 1]);
        throw new Error('no editor');
      },
    });
    await assert.rejects(threads.openCommentBox(target), /no editor/);
    assert.equal(hidden, 0);
    changed();
    mock.timers.tick(1000);
    assert.equal(commentThreads.length, 2);
  });

  it('hides its own thread as long as it is being opened, also when another box is opened before', async () => {
    mock.timers.tick(600);
    const opened = [0, 1].map(() => createDeferred<void>());
    const waiting = [...opened];
    Object.assign(commands, { executeCommand: async () => waiting.shift()?.promise });
    const first = threads.openCommentBox(target);
    await new Promise(setImmediate);
    const second = threads.openCommentBox(targetOf(1));
    await new Promise(setImmediate);
    assert.equal(commentThreads.length, 0);
    opened[0]?.resolve();
    await first;
    mock.timers.tick(1000);
    assert.deepEqual(
      commentThreads.map((thread) => threads.targetOf(thread as never)?.hunkId),
      [target.hunkId],
    );
    opened[1]?.resolve();
    await second;
    mock.timers.tick(1000);
    assert.equal(commentThreads.length, 2);
  });
});

describe('A comment in a cell of a notebook', () => {
  const { showInputBox } = window;
  const { executeCommand } = commands;
  const file = toFileProposal({
    ...{ uri: 'cell:a#0', label: 'a#1', isNew: false, before: 'a\nb\n', after: 'a\nB\n' },
    ...{ asked: undefined, unplaced: [] },
  });
  let shown: typeof file;
  let remarks: { uri: string; hunk?: object; startLine: number; text: string }[];
  let ran: string[];
  let threads: ReturnType<typeof registerProposalThreads>;
  const documentOf = (address: string) => ({
    uri: { scheme: 'vscode-notebook-cell', toString: () => address },
    lineCount: 3,
    getText: () => 'a\nb\n',
    positionAt: (at: number) => ({ line: Math.floor(at / 2), character: at % 2 }),
    lineAt: (line: number) => ({ range: { end: { line } }, text: 'ab'[line] ?? '' }),
  });
  const show = (address: string) => {
    textDocuments.splice(0, 1, documentOf(address));
    shown = { ...file, uri: address };
  };
  /** @param meanwhile what happens while the input is open */
  const willType = (text: string | undefined, meanwhile = () => undefined as unknown) =>
    Object.assign(window, {
      async showInputBox() {
        meanwhile();
        return text;
      },
    });

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [remarks, ran] = [[], []];
    show('cell:a#0');
    Object.assign(commands, { executeCommand: async (command: string) => void ran.push(command) });
    const under = () => ({ proposal: { id: 'p', files: [shown] }, file: shown });
    threads = registerProposalThreads({
      controllers: plainControllers,
      proposals: {
        underReview: () => [under()],
        ofFile: (address: string) => (address === shown.uri ? [under()] : []),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      remarks: {
        list: () => [],
        putBack: (all: typeof remarks) => void remarks.push(...all),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      moved,
    } as never);
    mock.timers.tick(600);
  });
  afterEach(() => {
    threads.dispose();
    mock.timers.reset();
    Object.assign(window, { showInputBox });
    Object.assign(commands, { executeCommand });
    Reflect.deleteProperty(window, 'activeTextEditor');
    textDocuments.length = 0;
    commentThreads.length = 0;
  });

  it('is asked for in an input also on a line', async () => {
    const at = { line: 0, character: 0, with: () => at };
    const selection = { start: at, end: at, with: () => ({ start: at, end: at }) };
    Object.assign(window, { activeTextEditor: { document: textDocuments[0], selection } });
    const count = commentThreads.length;
    for (const text of [undefined, ' ', 'Why a?']) {
      willType(text);
      await registered.get('k3.commentLine')?.();
    }
    assert.deepEqual(
      remarks.map(({ uri, startLine, text }) => [uri, startLine, text]),
      [['cell:a#0', 0, 'Why a?']],
    );
    assert.deepEqual([ran, commentThreads.length], [[], count]);
  });

  it('says what to do where no editor of text is in front, such as on the usage page', async () => {
    const { showInformationMessage } = window;
    const told: string[] = [];
    Object.assign(window, {
      activeTextEditor: undefined,
      showInformationMessage: async (message: string) => void told.push(message),
    });
    await registered.get('k3.commentLine')?.();
    Object.assign(window, { showInformationMessage });
    assert.deepEqual([told, ran], [['Open a file, and put the cursor on the line to comment on.'], []]);
  });

  it('is in the next input of its cell when another one closes it, until it is added', async () => {
    const at = { line: 0, character: 0, with: () => at };
    const selection = { start: at, end: at, with: () => ({ start: at, end: at }) };
    const values: (string | undefined)[] = [];
    const comment = async (address: string, text: string, isEntered: boolean) => {
      show(address);
      Object.assign(window, {
        activeTextEditor: { document: textDocuments[0], selection },
        async showInputBox({
          value,
          validateInput,
        }: {
          value?: string;
          validateInput?(typed: string): unknown;
        }) {
          values.push(value);
          validateInput?.(text);
          return isEntered ? text : undefined;
        },
      });
      await registered.get('k3.commentLine')?.();
    };
    await comment('cell:a#0', 'Why', false);
    await comment('cell:a#1', 'Here', false);
    await comment('cell:a#0', 'Why a?', true);
    await comment('cell:a#0', '', false);
    await comment('cell:a#1', 'Here, too.', true);
    assert.deepEqual(values, ['', '', 'Why', '', 'Here']);
    assert.deepEqual(
      remarks.map(({ uri, text }) => [uri, text]),
      [
        ['cell:a#0', 'Why a?'],
        ['cell:a#1', 'Here, too.'],
      ],
    );
  });
});

describe('Comment on Line without a review', () => {
  const { createCommentController } = comments;
  const { onDidChangeVisibleTextEditors } = window;
  let shown: EventEmitter<object[]>;
  /** Timers that begin while the time passes count from its end. */
  const idle = () => {
    for (let time = 0; time < 3; time++) mock.timers.tick(20_000);
  };
  let threads: ReturnType<typeof registerProposalThreads>;
  let list: object[];
  let isOffered: boolean;
  let changed: () => void;
  const documentOf = (uri: string) => ({ uri: { scheme: 'file', toString: () => uri }, lineCount: 3 });
  const [first, second] = ['file:///a.txt', 'file:///b.txt'].map(documentOf) as [object, object];

  const boxOf = (path: string) => ({ uri: { scheme: 'comment', authority: 'k3.proposal', path } });
  const box = boxOf('/commentinput-1-2.md');
  /** On a line that has a thread, the editor opens that, and no box. */
  async function comment(document: object, hasThread = false): Promise<void> {
    Object.assign(window, { activeTextEditor: { document } });
    const opening = registered.get('k3.commentLine')?.();
    await new Promise(setImmediate);
    mock.timers.tick(600);
    await opening;
    if (!hasThread) shown.fire([{ document }, { document: box }]);
  }
  const add = (uri: string, text = 'why?') =>
    registered.get('k3.addRemark')?.({
      thread: { uri: { toString: () => uri }, range: { start: { line: 1 }, end: { line: 1 } }, dispose() {} },
      text,
    } as never);

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [list, isOffered, shown] = [[], false, new EventEmitter()];
    Object.assign(window, { onDidChangeVisibleTextEditors: shown.event });
    comments.createCommentController = () => ({
      ...createCommentController(),
      set commentingRangeProvider(provider: { provideCommentingRanges(document: object): unknown[] }) {
        isOffered = provider.provideCommentingRanges(first).length > 0;
      },
    });
    threads = registerProposalThreads({
      controllers: plainControllers,
      proposals: {
        underReview: () => [],
        ofFile: () => [],
        onDidChange: () => ({ dispose: () => undefined }),
      },
      remarks: {
        list: () => list,
        put: (one: object) => {
          list = [one];
          changed();
        },
        onDidChange: (listener: () => void) => {
          changed = listener;
          return { dispose: () => undefined };
        },
      },
      moved,
    } as never);
  });
  afterEach(() => {
    threads.dispose();
    mock.timers.reset();
    comments.createCommentController = createCommentController;
    Object.assign(window, { onDidChangeVisibleTextEditors });
    Reflect.deleteProperty(window, 'activeTextEditor');
    commentThreads.length = 0;
  });

  it('adds no comment without text, as Ctrl+Enter in an empty box would', async () => {
    await comment(first);
    for (const text of ['', ' \n']) await add(String((first as { uri: object }).uri), text);
    assert.deepEqual(list, []);
  });

  it('is about the file around the box of a comment or of an edit in which the cursor is', async () => {
    const input = Object.assign(new TabInputText(), { uri: (first as { uri: object }).uri });
    Object.assign(activeTab, { input });
    Object.assign(window, { visibleTextEditors: [{ document: first }, { document: box }] });
    await comment(box);
    shown.fire([]);
    closedDocuments.fire(box as never);
    idle();
    assert.equal(isOffered, true, 'the file is hidden, and its box comes again with it');
    Object.assign(activeTab, { input: undefined });
    Object.assign(window, { visibleTextEditors: [] });
  });

  it('offers comments on lines only until its comment is sent', async () => {
    await comment(first);
    await add(String((first as { uri: object }).uri));
    shown.fire([{ document: first }]);
    idle();
    assert.equal(isOffered, true);
    list = [];
    changed();
    idle();
    assert.equal(isOffered, false);
  });

  it('offers them until its box is closed without a comment, and not only until its file is hidden', async () => {
    const show = (...documents: object[]) => {
      shown.fire(documents.map((document) => ({ document })));
      idle();
    };
    await comment(first);
    show(first, box);
    show(box);
    show();
    assert.equal(isOffered, true, 'hidden');
    show(first, box, boxOf('/commentinput-1-k3.proposal.3.md'));
    show(first, box);
    assert.equal(isOffered, true);
    show(first);
    assert.equal(isOffered, false);
    await comment(first);
    show(first, box);
    show(first);
    show(first, box);
    assert.equal(isOffered, true, 'another one is open');
  });

  it('offers none because of a document of K3, which has no box', async () => {
    const document = {
      uri: { scheme: 'k3-conversation', toString: () => 'k3-conversation:/c' },
      lineCount: 3,
    };
    await comment(document, true);
    assert.equal(isOffered, false);
  });

  it('offers them for a while on a line that has a thread, which the editor opens in place of a box', async () => {
    await comment(first, true);
    assert.equal(isOffered, true);
    idle();
    assert.equal(isOffered, false);
    await comment(first);
    idle();
    assert.equal(isOffered, true, 'with a box');
  });

  it('offers them until the file is closed if nothing is written, and as long as there is another box', async () => {
    await comment(first);
    await comment(second);
    // The window shows another file.
    shown.fire([]);
    idle();
    closedDocuments.fire(first);
    idle();
    assert.equal(isOffered, true);
    closedDocuments.fire(second);
    idle();
    assert.equal(isOffered, false);
  });
});
