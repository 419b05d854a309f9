import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  CommentControllers,
  LastingController,
} from '../../../../src/editor/base/commentControllers.ts';
import { comments, documentChanges, EventEmitter, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCommentControllers } = await withEditorStub(
  () => import('../../../../src/editor/base/commentControllers.ts'),
);

interface Provider {
  provideCommentingRanges(document: object): unknown[];
}

/** An editor window that asks all its comment controllers for ranges when it shows a file, and when one gets other ranges. */
function createEditor() {
  const shows = new EventEmitter<object[]>();
  let all: { id: string; provider: Provider | undefined }[] = [];
  /** How long it takes until questions arrive, in milliseconds. */
  let delay = 0;
  let asked = 0;
  const askAll = () => {
    asked += 1;
    if (window.visibleTextEditors.length === 0) return;
    for (const one of [...all])
      setTimeout(() => one.provider?.provideCommentingRanges(window.visibleTextEditors[0] ?? {}), delay);
  };
  const made: string[] = [];
  return {
    made,
    shows,
    createCommentController(id: string) {
      const one: (typeof all)[number] = { id, provider: undefined };
      made.push(id);
      all.push(one);
      askAll();
      return {
        createCommentThread: () => ({}),
        dispose() {
          all = all.filter((other) => other !== one);
        },
        set commentingRangeProvider(provider: Provider) {
          one.provider = provider;
          if (all.includes(one)) askAll();
        },
      };
    },
    isSlow(ms: number) {
      delay = ms;
    },
    has: () => all.map(({ id }) => id).sort(),
    /**
     * @param scheme the scheme of the file
     * @param isInTab false for a file in a peek
     * @param asks whether the editor asks, as it doesn't where the setting `comments.visible` is off
     */
    show(scheme = 'file', isInTab = true, asks = true) {
      const document = { uri: { scheme } };
      Object.assign(window, { visibleTextEditors: [{ document, viewColumn: isInTab ? 1 : undefined }] });
      if (asks) askAll();
      shows.fire([]);
      return document;
    },
    closeAll() {
      Object.assign(window, { visibleTextEditors: [] });
      shows.fire([]);
    },
    /** As the start of another extension host does. */
    loseAll() {
      all = [];
    },
    asked: () => asked,
  };
}

describe('A comment controller', () => {
  restoreAfterEach(window, comments);

  let editor: ReturnType<typeof createEditor>;
  let controllers: CommentControllers;
  let warnings: string[];
  let renewed: string[];
  const create = (id: string): LastingController =>
    controllers.create(id, id, { options: {}, renew: () => void renewed.push(id) });
  const pass = (ms: number) => {
    for (let time = 0; time < ms; time += 100) mock.timers.tick(100);
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const start = performance.now();
    let time = 0;
    // Timers of the mock don't move the clock of the process.
    mock.method(performance, 'now', () => start + time);
    const { tick } = mock.timers;
    mock.method(mock.timers, 'tick', (ms: number) => {
      time += ms;
      Reflect.apply(tick, mock.timers, [ms]);
    });
    editor = createEditor();
    [warnings, renewed] = [[], []];
    Object.assign(comments, { createCommentController: editor.createCommentController });
    Object.assign(window, {
      onDidChangeVisibleTextEditors: editor.shows.event,
      visibleTextEditors: [],
      activeTextEditor: undefined,
    });
    controllers = createCommentControllers({ warn: (text: string) => void warnings.push(text) });
  });
  afterEach(() => {
    controllers.dispose();
    mock.restoreAll();
    mock.timers.reset();
  });

  it('is created once while the editor asks for ranges', () => {
    create('k3.a');
    editor.show();
    pass(60_000);
    editor.show();
    pass(60_000);
    assert.deepEqual([editor.made, renewed, warnings], [['k3.watch', 'k3.a'], [], []]);
  });

  it('is created again after the editor has lost it, when the next file is shown', () => {
    create('k3.a').setRanges(() => []);
    editor.show();
    pass(20_000);
    editor.loseAll();
    editor.show();
    pass(5900);
    assert.deepEqual([editor.has(), renewed], [[], []]);
    pass(200);
    assert.deepEqual([editor.has(), renewed], [['k3.a', 'k3.watch'], []], 'its threads follow later');
    pass(1000);
    assert.deepEqual(renewed, ['k3.a']);
    assert.match(warnings.join(), /^the editor has removed all comments/);
    editor.show();
    pass(20_000);
    assert.equal(editor.made.length, 4, 'only once');
  });

  it('is created again when the text of a shown file is changed', () => {
    create('k3.a');
    const document = editor.show();
    pass(20_000);
    editor.loseAll();
    for (let key = 0; key < 10; key++) {
      documentChanges.fire({ document });
      pass(1000);
    }
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is created again if it was lost before the first file was shown', () => {
    create('k3.a');
    pass(20_000);
    editor.loseAll();
    editor.show();
    pass(8000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is created again if it was lost while the window started, and has threads', () => {
    editor.show();
    create('k3.a').createCommentThread({} as never, {} as never, []);
    pass(100);
    editor.loseAll();
    pass(14_000);
    assert.deepEqual(renewed, []);
    pass(8000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('can be lost several times', () => {
    create('k3.a');
    editor.show();
    for (let time = 0; time < 3; time++) {
      pass(5000);
      editor.loseAll();
      editor.show();
      pass(8000);
    }
    assert.deepEqual(renewed, ['k3.a', 'k3.a', 'k3.a']);
    assert.deepEqual(editor.has(), ['k3.a', 'k3.watch']);
  });

  it('has the same ranges when it is created again', () => {
    const asked: string[] = [];
    const controller = create('k3.a');
    controller.setRanges(() => []);
    controller.setRanges(() => {
      asked.push('a');
      return [];
    });
    editor.show();
    pass(5000);
    editor.loseAll();
    editor.show();
    pass(8000);
    const before = asked.length;
    editor.show();
    pass(100);
    assert.equal(asked.length, before + 1);
  });

  it('stays if it was created after the others were lost', () => {
    create('k3.a');
    editor.show();
    pass(5000);
    editor.loseAll();
    editor.show();
    pass(3000);
    create('k3.b');
    pass(5000);
    assert.deepEqual(renewed, ['k3.a']);
    assert.deepEqual(editor.has(), ['k3.a', 'k3.b', 'k3.watch']);
  });

  it('stays if the questions of a busy editor arrive late', () => {
    create('k3.a');
    editor.show();
    pass(5000);
    editor.isSlow(4000);
    editor.show();
    pass(20_000);
    assert.deepEqual([renewed, warnings], [[], []]);
  });

  it('stays while a comment is typed, and where no file is shown', () => {
    create('k3.a');
    editor.loseAll();
    editor.show('vscode-notebook-cell');
    pass(20_000);
    editor.show('file', false);
    pass(20_000);
    assert.deepEqual(renewed, []);
    editor.show();
    pass(8000);
    assert.deepEqual(renewed.splice(0), ['k3.a']);
    editor.show();
    pass(5000);
    editor.loseAll();
    editor.show();
    pass(3100);
    const asked = editor.asked();
    Object.assign(window, { activeTextEditor: { document: { uri: { scheme: 'comment' } } } });
    pass(20_000);
    assert.deepEqual([renewed, editor.asked()], [[], asked]);
    Object.assign(window, { activeTextEditor: undefined });
    editor.closeAll();
    pass(20_000);
    assert.deepEqual(renewed, []);
    editor.show();
    pass(8000);
    assert.deepEqual(renewed, ['k3.a']);
  });

  it('is created again only once in an editor that never asks', () => {
    create('k3.a');
    editor.show();
    pass(5000);
    for (let time = 0; time < 5; time++) {
      editor.loseAll();
      Object.assign(comments, {
        createCommentController(id: string) {
          editor.made.push(id);
          return { createCommentThread: () => ({}), dispose: () => undefined };
        },
      });
      editor.show();
      pass(20_000);
    }
    assert.deepEqual([renewed, warnings.length], [['k3.a'], 1]);
  });

  it('lets the editor ask, which takes the focus from comments, only if it has not asked by itself', () => {
    create('k3.a');
    editor.show();
    pass(20_000);
    editor.show();
    const before = editor.asked();
    pass(900);
    editor.show('file', true, false);
    pass(20_000);
    assert.equal(editor.asked(), before, 'it can ask shortly before it tells that it shows a file');
    editor.show('file', true, false);
    pass(20_000);
    assert.deepEqual([editor.asked(), renewed], [before + 1, []]);
  });

  it('is not created again after it was disposed of', () => {
    create('k3.a');
    create('k3.b').dispose();
    editor.show();
    pass(5000);
    editor.loseAll();
    editor.show();
    pass(8000);
    assert.deepEqual([editor.has(), renewed], [['k3.a', 'k3.watch'], ['k3.a']]);
  });
});
