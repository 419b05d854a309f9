/** The one gate in front of every change that a model proposes: where it would be written, and what it hides. */
import * as vscode from 'vscode';
import {
  findHidden,
  findNewHidden,
  type HiddenCharacter,
  showHidden,
} from '../../review/hiddenCharacters.ts';
import { isProtected } from '../../review/protectedPaths.ts';
import { isInsideWorkspace } from '../workspace/boundary.ts';

const t = vscode.l10n.t;

export interface GatedChange {
  readonly uri: vscode.Uri;
  /** What goes and what comes, place by place: what one place loses does not pay for what another brings. */
  readonly parts: readonly { readonly before: string; readonly after: string }[];
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
    t('Apply this change to {0}?', showHidden(vscode.workspace.asRelativePath(change.uri))),
    { modal: true, detail: reasons.join('\n\n') },
    apply,
  );
  return chosen === apply;
}

async function placeReasons(uri: vscode.Uri): Promise<readonly string[]> {
  const { inside, realPath } = await isInsideWorkspace(uri);
  const shown = showHidden(realPath);
  const hidden = findHidden(uri.path);
  return [
    ...(inside ? [] : [t('It is outside the workspace: {0}', shown)]),
    ...(hidden.length === 0 ? [] : [t('Its name has characters that cannot be seen: {0}', shown)]),
    ...(isProtected(pathInFolder(uri)) || isProtected(realPathInFolder(realPath))
      ? [t('Files like this one decide what tools and the editor may do on this machine: {0}', shown)]
      : []),
  ];
}

/** The path from the folder of the workspace on, with the folder's own name: what is above it is not meant. */
function pathInFolder(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder === undefined ? uri.path : uri.path.slice(parentOf(folder.uri.path).length);
}

/** The same for the real path; all of it when it lies in no folder. */
function realPathInFolder(realPath: string): string {
  const folder = (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => realPath.startsWith(uri.fsPath));
  return folder === undefined ? realPath : realPath.slice(parentOf(folder.uri.fsPath).length);
}

const parentOf = (path: string): string => path.replace(/[^\\/]*[\\/]?$/, '');

function hiddenReasons({ parts }: GatedChange): readonly string[] {
  const hidden = parts.flatMap(({ before, after }) => findNewHidden(before, after));
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
