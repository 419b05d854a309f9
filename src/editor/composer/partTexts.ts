/**
 * The texts of files of which only a part is attached or queued. They are read before another program renames the files, so
 * that the files can be recognized afterwards.
 */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { HeldContext } from '../context/renamedContext.ts';
import { isWritable } from '../workspace/fileKinds.ts';
import { readText } from '../workspace/textSources.ts';

export interface PartTexts {
  /** Reads the texts that are not known yet, and forgets the texts of files that are no longer attached or queued. */
  keep(): Promise<void>;
  /** The complete text of the file of an item, by its URI, if it is known. */
  of(item: ContextItem, uri: string): string | undefined;
}

export function createPartTexts(
  all: () => readonly HeldContext[],
  uriNow: (held: HeldContext) => string | undefined,
): PartTexts {
  const texts = new Map<string, string>();

  async function keepText(uri: string): Promise<void> {
    const place = vscode.Uri.parse(uri);
    if (texts.has(uri) || !isWritable(place)) return;
    const read = await readText(place);
    if (read.ok) texts.set(uri, read.text);
  }

  return {
    async keep() {
      const parts = all().filter(({ item }) => item.kind !== 'folder' && fileTextOf(item) === undefined);
      const uris = new Set(parts.flatMap((held) => uriNow(held) ?? []));
      for (const uri of texts.keys()) if (!uris.has(uri)) texts.delete(uri);
      await Promise.all([...uris].map(keepText));
    },
    of: (item, uri) => fileTextOf(item) ?? texts.get(uri),
  };
}

/** The text of an item that is a complete file. */
function fileTextOf({ kind, parts: [part, ...others] }: ContextItem): string | undefined {
  return kind === 'file' && others.length === 0 && part?.linesInAll === undefined ? part?.text : undefined;
}
