/** An edit as the lines of a diff. */
import { diffLines, toSignedLines } from './hunks.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

/** Lines of context above and below a change. */
const CONTEXT_LINES = 3;

/** The changed lines with `-` and `+` and their context, without headers. Longer runs of equal lines become ` …`. */
export function toDiff({ find, replace }: ProposedEdit): string {
  const stretches = diffLines(withLastLineEnd(find), withLastLineEnd(replace));
  return stretches
    .flatMap(({ from, to }, index) => {
      if (from !== to) return [...toSignedLines(from, '-'), ...toSignedLines(to, '+')];
      const lines = toSignedLines(from, ' ');
      const head = index === 0 ? 0 : CONTEXT_LINES;
      const tail = index === stretches.length - 1 ? 0 : CONTEXT_LINES;
      if (lines.length <= head + tail + 1) return lines;
      return [...lines.slice(0, head), ' …', ...lines.slice(lines.length - tail)];
    })
    .join('\n');
}

const withLastLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
