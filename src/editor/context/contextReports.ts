/** Reads the problems of the editor and the changes of Git as context. */

import * as vscode from 'vscode';
import type { ContextPart, OmittedPart } from '../../conversation/context/context.ts';
import { cutLines } from '../../conversation/cutText.ts';
import type { ChangedFile } from '../../review/questions/changesQuestion.ts';
import { neverCanceled } from '../base/cancellation.ts';
import { joinList } from '../base/sentences.ts';
import { readChanges } from '../workspace/changes.ts';
import { findProblems, toProblemLine } from '../workspace/editorProblems.ts';
import { findGit, type Repository, refreshState } from '../workspace/git.ts';
import { keepReadable } from '../workspace/readableFiles.ts';
import { labelOf } from '../workspace/textSources.ts';
import type { Allows, ContextResult } from './contextResult.ts';
import { describeOmission } from './contextWords.ts';

const t = vscode.l10n.t;

const MAX_PROBLEMS = 200;
const MAX_CHARACTERS = 400_000;
const MAX_OMITTED = 200;

/** The problems of a file, or of all files that may be read without asking, the most severe first. */
export async function readProblemsContext(uri?: vscode.Uri): Promise<ContextResult> {
  const found =
    uri === undefined ? await keepReadable(findProblems(), ([place]) => place) : findProblems(uri);
  const where = uri === undefined ? t('the workspace') : labelOf(uri);
  if (found.length === 0) return { ok: false, why: t('There are no problems in {0}.', where) };
  const lines = found.slice(0, MAX_PROBLEMS).map(([place, problem]) => toProblemLine(place, problem));
  const part: ContextPart = {
    // For the model.
    label: uri === undefined ? 'the workspace' : labelOf(uri),
    text: `${lines.join('\n')}\n`,
    ...(found.length > MAX_PROBLEMS && { linesInAll: found.length }),
  };
  const label = uri === undefined ? t('Problems') : t('Problems in {0}', where);
  const item = { kind: 'problems' as const, label, parts: [part] };
  return { ok: true, item: uri === undefined ? item : { ...item, uri: uri.toString() } };
}

/** The staged and unstaged changes of all repositories. */
export async function readChangesContext(allows: Allows): Promise<ContextResult> {
  // The editor logs why the Git extension couldn't be activated. The message below tells the user.
  const git = await findGit().catch(() => undefined);
  if (git === undefined)
    return {
      ok: false,
      why: t('Changes are not available because the editor’s Git extension is not available.'),
    };
  if (git.repositories.length === 0)
    return { ok: false, why: t('No Git repository is open in this window.') };
  const parts: ContextPart[] = [];
  const omitted: OmittedPart[] = [];
  const refused: string[] = [];
  const allowed: Repository[] = [];
  for (const repository of git.repositories) {
    // The root of the repository can be above the workspace.
    if (await allows(repository.rootUri, 'part')) allowed.push(repository);
    else refused.push(labelOf(repository.rootUri));
  }
  // The Git extension notices a change some time later. If Git fails, the known state is used.
  await Promise.allSettled(allowed.map(refreshState));
  for (const repository of allowed) {
    for (const [scope, name] of SCOPES) {
      const files = await readChanges(repository, scope, neverCanceled());
      const diff = files.map((file) => file.diff ?? '').join('');
      parts.push(...toDiffPart(`${labelOf(repository.rootUri)}, ${name}`, diff));
      omitted.push(...files.flatMap(toOmitted));
    }
  }
  if (parts.length === 0 && omitted.length === 0 && refused.length > 0)
    return {
      ok: false,
      why: t('The changes in {0} were not added because access was not allowed.', joinList(refused)),
    };
  if (parts.length === 0 && omitted.length === 0)
    return { ok: false, why: t('There are no changes in Git.') };
  if (parts.length === 0) {
    const names = omitted.map(({ label, why }) => `${label} (${describeOmission(why)})`);
    return { ok: false, why: t('No changes were added: {0}', joinList(names.slice(0, 5))) };
  }
  return {
    ok: true,
    item: {
      kind: 'changes',
      label: t('Changes'),
      parts,
      ...(omitted.length > 0 && { omitted: omitted.slice(0, MAX_OMITTED) }),
      ...(omitted.length > MAX_OMITTED && { omittedMore: omitted.length - MAX_OMITTED }),
    },
  };
}

const SCOPES = [
  ['staged', 'staged'],
  // For the model.
  ['unstaged', 'not staged'],
] as const;

/** Files without a diff: untracked or ignored files, files that may contain secrets, and files over the limit. */
function toOmitted({ path, diff, secret, ignored }: ChangedFile): readonly OmittedPart[] {
  if (diff === undefined) return [{ label: path, why: ignored ? 'ignored' : secret ? 'secret' : 'too-many' }];
  return diff === '' ? [{ label: path, why: 'untracked' }] : [];
}

function toDiffPart(label: string, diff: string): readonly ContextPart[] {
  return diff.trim() === '' ? [] : [{ label, language: 'diff', ...cutLines(diff, MAX_CHARACTERS) }];
}
