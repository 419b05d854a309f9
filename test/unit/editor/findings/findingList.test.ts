import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FindingsDeps } from '../../../../src/editor/findings/findingList.ts';
import type { Follower } from '../../../../src/editor/proposals/movedFiles.ts';
import type { StoredReview } from '../../../../src/review/findings/storedFindings.ts';
import { toCodeReviewQuestion } from '../../../../src/review/questions/reviewQuestion.ts';
import * as stub from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { NO_PENDING } from '../../../support/review/noPending.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { createFindings, createMovedFiles, createPendingAnswers, createProposals } = await withEditorStub(
  async () => ({
    ...(await import('../../../../src/editor/findings/findingList.ts')),
    ...(await import('../../../../src/editor/proposals/movedFiles.ts')),
    ...(await import('../../../../src/editor/proposals/pendingAnswers.ts')),
    ...(await import('../../../../src/editor/proposals/proposalList.ts')),
  }),
);

const LOOP = 'for (;;) run();';
const FILE = 'file:///w/a.js';

const never = () => new stub.Disposable(() => undefined);
const watcher = { onDidCreate: never, onDidDelete: never, onDidChange: never, dispose: () => undefined };
const QUIET = {
  ...{ onDidCreateFiles: never, createFileSystemWatcher: () => watcher },
  fs: { isWritableFileSystem: () => false },
};

const finding = {
  ...{ file: 'a.js', startLine: 3, endLine: 3, claim: 'It never ends.', evidence: LOOP },
  severity: 'error',
  edit: undefined,
} as const;
const review: StoredReview = {
  ...{ turnId: 't1', conversationId: 'c1' },
  findings: [
    {
      ...{ id: 'f1', finding, uri: FILE, state: 'open' },
      placement: { placed: true, startLine: 2, endLine: 2 },
    },
  ],
};

describe('A finding in a file that is closed', () => {
  restoreAfterEach(stub.workspace);

  const opened = new stub.EventEmitter<object>();
  const closed = new stub.EventEmitter<object>();
  beforeEach(() => {
    Object.assign(stub.workspace, {
      ...{ onDidOpenTextDocument: opened.event, onDidCloseTextDocument: closed.event, textDocuments: [] },
      ...QUIET,
    });
  });

  const documentOf = (...lines: readonly string[]) => ({
    uri: { toString: () => FILE },
    getText: () => lines.join('\n'),
  });
  it('is at its lines when the file is open again, also if other lines are equal that Git has put in their place', () => {
    const document = documentOf('one', 'two', LOOP, 'three', LOOP);
    Object.assign(stub.workspace, { textDocuments: [document] });
    const deps = {
      conversations: { list: () => [{ id: 'c1' }], find: () => undefined, onDidChange: never },
      state: { get: () => [review], update: async () => undefined },
      storage: { purged: new Set() },
      ...{ moved: { follow: () => undefined }, pending: NO_PENDING, renames: {}, log: { warn: assert.fail } },
    };
    const findings = createFindings(deps as unknown as FindingsDeps);
    const place = () => findings.list().map(({ startLine, stale }) => [startLine, stale]);
    assert.deepEqual(place(), [[2, false]]);
    closed.fire(document);
    opened.fire(documentOf('a', 'b', LOOP, 'c', 'one', 'two', LOOP, 'three', LOOP));
    assert.deepEqual(place(), [[6, false]]);
    findings.dispose();
  });
});

describe('The findings of a deleted conversation', () => {
  restoreAfterEach(stub.workspace);

  it('are no longer kept when it was finally removed', () => {
    Object.assign(stub.workspace, { ...QUIET, textDocuments: [] });
    const kept = [{ ...review, conversationId: 'removed' }, review];
    const written: unknown[] = [];
    const deps = {
      conversations: { list: () => [{ id: 'c1' }], find: () => undefined, onDidChange: never },
      state: { get: () => kept, update: async (_: string, value: unknown) => void written.push(value) },
      storage: { purged: new Set(['removed']) },
      ...{ moved: { follow: () => undefined }, pending: NO_PENDING, renames: {}, log: { warn: assert.fail } },
    };
    const findings = createFindings(deps as unknown as FindingsDeps);
    assert.equal(findings.list().length, 1);
    findings.dispose();
    assert.deepEqual(written.at(-1), [review]);
  });
});

describe('A finding in an untitled document that is closed', () => {
  restoreAfterEach(stub.workspace);

  it('is not in another one that gets its name, and stays so after a reload', async () => {
    const closed = new stub.EventEmitter<object>();
    const uri = 'untitled:Untitled-1';
    const document = { uri: stub.Uri.parse(uri), isUntitled: true, getText: () => LOOP };
    Object.assign(stub.workspace, {
      ...{ ...QUIET, onDidCloseTextDocument: closed.event, textDocuments: [document] },
    });
    const about = { ...review.findings[0], uri, placement: { placed: true, startLine: 0, endLine: 0 } };
    const stored: unknown[] = [[{ ...review, findings: [about] }]];
    const moved = createMovedFiles({ warn: assert.fail });
    const start = () =>
      createFindings({
        conversations: { list: () => [{ id: 'c1' }], find: () => undefined, onDidChange: never },
        state: {
          get: () => stored.at(-1),
          update: async (_: string, next: unknown) => void stored.push(next),
        },
        storage: { purged: new Set() },
        ...{ moved, pending: NO_PENDING, renames: {}, log: { warn: assert.fail } },
      } as unknown as FindingsDeps);
    const proposals = createProposals({
      store: EMPTY_STORE,
      listed: () => new Set(),
      onDidList: never as never,
      onMoved: moved.moveAtOnce,
    });
    const findings = start();
    assert.equal(findings.list().length, 1);
    Object.assign(stub.workspace, { textDocuments: [] });
    closed.fire(document);
    await new Promise((resolve) => setTimeout(resolve, 1));
    Object.assign(stub.workspace, { textDocuments: [document] });
    assert.deepEqual(findings.list(), []);
    findings.dispose();
    const again = start();
    assert.ok(again.list().every((one) => one.uri.toString() !== uri));
    for (const one of [again, proposals, moved]) one.dispose();
  });
});

describe('The findings of two reviews of a file that run at once', () => {
  restoreAfterEach(stub.workspace);

  it('are those of the newer question, also when the older one is answered last', async () => {
    const code = `one\ntwo\n${LOOP}`;
    const about = { path: 'a.js', language: 'js', text: code, startLine: 0, lineCount: 3 };
    const { text } = toCodeReviewQuestion(about, 1000, () => 1);
    const openTextDocument = async () => ({ uri: FILE, getText: () => code });
    Object.assign(stub.workspace, { ...QUIET, textDocuments: [], openTextDocument });
    const conversations = ['older', 'newer'].map((id, startedAt) => {
      const finding = {
        file: 'a.js',
        startLine: 3,
        endLine: 3,
        severity: 'error',
        claim: id,
        evidence: LOOP,
      };
      const answer = JSON.stringify({ summary: '', findings: [{ ...finding, edit: null }] });
      const question = {
        ...{ text, images: [], purpose: 'findings' as const },
        origin: { uri: FILE, startLine: 0, endLine: 2 },
      };
      return conversation(id, [
        { ...exchange(id, '', [{ ...completeTurn(answer), id, startedAt }]), question },
      ]);
    });
    const changes = new stub.EventEmitter<object>();
    const find = (turnId: string) => {
      const found = conversations.find(({ id }) => id === turnId);
      const [first] = found?.exchanges ?? [];
      return { conversation: found, exchange: first, turn: first?.attempts[0] };
    };
    const deps = {
      conversations: { list: () => conversations, find, onDidChange: changes.event },
      ...{ state: { get: () => undefined, update: async () => undefined }, log: { warn: assert.fail } },
      storage: { purged: new Set() },
      renames: { since: () => ({ uriNow: async (uri: string) => uri }) },
      moved: { follow: () => undefined },
      pending: NO_PENDING,
    };
    const findings = createFindings(deps as unknown as FindingsDeps);
    for (const id of ['newer', 'older']) {
      const placed = new Promise((done) => findings.onDidPlace(done));
      changes.fire({ type: 'turn', turn: find(id).turn, before: {} });
      assert.equal(await placed, id);
    }
    assert.deepEqual(
      findings.list().map(({ conversationId }) => conversationId),
      ['newer'],
    );
    findings.dispose();
  });
});

describe('The findings of two windows of a folder', () => {
  restoreAfterEach(stub.workspace);
  restoreAfterEach(stub.window);

  let home: string;
  let focused: stub.EventEmitter<{ readonly focused: boolean }>;
  let changes: stub.EventEmitter<object>;
  const code = `one\ntwo\n${LOOP}`;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-findings-'));
    const openTextDocument = async () => ({ uri: FILE, getText: () => code });
    Object.assign(stub.workspace, { ...QUIET, textDocuments: [], openTextDocument });
  });
  afterEach(() => removeFolderSync(home));

  /** A window. `place` ends an answer with a finding in it. */
  function windowsOf(home: string) {
    const open = sharedWindows(home);
    const known: ReturnType<typeof conversation>[] = [];
    const found = (turnId: string) => {
      const one = known.find(({ id }) => id === turnId);
      return { conversation: one, exchange: one?.exchanges[0], turn: one?.exchanges[0]?.attempts[0] };
    };
    /**
     * @param earlier the URIs that cells got before it follows that
     * @param own the ID of its process
     */
    return function start(earlier = new Map<string, string>(), own = process.pid) {
      [focused, changes] = [new stub.EventEmitter(), new stub.EventEmitter()];
      const [focus, change] = [focused, changes];
      Object.assign(stub.window, { onDidChangeWindowState: focus.event });
      const shared = open();
      let follower: Follower | undefined;
      const findings = createFindings({
        conversations: { list: () => known, find: found, get: () => undefined, onDidChange: change.event },
        ...{ state: shared, log: { warn: assert.fail }, storage: { purged: new Set() } },
        pending: createPendingAnswers('k3.pendingFindings', shared, { warn: assert.fail }, own),
        renames: { since: () => ({ uriNow: async (uri: string) => uri }) },
        moved: {
          follow(one: Follower) {
            follower = one;
            one.moveAtOnce?.(earlier);
          },
        },
      } as unknown as FindingsDeps);
      return {
        findings,
        move: (now: ReadonlyMap<string, string>) => follower?.moveAtOnce?.(now),
        claims: () => findings.list().map(({ finding: { claim } }) => claim),
        focus: () => focus.fire({ focused: true }),
        async place(id: string, startLine: number, startedAt?: number) {
          const placed = new Promise((done) => findings.onDidPlace(done));
          this.end(id, startLine, startedAt);
          await placed;
        },
        end(id: string, startLine: number, startedAt = 0) {
          const about = { file: 'a.js', startLine, endLine: startLine, severity: 'error', claim: id };
          const evidence = code.split('\n')[startLine - 1];
          const answer = JSON.stringify({ summary: '', findings: [{ ...about, evidence, edit: null }] });
          const shown = {
            path: 'a.js',
            language: 'js',
            text: evidence ?? '',
            startLine: startLine - 1,
            lineCount: 1,
          };
          const { text } = toCodeReviewQuestion(shown, 1000, () => 1);
          const question = {
            ...{ text, images: [], purpose: 'findings' as const },
            origin: { uri: FILE, startLine: startLine - 1, endLine: startLine - 1 },
          };
          const turn = { ...completeTurn(answer), id, startedAt };
          known.push(conversation(id, [{ ...exchange(id, '', [turn]), question }]));
          change.fire({ type: 'turn', turn, before: {} });
        },
        close() {
          findings.dispose();
          shared.dispose();
        },
      };
    };
  }

  it('are those of both after a reload, whichever is closed last', async () => {
    const start = windowsOf(home);
    const [one, other] = [start(), start()];
    await one.place('first', 1);
    await other.place('second', 3);
    other.close();
    one.close();
    assert.deepEqual(start().claims().toSorted(), ['first', 'second']);
  });

  it('are shown in the other window when it gets the focus, and dismissed in both', async () => {
    const start = windowsOf(home);
    const [one, other] = [start(), start()];
    await one.place('first', 1);
    await one.place('second', 3);
    const placed: unknown[] = [];
    other.findings.onDidPlace((turnId) => placed.push(turnId));
    other.focus();
    assert.deepEqual(
      [other.claims(), placed],
      [
        ['first', 'second'],
        ['first', 'second'],
      ],
    );
    one.findings.dismiss(one.findings.list()[0]?.id ?? '');
    other.findings.dismiss(other.findings.list()[1]?.id ?? '');
    for (const window of [one, other]) {
      window.focus();
      assert.deepEqual(window.claims(), []);
      window.close();
    }
    assert.deepEqual(start().claims(), []);
  });

  it('are placed once by the next window if the one with the answer was reloaded or killed before that', async () => {
    const { openTextDocument } = stub.workspace as unknown as { openTextDocument(): Promise<object> };
    for (const [isKilled, own] of [
      [false, process.ppid],
      [true, 2 ** 22 + 1],
    ] as const) {
      let goOn = (): void => assert.fail();
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      Object.assign(stub.workspace, { openTextDocument: () => held.then(openTextDocument) });
      const start = windowsOf(mkdtempSync(join(home, 'window-')));
      const window = start(undefined, own);
      window.end('first', 1);
      const meanwhile = isKilled ? undefined : start();
      if (!isKilled) window.close();
      Object.assign(stub.workspace, { openTextDocument });
      const next = start();
      await eventually(() => assert.deepEqual(next.claims(), ['first']));
      if (!isKilled) goOn();
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(meanwhile?.claims() ?? [], []);
      next.findings.dismiss(next.findings.list()[0]?.id ?? '');
      next.close();
      assert.deepEqual(start().claims(), []);
    }
  });

  it('are those of the newer question if the older one was answered, but not placed, before a reload', async () => {
    const { openTextDocument } = stub.workspace as unknown as { openTextDocument(): Promise<object> };
    const start = windowsOf(home);
    const window = start(undefined, process.ppid);
    await window.place('newer', 1, 2);
    Object.assign(stub.workspace, { openTextDocument: () => new Promise(() => undefined) });
    window.end('older', 1, 1);
    window.close();
    Object.assign(stub.workspace, { openTextDocument });
    const next = start();
    await new Promise((placed) => next.findings.onDidPlace(placed));
    assert.ok(next.claims().includes('newer'));
    next.close();
  });

  it('are on the same cells in the other window, where these have other numbers', async () => {
    const uriOf = (number: number) => `vscode-notebook-cell:/a.ipynb#W${number}sZmlsZQ%3D%3D`;
    const cells = ['x', 'a'].map((text, at) => ({
      document: { uri: { toString: () => uriOf(at) }, getText: () => text },
    }));
    const start = windowsOf(home);
    const window = start();
    await window.place('first', 1);
    const cell = { label: '#2', text: createHash('sha1').update('a').digest('base64') };
    const found = { ...review.findings[0], id: 'other', uri: uriOf(0), cell };
    await sharedWindows(home)().update('k3.findings', [
      { turnId: 'other', conversationId: 'first', findings: [found] },
    ]);
    Object.assign(stub.workspace, { notebookDocuments: [{ getCells: () => cells }] });
    // One that begins while the notebook is open.
    assert.equal(start().findings.find('other')?.uri.toString(), uriOf(1));
    for (let times = 0; times < 2; times++) {
      window.focus();
      assert.equal(window.findings.find('other')?.uri.toString(), uriOf(1));
    }
  });

  it('are on their own cells when the notebook is opened, also if the URI is known as that of another cell', async () => {
    const uriOf = (number: number) => `vscode-notebook-cell:/a.ipynb#W${number}sZmlsZQ%3D%3D`;
    const cells = [`x\n${LOOP}`, `${LOOP}\na`].map((text, at) => ({
      document: { uri: stub.Uri.parse(uriOf(at)), getText: () => text },
    }));
    const start = windowsOf(home);
    const window = start();
    await window.place('first', 1);
    const cell = { label: '#2', text: createHash('sha1').update(`${LOOP}\na`).digest('base64') };
    const placement = { placed: true, startLine: 0, endLine: 0 };
    const found = { ...review.findings[0], id: 'other', uri: uriOf(0), cell, placement };
    const shared = sharedWindows(home)();
    await shared.update('k3.findings', [{ turnId: 'other', conversationId: 'first', findings: [found] }]);
    window.focus();
    const textDocuments = cells.map(({ document }) => document);
    Object.assign(stub.workspace, { notebookDocuments: [{ getCells: () => cells }], textDocuments });
    const wrong = new Map([[uriOf(0), uriOf(0)]]);
    window.move(wrong);
    const places = [window.findings, start(wrong).findings].map((all) => {
      const { uri, startLine, stale } = all.find('other') ?? assert.fail();
      return [uri.toString(), startLine, stale];
    });
    assert.deepEqual(places, [
      [uriOf(1), 0, false],
      [uriOf(1), 0, false],
    ]);
    assert.match(JSON.stringify(shared.get('k3.findings')), /"label":"#2"/);
  });
});
