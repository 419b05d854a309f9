/** The files of a diff that only adds files, such as that of the first commit of a repository. */

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
    .map((part) => ({ path: toPath(part.slice('diff --git '.length).split('\n', 1)[0] ?? ''), diff: part }));

/** Both names of the first line are the same, apart from their prefixes. */
function toPath(names: string): string {
  const half = (names.length - 1) / 2;
  const [one, other] = [names.slice(0, half), names.slice(half + 1)].map(unquoted);
  return one === other ? (one ?? '') : (other ?? '').slice(2);
}

/** A name with special characters is quoted as in C, and its bytes that aren't ASCII are octal numbers. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes = name.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]/g) ?? [];
  return Buffer.from(bytes.flatMap((one) => [...toBytes(one)])).toString('utf8');
}

const CONTROL: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function toBytes(one: string): Uint8Array {
  if (!one.startsWith('\\')) return Buffer.from(one);
  const code = one.slice(1);
  return code.length === 3 ? Buffer.from([Number.parseInt(code, 8)]) : Buffer.from(CONTROL[code] ?? code);
}
