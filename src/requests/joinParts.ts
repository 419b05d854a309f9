/** Joins the part of an answer that was cut off with the part that continues it, in the form that was asked for. */
import type { Question } from '../conversation/question.ts';
import { joinJson, openJsonOf } from '../review/answers/joinJson.ts';
import { type CutText, joinText } from '../review/answers/joinText.ts';
import { readProposal } from '../review/edits/readProposal.ts';

/**
 * Joins the two texts. Undefined if the first text ends in incomplete JSON that was asked for, and the second one doesn't
 * continue it.
 *
 * @param complete whether the second part is complete
 */
export function joinParts(
  question: Pick<Question, 'purpose' | 'format'>,
  cut: CutText,
  answer: string,
  complete: boolean,
): string | undefined {
  const start = openJsonOf(cut.text);
  if (start === undefined || !mayBeJson(question)) return joinText(cut, answer, complete);
  if (proposes(question)) return joinProposal(cut, start, answer, complete);
  const joined = joinJson(cut.text, answer, complete);
  return joined !== undefined && (joined.whole || !complete) ? joined.text : undefined;
}

const mayBeJson = ({ purpose, format }: Pick<Question, 'purpose' | 'format'>): boolean =>
  purpose === undefined ? format !== undefined : purpose !== 'commit-message';

const proposes = ({ purpose }: Pick<Question, 'purpose'>): boolean =>
  purpose === 'proposal' || purpose === 'tests';

/**
 * Models answer with a proposal in JSON, sometimes below other text, or with code blocks. So the JSON in which such an answer was
 * cut off can be the proposal, a code block of a JSON file, or the first bracket of other code.
 */
function joinProposal(cut: CutText, start: string, answer: string, complete: boolean): string | undefined {
  const lead = cut.text.slice(0, -start.length);
  const joined = joinJson(cut.text, answer, complete);
  const text = joinText(cut, answer, complete);
  const proposal = [joined?.whole === true ? joined.text : undefined, text].find(isProposal);
  if (proposal !== undefined) return proposal;
  const known = lead.trim() === '' || isProposalStart(start);
  if (joined !== undefined && (joined.whole || !complete)) {
    const begins = isProposalStart(openJsonOf(joined.text) ?? '');
    if (known || begins || opensJson(lead)) return joined.text;
  }
  return known ? undefined : text;
}

const isProposal = (text: string | undefined): boolean =>
  text !== undefined && readProposal(text).kind === 'edits';

const isProposalStart = (json: string): boolean => /^\{\s*"(?:explanation|files)"\s*:/.test(json);

/** Whether the last line opens a code block of JSON. */
const opensJson = (lead: string): boolean =>
  /^(?:`{3}|~{3})json/i.test(lead.trim().split('\n').at(-1)?.trim() ?? '');
