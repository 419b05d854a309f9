/**
 * Finds out which paths Git ignores: by asking Git where there is a repository, otherwise by reading the rules. No setting
 * of the editor can hide a rule. Paths are absolute, with `/` as separator; the path of a folder can end in `/`.
 */
import { runInSlices } from '../base/timeSlices.ts';
import type { GitVerdict } from './gitIgnoreCheck.ts';
import { createIgnoreMatcher, type IgnoreFile } from './ignoreRules.ts';
import { type RuleDisk, readFolderRules, readRepositoryRules, type UserFolders } from './ignoreSources.ts';

export interface IgnoreFinder {
  /**
   * For each path, the path that is ignored: the path itself, or that of the ignored folder that contains it, with `/` at
   * its end. Undefined if it isn't ignored. A path counts as ignored if it isn't known whether it is.
   */
  find(paths: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export interface IgnoreFinderDeps {
  readonly disk: RuleDisk;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The folders that the user has opened themselves. Empty if a workspace file names the folders. */
  readonly opened: readonly string[];
  /** `Dist` matches `dist`, as on case-insensitive disks. */
  readonly foldCase: boolean;
  readonly user: UserFolders | undefined;
  /** Asks Git about paths of a repository. Undefined when Git can't be asked at all, or not about this repository. */
  askGit(root: string, paths: readonly string[]): Promise<readonly GitVerdict[] | undefined>;
}

/** The places of rules that apply to the content of a folder. */
interface RuleScope {
  /** The folders from the repository or workspace folder down to the folder itself. */
  readonly folders: readonly string[];
  /** The folders among these that are the root of a repository. */
  readonly roots: readonly string[];
  /** Whether Git can be asked. */
  readonly forGit: boolean;
  /** The questions to Git about the folders, from the top down. */
  readonly questions: readonly GitQuestion[];
}

interface GitQuestion {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  /** The path that is ignored if Git says so. */
  readonly means: string;
  /** Whether the answer decides if a path is ignored. The other questions only tell which folder is ignored. */
  readonly decides: boolean;
}

/** Creates a finder. It reads each file of rules only once, so use it for a single search or question. */
export function createIgnoreFinder(deps: IgnoreFinderDeps): IgnoreFinder {
  const { disk, user } = deps;
  const isRoot = once((folder: string) => disk.exists(`${folder}/.git`));
  const isLink = once((path: string) => disk.isLink(path));
  const folderRules = once((folder: string) => readFolderRules(disk, folder));
  const repositoryRules = once((root: string) => readRepositoryRules(disk, root, user));
  const workspaceTop = once(async (folder: string) => {
    const root = await findRoot(upFrom(folder));
    return root === undefined || (await isOpenedIgnored(deps, root, folder)) ? folder : root;
  });
  const placeOf = once(findPlace);

  async function findRoot(folders: readonly string[]): Promise<string | undefined> {
    for (const folder of folders) if (await isRoot(folder)) return folder;
    return undefined;
  }

  async function findPlace(parent: string): Promise<RuleScope> {
    const parents = upFrom(parent);
    const within = deps.folders
      .filter((folder) => isWithin(parent, folder))
      .toSorted((a, b) => b.length - a.length)[0];
    const top = within === undefined ? await findRoot(parents) : await workspaceTop(within);
    const folders = parents.filter((folder) => top !== undefined && isWithin(folder, top)).reverse();
    const areRoots = await Promise.all(folders.map(isRoot));
    const roots = folders.filter((_, at) => areRoots[at]);
    return { folders, roots, forGit: await isForGit(folders, roots), questions: toQuestions(folders, roots) };
  }

  /** Whether Git can be asked. Git refuses paths behind a link, so the rules along such a path are read. */
  async function isForGit(folders: readonly string[], [top]: readonly string[]): Promise<boolean> {
    if (top === undefined) return false;
    for (const folder of folders) if (folder.length > top.length && (await isLink(folder))) return false;
    return true;
  }

  async function readRules(places: ReadonlySet<RuleScope>): Promise<readonly IgnoreFile[]> {
    const folders = new Set([...places].flatMap((place) => place.folders));
    const roots = new Set([...places].flatMap((place) => place.roots));
    // The rules of folders come first, because they have precedence over others for the same folder.
    const read = await Promise.all([...[...folders].map(folderRules), ...[...roots].map(repositoryRules)]);
    return read.flat();
  }

  return {
    async find(paths) {
      const found = await Promise.all(
        paths.map(async (path) => ({ path, place: await placeOf(folderFor(path, deps.opened)) })),
      );
      // Paths are passed to Git separated by null characters.
      const forGit = found.filter(({ path, place }) => place.forGit && !path.includes('\0'));
      const answers = await askAll(forGit.flatMap(toAllQuestions), deps.askGit);
      const asked = new Set(forGit.filter(({ place }) => place.roots.every((root) => answers.has(root))));
      const left = found.filter((one) => !asked.has(one));
      const ignoredBy = createIgnoreMatcher(
        await readRules(new Set(left.map(({ place }) => place))),
        deps.foldCase,
      );
      const verdictOn = ({ root, path }: GitQuestion) => answers.get(root)?.get(path) ?? 'unknown';
      return runInSlices(
        eachOf(found, (one) => (asked.has(one) ? toIgnored(one, verdictOn) : ignoredBy(one.path))),
      );
    },
  };
}

/**
 * Whether the user has opened a folder that the repository around it ignores. Then the rules of that repository don't apply
 * to the content of the folder.
 */
async function isOpenedIgnored(
  { opened, askGit }: Pick<IgnoreFinderDeps, 'opened' | 'askGit'>,
  root: string,
  folder: string,
): Promise<boolean> {
  if (root === folder || !opened.includes(folder)) return false;
  const verdicts = await askGit(root, [folder.slice(root.length + 1)]);
  return verdicts?.[0] === 'ignored';
}

/** The folder whose rules apply to a path: for an opened folder, the folder itself, because it is never left out. */
function folderFor(path: string, opened: readonly string[]): string {
  const folder = path.endsWith('/') ? path.slice(0, -1) : path;
  return opened.includes(folder) ? folder : parentOf(path);
}

/** Converts items one by one, and yields after each, because many rules take long for many files. */
function* eachOf<From, To>(all: readonly From[], convert: (one: From) => To): Generator<undefined, To[]> {
  const converted: To[] = [];
  for (const one of all) {
    converted.push(convert(one));
    yield;
  }
  return converted;
}

type Answers = ReadonlyMap<string, ReadonlyMap<string, GitVerdict>>;

/** The verdicts by root and path. Repositories that Git can't use are left out. */
async function askAll(
  questions: readonly GitQuestion[],
  askGit: IgnoreFinderDeps['askGit'],
): Promise<Answers> {
  const asked = new Map<string, Set<string>>();
  for (const { root, path } of questions) {
    const paths = asked.get(root) ?? new Set();
    asked.set(root, paths.add(path));
  }
  const answers = new Map<string, ReadonlyMap<string, GitVerdict>>();
  for (const [root, some] of asked) {
    const paths = [...some];
    const verdicts = await askGit(root, paths);
    if (verdicts !== undefined)
      answers.set(root, new Map(paths.map((path, at) => [path, verdicts[at] ?? 'unknown'])));
  }
  return answers;
}

/** Questions about each folder in its repository, and about each repository in the one that contains it. */
function toQuestions(folders: readonly string[], roots: readonly string[]): readonly GitQuestion[] {
  return roots.flatMap((root, at) => {
    const next = roots[at + 1];
    return folders
      .filter((folder) => folder.length > root.length && (next === undefined || folder.length <= next.length))
      .map((folder) => ({
        root,
        path: folder.slice(root.length + 1),
        means: `${folder}/`,
        decides: folder === next,
      }));
  });
}

interface Found {
  readonly path: string;
  readonly place: RuleScope;
}

function toAllQuestions({ path, place: { roots, questions } }: Found): readonly GitQuestion[] {
  const root = roots.at(-1) ?? '';
  return [...questions, { root, path: path.slice(root.length + 1), means: path, decides: true }];
}

function toIgnored(found: Found, verdictOn: (question: GitQuestion) => GitVerdict): string | undefined {
  const questions = toAllQuestions(found);
  if (questions.every((question) => !question.decides || verdictOn(question) === 'kept')) return undefined;
  return questions.find((question) => verdictOn(question) === 'ignored')?.means ?? found.path;
}

/** The folder that contains a path. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2));
}

/** A folder and those that contain it, the nearest first. */
function upFrom(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : folder.lastIndexOf('/', at - 1))
    folders.push(folder.slice(0, at));
  return folders;
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Caches the results of a function by its argument. */
function once<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const result = known.get(key) ?? run(key);
    known.set(key, result);
    return result;
  };
}
