/** Formats an edit as the lines of a diff. */
import { diffLines, toSignedLines } from '../hunks/hunks.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/** Lines of context above and below a change. */
const CONTEXT_LINES = 3;

/** Longer lines are shortened where there is little room. In characters. */
const LONG_LINE = 80;
/** How much of a shortened line is kept before and after the difference. In characters. */
const AROUND = 24;

/** The changed lines with `-` and `+` and their context, without headers. Longer runs of equal lines become ` …`. */
export function toDiff(edit: ProposedEdit): string {
  return editDiffText(edit, (line) => line);
}

/** The same for places with little room: a long line is shortened to where it differs from the line that replaces it. */
export function toNarrowDiff(edit: ProposedEdit): string {
  return editDiffText(edit, toDiffering);
}

/** @param shown returns the text to show for a line with its sign. `other` is the line that it replaces, or that replaces it */
function editDiffText(
  { find, replace }: ProposedEdit,
  shown: (line: string, other: string | undefined) => string,
): string {
  const stretches = diffLines(withLastLineEnd(find), withLastLineEnd(replace));
  return stretches
    .flatMap(({ from, to }, index) => {
      if (from !== to) {
        const [deleted, added] = [toSignedLines(from, '-'), toSignedLines(to, '+')];
        return [
          ...deleted.map((line, at) => shown(line, added[at])),
          ...added.map((line, at) => shown(line, deleted[at])),
        ];
      }
      const lines = toSignedLines(from, ' ');
      const head = index === 0 ? 0 : CONTEXT_LINES;
      const tail = index === stretches.length - 1 ? 0 : CONTEXT_LINES;
      if (lines.length <= head + tail + 1) return lines;
      return [...lines.slice(0, head), ' …', ...lines.slice(lines.length - tail)];
    })
    .join('\n');
}

function toDiffering(signed: string, other: string | undefined): string {
  if (other === undefined || signed.length <= LONG_LINE) return signed;
  const [sign = '', ...line] = signed;
  const [, ...replaced] = other;
  const shorter = Math.min(line.length, replaced.length);
  let before = 0;
  while (before < shorter && line[before] === replaced[before]) before += 1;
  let after = 0;
  while (after < shorter - before && line.at(-1 - after) === replaced.at(-1 - after)) after += 1;
  const [from, to] = [Math.max(0, before - AROUND), line.length - Math.max(0, after - AROUND)];
  return [sign, from > 0 ? '…' : '', ...line.slice(from, to), to < line.length ? '…' : ''].join('');
}

const withLastLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
