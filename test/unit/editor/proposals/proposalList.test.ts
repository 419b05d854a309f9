/** Which proposals are under review after others were made, and after their documents were closed. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { EventEmitter, textDocuments, Uri, window, workspace } from '../../../support/editorStub.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createProposals, createProposalStore } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/proposalList.ts')),
  ...(await import('../../../../src/editor/proposals/proposalStore.ts')),
}));

const fileOf = (uri: string, before: string, after: string, isNew = false) =>
  toFileProposal({ uri, label: uri, isNew, before, after, asked: undefined, unplaced: [] });

const start = (onMoved?: (now: ReadonlyMap<string, string>) => void) =>
  createProposals({
    store: EMPTY_STORE,
    listed: () => new Set(['c']),
    ...(onMoved && { onMoved }),
    onDidList: () => ({ dispose: () => undefined }) as never,
  });

const madeOf = (turnId: string, file: ReturnType<typeof fileOf>) => ({
  turnId,
  conversationId: 'c',
  files: [file],
  trouble: undefined,
  revises: undefined,
});

describe('A proposal of a new file that another one has replaced', () => {
  it('is under review again as one of a new file, and so is the other one after that', () => {
    const uri = 'file:///new.txt';
    const proposals = start();
    const by = { replaces: () => false, askedIn: () => [] };
    const [one, other] = ['a\n', 'b\n'].map((text) =>
      proposals.add(madeOf(text, fileOf(uri, '', text, true)), by),
    );
    assert.ok(one && other);
    const shown = (id: string) =>
      proposals
        .get(id)
        ?.files.map(({ isNew, replacedBy, hunks }) => [
          isNew,
          replacedBy,
          ...hunks.map(({ state }) => state),
        ]);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, other.id, 'open']], [[true, undefined, 'open']]],
    );
    proposals.reopen(one.id, uri);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, undefined, 'open']], [[true, one.id, 'open']]],
    );
    proposals.reopen(other.id, uri);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, other.id, 'open']], [[true, undefined, 'open']]],
    );
    proposals.dispose();
  });
});

describe('An untitled document that is closed', () => {
  const { onDidCloseTextDocument } = workspace;
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => {
    mock.timers.reset();
    Object.assign(workspace, { onDidCloseTextDocument });
  });

  it('takes the comments on it along with its hunks, so that they are not on another one that gets its name', () => {
    const uri = 'untitled:Untitled-1';
    const closing = new EventEmitter<unknown>();
    Object.assign(workspace, { onDidCloseTextDocument: closing.event });
    const moved: ReadonlyMap<string, string>[] = [];
    const proposals = start((now) => moved.push(now));
    const { id } = proposals.add(madeOf('t', fileOf(uri, 'a\n', 'b\n')));
    for (const name of [uri, 'untitled:Untitled-2']) closing.fire({ uri: Uri.parse(name), isUntitled: true });
    mock.timers.tick(1);
    const [one, other] = moved;
    assert.equal(one?.get(uri), proposals.get(id)?.files[0]?.uri);
    assert.match(one?.get(uri) ?? '', /^untitled:Untitled-1\?./);
    // Another one can have comments without hunks.
    assert.match(other?.get('untitled:Untitled-2') ?? '', /^untitled:Untitled-2\?./);
    proposals.dispose();
  });
});

type Renamed = Parameters<ReturnType<typeof createProposals>['rename']>;

describe('Proposals of two windows of a folder', () => {
  restoreAfterEach(window, workspace);
  let folder: string;
  let opened: EventEmitter<object>;
  let warnings: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-reviews-'));
    warnings = [];
    opened = new EventEmitter();
    Object.assign(workspace, { onDidOpenTextDocument: opened.event });
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    textDocuments.length = 0;
    mock.timers.reset();
    removeFolderSync(folder);
  });

  const uri = 'file:///a.txt';
  const saved = () => mock.timers.tick(1000);

  function open(owner?: string) {
    const focused = new EventEmitter<object>();
    Object.assign(window, { onDidChangeWindowState: focused.event });
    const log = { warn: (line: string) => void warnings.push(line) } as never;
    const proposals = createProposals({
      store: createProposalStore({ folder, window: owner }, log, new Set()),
      listed: () => new Set(['c']),
      onDidList: () => ({ dispose: () => undefined }) as never,
    });
    const told: string[] = [];
    proposals.onDidChange(({ turnIds }) => told.push(...turnIds));
    return {
      ...{ proposals, told },
      focus: () => focused.fire({ focused: true }),
      leave: () => focused.fire({ focused: false }),
      shown: () => proposals.underReview().map(({ proposal }) => proposal.turnId),
      reject: (id: string) =>
        proposals.reject(id, uri, new Set(proposals.get(id)?.files[0]?.hunks.map(({ hunk }) => hunk.id))),
    };
  }

  it('are decided in the other one when it gets the focus, also what is put under review again', () => {
    const one = open();
    const { id } = one.proposals.add(madeOf('t', fileOf(uri, 'a\n', 'b\n')));
    saved();
    const other = open();
    assert.deepEqual(other.shown(), ['t']);
    one.reject(id);
    saved();
    other.focus();
    assert.deepEqual([other.shown(), other.told], [[], ['t']]);
    one.focus();
    one.proposals.reopen(id, uri);
    saved();
    // A window that has not seen it yet writes what it has.
    other.proposals.change(id, uri, (file) => ({ ...file, asked: { from: 0, to: 1 } }));
    saved();
    one.focus();
    other.focus();
    assert.deepEqual([one.shown(), other.shown(), open().shown()], [['t'], ['t'], ['t']]);
    assert.deepEqual(warnings, []);
  });

  it('are decided in the other one at once when the user goes there', () => {
    const one = open();
    const { id } = one.proposals.add(madeOf('t', fileOf(uri, 'a\n', 'b\n')));
    one.leave();
    const other = open();
    assert.deepEqual(other.shown(), ['t']);
    one.reject(id);
    one.leave();
    other.focus();
    assert.deepEqual(other.shown(), []);
  });

  it('are decided in the other one also if that hears first that the user has gone there, or the first one is killed', () => {
    const one = open();
    const { id } = one.proposals.add(madeOf('t', fileOf(uri, 'a\n', 'b\n')));
    saved();
    const other = open();
    one.reject(id);
    mock.timers.tick(1);
    other.focus();
    assert.deepEqual(other.shown(), []);
  });

  it('are decided in the other one also if their file was renamed, which that one has not noticed yet', () => {
    const one = open();
    const { id } = one.proposals.add(madeOf('t', fileOf(uri, 'a\n', 'b\n')));
    saved();
    const other = open();
    one.reject(id);
    const renamed = [Uri.parse(uri), Uri.parse('file:///b.txt')] as unknown as Renamed;
    one.proposals.rename(...renamed);
    saved();
    other.focus();
    assert.deepEqual(other.shown(), []);
    other.proposals.rename(...renamed);
    saved();
    for (const window of [one, other, open()]) assert.deepEqual(window.shown(), []);
  });

  it('keep what each has decided that the other one has not seen', () => {
    const one = open();
    const before = 'a\n\n\n\n\n\n\n\nz\n';
    const { id, files } = one.proposals.add(
      madeOf('t', fileOf(uri, before, before.replace('a', 'b').replace('z', 'y'))),
    );
    const [first, second] = files[0]?.hunks.map(({ hunk }) => hunk.id) ?? [];
    assert.ok(first !== undefined && second !== undefined);
    saved();
    const other = open();
    one.proposals.reject(id, uri, new Set([first]));
    saved();
    other.proposals.reject(id, uri, new Set([second]));
    // Not saved yet.
    other.focus();
    saved();
    one.focus();
    for (const window of [one, other, open()]) assert.deepEqual(window.shown(), []);
  });

  it('are those that either has made, each with its hunks in the text of the document', () => {
    const [one, other] = [open(), open()];
    const first = one.proposals.add(madeOf('t1', fileOf(uri, 'a\n', 'b\n')));
    saved();
    other.focus();
    assert.deepEqual(other.shown(), ['t1']);
    const by = { replaces: () => true, askedIn: () => [] };
    const second = one.proposals.add(madeOf('t2', fileOf(uri, 'a\n', 'c\n')), by);
    saved();
    // It isn't saved, so that only this window has the text.
    textDocuments.push({ uri: Uri.parse(uri), eol: 1, isClosed: false, getText: () => 'new\na\n' });
    other.focus();
    assert.deepEqual(other.shown(), ['t2']);
    assert.equal(other.proposals.get(first.id)?.files[0]?.replacedBy, second.id);
    assert.equal(other.proposals.get(second.id)?.files[0]?.text, 'new\na\n');
    const count = other.told.length;
    other.focus();
    assert.equal(other.told.length, count);
  });

  it('are beside each other in both when one of them has put a replaced one under review again', () => {
    const one = open();
    const before = 'a\n\n\n\n\n\n\n\nz\n';
    const by = { replaces: () => true, askedIn: () => [] };
    const first = one.proposals.add(madeOf('t1', fileOf(uri, before, before.replace('a', 'b'))));
    one.proposals.add(madeOf('t2', fileOf(uri, before, before.replace('z', 'y'))), by);
    saved();
    const other = open();
    assert.deepEqual(other.shown(), ['t2']);
    one.proposals.reopen(first.id, uri);
    saved();
    other.focus();
    assert.deepEqual(
      [one.shown(), other.shown()],
      [
        ['t1', 't2'],
        ['t1', 't2'],
      ],
    );
  });

  it('are on the cells that have the text of theirs, which can have other addresses in another window', () => {
    const cell = (number: number) => `vscode-notebook-cell:/a.ipynb#W${number}sc2No`;
    const one = open();
    // Only the others open the notebook.
    opened = new EventEmitter();
    Object.assign(workspace, { onDidOpenTextDocument: opened.event });
    const other = open();
    const cells = ['a\n', 'b\n'].map((text, at) => ({
      document: {
        uri: Object.assign(Uri.parse(cell(at)), { scheme: 'vscode-notebook-cell' }),
        eol: 1,
        isClosed: false,
        getText: () => text,
      },
    }));
    const notebooks = { notebookDocuments: [{ uri: Uri.parse('file:///a.ipynb'), getCells: () => cells }] };
    const file = { ...fileOf(cell(5), 'a\n', 'c\n'), label: 'a.ipynb#1' };
    const { id } = one.proposals.add(madeOf('t', file));
    saved();
    Object.assign(workspace, notebooks);
    textDocuments.push(...cells.map(({ document }) => document));
    for (const { document } of cells) opened.fire(document);
    other.focus();
    assert.deepEqual(
      other.proposals.underReview().map(({ file }) => [file.uri, file.hunks[0]?.state]),
      [[cell(0), 'open']],
    );
    const late = open();
    assert.deepEqual(late.shown(), ['t']);
    one.proposals.reject(id, cell(5), new Set(file.hunks.map(({ hunk }) => hunk.id)));
    saved();
    for (const window of [other, late]) {
      window.focus();
      assert.deepEqual(window.shown(), []);
    }
  });

  it('are on the cells that have the text of theirs when the notebook is opened again, where others had their addresses', () => {
    const cell = (number: number) => `vscode-notebook-cell:/a.ipynb#W${number}sc2No`;
    const one = open();
    const closed = new EventEmitter<object>();
    opened = new EventEmitter();
    Object.assign(workspace, {
      onDidOpenTextDocument: opened.event,
      onDidCloseNotebookDocument: closed.event,
    });
    const other = open();
    function show(...texts: string[]) {
      const cells = texts.map((text, at) => ({
        document: {
          uri: Object.assign(Uri.parse(cell(at)), { scheme: 'vscode-notebook-cell' }),
          ...{ eol: 1, isClosed: false, getText: () => text },
        },
      }));
      const notebook = { uri: Uri.parse('file:///a.ipynb'), getCells: () => cells };
      Object.assign(workspace, { notebookDocuments: [notebook] });
      textDocuments.push(...cells.map(({ document }) => document));
      for (const { document } of cells) opened.fire(document);
      return notebook;
    }
    const first = show('a\n', 'b\n', 'c\n');
    Object.assign(workspace, { notebookDocuments: [] });
    textDocuments.splice(0);
    closed.fire(first);
    one.proposals.add(madeOf('t', { ...fileOf(cell(2), 'a\n', 'd\n'), label: 'a.ipynb#3' }));
    saved();
    other.focus();
    show('x\n', 'y\n', 'a\n', 'b\n', 'c\n');
    assert.deepEqual(
      other.proposals.underReview().map(({ file }) => [file.uri, file.hunks[0]?.state]),
      [[cell(2), 'open']],
    );
  });

  it('are not those of its untitled documents, and say once that a file can’t be read', () => {
    const [one, other] = [open('one'), open('other')];
    one.proposals.add(madeOf('t', fileOf('untitled:Untitled-1', 'a\n', 'b\n')));
    saved();
    writeFileSync(join(folder, 'x.json'), '{');
    for (let times = 0; times < 3; times++) other.focus();
    assert.deepEqual([other.shown(), warnings.length], [[], 1]);
  });
});
