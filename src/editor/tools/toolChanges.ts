/** Shows how a tool has changed since the user allowed it, as a diff of two documents (`k3-tool`). */
import * as vscode from 'vscode';
import { type AllowedDefinition, toDefinitionText } from '../../conversation/toolCalls/toolChanges.ts';
import type { WaitingCall } from '../../conversation/toolCalls/waitingCalls.ts';
import { showHidden } from '../../text/hiddenCharacters.ts';

const t = vscode.l10n.t;

const SCHEME = 'k3-tool';

export interface ToolChanges extends vscode.Disposable {
  /** Compares the definition of a waiting call's tool with the one that the user allowed. Does nothing if it hasn't changed. */
  show(waiting: WaitingCall | undefined): Promise<void>;
}

export function registerToolChanges(): ToolChanges {
  /**
   * The texts by path and query of their documents. They are kept until the window closes, because a call may be decided
   * before its document is read.
   */
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ path, query }) => texts.get(`${path}?${query}`),
  });

  function put(
    name: string,
    side: 'allowed' | 'now',
    approval: string,
    definition: AllowedDefinition,
  ): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.txt`, query: `${side}=${approval}` });
    texts.set(`${uri.path}?${uri.query}`, showHidden(toDefinitionText(definition)));
    return uri;
  }

  return {
    async show(waiting) {
      if (waiting?.allowed === undefined) return;
      const { tool, allowed, approval } = waiting;
      await vscode.commands.executeCommand(
        'vscode.diff',
        put(tool.name, 'allowed', approval, allowed),
        put(tool.name, 'now', approval, tool),
        t('{0}: Allowed ↔ Now', tool.name),
        { preview: true },
      );
    },
    dispose: () => provider.dispose(),
  };
}
