/** Asks the user whether files may be read or changed, where the policy requires it. */
import type * as vscode from 'vscode';
import type { AccessPurpose, AccessReason } from '../../access/accessReasons.ts';
import { type AccessDialog, type AskedPlace, askAccess } from './accessDialog.ts';
import { type AccessFacts, decideAccess, decideAccessToAll, findSecretsOutside } from './fileAccess.ts';
import { labelOf } from './textSources.ts';
import { isStillThere, type OpenPlace } from './workspaceBoundary.ts';

export interface AccessRequest extends AccessFacts {
  readonly uri: vscode.Uri;
  readonly purpose: AccessPurpose;
  /** The path as it was requested. Default: the label of the file. */
  readonly requested?: string;
}

export type AccessAnswer =
  | { readonly kind: 'granted'; readonly place: OpenPlace }
  /** The user didn't allow it. */
  | { readonly kind: 'refused'; readonly place: OpenPlace; readonly reasons: readonly AccessReason[] }
  /** While the dialog was open, the path changed to lead to another file. */
  | { readonly kind: 'moved'; readonly place: OpenPlace };

/** Wraps the time in which the user is asked. */
export type WhileAsking = <T>(asking: () => Promise<T>) => Promise<T>;

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Shows the dialog, possibly after others. */
  readonly show?: typeof askAccess;
  readonly whileAsking?: WhileAsking;
}

/** Decides about access, and asks the user if needed. Rejects when the signal aborts while the dialog is open. */
export async function requestAccess(
  { uri, purpose, requested, ...facts }: AccessRequest,
  { signal, show = askAccess, whileAsking = (asking) => asking() }: AskOptions = {},
): Promise<AccessAnswer> {
  const access = await decideAccess(uri, purpose, facts);
  const { place } = access;
  if (access.kind === 'allowed') return { kind: 'granted', place };
  const { reasons } = access;
  const ask = async (places: readonly AskedPlace[]) => {
    const dialog: AccessDialog = { purpose, places, adds: facts.adds ?? [], lasts: 'once' };
    const allowed = await whileAsking(() => show(dialog, signal));
    signal?.throwIfAborted();
    return allowed;
  };
  const path = requested ?? labelOf(uri);
  if (!(await ask([{ realPath: place.realPath, requested: path, reasons }])))
    return { kind: 'refused', place, reasons };
  const [secret] = facts.usesText === true ? await findSecretsOutside([access]) : [];
  if (secret !== undefined && !(await ask([{ ...secret, requested: path }])))
    return { kind: 'refused', place, reasons: secret.reasons };
  const asked = [...reasons, ...(secret?.reasons ?? [])];
  return (await isStillThere(place))
    ? { kind: 'granted', place: { ...place, asked } }
    : { kind: 'moved', place };
}

/**
 * Decides about reading several files for one action, and asks once about all that need an approval. Returns the files that
 * may be read. Rejects when the signal aborts while the dialog is open.
 */
export async function requestReads(
  uris: readonly vscode.Uri[],
  { signal, show = askAccess, whileAsking = (asking) => asking() }: AskOptions = {},
): Promise<ReadonlySet<vscode.Uri>> {
  const all = await decideAccessToAll(uris, 'read', { isFile: true, usesText: true });
  const places = all.flatMap((access) =>
    access.kind === 'ask'
      ? [{ realPath: access.place.realPath, requested: labelOf(access.place.uri), reasons: access.reasons }]
      : [],
  );
  const ask = async (asked: readonly AskedPlace[]) => {
    const dialog: AccessDialog = { purpose: 'read', places: asked, adds: [], lasts: 'once' };
    const agreed = asked.length === 0 || (await whileAsking(() => show(dialog, signal)));
    signal?.throwIfAborted();
    return agreed;
  };
  const allowed = await ask(places);
  const secrets = allowed ? await findSecretsOutside(all) : [];
  const refused = (await ask(secrets)) ? [] : secrets.map(({ realPath }) => realPath);
  const there = await Promise.all(all.map(({ place }) => isStillThere(place)));
  return new Set(
    uris.filter((_, at) => {
      const access = all[at];
      const agreed = access?.kind === 'allowed' || (access !== undefined && allowed);
      return there[at] === true && agreed && !refused.includes(access.place.realPath);
    }),
  );
}
