/** A proposal as Markdown, for the conversation: its words, and what it changes as diffs. */
import { fence } from '../text/fences.ts';
import { toDiff } from './editDiff.ts';
import type { ProposalAnswer, ProposedFile } from './proposalAnswer.ts';
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
