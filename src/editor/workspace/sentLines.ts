/**
 * Decides whether lines of files may be read and sent by a command, by the policy at this moment, if the user didn't add
 * the lines themselves.
 */

import * as vscode from 'vscode';
import type { AccessReason } from '../../access/accessReasons.ts';
import { hasSecretsInPart } from '../../access/secretContent.ts';
import { isSecretFile } from '../../access/secretFiles.ts';
import { groupBy } from '../../text/groupBy.ts';
import { type AskedPlace, askAccess } from './accessDialog.ts';
import { decideAccessToAll } from './fileAccess.ts';
import { fileOfRevision } from './gitUris.ts';
import { allNamesOf } from './revisionFiles.ts';
import { fileOf, findDocument, labelOf } from './textSources.ts';
import { isInsideWorkspace, isStillThere } from './workspaceBoundary.ts';

export interface SentLines {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** The text that contains the lines; by default, that of the open document. */
  readonly whole?: string;
  /** The user may not have looked at the lines, so the name of the file counts as well. */
  readonly unselected?: true;
}

/** Lines that the user didn't select, for `requestLines`. */
export type ToUnselected = (lines: Pick<SentLines, 'uri' | 'text'>) => SentLines;

/**
 * Asks once about all files that need an approval before lines in them are read, except those that the user sees. Returns what
 * makes these lines, for which the name counts if this hasn't asked about it: an editor can be closed while a slow drive is read.
 * Undefined if the user doesn't allow the files.
 */
export async function requestFiles(uris: readonly vscode.Uri[]): Promise<ToUnselected | undefined> {
  const hidden = uris.filter((uri) => !isVisible(uri));
  const isAsked = new Set(hidden.map(String));
  const toUnselected: ToUnselected = (lines) =>
    isAsked.has(lines.uri.toString()) ? lines : { ...lines, unselected: true };
  const all = await decideAccessToAll(hidden, 'read');
  const asked = all.filter((access) => access.kind === 'ask');
  if (asked.length === 0) return toUnselected;
  const places = asked.map(({ place, reasons }) => ({
    realPath: place.realPath,
    requested: labelOf(place.uri),
    reasons,
  }));
  if (!(await askAccess({ purpose: 'read', places, adds: [], lasts: 'once' }))) return undefined;
  const there = await Promise.all(all.map(({ place }) => isStillThere(place)));
  return there.includes(false) ? undefined : toUnselected;
}

const isVisible = (uri: vscode.Uri): boolean =>
  vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());

/**
 * Whether lines may be sent. Asks once about all lines with keys or passwords, even if the user sees them, and about lines
 * that the user didn't select in files whose names stand for secrets.
 */
export async function requestLines(parts: readonly SentLines[]): Promise<boolean> {
  const asked = (await Promise.all(parts.map(toAskedPlaces))).flat();
  // Both sides of a diff are the same file.
  const places = [...groupBy(asked, ({ realPath }) => realPath).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, reasons: [first, ...others].flatMap(({ reasons }) => reasons) }],
  );
  return places.length === 0 || askAccess({ purpose: 'read', places, adds: [], lasts: 'once' });
}

/** The file and the reasons to ask about lines; empty if there are no reasons. */
async function toAskedPlaces(lines: SentLines): Promise<readonly AskedPlace[]> {
  const { uri } = lines;
  const file = fileOfRevision(fileOf(uri));
  const reasons: readonly AccessReason[] = [
    ...(lines.unselected === true && (await allNamesOf(file)).some(isSecretFile)
      ? (['secret'] as const)
      : []),
    ...((await holdsSecrets(lines)) ? (['secret-content'] as const) : []),
  ];
  if (reasons.length === 0) return [];
  const { realPath } = await isInsideWorkspace(file);
  return [{ realPath, requested: labelOf(uri.scheme === 'git' ? file : uri), reasons }];
}

const holdsSecrets = ({ uri, text, whole = findDocument(uri)?.getText() ?? text }: SentLines) =>
  hasSecretsInPart(text, whole, uri.path);
