/** The files of a diff that only adds files, such as that of the first commit of a repository. */
import { nameInHeader } from './gitNames.ts';

export interface AddedFile {
  /** Relative to the repository, with `/` as separator. */
  readonly path: string;
  readonly diff: string;
}

/** @param diff as Git writes it, with or without prefixes of names */
export const toAddedFiles = (diff: string): readonly AddedFile[] =>
  diff
    // Only at the start of a line of the diff: a file can have other line ends than `\n`.
    .split(/(?<=\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => ({
      path: nameInHeader(part.slice('diff --git '.length).split('\n', 1)[0] ?? '') ?? '',
      diff: part,
    }));
