/** Comments that were sent, when the window is reloaded before their answer is complete. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Remark } from '../../../../src/review/keptRemarks.ts';
import { EventEmitter, registered, textDocuments, Uri, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerSendReview, createRemarks } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/sendReview.ts')),
  ...(await import('../../../../src/editor/proposals/remarks.ts')),
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
  let state: Map<string, string>;
  let changes: EventEmitter<unknown>;
  let warnings: string[];
  let text: string;
  beforeEach(() => {
    state = new Map();
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
  });

  /** The parts in a new window, with what the one before has stored. */
  function start() {
    changes = new EventEmitter();
    const memento = {
      get: (key: string) => JSON.parse(state.get(key) ?? 'null') ?? undefined,
      update: async (key: string, value: unknown) => void state.set(key, JSON.stringify(value)),
    } as never;
    const log = { warn: (line: string) => void warnings.push(line) };
    const remarks = createRemarks(memento, log);
    let follow = (_from: Uri, _to: Uri) => {};
    registerSendReview({
      log,
      state: memento,
      remarks,
      proposals: { get: () => undefined, underReview: () => [] },
      missing: { isMissing: async () => false },
      moved: {
        follow({ move }: { move: typeof follow }) {
          follow = move;
        },
      },
      conversations: {
        front: () => ({ id: 'c1' }),
        get: () => ({ id: 'c1' }),
        create: () => ({ id: 'c1' }),
        isRunning: () => false,
        holder: () => undefined,
        find: () => undefined,
        ask: async () => ({ ok: true, turnId: 't1' }),
        onDidChange: changes.event,
      },
    } as never);
    return { remarks, rename: (from: Uri, to: Uri) => follow(from, to) };
  }

  const end = (outcome: string) => changes.fire({ type: 'turn', turn: { id: 't1', outcome, answer: '' } });

  async function sent() {
    const window = start();
    window.remarks.put(REMARK);
    await registered.get('k3.sendReview')?.();
    assert.deepEqual([window.remarks.list(), warnings], [[], []]);
    return window;
  }

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
    const { rename } = await sent();
    rename(Uri.parse('file:///a.ts'), Uri.parse('file:///b.ts'));
    assert.deepEqual(start().remarks.list(), [{ ...REMARK, uri: 'file:///b.ts' }]);
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

  it('are left out if what was stored can’t be read', () => {
    state.set('k3.sentRemarks', JSON.stringify([{ turnId: 't1', remarks: [REMARK, { id: 1 }] }, 'x']));
    assert.deepEqual(start().remarks.list(), [REMARK]);
    assert.equal(warnings.length, 2);
  });
});
