/** The files that a question asks to review. Findings are placed only in these files. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { isAboutRepository, reviewedPaths } from '../../review/reviewQuestion.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { findGit } from '../workspace/git.ts';

export interface ReviewedFile {
  readonly uri: string;
  readonly text: string;
}

export interface ReviewedFiles {
  readonly uris: readonly string[];
  /** The reviewed lines, if the question is about part of one file. */
  readonly lines: LineRange | undefined;
  /** Finds a file by a path from the model. */
  named(path: string): ReviewedFile | undefined;
}

/** Reads the files, with unsaved changes. Each has the text that it has when it is named: others may take long to open. */
export async function findReviewedFiles({ text, origin }: Question): Promise<ReviewedFiles> {
  const documents = new Map<string, vscode.TextDocument>();
  for (const path of reviewedPaths(text)) {
    const uri = origin === undefined ? await findChanged(path, text) : vscode.Uri.parse(origin.uri);
    const document = uri && (await openText(uri));
    if (document) documents.set(path, document);
  }
  return {
    uris: [...documents.values()].map(({ uri }) => uri.toString()),
    lines: origin && { startLine: origin.startLine, endLine: origin.endLine },
    named(path) {
      const plain = path.replaceAll('\\', '/').replace(/^(\.?\/|[ab]\/)/, '');
      const document = documents.get(path) ?? documents.get(plain);
      return document && { uri: document.uri.toString(), text: document.getText() };
    },
  };
}

/**
 * Finds a changed file by its path in the repository of a question. If that isn't open anymore, in another one or a workspace
 * folder that is: it may have another name now.
 */
async function findChanged(path: string, question: string): Promise<vscode.Uri | undefined> {
  if (path.split('/').includes('..')) return undefined;
  const git = await findGit();
  const isNamed = ({ path: root }: vscode.Uri) => isAboutRepository(question, root.split('/').at(-1) ?? '');
  const open = [
    ...(git?.repositories ?? []).map(({ rootUri }) => rootUri),
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  ];
  const named = open.filter(isNamed);
  for (const root of named.length > 0 ? named : open) {
    const uri = vscode.Uri.joinPath(root, path);
    const found = await vscode.workspace.fs.stat(uri).then(
      ({ type }) => type === vscode.FileType.File,
      () => false,
    );
    if (found && (await isInsideRepository(root, uri))) return uri;
  }
  return undefined;
}

/** False if a path leads through a link out of both its repository and the workspace. */
async function isInsideRepository(root: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  const [access, top] = await Promise.all([decideAccess(uri, 'read'), decideAccess(root, 'read')]);
  if (access.kind === 'allowed' || !access.reasons.includes('outside')) return true;
  const start = top.place.realPath;
  return access.place.realPath.startsWith(start.endsWith(sep) ? start : `${start}${sep}`);
}

async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // The file doesn't exist or isn't text: its findings are shown as not placed.
    return undefined;
  }
}
