/** Diagnostics for developers and bug reports: the next request, exactly as it would be sent, and the report. */
import * as vscode from 'vscode';
import { type DiagnosticsDeps, registerDiagnosticsReport } from './diagnosticsReport.ts';
import { type NextRequestDeps, registerNextRequest } from './nextRequest.ts';

export interface DiagnosticsRoomDeps
  extends Pick<NextRequestDeps, 'composers' | 'previews' | 'toolbox' | 'turns' | 'instructions' | 'prompts'>,
    Pick<DiagnosticsDeps, 'keys'> {
  readonly base: { readonly reports: NextRequestDeps['reports'] };
  readonly conversations: NextRequestDeps['conversations'] & DiagnosticsDeps['conversations'];
  readonly routes: NextRequestDeps['routes'] & DiagnosticsDeps['routes'];
  readonly context: Pick<vscode.ExtensionContext, 'extension'>;
}

export function registerDiagnostics(deps: DiagnosticsRoomDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerNextRequest({ ...deps, reports: deps.base.reports }),
    registerDiagnosticsReport({ ...deps, version: String(deps.context.extension.packageJSON.version) }),
  );
}
