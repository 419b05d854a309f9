import * as vscode from 'vscode';

/** The words of a webview's own controls, in the reader's language; a webview has no l10n of its own. */
export function toWords<Word extends string>(words: readonly Word[]): Readonly<Record<Word, string>> {
  const translated = {} as Record<Word, string>;
  for (const word of words) translated[word] = vscode.l10n.t(word);
  return translated;
}
