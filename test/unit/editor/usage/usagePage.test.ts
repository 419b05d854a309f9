import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { registered, Uri, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerUsagePage } = await withEditorStub(() => import('../../../../src/editor/usage/usagePage.ts'));

describe('The usage page', () => {
  const original = { ...window };
  let receive: ((message: unknown) => void) | undefined;
  let errors: string[];
  let warnings: string[];

  beforeEach(() => {
    errors = [];
    warnings = [];
    const webview = {
      cspSource: '',
      html: '',
      asWebviewUri: String,
      postMessage: async () => true,
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        receive = listener;
      },
    };
    Object.assign(window, {
      createWebviewPanel: () => ({ webview, onDidDispose: () => undefined, dispose: () => undefined }),
      showSaveDialog: async () => 'file:///full/usage.csv',
      showErrorMessage: async (message: string) => void errors.push(message),
    });
    Object.assign(workspace, {
      fs: { writeFile: async () => Promise.reject(new Error('the disk is full')) },
    });
    Object.assign(Uri, { joinPath: (...parts: unknown[]) => parts.join('/') });
  });
  afterEach(() => {
    Object.assign(window, original);
    Reflect.deleteProperty(workspace, 'fs');
    Reflect.deleteProperty(Uri, 'joinPath');
  });

  it('tells when the CSV can’t be written', async () => {
    registerUsagePage({
      conversations: { open: () => true, onDidChange: () => ({ dispose: () => undefined }) },
      history: { byDay: () => [], byRoute: () => [], byConversation: () => [], outcomes: () => [] },
      extensionUri: 'extension',
      log: { warn: (text: string) => void warnings.push(text) },
    } as never);
    registered.get('k3.showUsage')?.();
    receive?.({ type: 'csv' });
    await new Promise(setImmediate);
    assert.deepEqual(errors, ['Couldn’t write the file: the disk is full']);
    assert.deepEqual(warnings, []);
  });
});
