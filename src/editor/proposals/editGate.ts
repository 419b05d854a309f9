/** The one gate in front of every change that a model proposes. */
import * as vscode from 'vscode';
import { findNewHidden } from '../../access/hiddenCharacters.ts';
import { withoutLinks } from '../base/notifications.ts';
import { requestAccess } from '../workspace/fileAccess.ts';

const t = vscode.l10n.t;

export interface GatedChange {
  readonly uri: vscode.Uri;
  /** What goes and what comes, place by place: what one place loses does not pay for what another adds. */
  readonly parts: readonly { readonly before: string; readonly after: string }[];
}

/**
 * Asks where the policy for access asks about a change: in a protected file, outside the workspace, or with characters
 * that are not visible. To be called right before writing, on the final path.
 *
 * @returns whether to write
 */
export async function passesGate({ uri, parts }: GatedChange): Promise<boolean> {
  const adds = parts.flatMap(({ before, after }) => findNewHidden(before, after));
  const answer = await requestAccess({ uri, purpose: 'write', adds });
  if (answer.kind !== 'moved') return answer.kind === 'granted';
  void vscode.window.showWarningMessage(
    t(
      '{0} was not changed: its path has come to lead somewhere else. Try again.',
      withoutLinks(vscode.workspace.asRelativePath(uri)),
    ),
  );
  return false;
}
