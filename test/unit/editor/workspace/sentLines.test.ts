import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { Uri, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { requestFiles, requestLines } = await withEditorStub(
  () => import('../../../../src/editor/workspace/sentLines.ts'),
);

const uri = Object.assign(new Uri('/w/.env'), { scheme: 'untitled', fsPath: '/w/.env' }) as never;

describe('Lines of a file for secrets that the user didn’t select', () => {
  restoreAfterEach(window);
  let asked: string[];
  beforeEach(() => {
    asked = [];
    const refuse = async (message: string) => {
      asked.push(message);
      return 'Refuse';
    };
    Object.assign(window, { showWarningMessage: refuse });
  });

  /** Whether the lines are sent, and the questions. An editor shows the file, at least at first. */
  async function send(whileRead: () => void) {
    Object.assign(window, { visibleTextEditors: [{ document: { uri } }] });
    const toUnselected = (await requestFiles([uri])) ?? assert.fail('the file was refused');
    whileRead();
    const lines = toUnselected({ uri, text: 'the password of the shop' });
    return [await requestLines([lines]), asked.length];
  }

  it('are asked about if an editor shows them', async () => {
    assert.deepEqual(await send(() => undefined), [false, 1]);
  });

  it('are asked about also if that editor was closed while a slow drive was read', async () => {
    assert.deepEqual(await send(() => Object.assign(window, { visibleTextEditors: [] })), [false, 1]);
  });
});
