/** Messages with a number of conversations, for example of those that were exported. */
import * as vscode from 'vscode';
import { plural } from '../base/plural.ts';
import { joinSentences } from '../base/sentences.ts';

const t = vscode.l10n.t;

export function exportedWords(count: number): string {
  return plural(
    t('{0, plural, one {# conversation was exported.} other {# conversations were exported.}}'),
    count,
  );
}

/** Empty for 0. */
export function unreadWords(count: number): string {
  const text = t(
    '{0, plural, one {# conversation couldn’t be read and was not exported. Try again later.} other {# conversations couldn’t be read and were not exported. Try again later.}}',
  );
  return count === 0 ? '' : plural(text, count);
}

export function importedWords(count: number): string {
  if (count === 0)
    return t('Nothing was imported. All conversations in the selected files are there already.');
  return plural(
    t('{0, plural, one {# conversation was imported.} other {# conversations were imported.}}'),
    count,
  );
}

/** @param lost the number of parts of the old database that couldn't be read */
export function copiedWords(count: number, lost: number): string {
  const copied = plural(
    t(
      '{0, plural, one {# conversation was copied to a new database.} other {# conversations were copied to a new database.}}',
    ),
    count,
  );
  if (lost === 0) return copied;
  const missing = t('{0, plural, one {# part couldn’t be read.} other {# parts couldn’t be read.}}');
  return joinSentences([copied, plural(missing, lost)]);
}
