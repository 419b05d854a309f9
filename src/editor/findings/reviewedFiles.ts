/** The files that a question has put under review: only these can findings stand in. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { Question } from '../../chat/turn.ts';
import type { LineRange } from '../../review/findingPlacement.ts';
import { reviewedPaths } from '../../review/reviewQuestion.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { findGit } from '../workspace/git.ts';

export interface ReviewedFile {
  readonly uri: string;
  readonly text: string;
}

export interface ReviewedFiles {
  readonly uris: readonly string[];
  /** The lines of the one file that were reviewed. */
  readonly lines: LineRange | undefined;
  /** By a path as the model wrote it. */
  named(path: string): ReviewedFile | undefined;
}

/** Reads them as they are now: what is open with unsaved changes as it stands in the editor. */
export async function findReviewed({ text, origin }: Question): Promise<ReviewedFiles> {
  const paths = reviewedPaths(text);
  const files = new Map<string, ReviewedFile>();
  for (const path of paths) {
    const uri = origin === undefined ? await findChanged(path) : vscode.Uri.parse(origin.uri);
    const document = uri && (await openText(uri));
    if (document) files.set(path, { uri: document.uri.toString(), text: document.getText() });
  }
  return {
    uris: [...files.values()].map(({ uri }) => uri),
    lines: origin && { startLine: origin.startLine, endLine: origin.endLine },
    named: (path) => files.get(path) ?? files.get(path.replaceAll('\\', '/').replace(/^(\.?\/|[ab]\/)/, '')),
  };
}

/** A changed file by its path in its repository, which is open in this window. */
async function findChanged(path: string): Promise<vscode.Uri | undefined> {
  if (path.split('/').includes('..')) return undefined;
  const git = await findGit();
  const roots = [
    ...(git?.repositories ?? []).map(({ rootUri }) => rootUri),
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  ];
  for (const root of roots) {
    const uri = vscode.Uri.joinPath(root, path);
    const found = await vscode.workspace.fs.stat(uri).then(
      ({ type }) => type === vscode.FileType.File,
      () => false,
    );
    if (found && (await isIn(root, uri))) return uri;
  }
  return undefined;
}

/** Whether a path leads to a file of its repository, and not through a link out of both that and the workspace. */
async function isIn(root: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  const [access, top] = await Promise.all([decideAccess(uri, 'read'), decideAccess(root, 'read')]);
  if (access.kind === 'allowed' || !access.reasons.includes('outside')) return true;
  const start = top.place.realPath;
  return access.place.realPath.startsWith(start.endsWith(sep) ? start : `${start}${sep}`);
}

async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // The file is gone or no text: a finding in it has no place, and says so.
    return undefined;
  }
}
