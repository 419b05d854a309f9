/** Reads the changes that an answer proposes: edits in the requested format, or code blocks. */
import { parseJson, placedObjectsIn } from '../answers/answerJson.ts';
import { type CodeBlock, hasNoCode, readCodeBlocks } from '../answers/codeBlocks.ts';
import { createCounter, createIsFirst, joinTexts } from '../answers/joinedAnswers.ts';
import { withoutLastLineEnd } from './linePlaces.ts';
import {
  decodeProposal,
  type MalformedField,
  type ProposalAnswer,
  type ProposedEdit,
  type ProposedFile,
} from './proposalAnswer.ts';

export type ReadProposal =
  | {
      readonly kind: 'edits';
      readonly answer: ProposalAnswer;
      /** Code for files that the edits don't change. */
      readonly beside?: readonly CodeBlock[];
    }
  | {
      readonly kind: 'code';
      readonly blocks: readonly CodeBlock[];
      /** The explanation in a JSON object without edits beside the blocks. */
      readonly explanation?: string;
    }
  | { readonly kind: 'malformed'; readonly malformed: MalformedField };

/**
 * Reads a complete answer. The JSON with the edits can be in a fence. Text without JSON or code proposes nothing. If the JSON has no
 * edits, the proposed code can be in code blocks beside it.
 */
export function readProposal(answer: string): ReadProposal {
  const blocks = readCodeBlocks(answer);
  let malformed: MalformedField | undefined;
  let empty: ProposalAnswer | undefined;
  const found: { readonly answer: ProposalAnswer; readonly at: number }[] = [];
  for (const { json, at } of placedObjectsIn(answer)) {
    const decoded = decodeProposal(json);
    if (!decoded.ok) malformed ??= decoded.malformed;
    else if (isEmpty(decoded.answer)) empty ??= decoded.answer;
    else found.push({ answer: decoded.answer, at });
  }
  if (found.length > 0) {
    const inOrder = found.toSorted((one, other) => one.at - other.at);
    const answer = joined(inOrder.map((one) => one.answer));
    const beside = blocks.filter((block) => isOfOtherFile(block, answer));
    return { kind: 'edits', answer, ...(beside.length > 0 && { beside }) };
  }
  if (empty !== undefined) {
    const others = blocks.filter((block) => !isEmptyProposal(block.code));
    if (others.every(hasNoCode)) return { kind: 'edits', answer: empty };
    return { kind: 'code', blocks: others, explanation: empty.explanation };
  }
  // JSON that is not a proposal can be the requested code, if the file is a JSON file.
  if (malformed !== undefined && blocks.length === 0) return { kind: 'malformed', malformed };
  return { kind: 'code', blocks };
}

const isEmpty = ({ files }: ProposalAnswer): boolean => files.every(({ edits }) => edits.length === 0);

/**
 * Whether a block is code of a file that isn't edited. Code of an edited file shows the result of the edits, and code without a file
 * name can be about anything.
 */
function isOfOtherFile({ path, code }: CodeBlock, { files }: ProposalAnswer): boolean {
  if (path === undefined || decodeProposal(parseJson(code)).ok) return false;
  const lines = toLineSet(code);
  return !files.some((file) => isResult(file, toTrimmedPath(path), lines));
}

const toTrimmedPath = (path: string): string => path.trim().replaceAll('\\', '/').replace(/^\.\//, '');

/**
 * Whether code shows the result of the edits of a file. Models shorten paths that they have named before, and leave out unchanged
 * lines. So code whose path is the end of the file's path counts if it contains some of the added lines, or, if the edits add none,
 * none of the old lines.
 *
 * @param lines the lines of the code
 */
function isResult({ path, edits }: ProposedFile, shown: string, lines: ReadonlySet<string>): boolean {
  const edited = toTrimmedPath(path);
  if (edited === shown) return true;
  if (!`/${edited}`.endsWith(`/${shown}`)) return false;
  const before = new Set(edits.flatMap(({ find }) => [...toLineSet(find)]));
  const added = edits.flatMap(({ replace }) => [...toLineSet(replace)]).filter((line) => !before.has(line));
  return added.length > 0
    ? added.some((line) => lines.has(line))
    : ![...before].some((line) => lines.has(line));
}

/** The lines that have text, without their indentation. */
const toLineSet = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

/**
 * One answer with the files of all objects. An edit that several objects repeat is included once. An edit that is in one object
 * twice stays twice, because it can be for two places.
 */
function joined(answers: readonly ProposalAnswer[]): ProposalAnswer {
  const isFirst = createIsFirst();
  return {
    explanation: joinTexts(
      answers.map(({ explanation }) => explanation),
      isFirst,
    ),
    files: answers
      .flatMap(({ files }, index) => {
        const countOf = createCounter();
        const later = answers.slice(index + 1).flatMap((one) => one.files);
        return files.map(({ path, edits }) => ({
          path,
          edits: edits.filter(
            (edit) =>
              !isDraft(path, edit, later) &&
              isFirst([toTrimmedPath(path), edit, countOf([toTrimmedPath(path), edit])]),
          ),
        }));
      })
      .filter(({ edits }) => edits.length > 0),
  };
}

/** Whether a later object has another edit for the same lines, or for the same new file. */
function isDraft(path: string, { find, replace }: ProposedEdit, later: readonly ProposedFile[]): boolean {
  const same = later
    .filter((file) => toTrimmedPath(file.path) === toTrimmedPath(path))
    .flatMap(({ edits }) => edits.filter((edit) => isSameText(edit.find, find)));
  return same.length > 0 && !same.some((edit) => isSameText(edit.replace, replace));
}

/** Whether two texts are equal apart from their last line end. An empty line differs from no line. */
const isSameText = (one: string, other: string): boolean =>
  one === other || (one !== '' && other !== '' && withoutLastLineEnd(one) === withoutLastLineEnd(other));

/**
 * Whether a block is a proposal without edits. The explanation is required, because the file in question can be JSON with a list of
 * files, too.
 */
function isEmptyProposal(code: string): boolean {
  const decoded = decodeProposal(parseJson(code));
  return decoded.ok && isEmpty(decoded.answer) && /"explanation"\s*:/.test(code);
}

/**
 * The explanation of a proposal that is still being streamed. It is the first field, so it can be read from an
 * incomplete answer; each call returns the text of the previous call and possibly more.
 */
export function readExplanation(answerSoFar: string): string {
  const start = /^\s*\{\s*"explanation"\s*:\s*"/.exec(answerSoFar);
  if (start === null) return '';
  const from = start[0].length;
  let end = from;
  while (end < answerSoFar.length && answerSoFar[end] !== '"') {
    const next = end + characterLength(answerSoFar, end);
    // An incomplete escape at the end is left for the next call.
    if (next > answerSoFar.length) break;
    end = next;
  }
  const text = parseJson(`"${answerSoFar.slice(from, end)}"`);
  return typeof text === 'string' ? text.replace(/[\ud800-\udbff]$/, '') : '';
}

/** How many characters of JSON one character of a string takes: 1, or 2 or 6 with an escape. */
function characterLength(json: string, at: number): number {
  if (json[at] !== '\\') return 1;
  return json[at + 1] === 'u' ? 6 : 2;
}
