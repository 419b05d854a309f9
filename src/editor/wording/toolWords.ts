/** Texts about tools of extensions and MCP servers. */
import * as vscode from 'vscode';
import { toolChangeOf } from '../../conversation/toolCalls/toolChanges.ts';
import type { WaitingCall } from '../../conversation/toolCalls/waitingCalls.ts';

const t = vscode.l10n.t;

/** Why the user is asked again about a tool that they had allowed; undefined if it was not allowed before. */
export function describeToolChange({
  tool,
  allowed,
}: Pick<WaitingCall, 'tool' | 'allowed'>): string | undefined {
  if (allowed === undefined) return undefined;
  switch (toolChangeOf(allowed, tool)) {
    case 'description':
      return t('The description of this tool has changed since you allowed it.');
    case 'parameters':
      return t('The parameters of this tool have changed since you allowed it.');
    case 'both':
      return t('The description and the parameters of this tool have changed since you allowed it.');
  }
}
