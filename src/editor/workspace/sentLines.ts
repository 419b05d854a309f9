/**
 * Lines of files that a command sends, and that the user didn't add themselves: whether they may be read and sent, by the
 * policy at this moment.
 */
import * as vscode from 'vscode';
import { hasSecretsInPart } from '../../access/secretContent.ts';
import { askAccess } from './accessDialog.ts';
import { isInsideWorkspace, isStillThere } from './boundary.ts';
import { decideAccessToAll } from './fileAccess.ts';
import { findDocument, labelOf, notebookOf } from './textSources.ts';

export interface SentLines {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/**
 * Whether files may be read for lines of them. Asks once about all that the policy requires it for, except for those that
 * the user sees.
 */
export async function requestFiles(uris: readonly vscode.Uri[]): Promise<boolean> {
  const hidden = uris.filter((uri) => !isVisible(uri));
  const asked = (await decideAccessToAll(hidden, 'read')).filter((access) => access.kind === 'ask');
  if (asked.length === 0) return true;
  const places = asked.map(({ place, reasons }) => ({
    realPath: place.realPath,
    requested: labelOf(place.uri),
    reasons,
  }));
  if (!(await askAccess({ purpose: 'read', places, adds: [], lasts: 'once' }))) return false;
  return (await Promise.all(asked.map(({ place }) => isStillThere(place)))).every((there) => there);
}

const isVisible = (uri: vscode.Uri): boolean =>
  vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());

/** Whether lines may be sent. Asks once about all that have keys or passwords, also where the user sees them. */
export async function requestLines(parts: readonly SentLines[]): Promise<boolean> {
  const found = await Promise.all(
    parts.map(({ uri, text }) => hasSecretsInPart(text, findDocument(uri)?.getText() ?? text, uri.path)),
  );
  const places = await Promise.all(
    parts
      .filter((_, at) => found[at])
      .map(async ({ uri }) => {
        const { realPath } = await isInsideWorkspace(notebookOf(uri)?.uri ?? uri);
        return { realPath, requested: labelOf(uri), reasons: ['secret-content'] as const };
      }),
  );
  return places.length === 0 || askAccess({ purpose: 'read', places, adds: [], lasts: 'once' });
}
