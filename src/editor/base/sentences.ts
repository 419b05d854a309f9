/** Sentences and lists of the display language: Chinese and Japanese have punctuation of their own, and no spaces between sentences. */
import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** A title, which has no period, as a sentence. */
export const toSentence = (title: string): string => t('{0}.', title);

/** Complete sentences, one after the other. Empty ones are left out. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences
    .filter((one) => one !== '')
    .reduce((before, next) => (before === '' ? next : t('{0} {1}', before, next)), '');

/** The parts of a list without “and”. Empty ones are left out. */
export const joinList = (parts: readonly string[]): string =>
  parts
    .filter((one) => one !== '')
    .reduce((before, next) => (before === '' ? next : t('{0}, {1}', before, next)), '');

/** The first lines of a list, and how many more there are. */
export function firstLines(lines: readonly string[], most: number): readonly string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), t('… and {0} more', more)] : lines;
}
