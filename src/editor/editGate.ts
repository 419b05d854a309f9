/** The one gate in front of every change that a model proposes: where it would be written, and what it hides. */
import * as vscode from 'vscode';
import { findNewHidden, type HiddenCharacter } from '../review/hiddenCharacters.ts';
import { isProtected } from '../review/protectedPaths.ts';
import { isInsideWorkspace } from './boundary.ts';

const t = vscode.l10n.t;

export interface GatedChange {
  readonly uri: vscode.Uri;
  readonly before: string;
  readonly after: string;
}

/**
 * Asks where a change needs the reader's word: in a protected file, outside the workspace, through a link that leads
 * somewhere else, or with characters that one cannot see. To be called right before writing, on the final path.
 *
 * @returns whether to write
 */
export async function passesGate(change: GatedChange): Promise<boolean> {
  const reasons = [...(await placeReasons(change.uri)), ...hiddenReasons(change)];
  if (reasons.length === 0) return true;
  const apply = t('Apply Anyway');
  const chosen = await vscode.window.showWarningMessage(
    t('Apply this change to {0}?', vscode.workspace.asRelativePath(change.uri)),
    { modal: true, detail: reasons.join('\n\n') },
    apply,
  );
  return chosen === apply;
}

async function placeReasons(uri: vscode.Uri): Promise<readonly string[]> {
  const { inside, realPath } = await isInsideWorkspace(uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  // In a workspace whose own path holds such a name, not every file is meant.
  const inFolder = folder === undefined ? uri.path : uri.path.slice(folder.uri.path.length);
  const reallyInFolder = realPathInFolder(realPath);
  return [
    ...(inside ? [] : [t('It is outside the workspace: {0}', realPath)]),
    ...(isProtected(inFolder) || isProtected(reallyInFolder)
      ? [t('Files like this one decide what tools and the editor may do on this machine: {0}', realPath)]
      : []),
  ];
}

/** The real path from the folder of the workspace on, in which it lies; all of it when it lies in none. */
function realPathInFolder(realPath: string): string {
  const folder = (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => realPath.startsWith(uri.fsPath));
  return folder === undefined ? realPath : realPath.slice(folder.uri.fsPath.length);
}

function hiddenReasons({ before, after }: GatedChange): readonly string[] {
  const hidden = findNewHidden(before, after);
  return hidden.length === 0 ? [] : [describeHidden(hidden)];
}

/** What cannot be seen in a change, in words. */
export function describeHidden(hidden: readonly HiddenCharacter[]): string {
  const codes = [...new Set(hidden.map(({ code }) => code))].join(', ');
  return hidden.some(({ kind }) => kind === 'bidirectional')
    ? t(
        'It brings characters that turn the direction of writing, so that code reads otherwise than it runs: {0}',
        codes,
      )
    : t('It brings characters that cannot be seen: {0}', codes);
}
