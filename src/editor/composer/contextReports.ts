/** Problems and changes as context: what the editor and git say, as text. */

import * as vscode from 'vscode';
import { isSecretFile } from '../../access/secretFiles.ts';
import type { ContextPart, OmittedPart } from '../../chat/context.ts';
import { cutLines } from '../../chat/text.ts';
import { readChanges } from '../workspace/changes.ts';
import { findGit } from '../workspace/git.ts';
import { findProblems, toProblemLine } from '../workspace/problems.ts';
import { keepShown } from '../workspace/shownFiles.ts';
import { labelOf } from '../workspace/textSources.ts';
import { toOmittedReason } from './contextWords.ts';
import type { Allows, Taken } from './taken.ts';

const t = vscode.l10n.t;

const MOST_PROBLEMS = 200;
const MOST_CHARACTERS = 400_000;
const MOST_OMITTED = 200;

/** The problems of a file, or of all files that are not hidden, the worst first. */
export async function takeProblems(uri?: vscode.Uri): Promise<Taken> {
  const found = uri === undefined ? await keepShown(findProblems(), ([place]) => place) : findProblems(uri);
  const where = uri === undefined ? t('the workspace') : labelOf(uri);
  if (found.length === 0) return { ok: false, why: t('There are no problems in {0}.', where) };
  const lines = found.slice(0, MOST_PROBLEMS).map(([place, problem]) => toProblemLine(place, problem));
  const part: ContextPart = {
    label: uri === undefined ? 'the workspace' : labelOf(uri),
    text: `${lines.join('\n')}\n`,
    ...(found.length > MOST_PROBLEMS && { linesInAll: found.length }),
  };
  const label = uri === undefined ? t('Problems') : t('Problems in {0}', where);
  const item = { kind: 'problems' as const, label, parts: [part] };
  return { ok: true, item: uri === undefined ? item : { ...item, uri: uri.toString() } };
}

/** What is staged and what is not, of all repositories. */
export async function takeChanges(allows: Allows): Promise<Taken> {
  const git = await findGit().catch(() => undefined);
  if (git === undefined)
    return {
      ok: false,
      why: t('Changes are not available because the editor’s Git extension is not available.'),
    };
  const parts: ContextPart[] = [];
  const omitted: OmittedPart[] = [];
  const refused: string[] = [];
  for (const repository of git.repositories) {
    // It may be the repository of a folder above the workspace.
    if (!(await allows(repository.rootUri))) {
      refused.push(labelOf(repository.rootUri));
      continue;
    }
    for (const [scope, name] of SCOPES) {
      const files = await readChanges(repository, scope, NEVER);
      const diff = files.map((file) => file.diff ?? '').join('');
      parts.push(...toDiffPart(`${labelOf(repository.rootUri)}, ${name}`, diff));
      omitted.push(...files.flatMap(toOmitted));
    }
  }
  if (parts.length === 0 && omitted.length === 0 && refused.length > 0)
    return {
      ok: false,
      why: t('The changes in {0} were not added because access was not allowed.', refused.join(', ')),
    };
  if (parts.length === 0 && omitted.length === 0)
    return { ok: false, why: t('There are no changes in Git.') };
  if (parts.length === 0) {
    const names = omitted.map(({ label, why }) => `${label} (${toOmittedReason(why)})`);
    return { ok: false, why: t('No changes were added: {0}', names.slice(0, 5).join(', ')) };
  }
  return {
    ok: true,
    item: {
      kind: 'changes',
      label: t('Changes'),
      parts,
      ...(omitted.length > 0 && { omitted: omitted.slice(0, MOST_OMITTED) }),
      ...(omitted.length > MOST_OMITTED && { omittedMore: omitted.length - MOST_OMITTED }),
    },
  };
}

const SCOPES = [
  ['staged', 'staged'],
  ['unstaged', 'not staged'],
] as const;
const NEVER = new vscode.CancellationTokenSource().token;

/** Files that no diff has: new ones, those that may hold keys, and those beyond what is read. */
function toOmitted({ path, diff }: Awaited<ReturnType<typeof readChanges>>[number]): readonly OmittedPart[] {
  if (diff === undefined) return [{ label: path, why: isSecretFile(path) ? 'secret' : 'too-large' }];
  return diff === '' ? [{ label: path, why: 'untracked' }] : [];
}

function toDiffPart(label: string, diff: string): readonly ContextPart[] {
  return diff.trim() === '' ? [] : [{ label, language: 'diff', ...cutLines(diff, MOST_CHARACTERS) }];
}
