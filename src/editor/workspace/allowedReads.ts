/** Access to read that the user gave until the window closes, for what they choose themselves: context, reviews. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { askAccess } from './accessDialog.ts';
import { isStillThere } from './boundary.ts';
import { type AccessFacts, decideAccess, type FileAccess } from './fileAccess.ts';
import { readIgnoredFiles } from './ignoredFiles.ts';
import { labelOf } from './textSources.ts';

export interface AllowedReads {
  /** Whether a file or folder may be read without asking: by the policy, or because it was allowed in this window. */
  allows(uri: vscode.Uri): Promise<boolean>;
  /**
   * Those that may be read, after asking once about all that need it. No means no to all of those.
   *
   * @param signal stops waiting for the answer, which then is no
   */
  ask(uris: readonly vscode.Uri[], signal?: AbortSignal): Promise<ReadonlySet<vscode.Uri>>;
  /** The same for a folder, of whose files the hidden ones are left out: asks only when it is outside the workspace. */
  askForFolder(uri: vscode.Uri): Promise<boolean>;
  /**
   * Notes that the user sees a part of a file, like the lines that they selected, so that the part may be read again.
   *
   * @returns whether it may be taken without asking: not outside the workspace
   */
  noteSeen(uri: vscode.Uri): Promise<boolean>;
}

export function createAllowedReads(): AllowedReads {
  /** Resolved paths. Of a folder outside the workspace its content is allowed, too. */
  const allowed = new Set<string>();
  /** Resolved paths of which no more than a part was taken. */
  const seen = new Set<string>();

  async function judge(uri: vscode.Uri, facts?: AccessFacts): Promise<FileAccess> {
    const access = await decideAccess(uri, 'read', facts);
    if (access.kind === 'allowed') return access;
    const { place, reasons } = access;
    const { realPath } = place;
    if (allowed.has(realPath)) return { kind: 'allowed', place };
    const isInAllowed = [...allowed].some((path) => realPath.startsWith(`${path}${sep}`));
    const left = reasons.filter((reason) => !(isInAllowed && reason === 'outside'));
    const isAllowed = left.every((reason) => reason === 'through-link');
    return isAllowed ? { kind: 'allowed', place } : { kind: 'ask', place, reasons: left };
  }

  const self: AllowedReads = {
    async allows(uri) {
      const { kind, place } = await judge(uri);
      return kind === 'allowed' || seen.has(place.realPath);
    },
    async ask(uris, signal) {
      if (uris.length === 0) return new Set();
      const ignored = await readIgnoredFiles();
      const judged = await Promise.all(uris.map((uri) => judge(uri, { ignored })));
      const asks = judged.flatMap((access) => (access.kind === 'ask' ? [access] : []));
      const places = new Map(
        asks.map(({ place, reasons }) => [
          place.realPath,
          { realPath: place.realPath, requested: labelOf(place.uri), reasons },
        ]),
      );
      const agreed =
        places.size === 0 ||
        (await askAccess(
          { purpose: 'read', places: [...places.values()], adds: [], lasts: 'window' },
          signal,
        ));
      if (!agreed) return new Set(uris.filter((_, at) => judged[at]?.kind === 'allowed'));
      for (const realPath of places.keys()) allowed.add(realPath);
      const there = await Promise.all(judged.map(({ place }) => isStillThere(place)));
      return new Set(uris.filter((_, at) => there[at]));
    },
    async noteSeen(uri) {
      const access = await judge(uri);
      if (access.kind === 'ask' && access.reasons.includes('outside')) return false;
      if (access.kind === 'ask') seen.add(access.place.realPath);
      return true;
    },
    askForFolder: async (uri) => (await self.noteSeen(uri)) || (await self.ask([uri])).has(uri),
  };
  return self;
}

/** Whether a file may be read, asking where that is needed. What is open in a visible editor the user sees already. */
export async function mayReadFile(reads: Pick<AllowedReads, 'ask'>, uri: vscode.Uri): Promise<boolean> {
  const visible = vscode.window.visibleTextEditors.some(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  return visible || (await reads.ask([uri])).has(uri);
}
