/** Updates the file names of stored proposals, which are shown, exported, and sent. */
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Proposal } from '../../review/proposals/proposal.ts';
import { toPath } from '../workspace/selectedCode.ts';

/**
 * A stored proposal with paths relative to the workspace. Earlier versions stored absolute paths for cells and for documents without
 * a file. Labels of files outside the workspace stay.
 */
export function withLabels(proposal: Proposal): Proposal {
  const { files, trouble } = proposal;
  const labeled = files.map((file) =>
    isAbsolute(file.label) ? { ...file, label: toPath({ uri: vscode.Uri.parse(file.uri) }) } : file,
  );
  if (trouble?.kind !== 'lines-changed' || !isAbsolute(trouble.label)) return { ...proposal, files: labeled };
  const label = vscode.workspace.asRelativePath(trouble.label);
  return { ...proposal, files: labeled, trouble: { ...trouble, label } };
}
