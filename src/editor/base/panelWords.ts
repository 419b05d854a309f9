import * as vscode from 'vscode';

/** The labels of a webview in the display language. A webview has no access to `vscode.l10n`. */
export function toWords<Word extends string>(words: readonly Word[]): Readonly<Record<Word, string>> {
  const translated = {} as Record<Word, string>;
  for (const word of words) translated[word] = vscode.l10n.t(word);
  return translated;
}
