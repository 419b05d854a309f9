import * as vscode from 'vscode';
import type { Origin } from '../../conversation/question.ts';
import { toPath } from './selectedCode.ts';

/** A label for the lines that a question is about, such as `src/app.ts:3-9` or `src/app.ts:3`. Line numbers count from 1. */
export function toOriginLabel({ uri, startLine, endLine }: Origin): string {
  const first = `${toPath({ uri: vscode.Uri.parse(uri) })}:${startLine + 1}`;
  return startLine === endLine ? first : `${first}-${endLine + 1}`;
}
