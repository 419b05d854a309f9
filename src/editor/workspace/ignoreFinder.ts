/**
 * Finds out which paths Git ignores: by asking Git where there is a repository, otherwise by reading the rules. No
 * setting of the editor hides a rule. Paths are absolute, with `/` as separator; that of a folder can end in `/`.
 */
import type { GitVerdict } from './gitIgnoreCheck.ts';
import { createIgnoreMatcher, type IgnoreFile } from './ignoreRules.ts';
import { type RuleDisk, readFolderRules, readRepositoryRules, type UserFolders } from './ignoreSources.ts';

export interface IgnoreFinder {
  /**
   * For each path, what is ignored: the path itself, or the ignored folder that contains it, with `/` at its end.
   * Undefined if it isn't ignored. A path that nothing is known about counts as ignored.
   */
  find(paths: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export interface IgnoreFinderDeps {
  readonly disk: RuleDisk;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** `Dist` matches `dist`, as on case-insensitive disks. */
  readonly foldCase: boolean;
  readonly user: UserFolders | undefined;
  /** Undefined when Git can't be asked at all, or not about this repository. */
  askGit(root: string, paths: readonly string[]): Promise<readonly GitVerdict[] | undefined>;
}

/** Where rules for a path can be. */
interface Place {
  readonly path: string;
  /** The folders from the repository or workspace folder down to the path, without the path itself. */
  readonly folders: readonly string[];
  /** Those that are the root of a repository. */
  readonly roots: readonly string[];
}

/** Reads each file of rules once, so use it for one search or question only. */
export function createIgnoreFinder(deps: IgnoreFinderDeps): IgnoreFinder {
  const { disk, user } = deps;
  const isRoot = once((folder: string) => disk.exists(`${folder}/.git`));
  const isLink = once((path: string) => disk.isLink(path));
  const folderRules = once((folder: string) => readFolderRules(disk, folder));
  const repositoryRules = once((root: string) => readRepositoryRules(disk, root, user));
  const workspaceTop = once(async (folder: string) => (await findRoot([folder, ...above(folder)])) ?? folder);

  async function findRoot(folders: readonly string[]): Promise<string | undefined> {
    for (const folder of folders) if (await isRoot(folder)) return folder;
    return undefined;
  }

  async function toPlace(path: string): Promise<Place> {
    const parents = above(path.replace(/\/$/, ''));
    const within = deps.folders
      .filter((folder) => path.startsWith(`${folder}/`))
      .toSorted((a, b) => b.length - a.length)[0];
    const top = within === undefined ? await findRoot(parents) : await workspaceTop(within);
    const folders = parents.filter((parent) => top !== undefined && isWithin(parent, top)).reverse();
    const roots = await Promise.all(folders.map(async (folder) => ((await isRoot(folder)) ? [folder] : [])));
    return { path, folders, roots: roots.flat() };
  }

  /** Git refuses paths behind a link. The rules along such a path are read. */
  async function isForGit({ folders, roots: [top] }: Place): Promise<boolean> {
    if (top === undefined) return false;
    for (const folder of folders) if (folder.length > top.length && (await isLink(folder))) return false;
    return true;
  }

  async function readRules(places: readonly Place[]): Promise<readonly IgnoreFile[]> {
    const folders = [...new Set(places.flatMap((place) => place.folders))];
    const roots = [...new Set(places.flatMap((place) => place.roots))];
    // Those of folders come first, because they have precedence over others for the same folder.
    const read = await Promise.all([...folders.map(folderRules), ...roots.map(repositoryRules)]);
    return read.flat();
  }

  return {
    async find(paths) {
      const places = await Promise.all(paths.map(toPlace));
      const forGit = await Promise.all(places.map(isForGit));
      const asked = await askAll(
        places.filter((_, at) => forGit[at]),
        deps.askGit,
      );
      const left = places.filter((place) => !asked.has(place));
      const ignoredBy = createIgnoreMatcher(await readRules(left), deps.foldCase);
      return places.map((place) => (asked.has(place) ? asked.get(place) : ignoredBy(place.path)));
    },
  };
}

/** Asks about each place in its repository, and about that repository in those that contain it. */
async function askAll(
  places: readonly Place[],
  askGit: IgnoreFinderDeps['askGit'],
): Promise<ReadonlyMap<Place, string | undefined>> {
  const questions = new Map<string, Set<string>>();
  for (const { root, path } of places.flatMap(toQuestions))
    questions.set(root, (questions.get(root) ?? new Set()).add(path));
  const answers = new Map<string, ReadonlyMap<string, GitVerdict> | undefined>();
  for (const [root, asked] of questions) {
    const paths = [...asked];
    const verdicts = await askGit(root, paths);
    answers.set(root, verdicts && new Map(paths.map((path, at) => [path, verdicts[at] ?? 'unknown'])));
  }
  const found = new Map<Place, string | undefined>();
  for (const place of places) {
    if (place.roots.some((root) => answers.get(root) === undefined)) continue;
    found.set(
      place,
      toIgnored(place, ({ root, path }) => answers.get(root)?.get(path) ?? 'unknown'),
    );
  }
  return found;
}

interface GitQuestion {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  /** What is ignored if Git says so. */
  readonly means: string;
  /** Whether it decides. The others tell which folder is ignored. */
  readonly decides: boolean;
}

/** From the top down. */
function toQuestions({ path, folders, roots }: Place): readonly GitQuestion[] {
  return roots.flatMap((root, at) => {
    const next = roots[at + 1];
    const between = folders.filter(
      (folder) => folder.length > root.length && (next === undefined || folder.length <= next.length),
    );
    const ask = (one: string, means: string, decides: boolean) => ({
      root,
      path: one.slice(root.length + 1),
      means,
      decides,
    });
    return [
      ...between.map((folder) => ask(folder, `${folder}/`, folder === next)),
      ...(next === undefined ? [ask(path, path, true)] : []),
    ];
  });
}

function toIgnored(place: Place, verdictOn: (question: GitQuestion) => GitVerdict): string | undefined {
  const questions = toQuestions(place);
  if (questions.every((question) => !question.decides || verdictOn(question) === 'kept')) return undefined;
  return questions.find((question) => verdictOn(question) === 'ignored')?.means ?? place.path;
}

/** The folders that contain a path, the nearest first. */
function above(path: string): readonly string[] {
  const parents: string[] = [];
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
    parents.push(path.slice(0, at));
    if (at === 0) break;
  }
  return parents;
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Keeps the results of a function by its argument. */
function once<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const result = known.get(key) ?? run(key);
    known.set(key, result);
    return result;
  };
}
