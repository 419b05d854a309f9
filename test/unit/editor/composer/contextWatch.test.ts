import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { ContextWatchDeps } from '../../../../src/editor/composer/contextWatch.ts';
import { EventEmitter, Uri, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { createFileSystemWatcher, noEvent } from '../../../support/silentWatcher.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createContextWatch } = await withEditorStub(
  () => import('../../../../src/editor/composer/contextWatch.ts'),
);

describe('Attached files of which one is on a drive that doesn’t answer', () => {
  const before = { ...workspace };
  beforeEach(() => {
    for (const [name, value] of Object.entries({ scheme: 'file', fsPath: '/not/there' }))
      Object.defineProperty(Uri.prototype, name, { configurable: true, value });
    Object.assign(workspace, {
      fs: { isWritableFileSystem: () => false, stat: async () => Promise.reject(new Error('no such file')) },
      createFileSystemWatcher,
      onDidSaveTextDocument: noEvent,
    });
  });
  afterEach(() => {
    for (const name of ['scheme', 'fsPath']) Reflect.deleteProperty(Uri.prototype, name);
    for (const name of ['fs', 'createFileSystemWatcher', 'onDidSaveTextDocument'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  it('are still marked when they change', async () => {
    const context = ['/slow/a.ts', '/b.ts'].map((uri) => ({
      id: uri,
      item: { kind: 'file' as const, label: uri, uri, parts: [{ label: uri, text: 'Before.' }] },
      changed: false,
    }));
    const composer: Pick<Composer, 'context' | 'queue'> = { context, queue: [] };
    const restored = new EventEmitter<string>();
    const deps = {
      composers: {
        of: () => composer,
        all: () => [['c1', composer] as const],
        changed: () => undefined,
        onDidOpen: noEvent,
        onDidRestoreContext: restored.event,
      },
      allows: ({ path }: { readonly path: string }) =>
        path.startsWith('/slow') ? new Promise<boolean>(() => undefined) : Promise.resolve(true),
      log: { warn: () => undefined },
    };
    const watch = createContextWatch(deps as unknown as ContextWatchDeps);
    try {
      restored.fire('c1');
      await eventually(
        () =>
          assert.deepEqual(
            composer.context.map(({ changed }) => changed),
            [false, true],
          ),
        2000,
      );
    } finally {
      watch.dispose();
    }
  });
});
