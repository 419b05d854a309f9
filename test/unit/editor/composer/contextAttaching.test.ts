/** What is attached to a message, and why something isn't. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type {
  ContextAttaching,
  ContextAttachingDeps,
} from '../../../../src/editor/composer/contextAttaching.ts';
import type { ContextResult } from '../../../../src/editor/context/contextResult.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { textDocuments, Uri, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { createFileSystemWatcher, noEvent } from '../../../support/silentWatcher.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createContextAttaching } = await withEditorStub(
  () => import('../../../../src/editor/composer/contextAttaching.ts'),
);

describe('What is attached to a message', () => {
  const before = { ...workspace };
  let composer: Pick<Composer, 'context' | 'failed' | 'queue' | 'reading' | 'refusal' | 'working'>;
  let attaching: ContextAttaching;
  /** What the terminal gives, one after the other. */
  let outputs: Promise<ContextResult>[];
  /** Whether the user allows files. */
  let allowed: boolean;
  let allows: () => Promise<boolean>;
  let attachFiles: () => Promise<void>;
  let ask: (uris: readonly object[], signal?: AbortSignal) => Promise<ReadonlySet<object>>;

  beforeEach(() => {
    allows = () => new Promise(() => undefined);
    composer = { context: [], failed: [], queue: [], reading: new Set(), refusal: undefined, working: [] };
    outputs = [];
    allowed = true;
    attachFiles = async () => undefined;
    ask = async (uris) => new Set(allowed ? uris : []);
    for (const [name, value] of Object.entries({ scheme: 'file', fsPath: '/not/there' }))
      Object.defineProperty(Uri.prototype, name, { configurable: true, value });
    Object.assign(workspace, {
      fs: { isWritableFileSystem: () => false, stat: async () => Promise.reject(new Error('no such file')) },
      createFileSystemWatcher,
      onDidSaveTextDocument: noEvent,
    });
    const of = () => composer as Composer;
    const deps = {
      composers: {
        of,
        all: () => [['c1', of()] as const],
        changed: () => undefined,
        onDidOpen: noEvent,
        onDidRestoreContext: noEvent,
      },
      lastEditor: { get: () => undefined },
      images: { attachFiles: () => attachFiles() },
      terminals: { read: () => outputs.shift() ?? assert.fail('nothing more'), describe: () => 'run' },
      reads: {
        ask: (uris: readonly object[], signal?: AbortSignal) => ask(uris, signal),
        allows: () => allows(),
      },
      takeBackInstructions: () => undefined,
      log: { warn: () => undefined },
    };
    attaching = createContextAttaching(deps as unknown as ContextAttachingDeps);
  });
  afterEach(() => {
    attaching.dispose();
    textDocuments.length = 0;
    for (const name of ['scheme', 'fsPath']) Reflect.deleteProperty(Uri.prototype, name);
    for (const name of ['fs', 'createFileSystemWatcher', 'onDidSaveTextDocument'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  it('is said not to be allowed, so that a message that needs it isn’t sent', async () => {
    allowed = false;
    assert.equal(await attaching.add('c1', [{ kind: 'file', uri: 'file:///a.ts' }]), false);
    assert.deepEqual(composer.context, []);
    assert.equal(await attaching.add('c1', []), true);
  });

  const item = { kind: 'terminal' as const, label: 'Terminal: run', parts: [{ label: 'run', text: 'So.' }] };

  it('doesn’t hide why something was not added that the user had chosen just before', async () => {
    const first = createDeferred<ContextResult>();
    outputs = [first.promise, Promise.resolve({ ok: true, item })];
    const both = ['c1', 'c1'].map((id) => attaching.add(id, [{ kind: 'terminal' }]));
    first.resolve({ ok: false, why: 'a.bin is not a text file and was not added.' });
    await Promise.all(both);
    assert.deepEqual(
      [composer.context.length, composer.refusal],
      [1, 'a.bin is not a text file and was not added.'],
    );
    outputs = [Promise.resolve({ ok: true, item })];
    await attaching.add('c1', [{ kind: 'terminal' }]);
    assert.equal(composer.refusal, undefined, 'the user has seen it');
  });

  it('has no file whose path leads to another one when it is read, after an approval for something else', async () => {
    const uri = new Uri('/a.ts');
    textDocuments.push({
      uri,
      isClosed: false,
      lineCount: 1,
      lineAt: () => ({ text: 'one', range: { end: { character: 3 } } }),
      getText: () => 'one',
    });
    const read = async (isMoved: boolean) => {
      const approval = createDeferred<ContextResult>();
      outputs = [approval.promise];
      allows = async () => true;
      const { path } = uri;
      const symbol = { kind: 'symbol' as const, uri: path, name: 'one', startLine: 0, endLine: 0 };
      const reading = attaching.read('c1', [{ kind: 'terminal' }, { kind: 'file', uri: path }, symbol]);
      allows = async () => !isMoved;
      approval.resolve({ ok: true, item });
      return (await reading).context.map(({ kind }) => kind);
    };
    assert.deepEqual(await read(false), ['terminal', 'file', 'symbol']);
    assert.deepEqual(await read(true), ['terminal']);
  });

  it('is sent without what the user removes while it is read again, however long that takes', async () => {
    const slow = { kind: 'file' as const, label: 'a.ts', uri: 'file:///a.ts', parts: [] };
    composer.context = [item, slow, item].map((one, at) => ({ id: `${at}`, item: one, changed: false }));
    let sent: readonly string[] | undefined;
    void attaching.collect('c1').then((collected) => {
      sent = collected.map(({ from }) => from.id);
    });
    await new Promise(setImmediate);
    for (const id of ['0', '1']) attaching.remove('c1', id);
    await new Promise(setImmediate);
    assert.deepEqual(sent, ['2']);
  });

  it('is sent without what the user adds once more and removes while it is read again', async () => {
    const uri = new Uri('/a.ts');
    const line = { text: 'one', range: { end: { character: 3 } } };
    textDocuments.push({ uri, isClosed: false, lineCount: 1, lineAt: () => line, getText: () => 'one' });
    const add = async () => {
      allows = async () => true;
      await attaching.add('c1', [{ kind: 'file', uri: uri.path }]);
    };
    await add();
    allows = () => new Promise(() => undefined);
    let sent: readonly string[] | undefined;
    void attaching.collect('c1').then((collected) => {
      sent = collected.map(({ newest }) => newest.label);
    });
    await new Promise(setImmediate);
    await add();
    const [{ id } = assert.fail(), ...others] = composer.context;
    assert.equal(others.length, 0);
    attaching.remove('c1', id);
    await new Promise(setImmediate);
    assert.deepEqual(sent, []);
  });

  it('is shown as being read while a message waits for it, so that the user knows what to remove', async () => {
    const slow = { kind: 'file' as const, label: 'a.ts', uri: 'file:///a.ts', parts: [] };
    composer.context = [item, slow].map((one, at) => ({ id: `${at}`, item: one, changed: false }));
    const collected = attaching.collect('c1');
    await eventually(async () => assert.deepEqual([...composer.reading], ['1']));
    attaching.remove('c1', '1');
    await collected;
    assert.deepEqual([...composer.reading], []);
  });

  it('is shown while it is read for the first time, and not waited for when it is removed then', async () => {
    // As on a network drive that doesn’t answer.
    const stat = () => new Promise(() => undefined);
    Object.assign(workspace, { fs: { stat } });
    const uris = ['file:///slow/a.ts', 'file:///slow/b.ts'];
    const adding = uris.map((uri) => attaching.add('c1', [{ kind: 'file', uri }]));
    assert.deepEqual(
      composer.working.map(({ name, isContext }) => [name, isContext]),
      uris.map((name) => [name, true]),
    );
    await new Promise(setImmediate);
    const done = composer.working.map((one) => one.done);
    for (const { cancel } of composer.working) cancel();
    await Promise.all([...adding, ...done, attaching.collect('c1')]);
    assert.deepEqual([composer.working, composer.context], [[], []]);
  });

  it('is shown also if it is in no file, so that the user can remove what takes long', async () => {
    const approval = createDeferred<ContextResult>();
    outputs = [approval.promise];
    const added = attaching.add('c1', [{ kind: 'terminal' }, { kind: 'changes' }, { kind: 'selection' }]);
    await new Promise(setImmediate);
    assert.deepEqual(namesShown(), ['Terminal: run', 'Changes']);
    for (const { cancel } of composer.working) cancel();
    await added;
    assert.deepEqual([namesShown(), composer.context], [[], []]);
    approval.resolve({ ok: true, item });
  });

  /** The first look at a file, before the user is asked, is answered at once. The next one is answered later. */
  function looksLater() {
    const looking = createDeferred<{ type: number }>();
    let looks = 0;
    const stat = () => (++looks === 1 ? Promise.resolve({ type: 1 }) : looking.promise);
    Object.assign(workspace, { fs: { stat } });
    return { end: () => looking.resolve({ type: 1 }), looks: () => looks };
  }
  const namesShown = () => composer.working.map(({ name }) => name);
  const image = { kind: 'file' as const, uri: 'file:///a.png' };

  it('has no image that the user removes while what was added before it is read', async () => {
    let attached = 0;
    attachFiles = async () => void attached++;
    const approval = createDeferred<ContextResult>();
    outputs = [approval.promise];
    const added = attaching.add('c1', [{ kind: 'terminal' }, image]);
    await new Promise(setImmediate);
    composer.working.find(({ name }) => name === image.uri)?.cancel();
    approval.resolve({ ok: true, item });
    await added;
    await new Promise(setImmediate);
    assert.deepEqual([composer.context.length, composer.refusal, attached], [1, undefined, 0]);
  });

  it('has no image that the user removes while it isn’t known yet whether it is a folder', async () => {
    let attached = 0;
    attachFiles = async () => void attached++;
    const look = looksLater();
    const added = attaching.add('c1', [image]);
    await new Promise(setImmediate);
    assert.deepEqual([look.looks(), namesShown()], [2, [image.uri]]);
    for (const { cancel } of composer.working) cancel();
    await added;
    look.end();
    await new Promise(setImmediate);
    assert.deepEqual([namesShown(), composer.refusal, attached], [[], undefined, 0]);
  });

  it('is not asked about later when the user has removed it before it was known what it is', async () => {
    const asked: { readonly count: number; readonly signal: AbortSignal | undefined }[] = [];
    ask = (uris, signal) => {
      asked.push({ count: uris.length, signal });
      // As on a network drive that doesn’t answer.
      return asked.length === 1 ? new Promise(() => undefined) : Promise.resolve(new Set());
    };
    const added = attaching.add('c1', [
      { kind: 'file', uri: 'file:///slow/a.ts' },
      { kind: 'file', uri: 'file:///.env' },
    ]);
    await new Promise(setImmediate);
    composer.working[0]?.cancel();
    await added;
    assert.deepEqual(
      asked.map(({ count, signal }) => [count, signal?.aborted]),
      [
        [2, true],
        [1, false],
      ],
    );
  });

  it('is shown, and waited for, until an image is one of the images', async () => {
    const look = looksLater();
    let shown: readonly string[] | undefined;
    attachFiles = async () => {
      shown = namesShown();
    };
    const added = attaching.add('c1', [image]);
    await new Promise(setImmediate);
    assert.deepEqual([look.looks(), namesShown()], [2, [image.uri]]);
    look.end();
    await added;
    assert.deepEqual(shown, []);
  });
});
