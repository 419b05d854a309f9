/** A folder as context: its text files within a budget, and what was left out of them and why. */
import * as vscode from 'vscode';
import type { ContextPart, OmitReason, OmittedPart } from '../../chat/context.ts';
import { estimateTokens } from '../../chat/tokens.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { type IgnoredFiles, readIgnoredFiles } from '../workspace/ignoredFiles.ts';
import { searchExcludes } from '../workspace/projectFiles.ts';
import { labelOf, languageOf, readText } from '../workspace/textSources.ts';
import { FOLDER_BUDGET_TOKENS, toOmittedReason } from './contextWords.ts';
import type { Allows, Taken } from './taken.ts';

const t = vscode.l10n.t;

/** A file of a folder that is larger was hardly written by a person. In bytes. */
const MOST_FILE_BYTES = 256 * 1024;
/** Files that are looked at. */
const MOST_FILES = 5000;
/** What was left out, by name; the rest is a number. */
const MOST_OMITTED = 200;
/** The heading and the fence around a file. */
const HEADING_TOKENS = 12;

export async function takeFolder(folder: vscode.Uri, allows: Allows): Promise<Taken> {
  const label = `${labelOf(folder)}/`;
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const [found, ignored] = await Promise.all([
    vscode.workspace.findFiles(pattern, searchExcludes(), MOST_FILES),
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
  if (parts.length === 0) return { ok: false, why: toNothing(label, named) };
  return {
    ok: true,
    item: {
      kind: 'folder',
      label,
      uri: folder.toString(),
      parts,
      ...(named.length > 0 && { omitted: named.slice(0, MOST_OMITTED) }),
      ...(named.length > MOST_OMITTED && { omittedMore: named.length - MOST_OMITTED }),
    },
  };
}

function toNothing(label: string, omitted: readonly OmittedPart[]): string {
  if (omitted.length === 0) return t('{0} contains no files.', label);
  const some = omitted.slice(0, 5).map(({ label, why }) => `${label} (${toOmittedReason(why)})`);
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
  // Once the budget is spent nothing more is read.
  if (budget <= HEADING_TOKENS) return 'over-budget';
  const read = await readText(uri, MOST_FILE_BYTES);
  if (!read.ok) return read.why;
  const tokens = Math.ceil(estimateTokens(read.text)) + HEADING_TOKENS;
  if (tokens > budget) return 'over-budget';
  return { part: { label: labelOf(uri), ...languageOf(uri), text: read.text }, tokens };
}

/** The name of an ignored file, or of the folder above it with which it is. */
function labelIn(path: string, uri: vscode.Uri): string {
  return path.endsWith('/') ? `${labelOf(uri.with({ path: path.slice(0, -1) }))}/` : labelOf(uri);
}
