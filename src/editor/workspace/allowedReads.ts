/** Files that the user allowed to be read until the window closes, for what they select: context, reviews, schemas. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { askAccess } from './accessDialog.ts';
import { isStillThere } from './boundary.ts';
import { decideAccess, decideAccessToAll, type FileAccess } from './fileAccess.ts';
import { labelOf, notebookOf } from './textSources.ts';

export interface AllowedReads {
  /**
   * Whether a file or folder may be read without asking: by the policy, or because the user allowed it.
   *
   * @param extent `part`: only the part that `allowPart` was called for is used; `text`: the complete text, which is
   *   searched for keys and passwords
   */
  allows(uri: vscode.Uri, extent?: 'part' | 'text'): Promise<boolean>;
  /**
   * The files that may be read. Asks once about all that need an approval; these are allowed or refused together.
   *
   * @param signal stops waiting for the user, which counts as a refusal
   */
  ask(uris: readonly vscode.Uri[], signal?: AbortSignal): Promise<ReadonlySet<vscode.Uri>>;
  /** The same for a folder. Asks only when it is outside the workspace; its hidden files are left out anyway. */
  askForFolder(uri: vscode.Uri): Promise<boolean>;
  /**
   * Allows a part of a file that the user sees, such as the selected lines, to be read again.
   *
   * @returns false for a file outside the workspace, which needs an approval
   */
  allowPart(uri: vscode.Uri): Promise<boolean>;
}

export function createAllowedReads(): AllowedReads {
  /** Resolved paths. A folder outside the workspace includes everything in it. */
  const allowed = new Set<string>();
  /** Files of which only a part was used, with their resolved paths at that time: a link can change its target. */
  const seen = new Map<string, string>();

  function toJudged(access: FileAccess): FileAccess {
    if (access.kind === 'allowed') return access;
    const { place, reasons } = access;
    const { realPath } = place;
    if (allowed.has(realPath)) return { kind: 'allowed', place };
    const isInAllowed = [...allowed].some((path) => realPath.startsWith(`${path}${sep}`));
    const left = reasons.filter((reason) => !(isInAllowed && reason === 'outside'));
    const isAllowed = left.every((reason) => reason === 'through-link');
    return isAllowed ? { kind: 'allowed', place } : { kind: 'ask', place, reasons: left };
  }

  const judge = async (uri: vscode.Uri, usesText = false) =>
    toJudged(await decideAccess(uri, 'read', { usesText }));

  const self: AllowedReads = {
    async allows(uri, extent) {
      const { kind, place } = await judge(uri, extent === 'text');
      return kind === 'allowed' || (extent === 'part' && seen.get(toKey(uri)) === place.realPath);
    },
    async ask(uris, signal) {
      if (uris.length === 0) return new Set();
      const judged = (await decideAccessToAll(uris, 'read', { usesText: true })).map(toJudged);
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
    async allowPart(uri) {
      const access = await judge(uri);
      if (access.kind === 'ask' && access.reasons.includes('outside')) return false;
      if (access.kind === 'ask') seen.set(toKey(uri), access.place.realPath);
      return true;
    },
    askForFolder: async (uri) => (await self.allowPart(uri)) || (await self.ask([uri])).has(uri),
  };
  return self;
}

/** A cell belongs to its notebook. */
const toKey = (uri: vscode.Uri): string => (notebookOf(uri)?.uri ?? uri).toString();

/** Whether a file may be read. Asks if needed, except for a file that is open in a visible editor. */
export async function mayReadFile(reads: Pick<AllowedReads, 'ask'>, uri: vscode.Uri): Promise<boolean> {
  const visible = vscode.window.visibleTextEditors.some(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  return visible || (await reads.ask([uri])).has(uri);
}
