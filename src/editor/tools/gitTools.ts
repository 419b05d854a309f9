/** Built-in tools that query the Git extension of the editor for changes and commits. They don't run Git themselves. */
import * as vscode from 'vscode';
import { MAX_RESULT } from '../../conversation/toolCalls/runCalls.ts';
import type { ToolResult } from '../../conversation/toolCalls/tools.ts';
import { boundResult } from '../../conversation/toolCalls/toolText.ts';
import { onlyPathOf, readChanges, type Scope } from '../workspace/changes.ts';
import {
  findGit,
  type Git,
  type GitCommit,
  type Repository,
  refreshState,
  repositoryName,
} from '../workspace/git.ts';
import { labelOf } from '../workspace/textSources.ts';
import { isInsideWorkspace, isStillThere } from '../workspace/workspaceBoundary.ts';
import {
  type BuiltInTool,
  createDefinition,
  numberIn,
  type ToolArguments,
  type ToolContext,
  textIn,
} from './toolDefinitions.ts';
import { describeMoved, ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

const MAX_COMMITS = 100;
const DEFAULT_COMMITS = 20;
/** The limit for each file, so that a large diff leaves room for others. */
const MAX_FILE_CHARACTERS = MAX_RESULT / 3;

const PATH = {
  type: 'string',
  description: 'A file or folder, relative to the workspace. Without it, everything.',
};

export function createGitTools(): readonly BuiltInTool[] {
  return [GIT_DIFF, GIT_LOG];
}

const GIT_DIFF: BuiltInTool = {
  definition: createDefinition(
    'git_diff',
    'Gives the changes of the workspace that are not committed, as a unified diff.',
    {
      path: PATH,
      scope: {
        type: 'string',
        enum: ['all', 'staged', 'unstaged'],
        description: 'By default all since the last commit.',
      },
    },
    [],
  ),
  needsTrust: true,
  title(args) {
    const path = textIn(args, 'path');
    return path ? t('Get changes of {0}', path) : t('Get changes');
  },
  run: readDiffs,
};

async function readDiffs(args: ToolArguments, { access, signal, token }: ToolContext): Promise<ToolResult> {
  const git = await requireGit();
  const path = textIn(args, 'path');
  const place = path ? await access.open(path, 'read', signal) : undefined;
  const scope: Scope = args['scope'] === 'staged' || args['scope'] === 'unstaged' ? args['scope'] : 'all';
  const wanted = async (uri: vscode.Uri) =>
    place === undefined ? (await isInsideWorkspace(uri)).inside : isBelow(uri, place.uri);
  const parts: string[] = [];
  for (const repository of repositoriesFor(git, place?.uri)) {
    await refreshState(repository);
    const files = await readChanges(repository, scope, token, wanted, place);
    for (const { path: below, change, diff, secret, ignored } of files) {
      signal.throwIfAborted();
      const name = nameIn(vscode.Uri.joinPath(repository.rootUri, below), below);
      const why = ignored
        ? 'git ignores it, so it is not shown. Ask for this path alone'
        : `it ${secret ? 'may contain secrets and ' : ''}is not shown`;
      if (diff === undefined) parts.push(`[${name}: ${change}; ${why}.]`);
      else if (diff === '') parts.push(`[${name}: ${change}; read_file shows it.]`);
      else {
        // The diff has paths relative to the root of the repository, which other tools don't take.
        if (name !== below) parts.push(`[${name}]`);
        parts.push(
          boundResult(diff.trimEnd(), 'Ask for this path alone, or read the file.', MAX_FILE_CHARACTERS),
        );
      }
    }
  }
  if (place !== undefined && !(await isStillThere(place))) throw new ToolRefusal(describeMoved(path ?? ''));
  return { text: parts.length === 0 ? '[No changes.]' : parts.join('\n') };
}

const isBelow = (uri: vscode.Uri, root: vscode.Uri): boolean =>
  uri.path === root.path || uri.path.startsWith(root.path.endsWith('/') ? root.path : `${root.path}/`);

const GIT_LOG: BuiltInTool = {
  definition: createDefinition(
    'git_log',
    'Gives the last commits of the workspace, the newest first: short hash, date, author, message.',
    { path: PATH, count: { type: 'integer', minimum: 1, maximum: MAX_COMMITS } },
    [],
  ),
  needsTrust: true,
  title(args) {
    const path = textIn(args, 'path');
    return path ? t('Get commits of {0}', path) : t('Get commits');
  },
  run: readLog,
};

async function readLog(args: ToolArguments, { access, signal }: ToolContext): Promise<ToolResult> {
  const git = await requireGit();
  const path = textIn(args, 'path');
  const maxEntries = Math.min(numberIn(args, 'count') ?? DEFAULT_COMMITS, MAX_COMMITS);
  const place = path ? await access.open(path, 'read', signal) : undefined;
  const parts: string[] = [];
  const repositories = repositoriesFor(git, place?.uri);
  for (const repository of repositories) {
    signal.throwIfAborted();
    const found: string[] = [];
    for (const below of await pathsIn(repository, place?.uri)) {
      const wanted = { maxEntries, ...(below === undefined ? {} : { path: below }) };
      const commits = await repository.log(wanted).catch((error: unknown) => {
        // Git fails if there is no commit yet.
        if (repository.state.HEAD?.commit === undefined) return [];
        throw error;
      });
      found.push(...commits.map(toCommitText));
    }
    if (repositories.length > 1 && found.length > 0)
      parts.push(`[${nameIn(repository.rootUri, repositoryName(repository))}]`);
    parts.push(...found);
  }
  return { text: parts.length === 0 ? '[No commits.]' : parts.join('\n') };
}

/**
 * The paths whose commits are listed; undefined means the entire repository. If the repository is larger than the
 * workspace, only the workspace folders in it.
 */
async function pathsIn(
  repository: Repository,
  asked: vscode.Uri | undefined,
): Promise<readonly (string | undefined)[]> {
  if (asked !== undefined) return [onlyPathOf(repository, asked)];
  const { rootUri } = repository;
  if ((await isInsideWorkspace(rootUri)).inside) return [undefined];
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => isBelow(uri, rootUri)).map(({ uri }) => uri.fsPath);
}

/**
 * The path relative to the workspace, as other tools take it. For anything outside the workspace, the other name, because
 * its path would be one on this machine.
 */
const nameIn = (uri: vscode.Uri, otherwise: string): string =>
  vscode.workspace.getWorkspaceFolder(uri) === undefined ? otherwise : labelOf(uri);

function toCommitText({ hash, message, authorName, authorDate }: GitCommit): string {
  const [title = '', ...rest] = message.trim().split('\n');
  const date = authorDate?.toISOString().slice(0, 10) ?? '';
  const body = rest.filter((line) => line.trim() !== '').map((line) => `    ${line}`);
  return [`${hash.slice(0, 8)} ${date} ${authorName ?? ''}: ${title}`, ...body].join('\n');
}

async function requireGit(): Promise<Git> {
  const git = await findGit().catch(() => undefined);
  if (git === undefined) throw new ToolRefusal('The Git extension of the editor is not available here.');
  return git;
}

function repositoriesFor(git: Git, uri: vscode.Uri | undefined): readonly Repository[] {
  if (uri === undefined) {
    if (git.repositories.length === 0) throw new ToolRefusal('No Git repository is open in the editor.');
    return git.repositories;
  }
  const repository = git.getRepository(uri);
  if (repository === null)
    throw new ToolRefusal('The path is not in a Git repository that is open in the editor.');
  return [repository];
}
