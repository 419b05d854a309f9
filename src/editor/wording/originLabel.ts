import * as vscode from 'vscode';
import type { Origin } from '../../chat/question.ts';

/** The lines that a question is about, for example `src/app.ts:3-9`. */
export function toOriginLabel({ uri, startLine, endLine }: Origin): string {
  return `${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}:${startLine + 1}-${endLine + 1}`;
}
