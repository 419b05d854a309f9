import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { UsageData } from '../../../../src/panel/usage.ts';
import { commands, EventEmitter, registered, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerUsagePage } = await withEditorStub(() => import('../../../../src/editor/usage/usagePage.ts'));

describe('The usage page', () => {
  restoreAfterEach(Uri);
  const original = { ...window };
  let receive: ((message: unknown) => void) | undefined;
  let errors: string[];
  let warnings: string[];
  let posted: string[];
  let steps: string[];
  let shown: UsageData | undefined;
  let text: string | undefined;
  let tab: object;
  let closed: object[];
  /** The editor shows a tab of the page again. */
  let restore: (tab: object, state: unknown) => Promise<void>;

  beforeEach(() => {
    errors = [];
    warnings = [];
    posted = [];
    steps = [];
    const webview = {
      cspSource: '',
      html: '',
      asWebviewUri: String,
      async postMessage({ type, data, text: words }: { type: string; data?: UsageData; text?: string }) {
        posted.push(type);
        shown = data;
        text = words;
        return true;
      },
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        receive = listener;
      },
    };
    closed = [];
    tab = {
      webview,
      visible: true,
      reveal: () => steps.push('reveal'),
      onDidDispose: () => undefined,
      dispose: () => closed.push(tab),
    };
    Object.assign(window, {
      createWebviewPanel: () => ({ ...tab }),
      registerWebviewPanelSerializer(
        _: string,
        serializer: { deserializeWebviewPanel(restored: object, state: unknown): Promise<void> },
      ) {
        restore = (...restored) => serializer.deserializeWebviewPanel(...restored);
        return { dispose: () => undefined };
      },
      showSaveDialog: async () => 'file:///full/usage.csv',
      showErrorMessage: async (message: string) => void errors.push(message),
    });
    Object.assign(workspace, {
      fs: { writeFile: async () => Promise.reject(new Error('the disk is full')) },
    });
    Object.assign(Uri, { joinPath: (...parts: unknown[]) => parts.join('/') });
  });
  afterEach(() => {
    Object.assign(window, original);
    Reflect.deleteProperty(workspace, 'fs');
  });

  const nothingSpent = {
    isOpen: () => true,
    byDay: () => [],
    byRoute: () => [],
    byConversation: () => [],
    outcomes: () => [],
  };
  /** Opens the page of a window with this usage and these conversations. */
  async function open(...about: Parameters<typeof begin>): Promise<void> {
    begin(...about);
    await registered.get('k3.showUsage')?.();
  }
  function begin(history: object = {}, conversations: object = {}, more: object = {}): void {
    registerUsagePage({
      conversations: {
        get: () => ({}),
        open: () => true,
        onDidChange: () => ({ dispose: () => undefined }),
        ...conversations,
      },
      history: { ...nothingSpent, ...history },
      store: { endAbandoned: () => void steps.push('end') },
      extensionUri: 'extension',
      log: { warn: (text: string) => void warnings.push(text) },
      onDidSpend: () => ({ dispose: () => undefined }),
      ...more,
    } as never);
  }

  it('has the turns of windows that were killed, whose end is recorded before it is read', async () => {
    const byDay = () => {
      steps.push('read');
      return [];
    };
    await open({ byDay });
    receive?.({ type: 'ready' });
    await new Promise(setImmediate);
    assert.deepEqual([steps, posted], [['end', 'read'], ['usage']]);
  });

  it('has what another chat, or another window, has spent while it is open, and is not drawn again for nothing', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let turns = 1;
    const spending = new EventEmitter<void>();
    const changes = new EventEmitter<{ type: string }>();
    const spent = () => spending.fire();
    const changed = (change: { type: string }) => changes.fire(change);
    const byRoute = () => {
      if (turns === 0) throw new Error('locked');
      return [{ route: 'direct', turns }];
    };
    await open({ byRoute }, { onDidChange: changes.event }, { onDidSpend: spending.event });
    receive?.({ type: 'ready' });
    await new Promise(setImmediate);
    const postedBy = (what: () => void) => {
      what();
      mock.timers.tick(1000);
      return posted.length;
    };
    assert.equal(postedBy(spent), 1, 'the same');
    turns = 2;
    assert.equal(postedBy(spent), 2);
    turns = 3;
    assert.equal(
      postedBy(() => changed({ type: 'listed' })),
      3,
    );
    turns = 4;
    assert.equal(
      postedBy(() => changed({ type: 'seen' })),
      3,
    );
    turns = 0;
    assert.equal(postedBy(spent), 3);
    await new Promise(setImmediate);
    mock.timers.reset();
    assert.deepEqual(warnings, ['showing the usage failed: Error: locked']);
  });

  it('is restored after a reload, with the days that were chosen', async () => {
    begin();
    await restore(tab, { days: 7 });
    receive?.({ type: 'ready' });
    await new Promise(setImmediate);
    assert.deepEqual([posted, shown?.range, closed], [['usage'], 7, []]);
    await registered.get('k3.showUsage')?.();
    assert.ok(steps.includes('reveal'), 'no second one is opened');
    begin();
    await restore(tab, { days: 'x' });
    receive?.({ type: 'ready' });
    await new Promise(setImmediate);
    assert.deepEqual([shown?.range, closed], [30, []]);
  });

  it('shows that the database is locked where it is loaded again, without a notification, until it can be read', async () => {
    const { showWarningMessage } = window;
    const told: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void told.push(message) });
    const changes = new EventEmitter<{ type: string }>();
    let isLocked = true;
    const byDay = () => (isLocked ? assert.fail(Object.assign(new Error('no usage'), { errcode: 5 })) : []);
    begin({ byDay }, { onDidChange: changes.event });
    await restore(tab, { days: 7 });
    mock.timers.enable({ apis: ['setTimeout'] });
    // The second time, after its tab was behind another one, with the same usage as before.
    for (const count of [1, 2]) {
      isLocked = true;
      receive?.({ type: 'ready' });
      await new Promise(setImmediate);
      assert.equal(text, 'Another program has locked the conversation database. Try again when it is free.');
      isLocked = false;
      changes.fire({ type: 'listed' });
      mock.timers.tick(1000);
      assert.deepEqual(posted, Array(count).fill(['locked', 'usage']).flat());
    }
    mock.timers.reset();
    Object.assign(window, { showWarningMessage });
    assert.deepEqual([shown?.range, told], [7, []]);
  });

  it('is closed instead where there is no usage', async () => {
    begin({}, {}, { history: undefined });
    await restore(tab, undefined);
    assert.deepEqual(closed, [tab]);
  });

  it('takes the place of one that was opened before its tab, which was behind another, is shown', async () => {
    const opened = { ...tab, dispose: () => closed.push(opened) };
    Object.assign(window, { createWebviewPanel: () => opened });
    await open();
    await restore(tab, undefined);
    assert.deepEqual(closed, [opened]);
  });

  it('has the sum of the conversations that it doesn’t list, so that its table has all that was spent', async () => {
    const one = { unreported: 0, promptTokens: 5, cachedTokens: 1, reasoningTokens: 2, answerTokens: 3 };
    const byConversation = () =>
      Array.from({ length: 55 }, (_, n) => ({
        ...one,
        turns: 1,
        cost: 1,
        conversationId: `c${n}`,
        demo: n === 54,
        title: 'Why?',
      }));
    await open({ byConversation });
    receive?.({ type: 'ready' });
    await new Promise(setImmediate);
    assert.equal(shown?.conversations.length, 50);
    assert.deepEqual(shown?.others, {
      conversations: 4,
      turns: 4,
      unreported: 0,
      promptTokens: 20,
      cachedTokens: 4,
      reasoningTokens: 8,
      answerTokens: 12,
      cost: 4,
    });
  });

  it('suggests a file for the CSV, and says when it is written', async () => {
    const told: unknown[] = [];
    Object.assign(workspace, {
      workspaceFolders: [{ uri: { path: '/work' } }],
      fs: { writeFile: async () => undefined },
    });
    Object.assign(window, {
      showSaveDialog: async ({ defaultUri }: { defaultUri: unknown }) =>
        told.push(String(defaultUri)) && 'file:///usage.csv',
      showInformationMessage: async (...shown: string[]) => void told.push(...shown),
    });
    await open();
    receive?.({ type: 'csv' });
    await new Promise(setImmediate);
    Reflect.deleteProperty(workspace, 'workspaceFolders');
    assert.deepEqual(told, ['[object Object]/k3-usage.csv', 'The usage was exported.', 'Open File']);
  });

  it('tells when the CSV can’t be written', async () => {
    await open();
    receive?.({ type: 'csv' });
    await new Promise(setImmediate);
    assert.deepEqual(errors, ['Couldn’t write the file: the disk is full']);
    assert.deepEqual(warnings, []);
  });

  it('says why when another program has locked the database, and is not opened', async () => {
    const { showWarningMessage } = window;
    const told: string[] = [];
    Object.assign(window, {
      createWebviewPanel: () => assert.fail(),
      showWarningMessage: async (message: string) => void told.push(message),
    });
    await open({ isOpen: () => false });
    Object.assign(window, { showWarningMessage });
    assert.deepEqual(told, [
      'Another program has locked the conversation database. Try again when it is free.',
    ]);
  });

  it('exports the days that it shows when others were chosen while the database was locked', async () => {
    let isLocked = false;
    const asked: boolean[] = [];
    const byDay = (since: number) => {
      if (isLocked) throw Object.assign(new Error('locked'), { errcode: 5 });
      asked.push(Date.now() - since < 10 * 24 * 60 * 60 * 1000);
      return [];
    };
    await open({ byDay });
    receive?.({ type: 'ready' });
    isLocked = true;
    receive?.({ type: 'range', days: 7 });
    await new Promise(setImmediate);
    isLocked = false;
    receive?.({ type: 'csv' });
    receive?.({ type: 'range', days: 7 });
    receive?.({ type: 'csv' });
    await new Promise(setImmediate);
    assert.deepEqual(asked, [false, false, true, true]);
  });

  it('says so, and not only the log, when the database is locked while the user does something on it', async () => {
    const { showWarningMessage } = window;
    const told: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void told.push(message) });
    let errcode = 5;
    await open({ byDay: () => assert.fail(Object.assign(new Error('no usage'), { errcode })) });
    receive?.({ type: 'range', days: 7 });
    receive?.({ type: 'csv' });
    await new Promise(setImmediate);
    // The page is open already.
    await registered.get('k3.showUsage')?.();
    errcode = 1;
    receive?.({ type: 'csv' });
    await new Promise(setImmediate);
    Object.assign(window, { showWarningMessage });
    assert.equal(warnings.length, 4);
    assert.deepEqual(
      told,
      Array(3).fill('Another program has locked the conversation database. Try again when it is free.'),
    );
  });

  it('opens no other conversation for one that was deleted meanwhile, and shows that it is gone', async () => {
    const opened: string[] = [];
    const { executeCommand } = commands;
    Object.assign(commands, { executeCommand: async (id: string) => void opened.push(id) });
    await open(
      {},
      { get: (id: string) => (id === 'there' ? {} : undefined), open: (id: string) => opened.push(id) },
    );
    receive?.({ type: 'open', conversationId: 'gone' });
    await new Promise(setImmediate);
    assert.deepEqual([opened, posted], [[], ['usage']]);
    receive?.({ type: 'open', conversationId: 'there' });
    await new Promise(setImmediate);
    Object.assign(commands, { executeCommand });
    assert.deepEqual(opened, ['there', 'k3.focusChat']);
  });

  it('begins seven days with the midnight six days ago, also after the night in which clocks are put forward', async () => {
    const { TZ } = process.env;
    const { now } = Date;
    process.env['TZ'] = 'Europe/Berlin';
    Object.assign(Date, { now: () => Date.parse('2026-03-30T00:30:00+02:00') });
    const since: number[] = [];
    await open({ byRoute: (from: number) => since.push(from) && [] });
    receive?.({ type: 'range', days: 7 });
    await new Promise(setImmediate);
    Object.assign(Date, { now });
    if (TZ === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env['TZ'] = TZ;
    assert.deepEqual(since, [Date.parse('2026-03-24T00:00:00+01:00')]);
  });

  it('is that of the new day when the window gets the focus after midnight, although nothing was spent since', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: new Date(2026, 10, 29, 23).getTime() });
    const focus = new EventEmitter<{ focused: boolean }>();
    Object.assign(window, { onDidChangeWindowState: focus.event });
    const yesterday = { day: '2026-11-29', turns: 3, unreported: 0, cost: 1 };
    await open({ byDay: (since: number) => (since > new Date(2026, 10, 29).getTime() ? [] : [yesterday]) });
    receive?.({ type: 'range', days: 1 });
    await new Promise(setImmediate);
    const before = shown?.days.length;
    mock.timers.tick(10 * 60 * 60 * 1000);
    focus.fire({ focused: true });
    mock.timers.tick(1000);
    await new Promise(setImmediate);
    mock.timers.reset();
    assert.deepEqual([before, shown?.days.length], [1, 0]);
  });
});
