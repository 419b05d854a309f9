import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  CommentControllers,
  LastingController,
} from '../../../../src/editor/base/commentControllers.ts';
import { comments, EventEmitter, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCommentControllers } = await withEditorStub(
  () => import('../../../../src/editor/base/commentControllers.ts'),
);

interface Provider {
  provideCommentingRanges(document: object): unknown[];
}

/** An editor window that asks all its comment controllers about each document that is opened. */
function createEditor() {
  const shows = new EventEmitter<object[]>();
  let all: { id: string; provider: Provider | undefined }[] = [];
  /** How long it takes until questions arrive, in milliseconds. */
  let delay = 0;
  let asks = true;
  /** The documents that the extension has opened. */
  const opened: object[] = [];
  const made: string[] = [];
  const askAbout = (document: object) => {
    if (!asks) return;
    for (const one of all) setTimeout(() => one.provider?.provideCommentingRanges(document), delay);
  };
  return {
    made,
    opened,
    shows,
    createCommentController(id: string) {
      const one: (typeof all)[number] = { id, provider: undefined };
      made.push(id);
      all = [...all.filter((other) => other.id !== id), one];
      return {
        createCommentThread: () => ({}),
        dispose() {
          all = all.filter((other) => other.id !== id);
        },
        set commentingRangeProvider(provider: Provider) {
          one.provider = provider;
        },
      };
    },
    async openTextDocument(uri: object) {
      opened.push(uri);
      askAbout({ uri });
      return { uri };
    },
    isSlow(ms: number) {
      delay = ms;
    },
    /** As an editor that doesn't ask about documents that aren't shown. */
    asksNothing() {
      asks = false;
    },
    has: () => all.map(({ id }) => id).sort(),
    /** @param isAsked false if the document was open before, as when another one is closed */
    show(isAsked = true) {
      if (isAsked) askAbout({ uri: { scheme: 'file' } });
      shows.fire([]);
    },
    /** As the start of another extension host does. */
    loseAll() {
      all = [];
    },
  };
}

describe('A comment controller', () => {
  restoreAfterEach(window, comments, workspace);

  let editor: ReturnType<typeof createEditor>;
  let controllers: CommentControllers;
  let warnings: string[];
  let renewed: string[];
  let now: number;
  const create = (id: string): LastingController =>
    controllers.create(id, id, { options: {}, renew: () => void renewed.push(id) });
  const addThread = (controller: LastingController) =>
    controller.createCommentThread({} as never, {} as never, []);
  async function pass(ms: number): Promise<void> {
    for (let time = 0; time < ms; time += 100) {
      now += 100;
      mock.timers.tick(100);
      await setImmediate();
    }
  }

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    now = 1000;
    // Timers of the mock don't move the clock of the process.
    mock.method(performance, 'now', () => {
      now += 0.01;
      return now;
    });
    editor = createEditor();
    [warnings, renewed] = [[], []];
    Object.assign(comments, { createCommentController: editor.createCommentController });
    Object.assign(workspace, { openTextDocument: editor.openTextDocument });
    Object.assign(window, { onDidChangeVisibleTextEditors: editor.shows.event });
    controllers = createCommentControllers({ warn: (text: string) => void warnings.push(text) });
  });
  afterEach(() => {
    controllers.dispose();
    mock.restoreAll();
    mock.timers.reset();
  });

  it('is created once while the editor has it', async () => {
    const controller = create('k3.a');
    for (let time = 0; time < 5; time++) {
      addThread(controller);
      await pass(20_000);
      editor.show(time % 2 === 0);
      await pass(20_000);
    }
    assert.deepEqual([editor.made, renewed, warnings], [['k3.watch', 'k3.a'], [], []]);
  });

  it('opens no document before it has threads', async () => {
    create('k3.a');
    await pass(20_000);
    editor.show(false);
    await pass(20_000);
    assert.deepEqual(editor.opened, []);
  });

  it('opens no document when a thread is added soon after the editor has asked, or when a file is shown about which it asks', async () => {
    const controller = create('k3.a');
    editor.show();
    await pass(100);
    addThread(controller);
    await pass(14_000);
    for (let time = 0; time < 5; time++) {
      editor.show();
      await pass(100);
      addThread(controller);
      await pass(2000);
    }
    assert.equal(editor.opened.length, 1, 'only that of the start');
  });

  it('opens one document for many threads, and for many changes of what is shown', async () => {
    const controller = create('k3.a');
    for (let time = 0; time < 20; time++) addThread(controller);
    await pass(20_000);
    const before = editor.opened.length;
    assert.equal(before, 2, 'for the threads, and at the start');
    for (let time = 0; time < 50; time++) {
      editor.show(false);
      await pass(200);
    }
    assert.ok(editor.opened.length <= before + 2);
  });

  it('is created again when a thread is added after the editor has lost it', async () => {
    const controller = create('k3.a');
    editor.show();
    await pass(20_000);
    editor.loseAll();
    addThread(controller);
    await pass(300);
    assert.deepEqual([editor.has(), renewed], [[], []]);
    await pass(200);
    assert.deepEqual([editor.has(), renewed], [['k3.a', 'k3.watch'], []], 'its threads follow later');
    await pass(1000);
    assert.deepEqual(renewed, ['k3.a']);
    assert.match(warnings.join(), /^the editor has removed all comments/);
    await pass(60_000);
    assert.equal(editor.made.length, 4, 'only once');
  });

  it('is created again when another file is shown', async () => {
    addThread(create('k3.a'));
    await pass(20_000);
    editor.loseAll();
    editor.show();
    await pass(12_000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is created again if it was lost while the window started', async () => {
    const controller = create('k3.a');
    editor.show();
    await pass(100);
    addThread(controller);
    editor.loseAll();
    await pass(14_000);
    assert.deepEqual(renewed, []);
    await pass(3000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is created again if it was lost before the editor has asked for the first time', async () => {
    const controller = create('k3.a');
    editor.loseAll();
    addThread(controller);
    await pass(2000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('can be lost several times', async () => {
    const controller = create('k3.a');
    for (let time = 0; time < 3; time++) {
      addThread(controller);
      await pass(20_000);
      editor.loseAll();
      addThread(controller);
      await pass(20_000);
    }
    assert.deepEqual(renewed, ['k3.a', 'k3.a', 'k3.a']);
    assert.deepEqual(editor.has(), ['k3.a', 'k3.watch']);
  });

  it('is created again if it was lost for the second time, also when the first loss was before its first thread', async () => {
    const controller = create('k3.a');
    editor.loseAll();
    addThread(controller);
    await pass(3000);
    editor.show();
    await pass(20_000);
    editor.loseAll();
    addThread(controller);
    await pass(3000);
    assert.deepEqual(renewed, ['k3.a', 'k3.a']);
  });

  it('is created again if it is lost while what is shown is looked at, which removes boxes', async () => {
    addThread(create('k3.a'));
    await pass(20_000);
    editor.show();
    await pass(100);
    editor.loseAll();
    await pass(300);
    editor.show(false);
    await pass(12_000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is created again a while after a thread is added that follows a question', async () => {
    const controller = create('k3.a');
    await pass(20_000);
    editor.show();
    await pass(1000);
    editor.loseAll();
    addThread(controller);
    await pass(3000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is ready for a box at once if the editor has just asked, and otherwise when it was created again', async () => {
    const controller = create('k3.a');
    const states: string[] = [];
    const wait = (name: string) => void controller.ready().then(() => states.push(name));
    editor.show();
    await pass(100);
    wait('first');
    await pass(100);
    assert.deepEqual([states, editor.opened], [['first'], []]);
    await pass(20_000);
    editor.loseAll();
    wait('second');
    wait('third');
    await pass(900);
    assert.deepEqual([states, renewed], [['first'], []]);
    await pass(600);
    assert.deepEqual([states, renewed], [['first', 'second', 'third'], ['k3.a']]);
  });

  it('is ready also if looking for it fails, which is logged', async () => {
    const controller = create('k3.a');
    let isReady = false;
    Object.assign(workspace, { openTextDocument: () => Promise.reject(new Error('closed')) });
    const waiting = controller.ready().then(() => {
      isReady = true;
    });
    await pass(1000);
    await waiting;
    assert.deepEqual([isReady, renewed], [true, []]);
    assert.deepEqual(warnings, ['looking for lost comments failed: Error: closed']);
  });

  it('has the same ranges when it is created again', async () => {
    const asked: string[] = [];
    const controller = create('k3.a');
    controller.setRanges(() => []);
    controller.setRanges(() => {
      asked.push('a');
      return [];
    });
    await pass(20_000);
    editor.loseAll();
    addThread(controller);
    await pass(8000);
    const before = asked.length;
    editor.show();
    await pass(100);
    assert.equal(asked.length, before + 1);
  });

  it('stays if it was created after the others were lost', async () => {
    create('k3.a');
    editor.show();
    await pass(20_000);
    editor.loseAll();
    addThread(create('k3.b'));
    await pass(5000);
    assert.deepEqual(renewed, ['k3.a']);
    assert.deepEqual(editor.has(), ['k3.a', 'k3.b', 'k3.watch']);
  });

  it('stays if the questions of a busy editor arrive late', async () => {
    const controller = create('k3.a');
    await pass(20_000);
    editor.isSlow(300);
    addThread(controller);
    await pass(20_000);
    assert.deepEqual([renewed, warnings], [[], []]);
  });

  it('stays while the connection to the editor is lost', async () => {
    const controller = create('k3.a');
    await pass(20_000);
    Object.assign(workspace, { openTextDocument: () => new Promise(() => undefined) });
    addThread(controller);
    await pass(60_000);
    assert.deepEqual(renewed, []);
  });

  it('is created again only once in an editor that doesn’t ask about documents that aren’t shown', async () => {
    const controller = create('k3.a');
    editor.asksNothing();
    for (let time = 0; time < 5; time++) {
      addThread(controller);
      await pass(20_000);
    }
    assert.deepEqual([renewed, warnings.length], [['k3.a'], 1]);
  });

  it('is not created again after it was disposed of', async () => {
    const controller = create('k3.a');
    create('k3.b').dispose();
    await pass(20_000);
    editor.loseAll();
    addThread(controller);
    await pass(8000);
    assert.deepEqual([editor.has(), renewed], [['k3.a', 'k3.watch'], ['k3.a']]);
  });
});
