/** Lets the user select a branch and the branch to compare it with, or a commit. */
import * as vscode from 'vscode';
import { showError, showInformation } from '../base/notifications.ts';
import { plainItem } from '../base/quickPicks.ts';
import { type GitCommit, type GitRef, gitErrorText, type Repository } from '../workspace/git.ts';

const t = vscode.l10n.t;

export interface GitBranch {
  readonly name: string;
  readonly commit: string;
}

/** The most commits in the list. */
const MAX_COMMITS = 100;

/** The branches that are suggested for a comparison if Git doesn't know where a branch began. */
const USUAL_BASES = ['main', 'master', 'trunk', 'develop'];

/** Asks for a branch. The current branch comes first. Undefined if the user selects none, or if there is no other branch. */
export async function pickBranch(repository: Repository): Promise<GitBranch | undefined> {
  const branches = await listBranches(repository);
  const open = repository.state.HEAD?.name;
  if (branches.length < 2) {
    void showInformation(t('This repository has no other branch to compare with.'));
    return undefined;
  }
  return pick(t('Review Branch'), t('Select the branch to review'), first(branches, open));
}

/** Asks for the branch to compare with. The branch from which it was created comes first. */
export async function pickBase(repository: Repository, branch: GitBranch): Promise<GitBranch | undefined> {
  const others = (await listBranches(repository)).filter(({ name }) => name !== branch.name);
  const known = await repository.getBranchBase(branch.name).catch(
    // This would only be the suggestion, and the user can select any branch.
    () => undefined,
  );
  const names = [known === undefined ? undefined : nameOf(known), ...USUAL_BASES];
  const base = names.find((name) => others.some((other) => other.name === name));
  return pick(
    t('Review Branch'),
    t('Select the branch to compare “{0}” with', branch.name),
    first(others, base),
  );
}

/** Asks for a commit. Returns its hash; undefined if the user selects none. */
export async function pickCommit(repository: Repository): Promise<string | undefined> {
  const commits = await readCommits(repository);
  if (commits === undefined) return undefined;
  if (commits.length === 0) {
    void showInformation(t('This repository has no commits.'));
    return undefined;
  }
  const items = commits.map(({ hash, message, authorName, authorDate }) => ({
    label: message.split('\n', 1)[0] ?? '',
    description: [
      hash.slice(0, 8),
      authorName,
      authorDate?.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' }),
    ]
      .filter(Boolean)
      .join(' · '),
    hash,
  }));
  const options = {
    title: t('Review Commit'),
    placeHolder: t('Select the commit to review'),
    matchOnDescription: true,
  };
  return (await vscode.window.showQuickPick(items.map(plainItem), options))?.hash;
}

/** The latest commits. If Git can't read them, shows an error and returns undefined. */
async function readCommits(repository: Repository): Promise<readonly GitCommit[] | undefined> {
  try {
    return await repository.log({ maxEntries: MAX_COMMITS });
  } catch (error) {
    // Git fails if there are no commits.
    if (repository.state.HEAD?.commit === undefined) return [];
    void showError(gitErrorText(error));
    return undefined;
  }
}

async function listBranches(repository: Repository): Promise<readonly GitBranch[]> {
  const refs = await repository.getBranches({ remote: true });
  return refs.flatMap((ref) => {
    const name = nameOf(ref);
    return name === undefined || ref.commit === undefined || name.endsWith('/HEAD')
      ? []
      : [{ name, commit: ref.commit }];
  });
}

/** The name of a branch, including the remote. Git reports the base of a branch without it. */
const nameOf = ({ name, remote }: GitRef): string | undefined =>
  name === undefined || remote === undefined || name.startsWith(`${remote}/`) ? name : `${remote}/${name}`;

const first = (branches: readonly GitBranch[], name: string | undefined): readonly GitBranch[] => [
  ...branches.filter((branch) => branch.name === name),
  ...branches.filter((branch) => branch.name !== name),
];

async function pick(
  title: string,
  placeHolder: string,
  branches: readonly GitBranch[],
): Promise<GitBranch | undefined> {
  const items = branches.map((branch) => ({
    label: branch.name,
    description: branch.commit.slice(0, 8),
    branch,
  }));
  const options = { title, placeHolder, matchOnDescription: true };
  return (await vscode.window.showQuickPick(items.map(plainItem), options))?.branch;
}
