/** What all rooms use: the log, Markdown reports, the last active editor, and comment controllers. */
import * as vscode from 'vscode';
import { withoutUserInfo } from '../../service/address.ts';
import { type CommentControllers, createCommentControllers } from './commentControllers.ts';
import { createLastEditor, type LastEditor } from './lastEditor.ts';
import type { Log } from './log.ts';
import { type Reports, registerReports } from './reports.ts';
import { registerWalkthrough, type Walkthrough } from './walkthrough.ts';

export interface Base extends vscode.Disposable {
  readonly log: Log;
  readonly reports: Reports;
  readonly lastEditor: LastEditor;
  readonly controllers: Pick<CommentControllers, 'create'>;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
}

/** Registers the log and its command, the walkthrough, and the reports. */
export function registerBase(): Base {
  const channel = vscode.window.createOutputChannel('K3', { log: true });
  // Errors from other code can contain an address with a password, for example that of a proxy.
  // Work that is still running while the window closes may log, and a disposed channel throws.
  let closed = false;
  const log: Log = {
    info: (line) => (closed ? undefined : channel.info(withoutUserInfo(line))),
    warn: (line) => (closed ? undefined : channel.warn(withoutUserInfo(line))),
  };
  const reports = registerReports();
  const lastEditor = createLastEditor();
  const walkthrough = registerWalkthrough(log);
  const controllers = createCommentControllers(log);
  const registered = vscode.Disposable.from(
    new vscode.Disposable(() => {
      closed = true;
    }),
    vscode.commands.registerCommand('k3.showLog', () => channel.show()),
    walkthrough,
    reports,
    lastEditor,
    controllers,
    channel,
  );
  return { log, reports, lastEditor, walkthrough, controllers, dispose: () => registered.dispose() };
}
