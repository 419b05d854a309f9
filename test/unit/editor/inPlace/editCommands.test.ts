import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { EditCommandsDeps } from '../../../../src/editor/inPlace/editCommands.ts';
import { Range, Uri, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createEditCommands } = await withEditorStub(
  () => import('../../../../src/editor/inPlace/editCommands.ts'),
);

/** An earlier revision of a file, which the Git extension shows. */
const uri = Object.assign(new Uri('/w/a.ts'), { scheme: 'git' });
const CONFLICT = ['<<<<<<< ours', 'a', '=======', 'b', '>>>>>>> theirs', ''].join('\n');
const document = {
  uri,
  isClosed: false,
  languageId: 'typescript',
  lineCount: 6,
  getText: () => CONFLICT,
  lineAt: () => ({ rangeIncludingLineBreak: { with: () => ({}) } }),
};

describe('A command that edits in the code', () => {
  const { openTextDocument } = workspace;
  const { showInformationMessage } = window;
  let told: string[];
  beforeEach(() => {
    told = [];
    Object.assign(window, { showInformationMessage: async (text: string) => void told.push(text) });
    Object.assign(workspace, {
      fs: { isWritableFileSystem: (scheme: string) => scheme !== 'git' },
      openTextDocument: async () => document,
    });
  });
  afterEach(() => {
    Object.assign(window, { showInformationMessage });
    Object.assign(workspace, { openTextDocument });
    Reflect.deleteProperty(workspace, 'fs');
  });

  it('opens no edit in an earlier revision of a file, and says what to open', async () => {
    let opened = 0;
    const commands = createEditCommands({
      edits: { ofFile: () => undefined, open: async () => void opened++ },
      lastEditor: { get: () => ({ document, selection: { active: { line: 1 } } }) },
    } as unknown as EditCommandsDeps);
    const at = (line: number) => ({ line, character: 0 });
    await commands['k3.editHere']({ uri, range: new Range(at(1), at(2)), diagnostics: [] });
    await commands['k3.resolveConflict'](undefined);
    await commands['k3.resolveConflict']({ uri, line: 0 });
    assert.equal(opened, 0);
    assert.equal(told.length, 3);
    assert.ok(told.every((text) => text.startsWith('Open the file to edit')));
  });
});
