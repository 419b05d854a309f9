/** Places findings in their files, at first and after changes of the text. */
import type * as vscode from 'vscode';
import { isRepeated, placeFinding, shiftLines, touches } from '../../review/findings/findingPlacement.ts';
import type { Finding } from '../../review/findings/findings.ts';
import { changesBetween, joiningOthers } from '../../review/findings/followedLines.ts';
import type { Reviewed, StoredFinding, StoredReview } from '../../review/findings/storedFindings.ts';
import type { LineRange } from '../../text/lineRange.ts';
import type { RenamedFiles } from '../proposals/renamedFiles.ts';
import { fromLast } from '../workspace/textSources.ts';
import { findReviewedFiles, type ReviewAsked } from './reviewedFiles.ts';

/** The text in which a finding was last found, and its lines there. */
export interface LastPlace {
  readonly text: string;
  readonly lines: LineRange;
  /**
   * Whether a change has joined these lines with others since, or the file was closed. The editor reports changes by another program
   * as one change, which does this.
   */
  readonly isJoined?: true;
}

/** Removes the places of findings that are dismissed, replaced, or gone. */
export function keepOpen(places: Map<string, LastPlace>, reviews: readonly StoredReview[]): void {
  const all = reviews.flatMap(({ findings }) => findings);
  const ids = new Set(all.flatMap(({ id, state }) => (state === 'open' ? [id] : [])));
  for (const id of places.keys()) if (!ids.has(id)) places.delete(id);
}

/** Marks the places in a file that was closed, because the editor doesn't report later changes of it. */
export function joinAll(places: Map<string, LastPlace>, reviews: readonly StoredReview[], uri: string): void {
  for (const kept of reviews.flatMap(({ findings }) => findings)) {
    const last = kept.uri === uri ? places.get(kept.id) : undefined;
    if (last !== undefined) places.set(kept.id, { ...last, isJoined: true });
  }
}

/** A finding after changes of the text, with its lines moved, and its last place. */
export function shifted(
  kept: StoredFinding,
  last: LastPlace | undefined,
  contentChanges: readonly vscode.TextDocumentContentChangeEvent[],
): readonly [StoredFinding, LastPlace | undefined] {
  if (!kept.placement.placed) return [kept, last];
  const changes = fromLast(contentChanges);
  const isJoined = joiningOthers(kept.placement, changes).length > 0;
  const { startLine, endLine } = changes.reduce<LineRange>(shiftLines, kept.placement);
  return [
    { ...kept, placement: { placed: true, startLine, endLine } },
    last && isJoined ? { ...last, isJoined } : last,
  ];
}

/** A finding at its place in the current text, and whether its quotation is still there. */
export function placedAgain(
  kept: StoredFinding,
  last: LastPlace | undefined,
  text: string,
): { readonly kept: StoredFinding; readonly found: boolean } {
  const { placement, finding, repeated } = kept;
  if (!placement.placed) return { kept, found: false };
  const { evidence } = finding;
  const { startLine, endLine } = last?.isJoined
    ? changesBetween(last.text, text).reduce<LineRange>(shiftLines, last.lines)
    : placement;
  const now = placeFinding({ evidence, startLine: startLine + 1, endLine: endLine + 1 }, text);
  return now.placed && (!repeated || touches(now, { startLine, endLine }))
    ? { kept: { ...kept, placement: now, repeated: isRepeated(evidence, text) }, found: true }
    : { kept: { ...kept, placement: { placed: true, startLine, endLine } }, found: false };
}

/** Places each finding in the file that it names, if the file was reviewed and can be read. */
export async function placeAll(
  findings: readonly Finding[],
  turnId: string,
  asked: ReviewAsked,
  renamed: Pick<RenamedFiles, 'uriNow'>,
): Promise<{ readonly findings: readonly StoredFinding[]; readonly reviewed: readonly Reviewed[] }> {
  const files = await findReviewedFiles(asked, renamed);
  const kept = findings.map((finding, index): StoredFinding => {
    const file = files.named(finding.file);
    return {
      id: `${turnId.slice(0, 6)}-${index + 1}`,
      finding,
      uri: file?.uri,
      placement: file === undefined ? { placed: false, reason: 'no-file' } : placeFinding(finding, file.text),
      state: 'open',
    };
  });
  return { findings: kept, reviewed: files.reviewed };
}
