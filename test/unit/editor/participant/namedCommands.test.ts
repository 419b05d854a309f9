import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { LastEditor } from '../../../../src/editor/base/lastEditor.ts';
import type { AllowedReads } from '../../../../src/editor/workspace/allowedReads.ts';
import { FileType, textDocuments, Uri, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { askByCommand } = await withEditorStub(
  () => import('../../../../src/editor/participant/namedCommands.ts'),
);

describe('A request to @k3 that names Explain', () => {
  afterEach(() => {
    textDocuments.length = 0;
    Object.assign(window, { activeTextEditor: undefined });
    Reflect.deleteProperty(workspace, 'fs');
  });

  it('doesn’t send all of a file that is too long, attached or open, and says why', async () => {
    const uri = new Uri('/bundle.js');
    const document = {
      uri,
      languageId: 'javascript',
      lineCount: 1,
      getText: () => 'a;'.repeat(200_001),
      lineAt: () => ({ text: 'a', rangeIncludingLineBreak: { with: () => ({}) } }),
    };
    textDocuments.push(document);
    Object.assign(workspace, { fs: { stat: async () => ({ type: FileType.File }) } });
    const selection = { isEmpty: true, active: { line: 0 } };
    const editor = { document, selection, selections: [selection] };
    Object.assign(window, { activeTextEditor: editor });
    const deps = {
      lastEditor: { get: () => editor } as unknown as LastEditor,
      reads: { ask: async (uris) => new Set(uris), allows: async () => true } satisfies Pick<
        AllowedReads,
        'ask' | 'allows'
      >,
    };
    for (const references of [[{ value: uri }], []]) {
      const command = { kind: 'command', command: 'k3.explain', words: '' } as const;
      const asked = await askByCommand(command, '/explain', references as never, deps);
      assert.ok(!asked.ok);
      assert.match(asked.why, /^\/bundle\.js is too large to add\. Select the part you need/);
    }
  });
});
