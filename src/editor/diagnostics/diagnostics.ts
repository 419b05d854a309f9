/**
 * Diagnostics and usage: the status bar, Problems with quick fixes, the usage page, the next request, and the report.
 */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Composers } from '../composer/composers.ts';
import type { Keys } from '../connection/keys.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Storage } from '../storage/storage.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { registerDiagnosticsReport } from './diagnosticsReport.ts';
import { type NextRequestDeps, registerNextRequest } from './nextRequest.ts';
import { registerProblems } from './problems.ts';
import { type QuickFixesDeps, registerQuickFixes } from './quickFixes.ts';
import { registerStatusBar } from './statusBar.ts';
import { registerUsagePage } from './usagePage.ts';

export interface DiagnosticsRoomDeps {
  readonly base: Pick<Base, 'reports' | 'log'>;
  readonly conversations: Conversations;
  readonly routes: Routes;
  readonly keys: Keys;
  readonly composers: Composers;
  readonly structured: StructuredAnswers;
  readonly storage: Pick<Storage, 'history'>;
  readonly toolbox: NextRequestDeps['toolbox'];
  readonly perform: QuickFixesDeps['perform'];
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri'>;
}

export function registerDiagnostics(deps: DiagnosticsRoomDeps): vscode.Disposable {
  const { base, conversations, routes, structured, storage, context } = deps;
  const problems = registerProblems({ conversations, structured });
  return vscode.Disposable.from(
    registerStatusBar({ conversations, routes, structured }),
    problems,
    registerQuickFixes({ conversations, problems, perform: deps.perform }),
    registerUsagePage({
      conversations,
      history: storage.history,
      extensionUri: context.extensionUri,
      log: base.log,
    }),
    registerNextRequest({ ...deps, reports: base.reports }),
    registerDiagnosticsReport({ ...deps, version: String(context.extension.packageJSON.version) }),
  );
}
