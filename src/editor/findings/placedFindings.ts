/** Where findings are in their files: at first, and after changes of the text. */
import type * as vscode from 'vscode';
import { placeFinding, shiftLines } from '../../review/findingPlacement.ts';
import type { Finding } from '../../review/findings.ts';
import type { Reviewed, StoredFinding } from '../../review/storedFindings.ts';
import type { RenamedFiles } from '../proposals/renamedFiles.ts';
import { findReviewedFiles, type ReviewAsked } from './reviewedFiles.ts';

/** A finding with its lines moved by changes of the text. */
export function shifted(
  kept: StoredFinding,
  changes: readonly vscode.TextDocumentContentChangeEvent[],
): StoredFinding {
  if (!kept.placement.placed) return kept;
  // From the last change to the first, so that no change moves the lines of the next one.
  const { startLine, endLine } = [...changes]
    .sort((one, other) => other.rangeOffset - one.rangeOffset)
    .reduce<{ startLine: number; endLine: number }>(
      (lines, { range, text }) =>
        shiftLines(lines, {
          startLine: range.start.line,
          endLine: range.end.line,
          endCharacter: range.end.character,
          text,
        }),
      kept.placement,
    );
  return { ...kept, placement: { placed: true, startLine, endLine } };
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
