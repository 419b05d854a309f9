import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { registerReports } from '../../../src/editor/base/reports.ts';
import { whileLeftOut } from '../leftOut.ts';
import { reportUri } from '../reports.ts';
import { until } from '../scripted.ts';

describe('A report', () => {
  it('that the editor opens again after a reload says that it is gone, instead of being empty', async () => {
    const uri = vscode.Uri.parse('k3-report:/Probe%20Results%20for%20Route%20gone.md');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /not kept when the window is reloaded\. Run the command again\./);
  });

  it('replaces the one in its preview also when the editor has closed the document of that', async () => {
    const uri = reportUri('Report of a Test');
    const shown = () =>
      vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString())?.getText();
    const others = vscode.workspace.registerTextDocumentContentProvider('k3-other', {
      provideTextDocumentContent: ({ path }) => path,
    });
    let count = 0;
    const openOther = () =>
      vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'k3-other', path: `/${count++}` }));
    const reports = registerReports();
    try {
      await whileLeftOut('markdown.showPreview', async () => {
        await reports.show('Report of a Test', 'Before.');
        // As its preview does.
        await vscode.workspace.openTextDocument(uri);
        assert.equal(shown(), 'Before.');
        // The editor closes it after three minutes, or when extensions have opened 60 others.
        await until(async () => {
          await Promise.all(Array.from({ length: 10 }, openOther));
          return shown() === undefined;
        });
        await reports.show('Report of a Test', 'After.');
        assert.equal(shown(), 'After.');
      });
    } finally {
      reports.dispose();
      others.dispose();
    }
  });
});
