import * as vscode from 'vscode';
import type { Origin } from '../../conversation/question.ts';
import { toPath } from './selectedCode.ts';

/** The lines that a question is about, for example `src/app.ts:3-9`, or `src/app.ts:3`. */
export function toOriginLabel({ uri, startLine, endLine }: Origin): string {
  const first = `${toPath({ uri: vscode.Uri.parse(uri) })}:${startLine + 1}`;
  return startLine === endLine ? first : `${first}-${endLine + 1}`;
}
