/** Messages with the number of conversations that something was done with. */
import { l10n } from 'vscode';

const { t } = l10n;

export function exportedWords(count: number): string {
  return count === 1 ? t('1 conversation was exported.') : t('{0} conversations were exported.', count);
}

export function importedWords(count: number): string {
  return count === 1 ? t('1 conversation was imported.') : t('{0} conversations were imported.', count);
}

/** `lost`: the number of parts of the old database that couldn't be read. */
export function copiedWords(count: number, lost: number): string {
  const copied =
    count === 1
      ? t('1 conversation was copied to a new database.')
      : t('{0} conversations were copied to a new database.', count);
  if (lost === 0) return copied;
  return `${copied} ${lost === 1 ? t('1 part couldn’t be read.') : t('{0} parts couldn’t be read.', lost)}`;
}
