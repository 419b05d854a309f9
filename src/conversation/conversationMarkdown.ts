/**
 * A conversation, or the reasoning of a turn, as a Markdown document.
 *
 * All text from the user or the service is in a fence. A Markdown preview then shows it unchanged, and
 * doesn't load images that an answer refers to (docs/security.md).
 */

import { fenceAround } from '../text/fences.ts';
import { type ContextItem, toItemText } from './context/context.ts';
import { type Conversation, type Exchange, sentText, shownQuestion, shownTurn } from './conversation.ts';
import type { Origin } from './question.ts';
import { allReasoning } from './rounds.ts';
import { planOfCall, toPlanText } from './toolCalls/plan.ts';
import { DEVICE } from './toolCalls/toolPaths.ts';
import type { Call, Turn } from './turn.ts';

/** The text of the document in the display language. */
export interface DocumentWords {
  readonly you: string;
  /** Shown if a turn has no answer text. */
  noAnswer(turn: Turn): string;
  turnHeading(turn: Turn, attempt: number, attempts: number): string;
  origin(origin: Origin): string;
  image(name: string): string;
  context(item: ContextItem): string;
  call(call: Call): string;
  /** The summary of the reasoning, which is folded below the summary. If missing, the reasoning is left out. */
  reasoning?(turn: Turn): string;
  /** The lines below an answer: its usage, and where its reasoning is. */
  notes(turn: Turn): readonly string[];
}

export interface ConversationDocument {
  readonly text: string;
  /** The line of the heading of each shown turn, counted from 0, by the turn's id. */
  readonly lines: ReadonlyMap<string, number>;
}

/**
 * The document of a conversation: each question, with the attempt that is shown. In the editor, reasoning has its own
 * documents.
 */
export function toDocument(conversation: Conversation, words: DocumentWords): ConversationDocument {
  const lines = new Map<string, number>();
  const out: string[] = [`# ${escapeMarkdown(conversation.title)}`, ''];
  for (const exchange of conversation.exchanges) {
    out.push(...toQuestionLines(exchange, words));
    const turn = shownTurn(exchange);
    if (turn === undefined) continue;
    lines.set(turn.id, out.length);
    out.push(...toTurnLines(turn, exchange, words));
  }
  return { text: out.join('\n'), lines };
}

function toQuestionLines(exchange: Exchange, words: DocumentWords): readonly string[] {
  const question = shownQuestion(exchange);
  const text = sentText(exchange, shownTurn(exchange));
  return [
    `## ${escapeMarkdown(words.you)}`,
    '',
    ...(question.origin === undefined ? [] : [escapeMarkdown(words.origin(question.origin)), '']),
    ...question.images.flatMap(({ name }) => [escapeMarkdown(words.image(name)), '']),
    ...(question.context ?? []).flatMap((item) => [
      escapeMarkdown(words.context(item)),
      '',
      ...toFence(toItemText(item)).lines,
      '',
    ]),
    ...(question.asked === undefined ? [] : [escapeMarkdown(question.asked), '']),
    ...(text === '' ? [] : [...toFence(text).lines, '']),
  ];
}

function toTurnLines(turn: Turn, exchange: Exchange, words: DocumentWords): readonly string[] {
  const heading = words.turnHeading(turn, exchange.shown + 1, exchange.attempts.length);
  return [
    `## ${escapeMarkdown(heading)}`,
    '',
    ...toReasoningLines(turn, words),
    ...turn.rounds.flatMap(({ answer, toolCalls }) => [
      ...(answer.trim() === '' ? [] : [...toFence(answer).lines, '']),
      ...toolCalls.flatMap((call) => toCallLines(call, words)),
    ]),
    ...(turn.answer.trim() === '' ? [escapeMarkdown(words.noAnswer(turn))] : toFence(turn.answer).lines),
    '',
    ...words.notes(turn).flatMap((note) => [escapeMarkdown(note), '']),
  ];
}

/** Markdown has no syntax for folding. Previews and code hosts support this element. */
function toReasoningLines(turn: Turn, words: DocumentWords): readonly string[] {
  const reasoning = allReasoning(turn);
  if (words.reasoning === undefined || reasoning.trim() === '') return [];
  const summary = `<summary>${escapeMarkdown(words.reasoning(turn))}</summary>`;
  return ['<details>', summary, '', ...toFence(reasoning).lines, '', '</details>', ''];
}

function toCallLines(call: Call, words: DocumentWords): readonly string[] {
  const result = call.result?.text ?? '';
  const plan = planOfCall(call);
  return [
    escapeMarkdown(words.call(call)),
    '',
    ...(plan === undefined ? toFence(call.arguments, 'json') : toFence(toPlanText(plan))).lines,
    '',
    ...(result === '' ? [] : [...toFence(result, 'text').lines, '']),
  ];
}

export interface Fenced {
  readonly text: string;
  /** The number of lines in the document above the first line of the text. */
  readonly linesAbove: number;
}

/** A document that shows a text unchanged, line by line. */
export function toFenced(text: string, language = 'md'): Fenced {
  return { text: toFence(text, language).lines.join('\n'), linesAbove: 1 };
}

function toFence(text: string, language = 'md'): { readonly lines: readonly string[] } {
  const fence = fenceAround(text);
  return { lines: [`${fence}${language}`, ...linesInFence(text), fence] };
}

/**
 * The editor also ends a line at a lone CR, but the outline doesn't. A space in its place keeps the line
 * numbers equal.
 */
function linesInFence(text: string): readonly string[] {
  const lines = text.replace(/\r(?!\n)/g, ' ').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The text on one line, with all Markdown syntax escaped. An underscore between letters or digits isn't syntax. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, (run) => (/[\r\n]/.test(run) ? ' ' : run))
    .replace(/[\\`*{}[\]<>#|!~&]|(?<![a-z\d])_|_(?![a-z\d])/gi, '\\$&');
}

const MAX_FILE_TITLE_LENGTH = 48;

/** The first line of a text, as a document title that is valid in a file name. */
export function toFileTitle(text: string, otherwise: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const safe = line
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|#%]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const cut =
    safe.length <= MAX_FILE_TITLE_LENGTH
      ? safe
      : `${safe
          .slice(0, MAX_FILE_TITLE_LENGTH - 1)
          .replace(/[\uD800-\uDBFF]$/, '')
          .trimEnd()}…`;
  const name = cut.replace(/^[. ]+|[. ]+$/g, '') || otherwise;
  // Windows has no files with such a name.
  return DEVICE.test(name) ? name.replace(/^[^.]+/, '$&_') : name;
}
