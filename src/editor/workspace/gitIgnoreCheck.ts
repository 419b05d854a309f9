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

/** For all processes of one check. What Git hasn't answered until then is unknown. In milliseconds. */
const TIMEOUT_MS = 10_000;
/** Git ends at a path that it refuses. It is started again for the paths after it at most this often. */
const MAX_STARTS = 20;
/** Asked first in each process. Without an answer for it, Git can't use the repository at all. */
const SENTINEL = './.gitignore';

/**
 * One verdict for each path, in order; undefined when Git can't use the repository, for example because it belongs to
 * another user. The index isn't read: it would run the file system monitor, and would take names for patterns. So a
 * file that the rules ignore counts as ignored even if it was added to the index.
 *
 * @param git absolute path of the program
 * @param root absolute path of the repository's working tree
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
    // Git is asked about the path as it is, and fails if there is no such folder.
    resolved: await realpath(root).catch(() => root),
  };
  for (let starts = 0; verdicts.length < paths.length && starts < MAX_STARTS; starts++) {
    // The process takes whole milliseconds only.
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

/** The user's own choice of configuration files, which rules can come from. */
const KEPT_VARIABLES = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/i;

/** The root of a working tree, also without links. */
interface WorkingTree {
  readonly root: string;
  readonly resolved: string;
}

/** Without variables that lead to another repository or write traces, and without programs, prompts, and transports. */
function toSafeEnvironment({ root, resolved }: WorkingTree): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || KEPT_VARIABLES.test(name),
  );
  return {
    ...Object.fromEntries(own),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Not the repository around it when this one is broken: its rules would be taken for those of all files above.
    GIT_CEILING_DIRECTORIES: [...new Set([dirname(root), dirname(resolved)])].join(delimiter),
    // A name of no protocol, because Windows removes empty variables.
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}

/**
 * The verdicts that Git gave before it ended, in order.
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
    // The configuration of the repository can name another working tree, whose rules would count instead.
    const place = ['-C', tree.root, `--work-tree=${tree.root}`];
    const child = spawn(git, [...SAFE_ARGUMENTS, ...place, ...checkIgnore], {
      // Not in the repository: Windows looks there for programs that Git runs.
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
    // Git may end before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(paths.map((path) => `${path}\0`).join(''));
  });
}

/** Each record has four fields: source, line number, pattern, and path. Without a pattern, no rule matches. */
function toVerdicts(output: string): readonly GitVerdict[] {
  // An unfinished record at the end has no end of its last field.
  const fields = output.split('\0').slice(0, -1);
  return Array.from({ length: Math.floor(fields.length / 4) }, (_, at) => {
    const pattern = fields[at * 4 + 2] ?? '';
    return pattern === '' || pattern.startsWith('!') ? 'kept' : 'ignored';
  });
}
