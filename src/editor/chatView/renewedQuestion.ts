/** Questions about code that are asked again: with the code as it is now. */
import * as vscode from 'vscode';
import type { Exchange } from '../../conversation/conversation.ts';
import { linesAroundIn, renewCodePrompt } from '../../conversation/prompts/codePrompts.ts';
import type { Origin, Question } from '../../conversation/question.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import type { Span } from '../../review/edits/editPlacement.ts';
import { findAskedLines, findRepeatedLines } from '../../review/findings/askedLines.ts';
import {
  numberedCodeOf,
  REVIEW_BUDGET_TOKENS,
  withNumberedCode,
} from '../../review/questions/reviewQuestion.ts';
import { linesAround, toOrigin } from '../code/codeQuestions.ts';
import type { Found } from '../conversations/foundTurns.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { Renames } from '../proposals/renamedFiles.ts';
import {
  countLines,
  linesOfDocument,
  linesOfSpan,
  type SelectedCode,
  toPath,
} from '../workspace/selectedCode.ts';
import { requestFiles, requestLines, type SentLines, type ToUnselected } from '../workspace/sentLines.ts';
import { isBinaryDocument } from '../workspace/textSources.ts';

export interface RenewalDeps {
  readonly proposals: Pick<Proposals, 'ofTurn'>;
  readonly renames: Pick<Renames, 'since'>;
}

/**
 * Renews the question of an exchange, or the question after the user edited it, as `renewQuestion` does, and also finds the
 * lines in files that were renamed since. An attempt that only has other lines is about those lines, not about the lines of
 * the exchange.
 */
export async function renewAsked(
  { conversation, exchange }: Pick<Found, 'conversation' | 'exchange'>,
  { proposals, renames }: RenewalDeps,
  question: Question = exchange.question,
): Promise<Question> {
  const [turn] = exchange.attempts;
  if (turn === undefined || question.origin === undefined) return question;
  const named = await renames.since({ conversation, exchange, turn }).withFilesNow(question);
  const renewed = await renewQuestion(named, exchange.attempts, proposals);
  // If nothing has changed, the question keeps its old paths: its first attempt tells which files they mean.
  return renewed === named ? question : renewed;
}

/** The question with other lines. */
interface Renewed {
  readonly question: Question;
  /** The lines in the question that were not sent before in this form. */
  readonly sent: readonly Pick<SentLines, 'uri' | 'text'>[];
}

/**
 * The question with the current text of the lines that it is about. Returns the same question if it isn't about lines, if
 * the lines can't be found anymore, if the user has changed them in the question, or if the user doesn't allow the files or
 * the keys in them.
 *
 * @param attempts the turns that answered the question so far; their proposals have followed the lines
 */
export async function renewQuestion(
  question: Question,
  attempts: Exchange['attempts'],
  proposals: Pick<Proposals, 'ofTurn'>,
): Promise<Question> {
  const { origin, more = [] } = question;
  if (origin === undefined) return question;
  const hasLines = origin.text !== undefined || numberedCodeOf(question.text) !== undefined;
  const opened = hasLines ? await openAll([origin, ...more]) : undefined;
  if (opened === undefined) return question;
  const { documents, toUnselected } = opened;
  const renewed =
    origin.text === undefined
      ? renewNumbered(question, origin, documents[0])
      : renewSections(question, [origin, ...more], documents, toFollowed(attempts, proposals));
  if (renewed === undefined) return question;
  return (await requestLines(renewed.sent.map(toUnselected))) ? renewed.question : question;
}

/** The documents, in their order; undefined if one of them doesn't exist or isn't allowed. */
async function openAll(
  origins: readonly Origin[],
): Promise<
  { readonly documents: readonly vscode.TextDocument[]; readonly toUnselected: ToUnselected } | undefined
> {
  const uris = origins.map(({ uri }) => vscode.Uri.parse(uri));
  const toUnselected = await requestFiles(uris);
  if (toUnselected === undefined) return undefined;
  return Promise.all(uris.map((uri) => vscode.workspace.openTextDocument(uri))).then(
    (documents) => (documents.some(isBinaryDocument) ? undefined : { documents, toUnselected }),
    () => undefined,
  );
}

/** The lines of a file, as followed by the proposal of an earlier attempt. */
type Followed = (origin: Origin, text: string) => Span | undefined;

function toFollowed(attempts: Exchange['attempts'], proposals: Pick<Proposals, 'ofTurn'>): Followed {
  const files = attempts.flatMap(({ id }) => proposals.ofTurn(id)).flatMap((one) => one.files);
  return ({ uri }, text) =>
    files.findLast((file) => file.uri === uri && file.text === text && !isEmpty(file.asked))?.asked;
}

const isEmpty = (span: Span | undefined): span is undefined => span === undefined || span.from === span.to;

function renewSections(
  question: Question,
  origins: readonly Origin[],
  documents: readonly vscode.TextDocument[],
  followed: Followed,
): Renewed | undefined {
  const around = linesAroundIn(question.text);
  const sections: { readonly sent: string; readonly now: SelectedCode }[] = [];
  for (const [index, origin] of origins.entries()) {
    const document = documents[index];
    if (document === undefined || origin.text === undefined) return undefined;
    const text = document.getText();
    // If the question has several sections of the file, a proposal has followed only the first of them.
    const isOnly = origins.filter(({ uri }) => uri === origin.uri).length === 1;
    const span = isOnly ? followed(origin, text) : undefined;
    const repeated = index === 0 ? findRepeatedLines(text, origin.text, origin.startLine, around) : undefined;
    const found = span ?? repeated ?? findAskedLines(text, origin.text, origin.startLine);
    const now = linesOfSpan(document, found);
    if (now === undefined) return undefined;
    // A review uses longer paths if workspace folders have the same name.
    const path = origin.path?.endsWith(`/${now.path}`) ? origin.path : now.path;
    sections.push({ sent: origin.text, now: { ...now, path } });
  }
  const [first, ...more] = sections.map(({ now }) => now);
  if (first === undefined) return undefined;
  const aroundNow = linesAround(first);
  const text = renewCodePrompt(question.text, sections, aroundNow);
  if (text === undefined) return undefined;
  const lines = [
    ...[first, ...aroundNow].map(({ text }) => ({ uri: first.document.uri, text })),
    ...more.map(({ document, text }) => ({ uri: document.uri, text })),
  ];
  return {
    question: {
      ...question,
      text,
      origin: toOrigin(first),
      ...(question.more && { more: more.map(toOrigin) }),
    },
    sent: lines.filter((one) => text.includes(one.text) && !question.text.includes(one.text)),
  };
}

/** Whether two texts have the same lines. In a question, line ends are different and the last one is missing. */
const isSameText = (one: string, other: string): boolean => toPlain(one) === toPlain(other);

const toPlain = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '');

/** Reviews and discussions have numbered lines. A file that was reviewed completely is reviewed completely again. */
function renewNumbered(
  question: Question,
  origin: Origin,
  document: vscode.TextDocument | undefined,
): Renewed | undefined {
  const sent = numberedCodeOf(question.text);
  if (sent === undefined || document === undefined) return undefined;
  const lines = sent.text.split('\n');
  const count = countLines(document);
  const now =
    sent.startLine === 0 && lines.length === sent.lineCount
      ? linesOfDocument(document, 0, count - 1)
      : linesOfSpan(document, findAskedLines(document.getText(), `${sent.text}\n`, sent.startLine));
  if (now === undefined) return undefined;
  // If the file was renamed, its origin has the path that was sent.
  const path = origin.path === undefined ? sent.path : toPath(document);
  const code = { ...now, path, language: sent.language, lineCount: count };
  const renewed = withNumberedCode(question.text, code, REVIEW_BUDGET_TOKENS, estimateTokens);
  const whole = { startLine: now.startLine, endLine: now.startLine + renewed.lines - 1 };
  // A discussion is about only some of the lines in its text.
  const about = lines.slice(origin.startLine - sent.startLine, origin.endLine - sent.startLine + 1);
  const found = findAskedLines(document.getText(), `${about.join('\n')}\n`, origin.startLine);
  const { startLine, endLine } =
    about.length === lines.length ? whole : (linesOfSpan(document, found) ?? whole);
  return {
    question: {
      ...question,
      text: renewed.text,
      origin: { uri: document.uri.toString(), startLine, endLine },
    },
    sent: isSameText(now.text, sent.text) ? [] : [{ uri: document.uri, text: now.text }],
  };
}
