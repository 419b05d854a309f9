import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createFoundTurns } from '../../../../src/editor/conversations/foundTurns.ts';
import type { ConversationStore } from '../../../../src/history/conversationStore.ts';
import * as stub from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import {
  answer,
  completeTurn,
  DONE,
  finish,
  SERVICE_ENDED,
  turnOf,
  usage,
} from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn } from '../../history/support.ts';

const { registerProblems } = await withEditorStub(
  () => import('../../../../src/editor/problems/problems.ts'),
);

const cut = turnOf([answer('Half of an ans'), finish('length'), usage(), DONE, SERVICE_ENDED]);
const asked = (number: number, turn = completeTurn()) =>
  conversation(`c${number}`, [exchange(`e${number}`, 'Why?', [{ ...turn, id: `t${number}` }])]);

describe('The fixes of a problem whose conversation has left the memory', () => {
  const original = { ...stub.languages };
  const told: string[] = [];
  const originalWindow = { ...stub.window };
  let store: ConversationStore;
  let disk: ReturnType<typeof onFullDisk>;
  let performed: unknown[];
  let opened: string[];
  let revealed: object[];
  let shown: Map<string, number>;

  const run = (command: string, ...values: readonly string[]) =>
    (stub.registered.get(command) as (...values: readonly string[]) => unknown)(...values);

  beforeEach(async () => {
    [performed, opened, revealed, shown] = [[], [], [], new Map()];
    told.length = 0;
    const folder = await makeFolder();
    const first = storeOn(open(folder));
    for (let number = 1; number <= 30; number++)
      first.put(asked(number, number === 30 ? cut : undefined), `e${number}`);
    disk = onFullDisk(open(folder), 'load');
    disk.full = false;
    store = storeOn(disk.history, [], () => undefined);
    const none = () => new stub.Disposable(() => undefined);
    Object.assign(stub.window, { showErrorMessage: async (message: string) => void told.push(message) });
    Object.assign(stub.languages, {
      createDiagnosticCollection: () => ({
        set: (uri: object, all: readonly unknown[]) => shown.set(String(uri), all.length),
        delete: (uri: object) => shown.delete(String(uri)),
        dispose: () => undefined,
      }),
      registerCodeActionsProvider: none,
      registerCodeLensProvider: none,
    });
    const conversations = {
      ...store,
      ...createFoundTurns({ store, fire: () => undefined }),
      current: () => store.get('c30'),
      loaded: store.open,
      open: (id: string) => opened.push(id),
      onDidChange: none,
    };
    registerProblems({
      base: { log: { warn: assert.fail } },
      reveal: (place: object) => void revealed.push(place),
      storage: { globalState: { get: () => undefined, update: async () => undefined } },
      conversations,
      structured: { judged: () => undefined, onDidJudge: none },
      routes: { active: () => undefined, onDidChange: none },
      perform: async (action: string, turnId: string) => void performed.push([action, turnId]),
    } as never);
    assert.deepEqual([...shown.values()], [1]);
    for (const { id } of store.list()) if (id !== 'c30') store.get(id);
    assert.ok(store.open().every(({ id }) => id !== 'c30'));
  });
  afterEach(() => {
    Object.assign(stub.languages, original);
    Object.assign(stub.window, originalWindow);
  });

  it('go on with the answer', async () => {
    await run('_k3.performFix', 't30', 'truncated', 'continue');
    assert.deepEqual([performed, opened], [[['continue', 't30']], ['c30']]);
  });

  it('lead to the turn, wherever the chat was scrolled', async () => {
    await run('_k3.goToTurn', 't30');
    assert.deepEqual([opened, revealed], [['c30'], [{ exchangeId: 'e30', part: 'answer' }]]);
  });

  it('dismiss it', async () => {
    await run('_k3.dismissProblem', 't30', 'truncated');
    assert.deepEqual([...shown.values()], [0]);
  });

  it('say that it can’t be read, and work when it can be', async () => {
    disk.full = true;
    await run('_k3.performFix', 't30', 'truncated', 'continue');
    await run('_k3.goToTurn', 't30');
    const why = 'The conversation can’t be read now. Try again later.';
    assert.deepEqual([performed, told], [[], [why, why]]);
    disk.full = false;
    await run('_k3.performFix', 't30', 'truncated', 'continue');
    assert.deepEqual(performed, [['continue', 't30']]);
  });

  it('do nothing for turns and problems that other extensions name', async () => {
    await run('_k3.performFix', 't1', 'truncated', 'continue');
    await run('_k3.performFix', 't30', 'truncated', 'retry');
    await run('_k3.performFix', 't30', 'failed', 'continue');
    assert.deepEqual([performed, told], [[], []]);
  });
});
