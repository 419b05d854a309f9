/** A folder as context: its text files within a token budget, and the omitted files with the reasons. */
import * as vscode from 'vscode';
import type { ContextPart, OmitReason, OmittedPart } from '../../chat/context.ts';
import { estimateTokens } from '../../chat/tokens.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { type IgnoredFiles, readIgnoredFiles } from '../workspace/ignoredFiles.ts';
import { searchExcludes } from '../workspace/projectFiles.ts';
import { labelOf, languageOf, readText } from '../workspace/textSources.ts';
import type { Allows, ContextResult } from './contextResult.ts';
import { describeOmission, FOLDER_BUDGET_TOKENS } from './contextWords.ts';

const t = vscode.l10n.t;

/** Larger files of a folder are omitted, because they are probably generated. In bytes. */
const MAX_FILE_BYTES = 256 * 1024;
/** The most files to search for. */
const MAX_FILES = 5000;
/** The most omitted files to list. The others are only counted. */
const MAX_OMITTED = 200;
/** The tokens of the heading and the fence around a file. */
const HEADING_TOKENS = 12;

export async function readFolderContext(folder: vscode.Uri, allows: Allows): Promise<ContextResult> {
  const label = `${labelOf(folder)}/`;
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const [found, ignored] = await Promise.all([
    vscode.workspace.findFiles(pattern, searchExcludes(), MAX_FILES),
    readIgnoredFiles(),
  ]);
  const parts: ContextPart[] = [];
  const omitted = new Map<string, OmitReason>();
  let left = FOLDER_BUDGET_TOKENS;
  for (const uri of found.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const by = ignored.ignoredBy(uri.path);
    if (by !== undefined) {
      omitted.set(labelIn(by, uri), 'ignored');
      continue;
    }
    const read = await readPart(uri, left, allows, ignored);
    if (typeof read === 'string') omitted.set(labelOf(uri), read);
    else {
      left -= read.tokens;
      parts.push(read.part);
    }
  }
  const named = [...omitted].map(([label, why]): OmittedPart => ({ label, why }));
  if (parts.length === 0) return { ok: false, why: describeNothingAdded(label, named) };
  return {
    ok: true,
    item: {
      kind: 'folder',
      label,
      uri: folder.toString(),
      parts,
      ...(named.length > 0 && { omitted: named.slice(0, MAX_OMITTED) }),
      ...(named.length > MAX_OMITTED && { omittedMore: named.length - MAX_OMITTED }),
    },
  };
}

function describeNothingAdded(label: string, omitted: readonly OmittedPart[]): string {
  if (omitted.length === 0) return t('{0} contains no files.', label);
  const some = omitted.slice(0, 5).map(({ label, why }) => `${label} (${describeOmission(why)})`);
  return t('Nothing from {0} was added: {1}', label, some.join(', '));
}

async function readPart(
  uri: vscode.Uri,
  budget: number,
  allows: Allows,
  ignored: IgnoredFiles,
): Promise<OmitReason | { readonly part: ContextPart; readonly tokens: number }> {
  const access = await decideAccess(uri, 'read', { ignored, isFile: true });
  const reasons = access.kind === 'ask' ? access.reasons : [];
  if (reasons.includes('ignored')) return 'ignored';
  if (reasons.includes('secret')) return 'secret';
  if (reasons.includes('outside') && !(await allows(uri))) return 'outside';
  // No more files are read when the budget is used.
  if (budget <= HEADING_TOKENS) return 'over-budget';
  const read = await readText(uri, MAX_FILE_BYTES);
  if (!read.ok) return read.why;
  const tokens = Math.ceil(estimateTokens(read.text)) + HEADING_TOKENS;
  if (tokens > budget) return 'over-budget';
  return { part: { label: labelOf(uri), ...languageOf(uri), text: read.text }, tokens };
}

/** The label of an ignored file, or of the ignored folder that contains it. */
function labelIn(path: string, uri: vscode.Uri): string {
  return path.endsWith('/') ? `${labelOf(uri.with({ path: path.slice(0, -1) }))}/` : labelOf(uri);
}
