/** Single lines of files that a tool has found, in the form for the model. */
import type * as vscode from 'vscode';
import { labelOf } from '../workspace/textSources.ts';
import type { ToolFileAccess } from './toolFileAccess.ts';

export interface Match {
  readonly uri: vscode.Uri;
  /** The line in the form for the model. */
  readonly line: string;
}

/** The lines of all matches. For each file that the user doesn't allow, a single line says so instead. */
export async function showAllowed(
  matches: readonly Match[],
  access: Pick<ToolFileAccess, 'keepReadable'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // The same file can have several URI objects.
  const files = new Map(matches.map(({ uri }) => [uri.toString(), uri]));
  const allowed = await access.keepReadable([...files.values()], signal);
  const isAllowed = ({ uri }: Match) => allowed.has(files.get(uri.toString()) ?? uri);
  const refused = new Map<string, number>();
  for (const match of matches)
    if (!isAllowed(match)) refused.set(labelOf(match.uri), (refused.get(labelOf(match.uri)) ?? 0) + 1);
  return [
    ...matches.filter(isAllowed).map(({ line }) => line),
    ...[...refused].map(([label, count]) => `${label}: [${count} lines. ${NOT_ALLOWED}]`),
  ];
}

const NOT_ALLOWED = 'The user did not allow it: the file has text that looks like a key or password.';
