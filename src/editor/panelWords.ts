import * as vscode from 'vscode';
import { PANEL_WORDS, type PanelWord } from '../panel/messages.ts';

/** The words of the webview's own controls, in the reader's language; the webview has no l10n of its own. */
export function toPanelWords(): Readonly<Record<PanelWord, string>> {
  const words = {} as Record<PanelWord, string>;
  for (const word of PANEL_WORDS) words[word] = vscode.l10n.t(word);
  return words;
}
