/** A proposal as Markdown, for the conversation: its words, and what it changes as diffs. */
import { fence } from '../text/fences.ts';
import { diffLines, toSignedLines } from './hunks.ts';
import type { ProposalAnswer, ProposedEdit, ProposedFile } from './proposalAnswer.ts';
import { readExplanation, readProposal } from './readProposal.ts';

/**
 * What is shown of an answer that was asked for as a proposal. While it is written, its explanation; at the end, what
 * it changes as well. An answer in another form is shown as it came.
 */
export function toProposalMarkdown(answer: string, ended: boolean): string {
  if (!/^\s*(\{|$)/.test(answer)) return answer;
  if (!ended) return readExplanation(answer);
  const read = readProposal(answer);
  // Cut off, or malformed: nothing of what came is hidden.
  return read.kind === 'edits' ? toMarkdown(read.answer) : fence(answer, 'json');
}

function toMarkdown({ explanation, files }: ProposalAnswer): string {
  return [explanation, ...files.map(toFileMarkdown)].filter((part) => part !== '').join('\n\n');
}

function toFileMarkdown({ path, edits }: ProposedFile): string {
  return edits.map((edit) => fence(toDiff(edit), `diff ${path.replace(/[\s`]+/g, ' ')}`)).join('\n\n');
}

/** Lines of context around what changes; more say nothing. */
const CONTEXT = 3;

function toDiff({ find, replace }: ProposedEdit): string {
  const stretches = diffLines(withEnd(find), withEnd(replace));
  return stretches
    .flatMap(({ from, to }, index) => {
      if (from !== to) return [...toSignedLines(from, '-'), ...toSignedLines(to, '+')];
      const lines = toSignedLines(from, ' ');
      const head = index === 0 ? 0 : CONTEXT;
      const tail = index === stretches.length - 1 ? 0 : CONTEXT;
      if (lines.length <= head + tail + 1) return lines;
      return [...lines.slice(0, head), ' …', ...lines.slice(lines.length - tail)];
    })
    .join('\n');
}

const withEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
