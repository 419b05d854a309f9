/**
 * What the user has allowed to be read until the window closes. All rooms in which the user selects files share it:
 * context, images, schemas, reviews, commit messages, and attachments of the editor's chat.
 */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { isOfLink } from '../../access/accessReasons.ts';
import { type AskedPlace, askAccess } from './accessDialog.ts';
import { decideAccess, decideAccessToAll, type FileAccess, findSecretsOutside } from './fileAccess.ts';
import { fileOf, labelOf } from './textSources.ts';
import { isStillThere } from './workspaceBoundary.ts';

export interface AllowedReads {
  /**
   * Whether a file or folder may be read without asking: by the policy, or because the user allowed it.
   *
   * @param extent `part`: only the part that `allowPart` was called for is used; `text`: the complete text, which is
   *   searched for keys and passwords
   */
  allows(uri: vscode.Uri, extent?: 'part' | 'text'): Promise<boolean>;
  /** The files of a list that may be read without asking. Git, which is slow to start, is asked once about all of them. */
  whichAllowed(uris: readonly vscode.Uri[], extent?: 'text'): Promise<readonly vscode.Uri[]>;
  /**
   * The files of a list that may be read. Asks once about all that need an approval; these are allowed or refused together.
   *
   * @param signal stops waiting for the user, which counts as a refusal
   */
  ask(uris: readonly vscode.Uri[], signal?: AbortSignal): Promise<ReadonlySet<vscode.Uri>>;
  /**
   * Whether the changes of a repository may be read. Asks only if the repository is outside the workspace, because its
   * hidden files are left out anyway. This doesn't allow the files themselves to be read.
   */
  askForFolder(uri: vscode.Uri): Promise<boolean>;
  /** Whether a file that the user sees may be read. Asks only if its text or its name shows that it has keys or passwords. */
  askForSeen(uri: vscode.Uri): Promise<boolean>;
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
  /**
   * Files of which only a part was used, and repositories of which only the changes were used, with their resolved paths at
   * that time: a link can change its target.
   */
  const seen = new Map<string, string>();

  const judge = async (uri: vscode.Uri, usesText = false): Promise<FileAccess> =>
    withAllowed(await decideAccess(uri, 'read', factsOf(allowed, usesText)), allowed);

  const self: AllowedReads = {
    async allows(uri, extent) {
      const { kind, place } = await judge(uri, extent === 'text');
      return kind === 'allowed' || (extent === 'part' && seen.get(toKey(uri)) === place.realPath);
    },
    async whichAllowed(uris, extent) {
      const judged = await judgeAll(uris, allowed, extent === 'text');
      return uris.filter((_, at) => judged[at]?.kind === 'allowed');
    },
    ask: async (uris, signal) => (uris.length === 0 ? new Set() : askForAll(uris, allowed, signal)),
    async askForSeen(uri) {
      const facts = { usesText: true, isAllowed: () => true };
      const access = withAllowed(await decideAccess(uri, 'read', facts), allowed);
      const all = access.kind === 'allowed' ? [] : access.reasons;
      const reasons = all.filter((reason) => reason === 'secret' || reason === 'secret-content');
      if (reasons.length === 0) return true;
      const place = { realPath: access.place.realPath, requested: labelOf(uri), reasons };
      if (!(await agrees([place]))) return false;
      allowed.add(place.realPath);
      return isStillThere(access.place);
    },
    async allowPart(uri) {
      const access = await judge(uri);
      if (access.kind === 'ask' && access.reasons.includes('outside')) return false;
      if (access.kind === 'ask') seen.set(toKey(uri), access.place.realPath);
      return true;
    },
    async askForFolder(uri) {
      if ((await self.allows(uri, 'part')) || (await self.allowPart(uri))) return true;
      const agreed = new Set<string>();
      if (!(await askForAll([uri], agreed)).has(uri)) return false;
      for (const realPath of agreed) seen.set(toKey(uri), realPath);
      return true;
    },
  };
  return self;
}

type Allowed = ReadonlySet<string>;

const isInAllowed = (realPath: string, allowed: Allowed): boolean =>
  [...allowed].some((path) => realPath.startsWith(`${path}${sep}`));

const factsOf = (allowed: Allowed, usesText: boolean) => ({
  usesText,
  isAllowed: (realPath: string) => isInAllowed(realPath, allowed),
});

/** The decisions on files, after taking into account which of them the user has allowed. */
async function judgeAll(
  uris: readonly vscode.Uri[],
  allowed: Allowed,
  usesText: boolean,
): Promise<readonly FileAccess[]> {
  const all = await decideAccessToAll(uris, 'read', factsOf(allowed, usesText));
  return all.map((access) => withAllowed(access, allowed));
}

function withAllowed(access: FileAccess, allowed: Allowed): FileAccess {
  if (access.kind === 'allowed') return access;
  const { place, reasons } = access;
  const { realPath } = place;
  if (allowed.has(realPath)) return { kind: 'allowed', place };
  const left = reasons.filter((reason) => !(reason === 'outside' && isInAllowed(realPath, allowed)));
  return left.every(isOfLink) ? { kind: 'allowed', place } : { kind: 'ask', place, reasons: left };
}

const agrees = async (places: readonly AskedPlace[], signal?: AbortSignal): Promise<boolean> =>
  places.length === 0 || askAccess({ purpose: 'read', places, adds: [], lasts: 'window' }, signal);

/**
 * Asks once about all files that need it, and a second time about files outside the workspace that turn out to have
 * secrets. Adds what the user has allowed to `allowed`.
 */
async function askForAll(
  uris: readonly vscode.Uri[],
  allowed: Set<string>,
  signal?: AbortSignal,
): Promise<ReadonlySet<vscode.Uri>> {
  const judged = await judgeAll(uris, allowed, true);
  const asks = judged.flatMap((access) => (access.kind === 'ask' ? [access] : []));
  const places = new Map(
    asks.map(({ place, reasons }) => [
      place.realPath,
      { realPath: place.realPath, requested: labelOf(place.uri), reasons },
    ]),
  );
  const isAgreed = await agrees([...places.values()], signal);
  const secrets = isAgreed ? await findSecretsOutside(asks) : [];
  const refused = (await agrees(secrets, signal)) ? [] : secrets.map(({ realPath }) => realPath);
  const agreed = isAgreed ? [...places.keys()] : [];
  for (const realPath of agreed) if (!refused.includes(realPath)) allowed.add(realPath);
  const there = await Promise.all(judged.map(({ place }) => isStillThere(place)));
  return new Set(
    uris.filter((_, at) => {
      const { kind, place } = judged[at] ?? {};
      const isReadable = kind === 'allowed' || (isAgreed && !refused.includes(place?.realPath ?? ''));
      return there[at] && isReadable;
    }),
  );
}

/** A cell belongs to its notebook. */
const toKey = (uri: vscode.Uri): string => fileOf(uri).toString();

/** Whether the complete text of a file may be read. For a file in a visible editor, asks only about keys and passwords. */
export async function mayReadText(
  reads: Pick<AllowedReads, 'ask' | 'askForSeen'>,
  uri: vscode.Uri,
): Promise<boolean> {
  const visible = vscode.window.visibleTextEditors.some(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  return visible ? reads.askForSeen(uri) : (await reads.ask([uri])).has(uri);
}
