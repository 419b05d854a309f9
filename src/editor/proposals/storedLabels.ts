/** The names of the files of stored proposals, which are shown, exported, and sent. */
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Proposal } from '../../review/proposals/proposal.ts';
import { toPath } from '../workspace/selectedCode.ts';

/**
 * A stored proposal with paths in the workspace. Earlier versions stored paths on this machine for cells and for documents
 * that have no file. Those of files outside the workspace stay.
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
