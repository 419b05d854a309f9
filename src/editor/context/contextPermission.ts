/** Decides which references may be attached to a message. Asks about those for which the access policy requires it. */
import * as vscode from 'vscode';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import type { HeldReference } from './contextResult.ts';

export interface ContextPermission extends Pick<AllowedReads, 'allows' | 'askForFolder'> {
  /**
   * The references that may be read. Asks once about all that need an approval.
   *
   * @param signal aborts asking the user about what is found out later
   */
  askForAll(references: readonly HeldReference[], signal?: AbortSignal): Promise<readonly HeldReference[]>;
}

/** @param reads what the user has allowed in this window */
export function createContextPermission(reads: AllowedReads): ContextPermission {
  return {
    allows: reads.allows,
    askForFolder: reads.askForFolder,
    async askForAll(references, signal) {
      const placed = references.map((reference) => ({ reference, uri: placeOf(reference) }));
      const asked: vscode.Uri[] = [];
      for (const { reference, uri } of placed)
        if (uri !== undefined && !((await isSeen(reference, uri)) && (await reads.allowPart(uri))))
          asked.push(uri);
      const allowed = await reads.ask(asked, signal);
      return placed
        .filter(({ uri }) => uri === undefined || !asked.includes(uri) || allowed.has(uri))
        .map(({ reference }) => reference);
    },
  };
}

/** Whether a reference is to something that the user sees: selected text, or a folder, which omits hidden files and lists them. */
async function isSeen({ kind }: HeldReference, uri: vscode.Uri): Promise<boolean> {
  return kind === 'selection' || (kind === 'file' && (await fileKindOf(uri)) === 'folder');
}

/** The file or folder of a reference. Undefined if it has none, or for a selection if no editor is open or nothing is selected. */
function placeOf(reference: HeldReference): vscode.Uri | undefined {
  if (!('uri' in reference) || reference.uri === undefined) return undefined;
  const isEmpty = reference.kind === 'selection' && !reference.read.ok;
  return isEmpty ? undefined : vscode.Uri.parse(reference.uri);
}
