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

  it('says that an edit runs at other lines of a cell of a notebook before words are typed for another one', async () => {
    const { showInputBox } = window;
    let inputs = 0;
    Object.assign(window, { showInputBox: async () => void inputs++ });
    const cell = { ...document, uri: Object.assign(new Uri('/w/n#1'), { scheme: 'vscode-notebook-cell' }) };
    Object.assign(workspace, { openTextDocument: async () => cell });
    const step = { state: { kind: 'waiting' }, words: 'Louder.' };
    const edit = { lines: { startLine: 0, endLine: 0 }, steps: [step], draft: '', uri: cell.uri };
    let isRunning = true;
    const commands = createEditCommands({
      edits: {
        ofFile: () => edit,
        isRunning: () => isRunning,
        conversationOf: () => undefined,
        threads: { focus: async () => undefined },
        setLines: () => undefined,
        leave: () => ({ count: 0 }),
        open: async () => edit,
        onDidChange: () => ({ dispose: () => undefined }),
      },
    } as unknown as EditCommandsDeps);
    const begin = (line: number) => {
      const at = { line, character: 0 };
      return commands['k3.editHere']({ uri: cell.uri, range: new Range(at, at), diagnostics: [] });
    };
    try {
      await begin(4);
      assert.deepEqual([inputs, told.length], [0, 1]);
      assert.match(told[0] ?? '', /still editing line 1/);
      await begin(0);
      isRunning = false;
      await begin(4);
      assert.deepEqual([inputs, told.length], [2, 1]);
    } finally {
      Object.assign(window, { showInputBox });
    }
  });
});
