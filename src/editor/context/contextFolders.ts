/** A folder as context: its text files within a token budget, and the omitted files with the reasons. */
import * as vscode from 'vscode';
import { isLeftOut } from '../../access/accessReasons.ts';
import { hasSecrets } from '../../access/secretContent.ts';
import type { ContextPart, OmitReason, OmittedPart } from '../../conversation/context/context.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import { joinList } from '../base/sentences.ts';
import { decideAccessToAll, type FileAccess } from '../workspace/fileAccess.ts';
import { createIgnoredFiles } from '../workspace/ignoredFiles.ts';
import { searchExcludes } from '../workspace/projectFiles.ts';
import { fenceLanguageOf, labelOf, readText } from '../workspace/textSources.ts';
import { isStillThere } from '../workspace/workspaceBoundary.ts';
import type { Allows, ContextResult } from './contextResult.ts';
import { describeOmission, FOLDER_BUDGET_TOKENS } from './contextWords.ts';

const t = vscode.l10n.t;

/** The maximum size of a file in a folder, in bytes. Larger files are omitted, because they are probably generated. */
const MAX_FILE_BYTES = 256 * 1024;
/** The maximum number of files that are checked, without ignored ones. Other files are only counted. */
const MAX_FILES = 5000;
/** The maximum number of omitted files that are listed. Others are only counted. */
const MAX_OMITTED = 200;
/** The tokens of the heading and the fence of a file. */
const HEADING_TOKENS = 12;

/** @param maxFiles the maximum number of files that are checked, the first by path */
export async function readFolderContext(
  folder: vscode.Uri,
  allows: Allows,
  maxFiles = MAX_FILES,
): Promise<ContextResult> {
  const label = `${labelOf(folder)}/`;
  const found = await findIn(folder);
  const sorted = found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const ignored = await createIgnoredFiles().find(sorted);
  const open = sorted.filter((_, at) => ignored[at] === undefined);
  const access = new Map(
    (await decideAccessToAll(open.slice(0, maxFiles), 'read', { isFile: true })).map((one) => [
      one.place.uri,
      one,
    ]),
  );
  const parts: ContextPart[] = [];
  const omitted = new Map<string, OmitReason>();
  let left = FOLDER_BUDGET_TOKENS;
  for (const [at, uri] of sorted.entries()) {
    const by = ignored[at];
    const decided = access.get(uri);
    if (by !== undefined) omitted.set(labelIn(by, uri), 'ignored');
    if (decided === undefined) continue;
    const read = await readPart(decided, left, allows);
    if (typeof read === 'string') omitted.set(labelOf(uri), read);
    else {
      left -= read.tokens;
      parts.push(read.part);
    }
  }
  const named = [...omitted].map(([label, why]): OmittedPart => ({ label, why }));
  const more = Math.max(0, named.length - MAX_OMITTED) + open.length - access.size;
  if (parts.length === 0) return { ok: false, why: describeNothingAdded(label, named) };
  return {
    ok: true,
    item: {
      kind: 'folder',
      label,
      uri: folder.toString(),
      parts,
      ...(named.length > 0 && { omitted: named.slice(0, MAX_OMITTED) }),
      ...(more > 0 && { omittedMore: more }),
    },
  };
}

/**
 * Finds all files of a folder, because the order on the disk must not decide which files are added. The search starts at
 * the workspace folder, to which the paths in `files.exclude` and `search.exclude` are relative. If it finds nothing, it
 * starts at the folder itself, which the user may have chosen although it is excluded.
 */
async function findIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const find = (base: vscode.Uri, glob: string) =>
    vscode.workspace.findFiles(new vscode.RelativePattern(base, glob), searchExcludes(folder));
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (root !== undefined && folder.path.startsWith(`${root.path}/`)) {
    const path = folder.path.slice(root.path.length + 1).replace(/[*?[\]{}]/g, '[$&]');
    const found = await find(root, `${path}/**/*`);
    if (found.length > 0) return found;
  }
  return find(folder, '**/*');
}

function describeNothingAdded(label: string, omitted: readonly OmittedPart[]): string {
  if (omitted.length === 0) return t('{0} contains no files.', label);
  const some = omitted.slice(0, 5).map(({ label, why }) => `${label} (${describeOmission(why)})`);
  return t('Nothing from {0} was added: {1}', label, joinList(some));
}

async function readPart(
  access: FileAccess,
  budget: number,
  allows: Allows,
): Promise<OmitReason | { readonly part: ContextPart; readonly tokens: number }> {
  const { uri } = access.place;
  const reasons = access.kind === 'ask' ? access.reasons : [];
  if (isLeftOut(reasons)) return 'ignored';
  if (reasons.includes('secret')) return 'secret';
  if (reasons.includes('outside') && !(await allows(uri))) return 'outside';
  // No more files are read when the budget is used up.
  if (budget <= HEADING_TOKENS) return 'over-budget';
  const read = await readText(uri, MAX_FILE_BYTES);
  // A link may lead to another file by now.
  if (!(await isStillThere(access.place))) return 'unreadable';
  if (!read.ok) return read.why;
  const tokens = Math.ceil(estimateTokens(read.text)) + HEADING_TOKENS;
  if (tokens > budget) return 'over-budget';
  if (await hasSecrets(read.text, uri.path)) return 'secret';
  return { part: { label: labelOf(uri), ...fenceLanguageOf(uri), text: read.text }, tokens };
}

/** The label of an ignored file, or of the ignored folder that contains it. */
function labelIn(path: string, uri: vscode.Uri): string {
  return path.endsWith('/') ? `${labelOf(uri.with({ path: path.slice(0, -1) }))}/` : labelOf(uri);
}
