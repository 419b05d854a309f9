/** Comments that were sent, when the window is reloaded before their answer is complete. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SharedState } from '../../../../src/editor/storage/sharedState.ts';
import { type Refused, refuse } from '../../../../src/requests/refusal.ts';
import type { Remark } from '../../../../src/review/comments/keptRemarks.ts';
import {
  commands,
  EventEmitter,
  registered,
  textDocuments,
  Uri,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerSendReview, createRemarks, createRemarkClaims } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/sendReview.ts')),
  ...(await import('../../../../src/editor/proposals/remarks.ts')),
  ...(await import('../../../../src/editor/proposals/remarkClaims.ts')),
}));

const REMARK: Remark = {
  id: 'r1',
  uri: 'file:///a.ts',
  startLine: 0,
  endLine: 0,
  quote: 'let a;',
  text: 'Why?',
  hunk: undefined,
};

describe('Comments whose answer is running when the window is reloaded', () => {
  const { showInformationMessage } = window;
  let stateHere: Map<string, string>;
  let folder: string;
  let changes: EventEmitter<unknown>;
  let warnings: string[];
  let asked: number;
  let failing: boolean;
  let refused: Refused | undefined;
  /** What asking waits for, such as the input for the key. */
  let held: Promise<void> | undefined;
  let shown: string[];
  let questions: string[];
  let text: string;
  beforeEach(() => {
    stateHere = new Map();
    [asked, failing, refused, held, shown, questions] = [0, false, undefined, undefined, [], []];
    Object.assign(window, { showInformationMessage: async (message: string) => void shown.push(message) });
    folder = mkdtempSync(join(tmpdir(), 'k3-comments-'));
    warnings = [];
    text = 'let a;';
    const document = {
      uri: Uri.parse(REMARK.uri),
      isClosed: false,
      lineCount: 1,
      languageId: 'typescript',
      getText: () => text,
      lineAt: () => ({ text: 'let a;', rangeIncludingLineBreak: { with: () => ({}) } }),
    };
    textDocuments.push(document);
    window.visibleTextEditors.push({ document });
  });
  afterEach(() => {
    textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
    Object.assign(window, { showInformationMessage });
    rmSync(folder, { recursive: true });
  });

  /** The parts in a new window, with what the one before has stored. */
  function start(own = process.pid, state: Map<string, string> | SharedState = stateHere) {
    changes = new EventEmitter();
    const claims = createRemarkClaims(folder, { warn: (line) => void warnings.push(line) }, own);
    const memento = (
      state instanceof Map
        ? {
            get: (key: string) => JSON.parse(state.get(key) ?? 'null') ?? undefined,
            update: async (key: string, value: unknown) => void state.set(key, JSON.stringify(value)),
          }
        : state
    ) as never;
    const log = { warn: (line: string) => void warnings.push(line) };
    let follow = (_from: Uri, _to: Uri) => {};
    let followAtOnce = (_now: ReadonlyMap<string, string>) => {};
    const remarks = createRemarks(memento, log, claims, { follow: () => undefined });
    let followed = (): readonly object[] => [];
    registerSendReview({
      log,
      state: memento,
      remarks,
      claims,
      proposals: { get: () => undefined, underReview: () => [] },
      missing: { isMissing: async () => false },
      moved: {
        follow({
          files,
          move,
          moveAtOnce,
        }: {
          files: typeof followed;
          move: typeof follow;
          moveAtOnce: typeof followAtOnce;
        }) {
          followed = files;
          follow = move;
          followAtOnce = moveAtOnce;
        },
      },
      conversations: {
        front: () => ({ id: 'c1' }),
        get: () => ({ id: 'c1' }),
        create: () => ({ id: 'c1' }),
        isRunning: () => false,
        holder: () => undefined,
        find: () => undefined,
        ask: async (_: string, question: { text: string }) => {
          questions.push(question.text);
          await held;
          if (failing) throw new Error('the disk is full');
          asked++;
          return refused ?? { ok: true, turnId: 't1' };
        },
        onDidChange: changes.event,
      },
    } as never);
    return {
      remarks,
      rename: (from: Uri, to: Uri) => follow(from, to),
      moveAtOnce: (now: ReadonlyMap<string, string>) => followAtOnce(now),
      followed: () => followed(),
    };
  }

  const end = (outcome: string) => changes.fire({ type: 'turn', turn: { id: 't1', outcome, answer: '' } });

  async function sent() {
    const window = start();
    window.remarks.put(REMARK);
    await registered.get('k3.sendReview')?.();
    assert.deepEqual([window.remarks.list(), warnings], [[], []]);
    return window;
  }

  it('can be sent again while the user is told why they weren’t', async () => {
    const { showWarningMessage } = window;
    Object.assign(window, { showWarningMessage: () => new Promise(() => undefined) });
    try {
      const { remarks } = start();
      remarks.put(REMARK);
      refused = refuse({ kind: 'over-cap', cap: 1, spent: 1, inputCost: 1 });
      await registered.get('k3.sendReview')?.();
      assert.deepEqual([asked, remarks.list()], [1, [REMARK]]);
      refused = undefined;
      await registered.get('k3.sendReview')?.();
      assert.deepEqual([asked, remarks.list()], [2, []]);
    } finally {
      Object.assign(window, { showWarningMessage });
    }
  });

  it('are back in the editor', async () => {
    await sent();
    assert.deepEqual(start().remarks.list(), [REMARK]);
    assert.deepEqual(start().remarks.list(), [REMARK], 'once');
  });

  for (const [when, back] of [
    ['', () => start()],
    [', also without a reload, when the answer is cut off', () => end('cut-off')],
  ] as const)
    it(`are where their lines are now${when}`, async () => {
      const window = await sent();
      text = '// First.\n// Second.\nlet a;';
      const { remarks } = back() ?? window;
      assert.deepEqual(remarks.list(), [{ ...REMARK, startLine: 2, endLine: 2 }]);
    });

  it('have the new name of their file', async () => {
    const { rename, followed } = await sent();
    // The text of a comment is not that of its file.
    assert.deepEqual(followed(), [{ uri: REMARK.uri }]);
    rename(Uri.parse('file:///a.ts'), Uri.parse('file:///b.ts'));
    assert.deepEqual(start().remarks.list(), [{ ...REMARK, uri: 'file:///b.ts' }]);
  });

  it('are on the same cells when their notebook was opened again meanwhile', async () => {
    const { remarks, moveAtOnce } = start();
    const [first, second] = ['#W0sZmlsZQ==', '#W1sZmlsZQ=='].map(
      (part) => `vscode-notebook-cell:/n.ipynb${part}`,
    );
    assert.ok(first && second);
    for (const uri of [first, second]) remarks.put({ ...REMARK, id: uri, uri });
    await registered.get('k3.sendReview')?.();
    assert.deepEqual(remarks.list(), []);
    moveAtOnce(
      new Map([
        [first, second],
        [second, first],
      ]),
    );
    end('cut-off');
    assert.deepEqual(
      remarks.list().map(({ id, uri }) => [id, uri]),
      [
        [first, second],
        [second, first],
      ],
    );
  });

  describe('in a notebook that is open when the next window begins', () => {
    restoreAfterEach(workspace);
    const uriOf = (number: number) => `vscode-notebook-cell:/n.ipynb#W${number}sZmlsZQ==`;
    /** @param numbers those that its cells have, from the top */
    const show = (...numbers: readonly number[]) =>
      Object.assign(workspace, {
        notebookDocuments: [
          {
            uri: Uri.parse('file:///n.ipynb'),
            getCells: () =>
              numbers.map((number, at) => ({
                document: { uri: { toString: () => uriOf(number) }, getText: () => `cell ${at}` },
              })),
          },
        ],
      });

    it('are on their cells also if the one before was killed, although the editor counts the cells anew', async () => {
      show(2, 0, 1);
      const { remarks } = start();
      for (const number of [0, 1]) remarks.put({ ...REMARK, id: `r${number}`, uri: uriOf(number) });
      await registered.get('k3.sendReview')?.();
      assert.deepEqual(remarks.list(), []);
      show(0, 1, 2);
      for (const time of ['first', 'second'])
        assert.deepEqual(
          start()
            .remarks.list()
            .map(({ id, uri }) => [id, uri]),
          [
            ['r0', uriOf(1)],
            ['r1', uriOf(2)],
          ],
          time,
        );
    });
  });

  it('are not when the answer was complete before', async () => {
    await sent();
    end('complete');
    assert.deepEqual(start().remarks.list(), []);
  });

  it('are not a second time when the answer was cut off before, and the user has deleted them', async () => {
    const { remarks } = await sent();
    end('cut-off');
    assert.deepEqual(remarks.list(), [REMARK]);
    remarks.remove(new Set([REMARK.id]));
    assert.deepEqual(start().remarks.list(), []);
  });

  it('are done when the rest of the answer is complete', async () => {
    await sent();
    const { remarks } = start();
    changes.fire({ type: 'turn', turn: { id: 't1', outcome: 'complete', answer: '' } });
    assert.deepEqual(remarks.list(), []);
  });

  it('are sent without opening another document in place of an untitled one that was closed', async () => {
    const { openTextDocument } = workspace;
    const opened: string[] = [];
    Object.assign(workspace, { openTextDocument: async (uri: Uri) => void opened.push(String(uri)) });
    const { remarks } = start();
    remarks.put({ ...REMARK, id: 'r2', uri: 'untitled:Untitled-1?closed' });
    remarks.put(REMARK);
    await registered.get('k3.sendReview')?.();
    Object.assign(workspace, { openTextDocument });
    assert.deepEqual([opened, asked], [[REMARK.uri], 1]);
  });

  it('are left out if what was stored can’t be read', () => {
    stateHere.set('k3.sentRemarks', JSON.stringify([{ turnId: 't1', remarks: [REMARK, { id: 1 }] }, 'x']));
    assert.deepEqual(start().remarks.list(), [REMARK]);
    assert.equal(warnings.length, 2);
  });

  describe('in another window with a copy of the workspace state from before', () => {
    /** Two windows with the same comment. `send` and `fire` are those of the first one. */
    async function two() {
      const first = start();
      first.remarks.put(REMARK);
      const [send, fire] = [registered.get('k3.sendReview'), changes];
      const copy = new Map(stateHere);
      const second = start(process.ppid, copy);
      assert.deepEqual(second.remarks.list(), [REMARK]);
      const ended = (outcome: string) => fire.fire({ type: 'turn', turn: { id: 't1', outcome, answer: '' } });
      return {
        first,
        second,
        copy,
        send: () => send?.(),
        sendSecond: registered.get('k3.sendReview'),
        ended,
      };
    }

    it('are not sent a second time while their answer runs, and are gone when it is complete', async () => {
      const { second, copy, send, sendSecond, ended } = await two();
      await send();
      await sendSecond?.();
      assert.deepEqual([asked, second.remarks.list()], [1, [REMARK]]);
      assert.match(shown.join(), /^Another window has sent comments that are here as well/);
      ended('complete');
      await sendSecond?.();
      assert.deepEqual([asked, second.remarks.list()], [1, []]);
      copy.set('k3.remarks', JSON.stringify([REMARK]));
      assert.deepEqual(start(process.ppid, copy).remarks.list(), [], 'also after a reload');
    });

    it('are not back there while their answer runs, also when that window begins then, but where they were sent', async () => {
      const { send, ended, first } = await two();
      await send();
      const third = start(process.ppid, new Map(stateHere));
      assert.deepEqual(third.remarks.list(), []);
      ended('cut-off');
      assert.deepEqual(first.remarks.list(), [REMARK]);
    });

    it('can be sent there when they came back, or when the first window has ended', async () => {
      const { send, sendSecond, ended } = await two();
      await send();
      ended('cut-off');
      await sendSecond?.();
      assert.equal(asked, 2);
    });

    it('are back in whichever window begins next when the one that sent them has ended', async () => {
      const ended = 2 ** 22 + 1;
      start(ended).remarks.put(REMARK);
      await registered.get('k3.sendReview')?.();
      assert.deepEqual(start(process.ppid, new Map(stateHere)).remarks.list(), [REMARK]);
    });

    it('do not come back there when they were deleted, but what was written anew does', async () => {
      const { first, copy } = await two();
      first.remarks.remove(new Set([REMARK.id]));
      const reloaded = start(process.ppid, copy);
      assert.deepEqual(reloaded.remarks.list(), []);
      reloaded.remarks.put({ ...REMARK, text: 'Again?' });
      assert.deepEqual(start(process.ppid, copy).remarks.list(), [{ ...REMARK, text: 'Again?' }]);
    });
  });

  describe('in two windows of a folder', () => {
    const { onDidChangeWindowState } = window;
    let focused: EventEmitter<unknown>;
    beforeEach(() => {
      focused = new EventEmitter();
      Object.assign(window, { onDidChangeWindowState: focused.event });
    });
    afterEach(() => void Object.assign(window, { onDidChangeWindowState }));

    it('are those of both after a reload, and in the other window when it gets the focus', () => {
      const open = sharedWindows(folder);
      const [first, second] = [start(process.pid, open()), start(process.ppid, open())];
      first.remarks.put(REMARK);
      second.remarks.put({ ...REMARK, id: 'r2' });
      const ids = ({ remarks }: typeof first) => remarks.list().map(({ id }) => id);
      assert.deepEqual(ids(start(process.pid, open())), ['r1', 'r2']);
      focused.fire({ focused: true });
      assert.deepEqual(
        [ids(first), ids(second)],
        [
          ['r1', 'r2'],
          ['r1', 'r2'],
        ],
      );
      second.remarks.remove(new Set(['r1']));
      first.remarks.put({ ...REMARK, id: 'r3' });
      focused.fire({ focused: true });
      assert.deepEqual(
        [ids(first), ids(start(process.pid, open()))],
        [
          ['r2', 'r3'],
          ['r2', 'r3'],
        ],
      );
    });

    it('are not back where they are being sent when they are moved in the other one', async () => {
      const open = sharedWindows(folder);
      const first = start(process.pid, open());
      first.remarks.put(REMARK);
      const send = registered.get('k3.sendReview');
      const end = changes;
      const second = start(process.ppid, open());
      await send?.();
      text = `\n${text}`;
      second.remarks.putBack([{ ...REMARK, startLine: 1, endLine: 1 }]);
      focused.fire({ focused: true });
      assert.deepEqual(first.remarks.list(), []);
      end.fire({ type: 'turn', turn: { id: 't1', outcome: 'complete', answer: '' } });
      focused.fire({ focused: true });
      assert.deepEqual([second.remarks.list(), start(process.pid, open()).remarks.list()], [[], []]);
    });

    it('are not back as they were sent when the other one renames their file after they came back and were changed', async () => {
      const open = sharedWindows(folder);
      const first = start(process.pid, open());
      first.remarks.put(REMARK);
      await registered.get('k3.sendReview')?.();
      const end = changes;
      const second = start(process.ppid, open());
      end.fire({ type: 'turn', turn: { id: 't1', outcome: 'cut-off', answer: '' } });
      first.remarks.put({ ...REMARK, text: 'Why not?' });
      second.rename(Uri.parse('file:///a.ts'), Uri.parse('file:///b.ts'));
      assert.deepEqual(
        start(process.pid, open())
          .remarks.list()
          .map((one) => one.text),
        ['Why not?'],
      );
    });

    it('are sent by both, each its own, and back after a reload of either', async () => {
      const open = sharedWindows(folder);
      const ended = 2 ** 22 + 1;
      const first = start(ended, open());
      first.remarks.put(REMARK);
      await registered.get('k3.sendReview')?.();
      const second = start(process.ppid, open());
      assert.deepEqual(second.remarks.list(), [REMARK]);
    });
  });

  describe('while a review is being sent', () => {
    const { executeCommand } = commands;
    let added: string[];
    let goOn: () => void;
    beforeEach(() => {
      added = [];
      held = new Promise((resolve) => {
        goOn = resolve;
      });
      Object.assign(commands, {
        executeCommand: async (id: string, reply: { text: string }) => {
          if (id !== 'k3.addRemark') return;
          added.push(reply.text);
          await pause(1);
        },
      });
    });
    afterEach(() => void Object.assign(commands, { executeCommand }));

    /** What the editor passes when the button of a box is clicked. It empties the box when the command has ended. */
    const click = (line: number, text: string) =>
      registered.get('k3.sendReview')?.({
        thread: { uri: 'file:///a.ts', range: [line, line] },
        text,
      } as never);

    it('are kept when they were written into another box', async () => {
      start().remarks.put(REMARK);
      const sending = click(1, 'First.');
      await pause(5);
      await click(2, 'Second.');
      assert.deepEqual(added, ['First.', 'Second.']);
      goOn();
      await sending;
      assert.equal(asked, 1);
    });

    for (const outcome of ['complete', 'cut-off'])
      it(`stay as the user has changed or deleted them meanwhile, also if the answer is ${outcome}`, async () => {
        const { remarks } = start();
        const [changed, deleted] = [
          { ...REMARK, id: 'r2' },
          { ...REMARK, id: 'r3' },
        ];
        for (const one of [REMARK, changed, deleted]) remarks.put(one);
        const sending = registered.get('k3.sendReview')?.();
        await pause(5);
        remarks.put({ ...changed, text: 'Why not b?' });
        remarks.remove(new Set([deleted.id]));
        goOn();
        await sending;
        const left = [{ ...changed, text: 'Why not b?' }];
        assert.deepEqual([asked, remarks.list()], [1, left]);
        end(outcome);
        assert.deepEqual(remarks.list(), outcome === 'complete' ? left : [...left, REMARK]);
        assert.deepEqual(start().remarks.list(), remarks.list(), 'after a reload');
      });

    it('are sent as the user has changed or deleted them while the chat got the focus', async () => {
      const { remarks } = start();
      const deleted = { ...REMARK, id: 'r2', text: 'Why now?' };
      for (const one of [REMARK, deleted]) remarks.put(one);
      Object.assign(commands, {
        async executeCommand(id: string) {
          if (id !== 'k3.focusChat' || remarks.list().length < 2) return;
          remarks.put({ ...REMARK, text: 'Why not b?' });
          remarks.remove(new Set([deleted.id]));
        },
      });
      goOn();
      await registered.get('k3.sendReview')?.();
      assert.deepEqual([shown, asked, remarks.list()], [[], 1, []]);
      assert.match(questions.join(), /Why not b\?/);
      assert.doesNotMatch(questions.join(), /Why\?|Why now\?/);
    });

    it('are added and sent once when the button is double-clicked', async () => {
      start().remarks.put(REMARK);
      const sending = [click(1, 'First.'), click(1, 'First.')];
      await pause(5);
      sending.push(click(1, 'First.'));
      goOn();
      await Promise.all(sending);
      assert.deepEqual([added, asked], [['First.'], 1]);
    });
  });

  it('can be sent, here and in another window, when asking failed', async () => {
    start().remarks.put(REMARK);
    const copy = new Map(stateHere);
    failing = true;
    await assert.rejects(async () => registered.get('k3.sendReview')?.(), /disk is full/);
    failing = false;
    start(process.ppid, copy);
    await registered.get('k3.sendReview')?.();
    assert.deepEqual([asked, shown], [1, []]);
  });

  it('are forgotten by other windows after 90 days', async () => {
    mkdirSync(folder, { recursive: true });
    const days = (count: number) => Date.now() / 1000 - count * 24 * 60 * 60;
    for (const [name, age] of [
      ['old', 91],
      ['recent', 89],
    ] as const) {
      writeFileSync(join(folder, name), 'done');
      utimesSync(join(folder, name), days(age), days(age));
    }
    start();
    for (let wait = 0; wait < 200 && existsSync(join(folder, 'old')); wait++) await pause(10);
    assert.deepEqual(readdirSync(folder), ['recent']);
    assert.deepEqual(warnings, []);
  });

  it('can be written and sent where the folder for all windows can’t be used', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    const { remarks } = start();
    remarks.put(REMARK);
    await registered.get('k3.sendReview')?.();
    assert.deepEqual([asked, remarks.list()], [1, []]);
    assert.ok(warnings.length > 0);
  });
});
