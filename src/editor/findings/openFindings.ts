/** Converts stored findings to findings that can be shown. */
import * as vscode from 'vscode';
import type { Finding } from '../../review/findings/findings.ts';
import type { StoredFinding, StoredReview } from '../../review/findings/storedFindings.ts';

/** A finding that has a place in a file and was not dismissed. Lines are zero-based and inclusive. */
export interface OpenFinding {
  readonly id: string;
  readonly turnId: string;
  readonly conversationId: string;
  readonly uri: vscode.Uri;
  readonly startLine: number;
  readonly endLine: number;
  readonly finding: Finding;
  /** Whether the quoted code has changed. */
  readonly stale: boolean;
}

export function toOpenFindings(
  kept: StoredFinding,
  { turnId, conversationId }: StoredReview,
  stale: boolean,
): readonly OpenFinding[] {
  const { id, uri, finding, placement } = kept;
  if (kept.state !== 'open' || uri === undefined || !placement.placed) return [];
  const { startLine, endLine } = placement;
  return [{ id, turnId, conversationId, uri: vscode.Uri.parse(uri), startLine, endLine, finding, stale }];
}
