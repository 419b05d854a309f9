/** A message, while what it has is being added and read. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Collected, NotCollected, Written } from '../../../../src/editor/chatView/collectedMessage.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type {
  ContextAttaching,
  ContextAttachingDeps,
} from '../../../../src/editor/composer/contextAttaching.ts';
import type { ImageIntake, ImageIntakeDeps } from '../../../../src/editor/composer/imageIntake.ts';
import type { ContextResult } from '../../../../src/editor/context/contextResult.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { createFileSystemWatcher, noEvent } from '../../../support/silentWatcher.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const [{ createCollecting }, { createContextAttaching }, { createImageIntake }] = await withEditorStub(() =>
  Promise.all([
    import('../../../../src/editor/chatView/collectedMessage.ts'),
    import('../../../../src/editor/composer/contextAttaching.ts'),
    import('../../../../src/editor/composer/imageIntake.ts'),
  ]),
);

const ITEM = { kind: 'terminal' as const, label: 'Terminal: run', parts: [{ label: 'run', text: 'So.' }] };
const FILE = { kind: 'file' as const, label: 'a.ts', uri: 'file:///a.ts', parts: [] };
const WRITTEN: Written = { text: 'Why?', asked: { text: 'Why?' }, references: [] };
const moment = () => new Promise(setImmediate);

const questionOf = (collected: Collected | NotCollected) =>
  'question' in collected ? collected.question : assert.fail('it is sent');

describe('A message that is sent while files are still being added to it', () => {
  restoreAfterEach(workspace);
  let composer: Composer;
  let attaching: ContextAttaching;
  let images: ImageIntake;
  let examine: (bytes: Uint8Array) => Promise<unknown>;
  let allows: () => Promise<boolean>;
  let outputs: Promise<ContextResult>[];
  let stopping: AbortController;
  let collect: ReturnType<typeof createCollecting>;

  beforeEach(() => {
    outputs = [];
    stopping = new AbortController();
    const parts: Partial<Composer> = {
      ...{ attachments: [], context: [], failed: [], queue: [], rejected: [], working: [] },
      ...{ reading: new Set<string>(), refusal: undefined },
    };
    composer = parts as Composer;
    Object.assign(workspace, { createFileSystemWatcher, onDidSaveTextDocument: noEvent });
    const composers = {
      of: () => composer,
      all: () => [['c1', composer] as const],
      changed: () => undefined,
      onDidOpen: noEvent,
      onDidRestoreContext: noEvent,
    };
    attaching = createContextAttaching({
      composers,
      lastEditor: { get: () => undefined },
      terminals: { read: () => outputs.shift() ?? assert.fail('nothing more'), describe: () => 'run' },
      reads: { ask: async () => new Set(), allows: () => allows() },
      log: { warn: () => undefined },
    } as unknown as ContextAttachingDeps);
    images = createImageIntake({
      composers,
      scaler: { examine: (bytes: Uint8Array) => examine(bytes) },
      askToAttach: () => undefined,
    } as unknown as ImageIntakeDeps);
    collect = createCollecting({ images, attaching, nothingSent: () => 'Nothing was sent.' });
  });
  afterEach(() => attaching.dispose());

  it('stays in the box with the reason when one can’t be added while the user types, and another one is added later', async () => {
    const [first, second] = [createDeferred<ContextResult>(), createDeferred<ContextResult>()];
    outputs = [first.promise, second.promise];
    const adding = ['c1', 'c1'].map((id) => attaching.add(id, [{ kind: 'terminal' }]));
    const collected = collect('c1', composer, WRITTEN, stopping.signal);
    await moment();
    first.resolve({ ok: false, why: 'a.bin is not a text file and was not added.' });
    await adding[0];
    // As the panel does with each key.
    composer.refusal = undefined;
    second.resolve({ ok: true, item: ITEM });
    const why = 'a.bin is not a text file and was not added.';
    assert.deepEqual(await collected, { why });
    assert.deepEqual([composer.refusal, composer.context.length], [why, 1]);
    // The user has seen it.
    const { context } = questionOf(await collect('c1', composer, WRITTEN, stopping.signal));
    assert.equal(context?.length, 1);
  });

  it('stays in the box with the reason when the user closes that of an image while another one is read', async () => {
    const examined = ['damaged', 'fine'].map((name) => ({ name, result: createDeferred<unknown>() }));
    examine = (bytes) =>
      examined.find(({ name }) => name === Buffer.from(bytes).toString())?.result.promise ?? assert.fail();
    const added = examined.map(({ name }) => ({
      ...{ name: `${name}.png`, size: name.length, error: undefined },
      bytes: new Uint8Array(Buffer.from(name)),
    }));
    const adding = images.attachBytes('c1', added);
    const collected = collect('c1', composer, WRITTEN, stopping.signal);
    await moment();
    examined[0]?.result.resolve({ ok: false, refusal: { kind: 'damaged' } });
    await moment();
    assert.equal(composer.rejected.length, 1);
    composer.rejected = [];
    examined[1]?.result.resolve({ ok: true, url: 'data:,', thumbnail: 'data:,' });
    await adding;
    assert.deepEqual(await collected, { why: composer.refusal });
    assert.match(composer.refusal ?? '', /damaged\.png/);
  });

  it('leaves nothing behind when it is stopped while a file is read again: the next one has the file', async () => {
    const looking = createDeferred<boolean>();
    allows = () => looking.promise;
    composer.context = [{ id: 'a', item: FILE, changed: false }];
    composer.attachments = [{ name: 'a.png', url: 'data:,' }];
    const stopped = collect('c1', composer, WRITTEN, stopping.signal);
    const references = [{ kind: 'terminal' as const }];
    const behind = collect('c1', composer, { ...WRITTEN, references }, stopping.signal);
    await eventually(async () => assert.deepEqual([...composer.reading], ['a']));
    stopping.abort();
    await assert.rejects(stopped);
    await moment();
    assert.deepEqual([[...composer.reading], composer.refusal], [[], undefined]);
    await assert.rejects(behind);
    assert.deepEqual(composer.working, [], 'what the one behind it is about isn’t added');
    stopping = new AbortController();
    const next = collect('c1', composer, WRITTEN, stopping.signal);
    looking.resolve(false);
    const { images: sent, context } = questionOf(await next);
    assert.deepEqual([sent.length, context?.length], [1, 1]);
  });
});
