/** What an answer proposes, as far as its text tells: edits in the form that was asked for, or code in fences. */
import { jsonObjectsIn, parseJson } from './answerJson.ts';
import { type CodeBlock, readCodeBlocks } from './codeBlocks.ts';
import { decodeProposal, type MalformedField, type ProposalAnswer } from './proposalAnswer.ts';

export type ReadProposal =
  | { readonly kind: 'edits'; readonly answer: ProposalAnswer }
  | { readonly kind: 'code'; readonly blocks: readonly CodeBlock[] }
  | { readonly kind: 'malformed'; readonly malformed: MalformedField };

/** Reads a whole answer. JSON in a fence is JSON as well; text without either proposes nothing. */
export function readProposal(answer: string): ReadProposal {
  const blocks = readCodeBlocks(answer);
  let malformed: MalformedField | undefined;
  for (const json of jsonObjectsIn(answer)) {
    const decoded = decodeProposal(json);
    if (decoded.ok) return { kind: 'edits', answer: decoded.answer };
    malformed ??= decoded.malformed;
  }
  // JSON that is no proposal may be the code that was asked for, when the file is JSON.
  if (malformed !== undefined && blocks.length === 0) return { kind: 'malformed', malformed };
  return { kind: 'code', blocks };
}

/**
 * The explanation of a proposal that is still being written. It comes first in the form, so it is read from the
 * beginning; each call gives what the one before gave, and more.
 */
export function readExplanation(answerSoFar: string): string {
  const start = /^\s*\{\s*"explanation"\s*:\s*"/.exec(answerSoFar);
  if (start === null) return '';
  const from = start[0].length;
  let end = from;
  while (end < answerSoFar.length && answerSoFar[end] !== '"') end += answerSoFar[end] === '\\' ? 2 : 1;
  // An escape may have come in half; it is left for the next time.
  const whole = answerSoFar
    .slice(from, Math.min(end, answerSoFar.length))
    .replace(/\\(u[\da-fA-F]{0,3})?$/, '');
  const text = parseJson(`"${whole}"`);
  return typeof text === 'string' ? text.replace(/[\ud800-\udbff]$/, '') : '';
}
