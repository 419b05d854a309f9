import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HeldReference } from '../../../../src/editor/context/contextResult.ts';
import type { Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createContextPermission } = await withEditorStub(
  () => import('../../../../src/editor/context/contextPermission.ts'),
);

describe('A selection that is added to a message', () => {
  it('is asked about if its file is outside the workspace, and not where nothing is selected', async () => {
    const asked: string[] = [];
    const { askForAll } = createContextPermission({
      allowPart: async () => false,
      async ask(uris: readonly Uri[]) {
        asked.push(...uris.map(String));
        return new Set();
      },
    } as never);
    const item = { kind: 'selection', label: 'a.ts:1', parts: [] } as const;
    const selected: HeldReference = { kind: 'selection', uri: '/out/a.ts', read: { ok: true, item } };
    const nothing = { ok: false, why: 'Nothing is selected in b.ts.' } as const;
    const none: HeldReference = { kind: 'selection', uri: '/out/b.ts', read: nothing };
    const other = { kind: 'problems', uri: '/out/c.ts', read: nothing } as const;
    assert.deepEqual(await askForAll([selected, none, other]), [none]);
    assert.deepEqual(asked, ['/out/a.ts', '/out/c.ts']);
  });
});
