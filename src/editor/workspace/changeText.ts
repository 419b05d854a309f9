/** The diff and the text of a changed file, unless they may have secrets. */
import { hasSecrets, hasSecretsInDiff, showsKeyLines } from '../../access/secretContent.ts';
import { isSecretFile } from '../../access/secretFiles.ts';
import type { ChangedFile } from '../../review/questions/changesQuestion.ts';
import { withPlainLineEnds } from '../../text/lineEnds.ts';

export type ChangeText = Pick<ChangedFile, 'diff' | 'text' | 'secret' | 'ignored'>;

const SECRET_CHANGE: ChangeText = { diff: undefined, text: undefined, secret: true };

/**
 * A changed file. Only this function decides by names: if the file name of one of them stands for secrets, or Git's rules
 * ignore one, neither the diff nor the text is read.
 *
 * @param names the path after and before the change, because a diff has lines of both
 * @param read reads the diff and the text
 */
export async function toChangedFile(
  about: Pick<ChangedFile, 'path' | 'change' | 'language'>,
  names: readonly string[],
  read: () => Promise<ChangeText>,
  ignored = false,
): Promise<ChangedFile> {
  if (names.some(isSecretFile)) return { ...about, ...SECRET_CHANGE };
  return { ...about, ...(ignored ? { ...SECRET_CHANGE, ignored } : await read()) };
}

/**
 * The diff and the text of a changed file, unless they have secrets. The diff gets the same line ends as other text that is
 * sent.
 *
 * @param path decides what counts as a secret
 * @param readText undefined for a deleted file. It resolves with undefined for a file that is too large or not text
 */
export async function withoutSecrets(
  written: string,
  path: string,
  readText: (() => Promise<string | undefined>) | undefined,
): Promise<ChangeText> {
  const diff = withPlainLineEnds(written);
  if (await hasSecretsInDiff(diff, path)) return SECRET_CHANGE;
  if (readText === undefined) return { diff, text: undefined };
  const text = await readText();
  // Without the text, for example because it is too large, it isn't known whether a line of the diff is part of a key.
  if (text === undefined) return showsKeyLines(diff, path) ? SECRET_CHANGE : { diff, text };
  if (!(await hasSecrets(text, path))) return { diff, text };
  // An untracked file has no diff, so its text would be sent.
  return diff === '' || showsKeyLines(diff, path) ? SECRET_CHANGE : { diff, text: undefined };
}
