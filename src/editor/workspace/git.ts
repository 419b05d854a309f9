/** The part of the built-in Git extension's API (version 1) that is used here. */
import * as vscode from 'vscode';
import { createDeferred } from '../../service/deferred.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { editorInFront } from '../base/lastEditor.ts';
import type { Say } from '../base/notifications.ts';
import { plainItem } from '../base/quickPicks.ts';

export interface GitChange {
  readonly uri: vscode.Uri;
  /** The URI before the change, if the file was renamed. */
  readonly originalUri: vscode.Uri;
  readonly renameUri: vscode.Uri | undefined;
  readonly status: number;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD: { readonly commit?: string; readonly name?: string } | undefined;
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    /** The files in conflict. The other lists don't contain them. */
    readonly mergeChanges?: readonly GitChange[];
    readonly onDidChange: vscode.Event<void>;
  };
  /** Refreshes the state from the disk. Ends early if another refresh begins meanwhile, see `refreshState`. */
  status(): Promise<void>;
  /** The diff of a file between the index and the working tree, despite the name of this function. */
  diffWithHEAD(path: string): Promise<string>;
  /** The diff of a file between HEAD and the index. */
  diffIndexWithHEAD(path: string): Promise<string>;
  /** The diff of a file between a commit and the working tree. */
  diffWith(ref: string, path: string): Promise<string>;
  log(options: { readonly maxEntries: number; readonly path?: string }): Promise<readonly GitCommit[]>;
  getCommit(ref: string): Promise<GitCommit>;
  getBranches(query: { readonly remote?: boolean }): Promise<readonly GitRef[]>;
  /** The branch from which another branch was created, if Git knows it. */
  getBranchBase(name: string): Promise<GitRef | undefined>;
  /** The common commit of two commits. Rejects or resolves with undefined if there is none. */
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  /** The files that differ between the merge base of two commits and the second commit. */
  diffBetween(from: string, to: string): Promise<readonly GitChange[]>;
  diffBetween(from: string, to: string, path: string): Promise<string>;
  /** The diff of two blobs or two trees, such as `commit:path`. */
  diffBlobs(one: string, other: string): Promise<string>;
  /** The text of a file in a commit. */
  show(ref: string, path: string): Promise<string>;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorName?: string;
  readonly authorDate?: Date;
  readonly parents?: readonly string[];
}

/** A branch, here or on a remote. */
export interface GitRef {
  readonly name?: string;
  readonly remote?: string;
  readonly commit?: string;
}

export interface Git {
  /** The Git program that the extension runs. */
  readonly git?: { readonly path: string };
  /** `uninitialized` until the extension has looked for repositories after a start. Until then, `repositories` is empty. */
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<Git['state']>;
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
  getRepository(uri: vscode.Uri): Repository | null;
}

/** How often a state is read again if another refresh has interrupted it. */
const MAX_REFRESHES = 5;

/**
 * Reads the state of a repository from the disk. `status` ends early with the old state if the Git extension begins another
 * refresh meanwhile, for example because a setting was changed. At the end of a complete refresh, the extension reports a
 * change just before `status` resolves. An earlier report can belong to a refresh that began before.
 */
export async function refreshState(repository: Pick<Repository, 'state' | 'status'>): Promise<void> {
  let isJustRead = false;
  const listening = repository.state.onDidChange(() => {
    isJustRead = true;
    setImmediate(() => (isJustRead = false));
  });
  try {
    for (let times = 0; !isJustRead && times < MAX_REFRESHES; times++) await repository.status();
  } finally {
    listening.dispose();
  }
}

/** The exit code of Git in a failure that its extension reports. */
export const exitCodeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'exitCode' in error ? error.exitCode : undefined;

/** The reason why Git failed: the first line that it wrote to stderr. The error of its extension only says that it failed. */
export function gitReason(error: unknown): string {
  const written =
    typeof error === 'object' && error !== null && 'stderr' in error && typeof error.stderr === 'string'
      ? error.stderr.trim()
      : '';
  return (written || messageOf(error)).split('\n', 1)[0] ?? '';
}

/** An error of Git, as text for the user. */
export const gitErrorText = (error: unknown): string =>
  vscode.l10n.t('Git reported an error: {0}', gitReason(error));

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): Git;
}

/** The API of the Git extension. Undefined when Git is missing, disabled, or not available in Restricted Mode. */
export async function findGit(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = await extension?.activate();
  return git?.enabled === true ? git.getAPI(1) : undefined;
}

/**
 * A repository by its root, as it is open now: it can have been closed and opened again. Undefined while it isn't open.
 *
 * @param root its root as a URI
 */
export function findOpen(root: string): Repository | undefined {
  const git = vscode.extensions.getExtension<GitExtension>('vscode.git')?.exports;
  const open = git?.enabled === true ? git.getAPI(1).repositories : [];
  return open.find(({ rootUri }) => rootUri.toString() === root);
}

/** How long to wait for the Git extension after a start, in milliseconds. */
const START_MS = 10_000;

/** The same, with the state read from the disk. Also works right after the start of the window. */
export async function findOpenFromStart(root: string): Promise<Repository | undefined> {
  await findGitFromStart();
  const repository = findOpen(root);
  if (repository === undefined) return undefined;
  // If Git fails, the repository keeps its state.
  await refreshState(repository).catch(() => undefined);
  return findOpen(root);
}

/** The API with the repositories that are found after a start. */
export async function findGitFromStart(): Promise<Git | undefined> {
  const git = await findGit();
  if (git?.state === 'uninitialized') await untilInitialized(git);
  return git;
}

async function untilInitialized({ onDidChangeState }: Git): Promise<void> {
  const changed = createDeferred<void>();
  const listening = onDidChangeState(() => changed.resolve());
  const timer = setTimeout(changed.resolve, START_MS);
  await changed.promise;
  clearTimeout(timer);
  listening.dispose();
}

export const headCommitOf = ({ state }: Pick<Repository, 'state'>): string | undefined => state.HEAD?.commit;

/** The API's `Status`, as text for the model. */
const STATUS: Readonly<Record<number, string>> = {
  1: 'added',
  2: 'deleted',
  3: 'renamed',
  4: 'copied',
  6: 'deleted',
  7: 'untracked',
  9: 'added',
  10: 'renamed',
};

export const describeStatus = (status: number): string =>
  isInConflict(status) ? 'conflicted' : (STATUS[status] ?? 'modified');

/** Whether both sides of a merge have changed the file in any way. */
export const isInConflict = (status: number): boolean => status >= 12 && status <= 18;

/** Whether a file was deleted, in the index or in the working tree. */
export const isDeleted = (status: number): boolean => status === 2 || status === 6;

export const isRenamed = (status: number): boolean => status === 3 || status === 10;

/** The `Status` of a file that a commit adds. */
export const ADDED = 1;

export const isUntracked = (status: number): boolean => status === 7;

/** The name of a repository, which is that of its folder. */
export const repositoryName = ({ rootUri }: Pick<Repository, 'rootUri'>): string =>
  rootUri.path.split('/').at(-1) ?? '';

/**
 * The repository for a command: the one whose title bar was clicked, or that of the active editor, or the only one, or the
 * one that the user selects. Tells the user if none is open.
 *
 * @param argument the argument that the command was called with
 */
export async function findRepository(argument: unknown, say: Say): Promise<Repository | undefined> {
  const git = await findGit();
  if (git !== undefined && git.repositories.length > 0) return pickRepository(git, argument);
  return void say(vscode.l10n.t('No Git repository is open in this window.'));
}

async function pickRepository(git: Git, argument: unknown): Promise<Repository | undefined> {
  const root = rootOf(argument);
  const named = root && git.repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
  if (named !== undefined) return named;
  const active = editorInFront()?.document.uri;
  const open = active && git.getRepository(active);
  if (open) return open;
  if (git.repositories.length === 1) return git.repositories[0];
  const items = git.repositories.map((repository) => ({
    label: repositoryName(repository),
    description: repository.rootUri.fsPath,
    repository,
  }));
  const title = vscode.l10n.t('Select Repository');
  return (await vscode.window.showQuickPick(items.map(plainItem), { title }))?.repository;
}

function rootOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  if (typeof argument !== 'object' || argument === null || !('rootUri' in argument)) return undefined;
  return argument.rootUri instanceof vscode.Uri ? argument.rootUri : undefined;
}
