import * as os from 'node:os';
import * as vscode from 'vscode';
import { allTurns } from '../../conversation/allExchanges.ts';
import { describeTurn } from '../../requests/describeTurn.ts';
import { showInformation } from '../base/notifications.ts';
import type { Keys } from '../connection/keys.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { readSettings } from '../settings/settings.ts';

export interface DiagnosticsDeps {
  readonly conversations: Pick<Conversations, 'loaded'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly keys: Pick<Keys, 'find'>;
  readonly version: string;
}

const TURNS_SHOWN = 20;

/** Copies facts for a bug report, without API keys, questions, or answers. */
export async function copyDiagnostics(deps: DiagnosticsDeps): Promise<void> {
  await vscode.env.clipboard.writeText(await toReport(deps));
  void showInformation(
    vscode.l10n.t(
      'Diagnostics were copied to the clipboard. They contain no API keys and none of your text.',
    ),
  );
}

async function toReport({ conversations, routes, keys, version }: DiagnosticsDeps): Promise<string> {
  const settings = readSettings();
  const active = routes.active(settings);
  const found = active === undefined ? undefined : await keys.find(active.route);
  // Sorted by time: the turn that the report is about can be in any conversation, and on an earlier branch if its question was edited.
  const turns = conversations
    .loaded()
    .flatMap(allTurns)
    .toSorted((one, other) => one.startedAt - other.startedAt);
  return [
    `K3 Chat ${version}`,
    `${vscode.env.appName} ${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}, remote ${vscode.env.remoteName ?? 'no'}`,
    `Node ${process.versions.node}, ${os.platform()} ${os.arch()}`,
    `Routes ${settings.routes.length}, active kind ${active?.route.kind ?? 'none'}, own network ${active?.route.network !== undefined}`,
    `Key ${found === undefined ? 'no route' : found.found ? `from ${found.source}` : `missing: ${found.why}`}`,
    `Budget ${settings.maxCompletionTokens ?? 'default'}, effort ${settings.effort ?? 'default'}`,
    ...settings.problems.map(
      ({ setting, problem }) =>
        `Setting ${setting.replace(/^k3\.routes\..*\./s, 'k3.routes.….')}: ${problem}`,
    ),
    `Turns ${turns.length}`,
    // The user chooses route names, so they may contain an address.
    ...turns
      .slice(-TURNS_SHOWN)
      .map((turn) => describeTurn({ ...turn, request: { ...turn.request, routeName: '…' } })),
  ].join('\n');
}
