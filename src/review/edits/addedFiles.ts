/** The files of a diff that only adds files, such as that of the first commit of a repository. */
import { nameInHeader } from './gitNames.ts';

export interface AddedFile {
  /** Relative to the repository, with `/` as separator. */
  readonly path: string;
  readonly diff: string;
}

/** @param diff as Git writes it, with or without prefixes of names */
export const toAddedFiles = (diff: string): readonly AddedFile[] =>
  toParts(diff)
    .filter(isOfFile)
    .map((part) => ({ path: pathOf(part) ?? '', diff: part }));

/**
 * What a diff has of one file. For a file in whose place is a folder now, Git gives the files in that as well. Names with other
 * prefixes than those of Git can't be told apart, and stay, unless they are those of a renamed file.
 *
 * @param path ends in that from the root of the repository
 */
export const onlyFileIn = (diff: string, path: string): string =>
  toParts(diff)
    .filter((part) => {
      if (!isOfFile(part)) return true;
      const name = pathOf(part);
      return name === undefined ? !isRenamed(part) : `/${path}`.endsWith(`/${name}`);
    })
    .join('');

/** Only at the start of a line of the diff: a file can have other line ends than `\n`. */
const toParts = (diff: string): readonly string[] => diff.split(/(?<=\n)(?=diff --git )/);

const isOfFile = (part: string): boolean => part.startsWith('diff --git ');

const pathOf = (part: string): string | undefined =>
  nameInHeader(part.slice('diff --git '.length).split('\n', 1)[0] ?? '');

const isRenamed = (part: string): boolean => /^(?:rename|copy) to /m.test(part.split('\n@@', 1)[0] ?? '');
