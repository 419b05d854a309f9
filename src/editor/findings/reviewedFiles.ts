/** Finds the files that a question asks to review. Findings are placed only in these files. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { rangesStillShown, shownLinesOf } from '../../review/findings/shownLines.ts';
import type { Reviewed } from '../../review/findings/storedFindings.ts';
import { isAtOrBelow } from '../../review/proposals/fileChanges.ts';
import { isAboutRepository, reviewedPaths } from '../../review/questions/reviewQuestion.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { openText } from '../proposals/fileDocuments.ts';
import type { RenamedFiles } from '../proposals/renamedFiles.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import { findGitFromStart, type Git } from '../workspace/git.ts';

export interface ReviewedFile {
  readonly uri: string;
  readonly text: string;
}

export interface ReviewAsked {
  readonly question: Question;
  /** The lines that the question is about, as in its text; undefined for all. */
  readonly lines: LineRange | undefined;
}

export interface ReviewedFiles {
  readonly reviewed: readonly Reviewed[];
  /** Finds a file by a path from the model. */
  named(path: string): ReviewedFile | undefined;
}

type Renamed = Pick<RenamedFiles, 'uriNow'>;

/**
 * Opens the files under their current names. `named` returns the current text with unsaved changes at the time of the call, because
 * opening the other files may take long.
 */
export async function findReviewedFiles(
  { question, lines }: ReviewAsked,
  renamed: Renamed,
): Promise<ReviewedFiles> {
  const { text, origin } = question;
  const documents = new Map<string, vscode.TextDocument>();
  const git = origin === undefined ? await findGitFromStart() : undefined;
  for (const path of reviewedPaths(text)) {
    const uri =
      origin === undefined
        ? await findChanged(path, question, renamed, git)
        : vscode.Uri.parse(await renamed.uriNow(origin.uri));
    // Findings in a file that is gone or isn't text are shown as not placed.
    const document = uri && (await openText(uri));
    if (document) documents.set(path, document);
  }
  const shown = shownLinesOf(text);
  return {
    reviewed: [...documents].map(([path, document]) => ({
      uri: document.uri.toString(),
      lines: rangesStillShown(shown.get(path) ?? [], document.getText(), lines),
    })),
    named(path) {
      const plain = path.replaceAll('\\', '/').replace(/^(\.?\/|[ab]\/)/, '');
      const document = documents.get(path) ?? documents.get(plain);
      return document && { uri: document.uri.toString(), text: document.getText() };
    },
  };
}

/**
 * Finds a changed file by its path in the repository of a question. If this repository isn't open anymore, it may have been moved or
 * renamed, so the file is looked for in the other repositories and workspace folders. Undefined if several have it.
 */
async function findChanged(
  path: string,
  question: Question,
  renamed: Renamed,
  git: Git | undefined,
): Promise<vscode.Uri | undefined> {
  if (path.split('/').includes('..')) return undefined;
  const open = [
    ...(git?.repositories ?? []).map(({ rootUri }) => rootUri),
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  ];
  const own = open.find((root) => root.toString() === question.repository);
  if (own !== undefined) {
    const now = await renamed.uriNow(vscode.Uri.joinPath(own, path).toString());
    // A file with the same text outside the repository isn't part of the reviewed changes.
    return isAtOrBelow(now, own.toString()) ? fileIn(own, vscode.Uri.parse(now)) : undefined;
  }
  // The repository still exists, so an open one with the same name is another one.
  if (question.repository !== undefined && (await isFolderHere(question.repository))) return undefined;
  const named = open.filter((root) => isAboutRepository(question.text, root.path.split('/').at(-1) ?? ''));
  const found = new Map<string, vscode.Uri>();
  for (const root of named.length > 0 ? named : open) {
    const uri = await fileIn(root, vscode.Uri.joinPath(root, path));
    if (uri === undefined) continue;
    // Earlier versions didn't record the repository.
    if (question.repository === undefined) return uri;
    found.set(uri.toString(), uri);
  }
  const [first, ...others] = found.values();
  return others.length > 0 ? undefined : first;
}

/** Whether a folder exists on this machine. Folders on other machines aren't checked, because this would send a request to them. */
async function isFolderHere(address: string): Promise<boolean> {
  const uri = vscode.Uri.parse(address);
  return uri.scheme === 'file' && uri.authority === '' && (await fileKindOf(uri)) === 'folder';
}

/** The URI of a file in a repository; undefined if it doesn't exist or is a link. */
async function fileIn(root: vscode.Uri, uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const isFile = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => type === vscode.FileType.File,
    () => false,
  );
  return isFile && (await isInsideRepository(root, uri)) ? uri : undefined;
}

/** False if a path leads through a link out of both its repository and the workspace. */
async function isInsideRepository(root: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  const [access, top] = await Promise.all([decideAccess(uri, 'read'), decideAccess(root, 'read')]);
  if (access.kind === 'allowed' || !access.reasons.includes('outside')) return true;
  const start = top.place.realPath;
  return access.place.realPath.startsWith(start.endsWith(sep) ? start : `${start}${sep}`);
}
