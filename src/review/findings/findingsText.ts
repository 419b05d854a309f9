/** Formats a review as Markdown, when it is complete or while it is being streamed. */

import { fence } from '../../text/fences.ts';
import { describeWrong } from '../../validation/decode.ts';
import { parseJson, toJsonText } from '../answers/answerJson.ts';
import { createIsFirst, joinTexts } from '../answers/joinedAnswers.ts';
import { toPlainMarkdown } from '../answers/plainMarkdown.ts';
import { toDiff } from '../edits/editDiff.ts';
import type { ReviewedRevision } from '../questions/revisionQuestion.ts';
import type { Placement, UnplacedFindingReason } from './findingPlacement.ts';
import {
  type Finding,
  type FindingSeverity,
  type LeftOutFinding,
  parseFindings,
  readFindings,
  textAroundFindings,
} from './findings.ts';

/** Localized texts. `{0}` is a placeholder. */
export interface FindingsWords {
  readonly severity: Readonly<Record<FindingSeverity, string>>;
  readonly unplaced: Readonly<Record<UnplacedFindingReason, string>>;
  /** For code of a revision that is no longer in the file. `{0}`: the revision. */
  readonly ofRevision: string;
  readonly suggestion: string;
  readonly nothing: string;
  /** `{0}`: why the answer couldn't be read. The answer follows unchanged. */
  readonly unreadable: string;
  readonly cut: string;
  /** @param why the error of the first finding that was left out */
  leftOut(count: number, why: string): string;
}

/** `cut`: the answer ended in any way other than complete. */
export type AnswerState = 'running' | 'complete' | 'cut';

/**
 * The Markdown of an answer's findings. While the answer is being streamed, only complete findings are shown, so that text is only
 * appended.
 *
 * @param placements in the order of the findings, if they are known
 * @param revision the reviewed revision; undefined if the files were reviewed as they were in the workspace
 */
export function toFindingsMarkdown(
  answer: string,
  state: AnswerState,
  words: FindingsWords,
  placements: readonly Placement[] = [],
  revision?: ReviewedRevision,
): string {
  if (answer.trim() === '') return '';
  if (state === 'complete') {
    const parsed = parseFindings(answer);
    if (!parsed.ok)
      return `> ${words.unreadable.replace('{0}', () => toPlainMarkdown(describeWrong(parsed.wrong)))}\n\n${answer}`;
    const { summary, findings, leftOut } = parsed.value;
    const items = findings.map((finding, index) =>
      toItem(finding, index, words, placements[index], revision),
    );
    const none = findings.length === 0 ? [words.nothing] : [];
    const around = textAroundFindings(answer, parsed.value);
    return joined([toPlainMarkdown(summary), ...items, ...none, ...toLeftOut(leftOut, words), around]);
  }
  const { before, summary, findings, leftOut, rest } = readSoFar(answer, state === 'running');
  const parts = [
    toPlainMarkdown(summary),
    ...findings.map((finding, index) => toItem(finding, index, words)),
  ];
  if (state === 'running') return joined(parts);
  const text = joined(parts);
  // If nothing could be parsed, the text of the answer follows unchanged, so that nothing is hidden.
  if (text === '' && leftOut.length === 0) return joined([`> ${words.cut}`, quoted(answer)]);
  return joined([`> ${words.cut}`, before, text, ...toLeftOut(leftOut, words), quoted(rest, 'json')]);
}

/** The findings that couldn't be read, as JSON, so that nothing of the answer is lost. */
function toLeftOut(leftOut: readonly LeftOutFinding[], words: FindingsWords): readonly string[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  const why = toPlainMarkdown(describeWrong(first.wrong));
  const texts = leftOut.map(({ json }) => toJsonText(json));
  return [`> ${words.leftOut(leftOut.length, why)}`, quoted(texts.join('\n'), 'json')];
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');

function toItem(
  finding: Finding,
  index: number,
  words: FindingsWords,
  placement?: Placement,
  revision?: ReviewedRevision,
): string {
  const at = placement?.placed === true ? placement.startLine + 1 : finding.startLine;
  const until = placement?.placed === true ? placement.endLine + 1 : finding.endLine;
  // Models sometimes write the last line before the first, or 0.
  const lines = until > at ? `${at}-${until}` : `${at}`;
  const head = `**${index + 1}. ${words.severity[finding.severity]}** ${codeSpan(`${finding.file}:${lines}`)}`;
  const unplaced =
    placement?.placed === false ? [`> ${describeUnplaced(placement.reason, words, finding, revision)}`] : [];
  const edit = finding.edit === undefined ? [] : [words.suggestion, quoted(toDiff(finding.edit), 'diff')];
  const evidence = quoted(finding.evidence, endingOf(finding.file));
  return joined([head, ...unplaced, toPlainMarkdown(finding.claim), evidence, ...edit]);
}

/** The extension of a file, such as `ts`, which names its language for syntax highlighting. Empty without one. */
const endingOf = (file: string): string => /\.(\w+)$/.exec(file)?.[1] ?? '';

/** The reason why a finding has no place. If its code is in the reviewed revision but no longer in the workspace, the text says so. */
function describeUnplaced(
  reason: UnplacedFindingReason,
  words: FindingsWords,
  { evidence }: Finding,
  revision: ReviewedRevision | undefined,
): string {
  const isGone = reason === 'not-found' || reason === 'no-file';
  return isGone && revision?.contains(evidence)
    ? words.ofRevision.replace('{0}', () => codeSpan(revision.hash.slice(0, 8)))
    : words.unplaced[reason];
}

const quoted = (text: string, language = '') =>
  text.trim() === '' ? '' : fence(text.replace(/\n$/, ''), language);

function codeSpan(text: string): string {
  return `\`${text.replace(/[`\r\n]/g, ' ')}\``;
}

interface AnswerSoFar {
  /** The text before the JSON, without the opening fence. */
  readonly before: string;
  readonly summary: string;
  readonly findings: readonly Finding[];
  readonly leftOut: readonly LeftOutFinding[];
  /** The text of the incomplete finding. */
  readonly rest: string;
}

/**
 * The complete parts of an answer: the summaries, and the findings up to the first incomplete one.
 *
 * @param isRunning leaves out summaries behind findings, which would be shown above text that is already there
 */
function readSoFar(answer: string, isRunning: boolean): AnswerSoFar {
  const before: string[] = [];
  const summaries: string[] = [];
  const objects: unknown[] = [];
  let end = 0;
  // Models write a draft first, or one object for each file. Another list can follow only if the previous one has ended.
  do {
    const part = answer.slice(end);
    const list = /"findings"\s*:\s*\[/.exec(part);
    if (list === null && end > 0) break;
    const head = part.slice(0, list?.index);
    before.push(withoutFences(head.slice(0, Math.max(0, part.search(/\{\s*"(?:summary|findings)"\s*:/)))));
    const written = /"summary"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")/.exec(head)?.[1];
    const summary = written === undefined ? '' : parseJson(written);
    if (typeof summary === 'string' && !(isRunning && objects.length > 0)) summaries.push(summary);
    end += list === null ? part.length : list.index + list[0].length;
    for (const { start, text } of list === null ? [] : wholeObjects(answer, end)) {
      objects.push(parseJson(text));
      end = start + text.length;
    }
  } while (/^\s*\]/.test(answer.slice(end)));
  const isFirst = createIsFirst();
  const { findings, leftOut } = readFindings(objects);
  return {
    before: joined(before),
    summary: joinTexts(summaries, isFirst),
    findings: findings.filter(isFirst),
    leftOut,
    rest: answer.slice(end).replace(/^[\s,\]}]+/, ''),
  };
}

/** The text before an object, without the closing brackets of the previous object and without their fences. */
const withoutFences = (text: string): string =>
  text
    .replace(/^[\s,\]}]+/, '')
    .replace(/^```(?:json)?\s*$/gim, '')
    .trim();

/** The objects of a list, starting after its bracket, up to its end or the first object that isn't closed. */
function* wholeObjects(
  text: string,
  from: number,
): Generator<{ readonly start: number; readonly text: string }> {
  let depth = 0;
  let start = from;
  // One pass: strings are skipped, so that braces in them don't count.
  for (const token of text.slice(from).matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}\]"]/g)) {
    const at = from + token.index;
    if (token[0] === '"') return;
    if (token[0] === '{' && depth++ === 0) start = at;
    if (token[0] === '}' && --depth === 0) yield { start, text: text.slice(start, at + 1) };
    if (token[0] === ']' && depth === 0) return;
  }
}
