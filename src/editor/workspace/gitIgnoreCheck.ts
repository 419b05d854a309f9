/**
 * Asks Git which paths of a repository its rules ignore. The repository is written by others, so nothing that its
 * configuration names is run (docs/security.md, Ignored files).
 */
import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { delimiter, dirname } from 'node:path';

/** `unknown`: Git didn't answer for this path. */
export type GitVerdict = 'ignored' | 'kept' | 'unknown';

/** The time limit for all processes of one check, in milliseconds. Paths that Git hasn't answered by then are `unknown`. */
const TIMEOUT_MS = 10_000;
/** Git exits at a path that it refuses. It is started again for the remaining paths at most this often. */
const MAX_STARTS = 20;
/** The path that each process is asked about first. Without an answer to it, Git can't use the repository at all. */
const SENTINEL = './.gitignore';

/**
 * One verdict for each path, in order; undefined when Git can't use the repository, for example because it belongs to
 * another user. The index isn't read, because then Git would run the file system monitor, and would treat names as
 * patterns. So a file that the rules ignore counts as ignored even if it was added to the index.
 *
 * @param git the absolute path of the program
 * @param root the absolute path of the repository's working tree
 * @param paths relative to the root, with `/` as separator; a folder can end in `/`
 */
export async function checkIgnored(
  git: string,
  root: string,
  paths: readonly string[],
): Promise<readonly GitVerdict[] | undefined> {
  const verdicts: GitVerdict[] = [];
  const end = performance.now() + TIMEOUT_MS;
  const tree = {
    root,
    // If the folder doesn't exist, Git is given the path unchanged, and fails.
    resolved: await realpath(root).catch(() => root),
  };
  for (let starts = 0; verdicts.length < paths.length && starts < MAX_STARTS; starts++) {
    // A timeout in whole milliseconds, as `spawn` requires.
    const timeout = Math.ceil(end - performance.now());
    if (timeout <= 0) break;
    const left = paths.slice(verdicts.length).map((path) => `./${path}`);
    const [sentinel, ...answers] = await run(git, tree, [SENTINEL, ...left], timeout);
    if (sentinel === undefined && starts === 0) return undefined;
    if (sentinel === undefined) break;
    verdicts.push(...answers);
    if (answers.length < left.length) verdicts.push('unknown');
  }
  return paths.map((_, at) => verdicts[at] ?? 'unknown');
}

const SAFE_ARGUMENTS = [
  '--no-pager',
  ...['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'safe.bareRepository=explicit'].flatMap(
    (setting) => ['-c', setting],
  ),
];

/** Variables with which the user chooses configuration files: these can name rules. */
const KEPT_VARIABLES = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/i;

/** The root of a working tree, and its resolved path. */
interface WorkingTree {
  readonly root: string;
  readonly resolved: string;
}

/**
 * The environment for Git: without variables that lead to another repository or write traces, and with settings that
 * prevent programs, prompts, and transports.
 */
function toSafeEnvironment({ root, resolved }: WorkingTree): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || KEPT_VARIABLES.test(name),
  );
  return {
    ...Object.fromEntries(own),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // If this repository is broken, Git must not use the repository around it, whose rules it would apply to all files.
    GIT_CEILING_DIRECTORIES: [...new Set([dirname(root), dirname(resolved)])].join(delimiter),
    // Not the name of any protocol. An empty variable would be removed on Windows.
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}

/**
 * Runs Git once. Returns the verdicts that it gave before it exited, in order.
 *
 * @param timeout in milliseconds
 */
function run(
  git: string,
  tree: WorkingTree,
  paths: readonly string[],
  timeout: number,
): Promise<readonly GitVerdict[]> {
  const checkIgnore = ['check-ignore', '--no-index', '--verbose', '--non-matching', '-z', '--stdin'];
  return new Promise((resolve) => {
    // The configuration of the repository can name another working tree, whose rules would apply instead.
    const place = ['-C', tree.root, `--work-tree=${tree.root}`];
    const child = spawn(git, [...SAFE_ARGUMENTS, ...place, ...checkIgnore], {
      // Not the repository, because Windows looks in the working directory for programs that Git runs.
      cwd: homedir(),
      env: toSafeEnvironment(tree),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout,
      windowsHide: true,
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => output.push(data));
    child.on('error', () => resolve([]));
    child.on('close', () => resolve(toVerdicts(Buffer.concat(output).toString())));
    // Git may exit before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(paths.map((path) => `${path}\0`).join(''));
  });
}

/** Each record has four fields: source, line number, pattern, and path. Without a pattern, no rule matches. */
function toVerdicts(output: string): readonly GitVerdict[] {
  // The last field of an unfinished record isn't terminated.
  const fields = output.split('\0').slice(0, -1);
  return Array.from({ length: Math.floor(fields.length / 4) }, (_, at) => {
    const pattern = fields[at * 4 + 2] ?? '';
    return pattern === '' || pattern.startsWith('!') ? 'kept' : 'ignored';
  });
}
