/**
 * Files that can give a change more permissions: settings, hooks, agent instructions, tool servers, and build and
 * startup scripts of the machine (docs/security.md, Protected files). Changes to them always need approval.
 * `package.json` and other build files are not included: they are part of the normal work and are reviewed as hunks.
 */

import { toPlainPath } from './plainPath.ts';
import { isShortFor, isShortForEnding, isShortForStart } from './shortNames.ts';

/** Folders whose complete content is protected, at any depth. */
const FOLDERS: ReadonlySet<string> = new Set([
  '.vscode',
  '.vscode-server',
  '.git',
  '.github',
  '.gitlab',
  '.husky',
  '.githooks',
  ...[
    '.cursor',
    '.claude',
    '.claude-plugin',
    '.codex',
    '.kimi',
    '.kiro',
    '.continue',
    '.cline',
    '.clinerules',
  ],
  ...['.roo', '.windsurf', '.gemini'],
  '.devcontainer',
  '.idea',
  '.ssh',
  '.circleci',
  '.gitea',
  '.forgejo',
  '.woodpecker',
  '.buildkite',
  '.teamcity',
  // Plugins and releases that Yarn runs, options and extensions that Maven loads, and hooks of Mercurial.
  '.yarn',
  '.mvn',
  '.hg',
  '.agents',
  '.agent',
  '.opencode',
  '.junie',
  '.trae',
  '.zed',
  '.amazonq',
  '.augment',
  '.cargo',
  '.idx',
  '.vs',
  '.fleet',
  '.helix',
  '.jj',
  '.kilocode',
  '.qwen',
  '.crush',
  '.factory',
  '.copilot',
  '.mise',
  '.openhands',
  '.aiassistant',
  '.codesandbox',
  '.gitpod',
  '.semaphore',
  '.tekton',
  '.builds',
  // Scripts of Lefthook, and hooks of Overcommit.
  '.lefthook',
  '.lefthook-local',
  '.git-hooks',
]);

const LEFTHOOK = ['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'].flatMap((name) =>
  ['yml', 'yaml', 'toml', 'json', 'jsonc'].map((format) => `${name}.${format}`),
);

const FILES: ReadonlySet<string> = new Set([
  ...LEFTHOOK,
  '.gitmodules',
  '.gitattributes',
  '.gitconfig',
  '.travis.yml',
  '.drone.yml',
  '.cirrus.yml',
  'appveyor.yml',
  '.appveyor.yml',
  'bitbucket-pipelines.yml',
  'jenkinsfile',
  '.pre-commit-config.yaml',
  '.mcp.json',
  'mcp.json',
  'mcp_config.json',
  'agents.md',
  'claude.md',
  'gemini.md',
  '.cursorrules',
  '.windsurfrules',
  '.roomodes',
  '.roorules',
  '.kilocodemodes',
  '.kilocoderules',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.kshrc',
  'config.fish',
  '.envrc',
  '.env',
  '.netrc',
  'authorized_keys',
  '.devcontainer.json',
  'opencode.json',
  'claude.local.md',
  'agents.override.md',
  '.aider.conf.yml',
  '.claude.json',
  // Read from the current folder by Bazel, Vim, GDB, and LLDB.
  '.bazelrc',
  '.bazeliskrc',
  '.vimrc',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.gdbinit',
  '.lldbinit',
  '.bash_aliases',
  '.bash_logout',
  '.zlogout',
  '.cshrc',
  '.tcshrc',
  '.login',
  'agent.md',
  'qwen.md',
  'crush.md',
  'warp.md',
  '.goosehints',
  '.rules',
  'crush.json',
  '.crush.json',
  '.gitpod.yml',
  '.woodpecker.yml',
  '.woodpecker.yaml',
  '.overcommit.yml',
  // The wrapper of Maven is in its folder.
  'gradle-wrapper.properties',
  'bunfig.toml',
  '.pnpmfile.mjs',
  // What AWS and Google Cloud build with, and SourceHut.
  'buildspec.yml',
  'buildspec.yaml',
  'cloudbuild.yaml',
  'cloudbuild.yml',
  'cloudbuild.json',
  '.build.yml',
  '.stackblitzrc',
  // Read from the current folder by R and Octave, by the shells of Haskell, OCaml, and Elixir, and by the debuggers and shells of
  // Python and Ruby.
  '.rprofile',
  '.renviron',
  '.octaverc',
  '.ghci',
  '.ocamlinit',
  '.iex.exs',
  '.pdbrc',
  '.irbrc',
  '.pryrc',
]);

/** Names that are followed by a suffix or a file name extension. */
const STARTS = [
  ...['.env.', '.gitlab-ci.', 'azure-pipelines.', 'azure-pipelines-', 'jenkinsfile.'],
  // Rules for one mode of an agent.
  ...['.clinerules-', '.roorules-', '.kilocoderules-'],
];

/** Configurations of mise, which runs what they say: `mise.toml`, `.mise.local.toml`, or with the name of an environment. */
const MISE = /^\.?mise\.(?:.+\.)?toml$/;
/**
 * What Git runs, or reads what it runs from, in a repository without a working tree. A workspace can have its name, too, and a
 * folder `config`.
 */
const IN_REPOSITORY = /^(?:config(?:\.worktree)?$|commondir$|hooks(?:\/|$))/;

const ENDINGS = [
  '.code-workspace',
  '.code-profile',
  'profile.ps1',
  '.instructions.md',
  '.prompt.md',
  '.chatmode.md',
  '.agent.md',
];

/**
 * @param path relative or absolute, with either kind of slash; compared case-insensitively. Other names that Windows has for
 *   the same file count as well
 */
export function isProtected(path: string): boolean {
  const parts = toPlainPath(path).split('/');
  return (
    parts.some(isFolder) ||
    isFile(parts.at(-1) ?? '') ||
    isOfMise(parts) ||
    parts.some((name, at) => isRepository(name) && IN_REPOSITORY.test(parts.slice(at + 1, at + 3).join('/')))
  );
}

const isFolder = (name: string): boolean => FOLDERS.has(name) || isShortForOneOf(name, FOLDERS);

/** Only the end, or with the folder above, because a workspace can have its name. */
function isOfMise(parts: readonly string[]): boolean {
  const [name = '', folder, above] = parts.toReversed();
  const isConfig = folder === 'mise' && name.startsWith('config.');
  const isPart = above === 'mise' && folder === 'conf.d';
  const isBelow = parts.some((part, at) => part === 'mise' && parts[at - 1] === '.config');
  return isBelow || ((isConfig || isPart) && name.endsWith('.toml'));
}

const isRepository = (name: string): boolean =>
  name.endsWith('.git') || (name.includes('~') && isShortForEnding(name, '.git'));

function isFile(name: string): boolean {
  return (
    FILES.has(name) ||
    // Makes a repository of a folder: Git then runs what its `config` says.
    name === 'head' ||
    MISE.test(name) ||
    STARTS.some((start) => name.startsWith(start)) ||
    ENDINGS.some((ending) => name.endsWith(ending)) ||
    isShortForOneOf(name, FILES) ||
    isShortForPart(name)
  );
}

function isShortForOneOf(name: string, names: ReadonlySet<string>): boolean {
  // Most names have none.
  return name.includes('~') && [...names].some((one) => isShortFor(name, one));
}

/** Which file it is can't be told from a short name: that of `team.code-workspace` is `TEAM~1.COD`. */
const isShortForPart = (name: string): boolean =>
  name.includes('~') &&
  (STARTS.some((start) => isShortForStart(name, start)) ||
    ENDINGS.some((ending) => isShortForEnding(name, ending)) ||
    (name.endsWith('.tom') && isShortForStart(name, 'mise.')));
