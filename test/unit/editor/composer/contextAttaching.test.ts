/** What is attached to a message, and why something isn't. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type {
  ContextAttaching,
  ContextAttachingDeps,
} from '../../../../src/editor/composer/contextAttaching.ts';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createContextAttaching } = await withEditorStub(
  () => import('../../../../src/editor/composer/contextAttaching.ts'),
);

describe('What is attached to a message', () => {
  const before = { ...workspace };
  const never = () => ({ dispose: () => undefined });
  let composer: Pick<Composer, 'context' | 'queue' | 'refusal'>;
  let attaching: ContextAttaching;
  /** Whether the user allows files. */
  let allowed: boolean;

  beforeEach(() => {
    composer = { context: [], queue: [], refusal: undefined };
    allowed = true;
    Object.defineProperty(Uri.prototype, 'scheme', { configurable: true, value: 'file' });
    const watcher = { onDidChange: never, onDidCreate: never, onDidDelete: never, dispose: () => undefined };
    Object.assign(workspace, {
      fs: { isWritableFileSystem: () => false, stat: async () => Promise.reject(new Error('no such file')) },
      createFileSystemWatcher: () => watcher,
      onDidSaveTextDocument: never,
    });
    const of = () => composer as Composer;
    const deps = {
      composers: {
        of,
        all: () => [['c1', of()] as const],
        changed: () => undefined,
        onDidOpen: never,
        onDidRestoreContext: never,
      },
      lastEditor: { get: () => undefined },
      images: { attachFiles: async () => undefined },
      terminals: {},
      reads: {
        ask: async (uris: readonly object[]) => new Set(allowed ? uris : []),
        allows: () => new Promise(() => undefined),
      },
      takeBackInstructions: () => undefined,
      log: { warn: () => undefined },
    };
    attaching = createContextAttaching(deps as unknown as ContextAttachingDeps);
  });
  afterEach(() => {
    attaching.dispose();
    Reflect.deleteProperty(Uri.prototype, 'scheme');
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
});
