/** Splits the diffs that Git writes into the parts of their files. */
import { nameInHeader } from './gitNames.ts';

export interface AddedFile {
  /** Relative to the repository, with `/` as separator. */
  readonly path: string;
  readonly diff: string;
}

/**
 * The files of a diff that only adds files, such as that of the first commit of a repository.
 *
 * @param diff as Git writes it, with or without prefixes of names
 */
export const toAddedFiles = (diff: string): readonly AddedFile[] =>
  toParts(diff)
    .filter(isOfFile)
    .map((part) => ({ path: pathOf(part) ?? '', diff: part }));

/**
 * The part of a diff that is about one file. If a folder has replaced the file, the diff of Git includes the files in the folder,
 * which are left out. Parts whose names can't be read stay, unless they are of a renamed file: names with unusual prefixes are read
 * as different names.
 *
 * @param path ends in the path from the root of the repository
 */
export const onlyFileIn = (diff: string, path: string): string =>
  toParts(diff)
    .filter((part) => {
      if (!isOfFile(part)) return true;
      const name = pathOf(part);
      return name === undefined ? !isRenamed(part) : `/${path}`.endsWith(`/${name}`);
    })
    .join('');

/** Splits only behind `\n`, where a line of the diff starts: the lines of a file can have other line ends. */
const toParts = (diff: string): readonly string[] => diff.split(/(?<=\n)(?=diff --git )/);

const isOfFile = (part: string): boolean => part.startsWith('diff --git ');

const pathOf = (part: string): string | undefined =>
  nameInHeader(part.slice('diff --git '.length).split('\n', 1)[0] ?? '');

const isRenamed = (part: string): boolean => /^(?:rename|copy) to /m.test(part.split('\n@@', 1)[0] ?? '');
