/** Formats a proposal as Markdown for the conversation: its explanation, and its edits as diffs. */
import { fence } from '../../text/fences.ts';
import { parseJson } from '../answers/answerJson.ts';
import { findOpenJson, jsonObjectTextsIn, readJsonPrefix } from '../answers/jsonPrefix.ts';
import { toDiff } from '../edits/editDiff.ts';
import { decodeProposal, type ProposalAnswer, type ProposedFile } from '../edits/proposalAnswer.ts';
import { readExplanation, readProposal } from '../edits/readProposal.ts';

/**
 * The Markdown of an answer with the response format of a proposal. While the answer is being streamed, this is its explanation; at
 * the end, also its edits. For an answer that was cut off, only the explanation can be read. Other answers are returned unchanged.
 */
export function toProposalMarkdown(answer: string, ended: boolean): string {
  if (answer.trim() === '') return '';
  if (!/^\s*\{/.test(answer)) return answer;
  if (!ended) return readExplanation(answer);
  const read = readProposal(answer);
  if (read.kind === 'code' && read.explanation !== undefined) return read.explanation + behindJson(answer);
  if (read.kind === 'edits') return toMarkdown(read.answer) + behindEdits(answer);
  return cutExplanation(answer) ?? fence(answer, 'json');
}

/** Whether `toProposalMarkdown` leaves out text of an ended answer because it was cut off. */
export const hidesCutText = (answer: string): boolean =>
  cutExplanation(answer) === undefined
    ? /^\s*\{/.test(answer) && withoutCutJson(answer) !== answer
    : readProposal(answer).kind !== 'edits';

/** The explanation in incomplete JSON; undefined if the text isn't that, or has no explanation yet. */
function cutExplanation(answer: string): string | undefined {
  return readJsonPrefix(answer).state === 'open' ? readExplanation(answer) || undefined : undefined;
}

/** The text with the incomplete JSON at its end replaced by its explanation. JSON without an explanation stays. */
function withoutCutJson(text: string): string {
  const at = findOpenJson(text);
  const explanation = at === undefined ? undefined : cutExplanation(text.slice(at));
  return explanation === undefined ? text : text.slice(0, at) + explanation;
}

/** The text below the JSON, such as code blocks with the proposed code. */
function behindJson(answer: string): string {
  const [json = ''] = jsonObjectTextsIn(answer);
  return `\n\n${answer.trim().slice(json.length).trim()}`;
}

/** The text around the JSON with the edits, which are already shown. */
function behindEdits(answer: string): string {
  const around: string[] = [];
  let from = 0;
  for (const json of jsonObjectTextsIn(answer)) {
    if (!decodeProposal(parseJson(json)).ok) continue;
    const at = answer.indexOf(json, from);
    around.push(answer.slice(from, at));
    from = at + json.length;
  }
  const parts = [...around, answer.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
  const rest = withoutCutJson(parts.join('\n\n').replace(/^```(?:json)?\s*```$/gim, '')).trim();
  return rest === '' ? '' : `\n\n${rest}`;
}

function toMarkdown({ explanation, files }: ProposalAnswer): string {
  return [explanation, ...files.map(toFileMarkdown)].filter((part) => part !== '').join('\n\n');
}

function toFileMarkdown({ path, edits }: ProposedFile): string {
  const name = path.replace(/[\s`]+/g, ' ');
  const quoted = name.includes(' ') ? `"${name}"` : name;
  return edits.map((edit) => fence(toDiff(edit), `diff ${quoted}`)).join('\n\n');
}
