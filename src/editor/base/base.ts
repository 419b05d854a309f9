/** What all rooms use: the log, Markdown reports, and the last active editor. */
import * as vscode from 'vscode';
import { createLastEditor, type LastEditor } from './lastEditor.ts';
import { type Reports, registerReports } from './reports.ts';

export interface Base extends vscode.Disposable {
  readonly log: vscode.LogOutputChannel;
  readonly reports: Reports;
  readonly lastEditor: LastEditor;
}

/** Registers the log and its command, and the reports. */
export function registerBase(): Base {
  const log = vscode.window.createOutputChannel('K3', { log: true });
  const reports = registerReports();
  const lastEditor = createLastEditor();
  const registered = vscode.Disposable.from(
    vscode.commands.registerCommand('k3.showLog', () => log.show()),
    reports,
    lastEditor,
    log,
  );
  return { log, reports, lastEditor, dispose: () => registered.dispose() };
}
