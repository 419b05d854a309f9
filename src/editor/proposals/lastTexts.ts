/** The texts of files that may not be open when they are renamed. Their texts are needed when they are gone. */
import * as vscode from 'vscode';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { findDocument, readText } from '../workspace/textSources.ts';

/** By the URIs of the files. */
export interface LastTexts {
  /** Reads a file, to keep its text. */
  keep(uri: string): void;
  put(uri: string, text: string): void;
  drop(uri: string): void;
  /** That of its document, or else the one that is kept. */
  of(uri: string): string | undefined;
}

export function createLastTexts(log: Pick<Log, 'warn'>): LastTexts {
  const texts = new Map<string, string>();

  async function read(uri: string): Promise<void> {
    const now = await readText(vscode.Uri.parse(uri));
    // A file that is gone keeps the text that it had.
    if (now.ok) texts.set(uri, now.text);
  }

  return {
    keep: (uri) => inBackground(log, read(uri), 'reading a file that may be renamed'),
    put: (uri, text) => void texts.set(uri, text),
    drop: (uri) => void texts.delete(uri),
    of: (uri) => findDocument(vscode.Uri.parse(uri))?.getText() ?? texts.get(uri),
  };
}
