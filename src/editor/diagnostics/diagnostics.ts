/** Diagnostics for developers and bug reports: the next request, exactly as it would be sent, and the report. */
import * as vscode from 'vscode';
import { atFirstUse } from '../base/atFirstUse.ts';
import type { Base } from '../base/base.ts';
import { registerLater } from '../base/laterCommands.ts';
import type { DiagnosticsDeps } from './diagnosticsReport.ts';
import type { NextRequestDeps } from './nextRequest.ts';

export interface DiagnosticsRoomDeps
  extends Pick<
      NextRequestDeps,
      'attaching' | 'composers' | 'previews' | 'toolbox' | 'turns' | 'instructions' | 'prompts'
    >,
    Pick<DiagnosticsDeps, 'keys'> {
  readonly base: Pick<Base, 'log'> & { readonly reports: NextRequestDeps['reports'] };
  readonly conversations: NextRequestDeps['conversations'] & DiagnosticsDeps['conversations'];
  readonly routes: NextRequestDeps['routes'] & DiagnosticsDeps['routes'];
  readonly context: Pick<vscode.ExtensionContext, 'extension'>;
}

export function registerDiagnostics(deps: DiagnosticsRoomDeps): vscode.Disposable {
  const parts = atFirstUse(async () => {
    const { copyDiagnostics, createNextRequest } = await import('./diagnosticsParts.ts');
    const version = String(deps.context.extension.packageJSON.version);
    const commands = {
      ...createNextRequest({ ...deps, reports: deps.base.reports }),
      'k3.copyDiagnostics': () => copyDiagnostics({ ...deps, version }),
    };
    return { commands };
  }, deps.base.log);
  return vscode.Disposable.from(
    registerLater(['k3.showRequest', 'k3.showCodeRequest', 'k3.copyDiagnostics'], parts),
    parts,
  );
}
