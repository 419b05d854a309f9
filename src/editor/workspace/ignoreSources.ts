/**
 * Reads the files with ignore rules: `.gitignore` of a folder, `info/exclude` of a repository, and the file that the user's
 * configuration names for all repositories. Paths are absolute, with `/` as separator and without one at the end.
 */
import type { IgnoreFile } from './ignoreRules.ts';

/** `missing`: there is no such file. `unreadable`: the file exists, but its text can't be read. */
export type RuleText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable' };

export interface RuleDisk {
  readText(path: string): Promise<RuleText>;
  exists(path: string): Promise<boolean>;
  isLink(path: string): Promise<boolean>;
}

/** Folders of the user; undefined for file systems that are not on this machine. */
export interface UserFolders {
  readonly home: string;
  /** `XDG_CONFIG_HOME`, or its default. */
  readonly config: string;
}

/** The rule for a file that can't be read: it could have any rule, so everything counts as ignored. */
const EVERYTHING = '*';

/** The rules of `.gitignore` in a folder. */
export async function readFolderRules(disk: RuleDisk, folder: string): Promise<readonly IgnoreFile[]> {
  return toRules(folder, await disk.readText(`${folder}/.gitignore`));
}

/** The rules for a repository that are not in its `.gitignore` files. Those with precedence come first. */
export async function readRepositoryRules(
  disk: RuleDisk,
  root: string,
  user: UserFolders | undefined,
): Promise<readonly IgnoreFile[]> {
  const gitFolder = await findGitFolder(disk, root);
  const exclude = await disk.readText(`${gitFolder}/info/exclude`);
  return [...toRules(root, exclude), ...(await readUserRules(disk, root, gitFolder, user))];
}

function toRules(folder: string, read: RuleText): readonly IgnoreFile[] {
  if (read.kind === 'missing') return [];
  return [{ folder, rules: read.kind === 'text' ? read.text : EVERYTHING }];
}

/**
 * The `.git` folder of a repository. In a worktree or submodule, `.git` is a file with the path of a folder, and that
 * folder can name the common folder of all worktrees.
 */
async function findGitFolder(disk: RuleDisk, root: string): Promise<string> {
  const pointed = await readLine(disk, `${root}/.git`, /^gitdir:\s*(.+)/);
  if (pointed === undefined) return `${root}/.git`;
  const folder = resolvePath(root, pointed);
  const common = await readLine(disk, `${folder}/commondir`, /^(.+)/);
  return common === undefined ? folder : resolvePath(folder, common);
}

async function readLine(disk: RuleDisk, path: string, line: RegExp): Promise<string | undefined> {
  const read = await disk.readText(path);
  return read.kind === 'text' ? line.exec(read.text)?.[1]?.trim() : undefined;
}

function resolvePath(folder: string, path: string): string {
  const slashed = path.replaceAll('\\', '/');
  if (/^[a-z]:\//i.test(slashed)) return `/${slashed}`;
  if (slashed.startsWith('/')) return slashed;
  const parts = folder.split('/');
  for (const part of slashed.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  return parts.join('/');
}

/**
 * The rules of the file that a configuration names. Git reads the configuration of the repository last, so it has
 * precedence. Files that a configuration includes are not read.
 */
async function readUserRules(
  disk: RuleDisk,
  root: string,
  gitFolder: string,
  user: UserFolders | undefined,
): Promise<readonly IgnoreFile[]> {
  const configs = [
    `${gitFolder}/config`,
    ...(user === undefined ? [] : [`${user.home}/.gitconfig`, `${user.config}/git/config`]),
  ];
  for (const config of configs) {
    const read = await disk.readText(config);
    const named = read.kind === 'text' ? findExcludesFile(read.text) : undefined;
    if (named === undefined) continue;
    const path = user === undefined ? named : named.replace(/^~(?=\/)/, user.home);
    return toRules(root, await disk.readText(resolvePath(root, path)));
  }
  return user === undefined ? [] : toRules(root, await disk.readText(`${user.config}/git/ignore`));
}

/** The maximum length of a line, in characters. No path is longer, and the configuration of a repository is written by others. */
const MAX_LINE_LENGTH = 4096;

/** The value of `core.excludesFile` in the text of a Git configuration. The last one is used. */
export function findExcludesFile(config: string): string | undefined {
  let inCore = false;
  let found: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    if (line.length > MAX_LINE_LENGTH) continue;
    const section = /^\s*\[([^\]]*)\](.*)$/.exec(line);
    if (section !== null) inCore = section[1]?.trim().toLowerCase() === 'core';
    const written = /^\s*excludesfile\s*=(.*)$/i.exec(section?.[2] ?? line)?.[1];
    if (inCore && written !== undefined) found = toValue(written);
  }
  return found === '' ? undefined : found;
}

/** A value without its quotation marks, and without a comment after it. */
function toValue(written: string): string {
  let value = '';
  let quoted = false;
  for (const [part] of written.matchAll(/\\["\\]|./g)) {
    if (!quoted && (part === '#' || part === ';')) break;
    if (part === '"') quoted = !quoted;
    else value += part.length > 1 ? part.slice(1) : part;
  }
  return value.trim();
}
