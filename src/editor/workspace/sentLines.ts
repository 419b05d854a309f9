/**
 * Lines of files that a command sends, and that the user didn't add themselves: whether they may be read and sent, by the
 * policy at this moment.
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
  /** What the lines are a part of; by default, the text of the open document. */
  readonly whole?: string;
  /** The user may not have looked at them, so the name of the file counts as well. */
  readonly unselected?: true;
}

/**
 * Whether files may be read for lines of them. Asks once about all that the policy requires it for, except for those that
 * the user sees.
 */
export async function requestFiles(uris: readonly vscode.Uri[]): Promise<boolean> {
  const hidden = uris.filter((uri) => !isVisible(uri));
  const all = await decideAccessToAll(hidden, 'read');
  const asked = all.filter((access) => access.kind === 'ask');
  if (asked.length === 0) return true;
  const places = asked.map(({ place, reasons }) => ({
    realPath: place.realPath,
    requested: labelOf(place.uri),
    reasons,
  }));
  if (!(await askAccess({ purpose: 'read', places, adds: [], lasts: 'once' }))) return false;
  return (await Promise.all(all.map(({ place }) => isStillThere(place)))).every((there) => there);
}

const isVisible = (uri: vscode.Uri): boolean =>
  vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());

/**
 * Whether lines may be sent. Asks once about all that have keys or passwords, also where the user sees them, and about lines
 * that the user didn't select of files whose name says that they have some.
 */
export async function requestLines(parts: readonly SentLines[]): Promise<boolean> {
  const asked = (await Promise.all(parts.map(toAskedPlaces))).flat();
  // The sides of a diff are one file.
  const places = [...groupBy(asked, ({ realPath }) => realPath).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, reasons: [first, ...others].flatMap(({ reasons }) => reasons) }],
  );
  return places.length === 0 || askAccess({ purpose: 'read', places, adds: [], lasts: 'once' });
}

/** What to ask about lines; empty if nothing. */
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
