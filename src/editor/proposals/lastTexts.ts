/** Keeps the texts of files that may not be open when they are renamed, because the texts are needed when the files are gone. */
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { findDocument, readText } from '../workspace/textSources.ts';

/** The texts, by the URIs of the files. */
export interface LastTexts {
  /** Reads a file in the background and keeps its text. */
  keep(uri: string): void;
  put(uri: string, text: string): void;
  drop(uri: string): void;
  /** The text of the document, or else the kept one. */
  of(uri: string): string | undefined;
}

export function createLastTexts(log: Pick<Log, 'warn'>): LastTexts {
  const texts = new Map<string, string>();

  async function read(uri: string): Promise<void> {
    const now = await readText(vscode.Uri.parse(uri));
    // If the file is gone, its previous text is kept.
    if (now.ok) texts.set(uri, now.text);
  }

  return {
    keep: (uri) => inBackground(log, read(uri), 'reading a file that may be renamed'),
    put: (uri, text) => void texts.set(uri, text),
    drop: (uri) => void texts.delete(uri),
    of: (uri) => findDocument(vscode.Uri.parse(uri))?.getText() ?? texts.get(uri),
  };
}
