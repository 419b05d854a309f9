/** A proposal as Markdown for the conversation: its explanation, and its edits as diffs. */
import { fence } from '../../text/fences.ts';
import { parseJson } from '../answers/answerJson.ts';
import { findOpenJson, jsonObjectTextsIn, readJsonPrefix } from '../answers/jsonPrefix.ts';
import { toDiff } from '../edits/editDiff.ts';
import { decodeProposal, type ProposalAnswer, type ProposedFile } from '../edits/proposalAnswer.ts';
import { readExplanation, readProposal } from '../edits/readProposal.ts';

/**
 * The Markdown of an answer with the response format of a proposal: while it is being streamed, its explanation; at the
 * end, also its edits. Of one that was cut off, the explanation is all that can be read. Other answers are shown unchanged.
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

/** Whether what `toProposalMarkdown` shows of an answer that has ended leaves out text that was cut off. */
export const hidesCutText = (answer: string): boolean =>
  cutExplanation(answer) === undefined
    ? /^\s*\{/.test(answer) && withoutCutJson(answer) !== answer
    : readProposal(answer).kind !== 'edits';

/** The explanation in a text that is the beginning of JSON; undefined if it is none, or has no explanation yet. */
function cutExplanation(answer: string): string | undefined {
  return readJsonPrefix(answer).state === 'open' ? readExplanation(answer) || undefined : undefined;
}

/** A text with the explanation of the JSON in which it ends, in its place. JSON without one stays. */
function withoutCutJson(text: string): string {
  const at = findOpenJson(text);
  const explanation = at === undefined ? undefined : cutExplanation(text.slice(at));
  return explanation === undefined ? text : text.slice(0, at) + explanation;
}

/** What stands below the JSON, such as code blocks with what is proposed. */
function behindJson(answer: string): string {
  const [json = ''] = jsonObjectTextsIn(answer);
  return `\n\n${answer.trim().slice(json.length).trim()}`;
}

/** What stands there besides edits, which are shown already. */
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
