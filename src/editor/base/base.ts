/** What all rooms use: the log, Markdown reports, and the last active editor. */
import * as vscode from 'vscode';
import { withoutUserInfo } from '../../service/address.ts';
import { createLastEditor, type LastEditor } from './lastEditor.ts';
import type { Log } from './log.ts';
import { type Reports, registerReports } from './reports.ts';

export interface Base extends vscode.Disposable {
  readonly log: Log;
  readonly reports: Reports;
  readonly lastEditor: LastEditor;
}

/** Registers the log and its command, the command for the walkthrough, and the reports. */
export function registerBase(): Base {
  const channel = vscode.window.createOutputChannel('K3', { log: true });
  // Errors of others can name an address with a password, for example that of a proxy.
  const log: Log = {
    info: (line) => channel.info(withoutUserInfo(line)),
    warn: (line) => channel.warn(withoutUserInfo(line)),
  };
  const reports = registerReports();
  const lastEditor = createLastEditor();
  const registered = vscode.Disposable.from(
    vscode.commands.registerCommand('k3.showLog', () => channel.show()),
    vscode.commands.registerCommand('k3.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'k3-chat.k3-chat#start', false),
    ),
    reports,
    lastEditor,
    channel,
  );
  return { log, reports, lastEditor, dispose: () => registered.dispose() };
}
